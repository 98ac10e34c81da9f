"""Near misses: one thing wrong at a time, and only in strings."""

from plusforge.generator.nearmiss import near_misses, text_edits


def test_a_line_gets_what_lenient_parsers_accept() -> None:
    found = list(text_edits("width=-12"))
    assert {"width=-12\n", " width=-12", "width=12", "width=+12", "width=--12", "width=-012"} <= {
        *found
    }
    assert {"width==-12", "width-12", "WIDTH=-12", "width = -12", "width=-12.0"} - {*found} == {
        "width = -12"
    }


def test_a_clock_reaches_the_limits_of_its_fields() -> None:
    found = set(text_edits("09:59"))
    assert {"24:59", "09:60", "00:59", "09:00", "9:59", "09:059", "09::59", "0959"} <= found


def test_only_strings_are_edited_and_every_call_has_its_turn() -> None:
    found = list(near_misses([("a", 1), ("bc", [2]), (3, "d")], 30))
    assert len(found) == 30
    assert [args[1] for args in found[:2]] == [1, [2]]
    assert found[2][0] == 3
    assert list(near_misses([(1, [2])], 30)) == []
    assert len(list(near_misses([("a=1",)], 1000))) < 100
