"""A small state machine: five words and a number of steps, also backwards."""

_ORDER = ("red", "red-yellow", "green", "yellow")
_NEXT = {"red": "red-yellow", "red-yellow": "green", "green": "yellow", "yellow": "red"}


def _walk(color, steps, following):
    for _ in range(steps):
        color = following.get(color, color)
    return color


def traffic_light(color: str, steps: int) -> str:
    """Return what a traffic light shows some steps later.

    It goes from 'red' to 'red-yellow', then to 'green', to 'yellow' and back to 'red'. A light
    that is 'off' stays 'off'. A negative number of steps asks what it showed before.

    >>> traffic_light("red", 2)
    'green'
    >>> traffic_light("green", 1)
    'yellow'
    """
    if color == "off":
        return "off"
    return _ORDER[(_ORDER.index(color) + steps) % 4]


def reference_step_by_step(color: str, steps: int) -> str:
    before = {later: earlier for earlier, later in _NEXT.items()}
    return _walk(color, abs(steps), _NEXT if steps > 0 else before)


def contract(color: str, steps: int) -> None:
    assert color in (*_ORDER, "off")
    assert abs(steps) <= 1000


def test_examples() -> None:
    assert traffic_light("red", 2) == "green"
    assert traffic_light("green", 1) == "yellow"
    assert traffic_light("yellow", 3) == "green"
    assert traffic_light("off", 0) == "off"
    assert traffic_light("red", -2) == "green"


def wrong_no_way_back(color, steps):
    """Goes forward whatever the sign of the steps."""
    return _walk(color, abs(steps), _NEXT)


def wrong_off_is_switched_on(color, steps):
    """Lets a light that is off begin with red."""
    return _walk(color, steps % 4, {"off": "red", **_NEXT})


def wrong_one_lap_only(color, steps):
    """Comes around once and then runs out of the table."""
    if color == "off":
        return "off"
    place = _ORDER.index(color) + steps
    return _ORDER[place - 4 if place >= 4 else place]


def wrong_straight_back_to_red(color, steps):
    """Has no 'red-yellow' on the way back from 'green'."""
    back = {"red": "yellow", "yellow": "green", "green": "red", "red-yellow": "red"}
    return _walk(color, abs(steps), _NEXT if steps > 0 else back)
