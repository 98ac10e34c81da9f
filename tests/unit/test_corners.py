"""Corners of dates and times: listed, at the width of the fields, once for each shape."""

from plusforge.generator.corners import corner_calls


def test_ends_of_every_month_are_among_the_corners_of_a_date() -> None:
    found = {args[0] for args in corner_calls([("03-11-2000",)], 1000)}
    assert {"01-31-2000", "04-31-2000", "06-30-2000", "02-29-2000", "12-32-2000", "01-00-2000",
            "30-01-2000"} <= found  # fmt: skip


def test_fields_keep_their_widths_and_years_stay() -> None:
    found = {args[0] for args in corner_calls([("9:59, 2024",)], 1000)}
    assert "3:59, 2024" in found  # 23 at the width of one digit
    assert all(text.endswith(", 2024") and text[1] == ":" and len(text) == 10 for text in found)


def test_a_shape_counts_once_and_other_arguments_stay() -> None:
    calls = [("1-2", 7), ("3-4", 8), ("no number", 9), ("10-20", 5)]
    found = list(corner_calls(calls, 10_000))
    assert {args[1] for args in found} == {7, 5}
    assert list(corner_calls([("12",), ("a1",), (3,), (["1-2"],)], 10)) == []


def test_the_limit_holds_and_every_string_has_its_turn() -> None:
    found = list(corner_calls([("1-2", "03:04")], 4))
    assert len(found) == 4
    assert [args[0] == "1-2" for args in found] == [False, True, False, True]
