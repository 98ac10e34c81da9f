"""A structured string: every real date of the years 0001 to 9999, leap years by the full rule."""
import datetime
import re

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _parts(date):
    return [int(part) for part in date.split("-")]


def day_of_year(date: str) -> int:
    """Return the number of a day within its year; the first of January is day 1.

    The date is written YYYY-MM-DD and exists in the Gregorian calendar: a year is a leap year
    when 4 divides it, but not when 100 divides it, unless 400 does.

    >>> day_of_year("2023-03-01")
    60
    >>> day_of_year("2024-12-31")
    366
    """
    year, month, day = _parts(date)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return sum(_MONTH_DAYS[: month - 1]) + day + (leap and month > 2)


def reference_calendar(date: str) -> int:
    return datetime.date(*_parts(date)).timetuple().tm_yday


def contract(date: str) -> None:
    assert re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", date)
    datetime.date(*_parts(date))  # raises ValueError for a day that does not exist


def test_examples() -> None:
    assert day_of_year("2023-03-01") == 60
    assert day_of_year("2024-12-31") == 366
    assert day_of_year("2023-01-31") == 31
    assert day_of_year("2023-12-31") == 365


def wrong_every_fourth_year(date):
    """Knows only the rule of four: 1900 was no leap year."""
    year, month, day = _parts(date)
    return sum(_MONTH_DAYS[: month - 1]) + day + int(year % 4 == 0 and month > 2)


def wrong_no_leap_centuries(date):
    """Forgets that 400 makes a century year a leap year again."""
    year, month, day = _parts(date)
    leap = year % 4 == 0 and year % 100 != 0
    return sum(_MONTH_DAYS[: month - 1]) + day + int(leap and month > 2)


def wrong_leap_day_from_january(date):
    """Adds the leap day to January and February as well."""
    year, month, day = _parts(date)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return sum(_MONTH_DAYS[: month - 1]) + day + int(leap)


def wrong_alternating_months(date):
    """Alternates 31 and 30 days all year, though July and August both have 31."""
    year, month, day = _parts(date)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [28 + leap if m == 2 else 31 - (m + 1) % 2 for m in range(1, month)]
    return sum(lengths) + day
