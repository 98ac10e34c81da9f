"""From verdicts to scores: what counts, what does not, and what is left undefined."""

import pytest
from plusforge.oracle.errors import ConfigError
from plusforge.oracle.scoring import Board, Scores, parse_ks


def scores(board: Board, *ks: int, missing: tuple[str, ...] = (), wrong: bool = False) -> Scores:
    zeros = len(missing) if wrong else 0
    return board.scores(ks or (1,), zeros={"base": zeros, "plus": zeros})


def board_of(*verdicts: tuple[str, str, str | None]) -> Board:
    """Return a board with one sample a triple of task, base and plus verdict."""
    board = Board()
    for task_id, base, plus in verdicts:
        board.add(task_id, base, plus, has_plus=True)
    return board


def test_a_score_is_the_average_over_tasks_not_over_samples() -> None:
    board = board_of(
        *[("a", "pass", "pass")] * 9, ("a", "wrong", None),
        ("b", "pass", "wrong"),
    )  # fmt: skip
    found = scores(board)
    assert found.pass_at_k == {"base": {"1": 0.95}, "plus": {"1": 0.45}}
    assert found.stderr["base"]["1"] == pytest.approx(0.05)
    assert found.stderr["plus"]["1"] == pytest.approx(0.45)
    assert found.n_tasks == 2


def test_plus_needs_base_too() -> None:
    board = board_of(("a", "wrong", "pass"), ("a", "pass", "pass"))
    assert scores(board).pass_at_k == {"base": {"1": 0.5}, "plus": {"1": 0.5}}
    assert board.verdicts["plus"] == {"pass": 2}  # the verdicts themselves stand apart


def test_k_beyond_one_tasks_samples_is_undefined_for_all() -> None:
    board = board_of(*[("a", "pass", "pass")] * 10, *[("b", "pass", "pass")] * 5)
    found = scores(board, 5, 10)
    assert found.pass_at_k["base"] == {"5": 1.0, "10": None}
    assert found.stderr["base"] == {"5": 0.0, "10": None}


def test_one_task_has_no_standard_error() -> None:
    assert scores(board_of(("a", "pass", "pass"))).stderr == {"base": {"1": None},
                                                              "plus": {"1": None}}  # fmt: skip


def test_a_sample_without_a_verdict_is_not_in_n() -> None:
    board = board_of(("a", "pass", "pass"), ("a", "judge_error", None), ("b", "judge_error", None))
    found = scores(board, 1, 2)
    assert found.pass_at_k["base"] == {"1": 1.0, "2": None}
    assert found.n_tasks == 1  # b has no verdict at all: neither right nor wrong
    assert board.judge_errors == 2
    assert board.counts["a"].n == 1


def test_a_task_without_plus_tests_is_never_passed_on_them() -> None:
    board = board_of(("a", "pass", "wrong"))
    board.add("bare", "pass", None, has_plus=False)
    found = scores(board)
    assert found.pass_at_k == {"base": {"1": 1.0}, "plus": {"1": 0.0}}
    assert found.n_tasks == 2


def test_without_any_plus_test_there_is_no_plus_score() -> None:
    board = Board()
    board.add("bare", "pass", None, has_plus=False)
    found = scores(board)
    assert found.pass_at_k == {"base": {"1": 1.0}, "plus": {"1": None}}
    assert found.stderr["plus"] == {"1": None}


def test_missing_tasks_count_when_asked() -> None:
    board = board_of(*[("a", "pass", "pass")] * 2)
    assert scores(board, 1, missing=("b", "c")).pass_at_k["base"] == {"1": 1.0}
    found = scores(board, 1, 2, 3, missing=("b", "c"), wrong=True)
    # A missing task is 0 whatever k, but task a has only two samples.
    assert found.pass_at_k["base"] == {"1": 1 / 3, "2": 1 / 3, "3": None}
    assert found.pass_at_k["plus"] == {"1": 1 / 3, "2": 1 / 3, "3": None}
    assert found.n_tasks == 3


def test_nothing_judged_gives_no_score() -> None:
    found = scores(Board(), 1, 10)
    assert found.pass_at_k == {"base": {"1": None, "10": None}, "plus": {"1": None, "10": None}}
    assert found.n_tasks == 0


@pytest.mark.parametrize(
    ("text", "ks"),
    [("1", (1,)), ("1,10,100", (1, 10, 100)), ("5,1,5", (5, 1)), (" 1, 2", (1, 2))],
)
def test_ks(text: str, ks: tuple[int, ...]) -> None:
    assert parse_ks(text) == ks


@pytest.mark.parametrize(
    "text", ["", ",", "1,", "0", "-1", "1,0", "1.5", "ten", "1 10", "\u0661", "1;2", "9" * 5000]
)
def test_no_ks(text: str) -> None:
    with pytest.raises(ConfigError, match=r"--k '.*': expected whole numbers from 1 up"):
        parse_ks(text)
