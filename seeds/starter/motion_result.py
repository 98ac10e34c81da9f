"""A tiny domain: four truth values, sixteen inputs, so that all of them can be tried."""


def motion_result(first: bool, second: bool, third: bool, chair: bool) -> str:
    """Return how a vote of three members and the chair ends; True is a vote in favour.

    With three or four votes in favour the result is 'carried', with none or one it is 'lost'.
    At two against two the chair's vote decides: 'carried by the chair' or 'lost by the chair'.

    >>> motion_result(True, True, True, False)
    'carried'
    >>> motion_result(True, False, False, True)
    'carried by the chair'
    """
    votes = first + second + third + chair
    if votes == 2:
        return "carried by the chair" if chair else "lost by the chair"
    return "carried" if votes > 2 else "lost"


def reference_members_first(first: bool, second: bool, third: bool, chair: bool) -> str:
    members = [first, second, third].count(True)
    if chair:
        return {0: "lost", 1: "carried by the chair"}.get(members, "carried")
    return {3: "carried", 2: "lost by the chair"}.get(members, "lost")


def contract(first: bool, second: bool, third: bool, chair: bool) -> None:
    """Every combination is valid."""


def test_examples() -> None:
    assert motion_result(True, True, True, False) == "carried"
    assert motion_result(True, False, False, True) == "carried by the chair"
    assert motion_result(False, False, False, False) == "lost"
    assert motion_result(True, True, True, True) == "carried"


def wrong_tie_is_carried(first, second, third, chair):
    """Never looks at how the chair voted in a tie."""
    votes = first + second + third + chair
    if votes == 2:
        return "carried by the chair"
    return "carried" if votes > 2 else "lost"


def wrong_chair_always_decides(first, second, third, chair):
    """Lets the chair decide whenever the members disagree."""
    if first == second == third:
        return "carried" if first else "lost"
    return "carried by the chair" if chair else "lost by the chair"


def wrong_one_pair_only(first, second, third, chair):
    """Sees a tie only when the first member and the chair make up the two votes."""
    votes = first + second + third + chair
    if votes == 2 and first:
        return "carried by the chair" if chair else "lost by the chair"
    return "carried" if votes > 2 else "lost"
