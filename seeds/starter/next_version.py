"""A structured string (a version number) beside an enumeration of three words."""
import re

_PARTS = ("major", "minor", "patch")


def next_version(version: str, part: str) -> str:
    """Return the version that follows when one part of a version number is raised.

    A version is written MAJOR.MINOR.PATCH: three numbers without leading zeros, each of at most
    six digits. Part is 'major', 'minor' or 'patch'. That number grows by one and all the numbers
    after it become 0.

    >>> next_version("1.2.3", "patch")
    '1.2.4'
    >>> next_version("1.4.0", "minor")
    '1.5.0'
    """
    numbers = [int(number) for number in version.split(".")]
    place = _PARTS.index(part)
    raised = numbers[:place] + [numbers[place] + 1] + [0, 0, 0]
    return ".".join(map(str, raised[:3]))


def reference_cases(version: str, part: str) -> str:
    major, minor, patch = map(int, version.split("."))
    if part == "major":
        return f"{major + 1}.0.0"
    if part == "minor":
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def contract(version: str, part: str) -> None:
    number = "(0|[1-9][0-9]{0,5})"
    assert re.fullmatch(rf"{number}\.{number}\.{number}", version)
    assert part in _PARTS


def test_examples() -> None:
    assert next_version("1.2.3", "patch") == "1.2.4"
    assert next_version("1.4.0", "minor") == "1.5.0"
    assert next_version("2.0.0", "major") == "3.0.0"
    assert next_version("0.0.7", "patch") == "0.0.8"


def wrong_keeps_the_rest(version, part):
    """Raises the one number and resets nothing."""
    numbers = [int(number) for number in version.split(".")]
    numbers[_PARTS.index(part)] += 1
    return ".".join(map(str, numbers))


def wrong_resets_one_number(version, part):
    """Resets the next number only: a new major version keeps the old patch."""
    numbers = [int(number) for number in version.split(".")] + [0]
    place = _PARTS.index(part)
    numbers[place : place + 2] = [numbers[place] + 1, 0]
    return ".".join(map(str, numbers[:3]))


def wrong_carries_after_nine(version, part):
    """Reads the version as a decimal number, so that 1.2.9 is followed by 1.3.0."""
    numbers = [int(number) for number in version.split(".")]
    place = _PARTS.index(part)
    numbers[place:] = [numbers[place] + 1] + [0] * (2 - place)
    for index in (2, 1):
        if numbers[index] == 10:
            numbers[index - 1 : index + 1] = [numbers[index - 1] + 1, 0]
    return ".".join(map(str, numbers))


def wrong_single_digits(version, part):
    """Takes each of the first three digits for a number: 10.2.3 is read as 1.0.2."""
    numbers = [int(char) for char in version.replace(".", "")[:3]]
    place = _PARTS.index(part)
    return ".".join(map(str, [*numbers[:place], numbers[place] + 1, 0, 0][:3]))
