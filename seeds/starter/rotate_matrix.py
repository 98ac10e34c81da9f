"""A rectangular matrix: tall, wide, a single row or column, or no rows at all."""
from typing import List


def rotate_matrix(matrix: List[List[int]]) -> List[List[int]]:
    """Return the matrix turned clockwise by 90 degrees.

    All rows have the same length, which is at least 1. A matrix without rows gives [].

    >>> rotate_matrix([[1, 2], [3, 4]])
    [[3, 1], [4, 2]]
    """
    return [list(column) for column in zip(*reversed(matrix))]


def reference_by_index(matrix: List[List[int]]) -> List[List[int]]:
    height = len(matrix)
    width = len(matrix[0]) if matrix else 0
    return [[matrix[height - 1 - x][y] for x in range(height)] for y in range(width)]


def contract(matrix: List[List[int]]) -> None:
    assert len(matrix) <= 40
    assert all(1 <= len(row) <= 40 and len(row) == len(matrix[0]) for row in matrix)


def test_square() -> None:
    assert rotate_matrix([[1, 2], [3, 4]]) == [[3, 1], [4, 2]]
    assert rotate_matrix([[5]]) == [[5]]
    assert rotate_matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) == [[7, 4, 1], [8, 5, 2], [9, 6, 3]]


def wrong_cuts_wide_rows(matrix):
    """Takes the matrix for a square: columns beyond its height are lost, or do not exist."""
    n = len(matrix)
    return [[matrix[n - 1 - x][y] for x in range(n)] for y in range(n)]


def wrong_single_row_unchanged(matrix):
    """Returns a single row as it is, though it has to become a column."""
    if len(matrix) == 1:
        return matrix
    return [list(column) for column in zip(*matrix[::-1])]


def wrong_needs_a_first_row(matrix):
    """Fails on a matrix without rows."""
    return [[row[y] for row in matrix[::-1]] for y in range(len(matrix[0]))]


def wrong_equal_rows_once(matrix):
    """Throws away rows that were seen before."""
    rows = []
    for row in reversed(matrix):
        if row not in rows:
            rows.append(row)
    return [list(column) for column in zip(*rows)]
