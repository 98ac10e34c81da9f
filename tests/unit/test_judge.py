"""The judge's own bookkeeping, without a sandbox."""

import pytest
from plusforge.oracle.judge import CHECKED_BYTES, CHECKED_TOGETHER, _enough


@pytest.mark.parametrize(
    ("sizes", "enough"),
    [
        ([], False),
        ([10] * (CHECKED_TOGETHER - 1), False),
        ([10] * CHECKED_TOGETHER, True),
        ([CHECKED_BYTES - 1], False),
        ([CHECKED_BYTES], True),
        ([CHECKED_BYTES // 2] * 2, True),
    ],
)
def test_what_waits_for_the_checker_is_bounded(sizes: list[int], enough: bool) -> None:
    waiting = [(index, bytes(size)) for index, size in enumerate(sizes)]
    assert _enough(waiting) is enough
