"""A small writer of line charts as SVG: a logarithmic axis across, shares upwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import log10

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 24, 52


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart.

    Attributes:
        name: Its label.
        colour: As SVG has it.
        shares: Its height at each place, from 0 to 1.
        lows: Lower edge of the band around it.
        highs: Upper edge of the band around it.
    """

    name: str
    colour: str
    shares: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()


def line_chart(places: Sequence[int], lines: Sequence[Line], *, across: str, up: str) -> str:
    """Return a chart as SVG.

    Args:
        places: Of the points of every line, rising, from 1.
        lines: At least one.
        across: Label of the horizontal axis.
        up: Label of the vertical axis.
    """
    first, last = log10(places[0]), log10(places[-1])
    xs = [LEFT + (log10(p) - first) / (last - first) * (WIDTH - LEFT - RIGHT) for p in places]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        '<g font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for percent in range(0, 101, 20):
        y = _height(percent / 100)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>')
    for place, x in zip(places, xs, strict=True):
        if log10(place) == int(log10(place)):
            parts.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
            parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">'
                         f"{place:,}</text>")  # fmt: skip
    ends = _apart([_height(line.shares[-1]) for line in lines])
    for line, end in zip(lines, ends, strict=True):
        if line.lows:
            edge = [
                *zip(xs, line.highs, strict=True),
                *reversed([*zip(xs, line.lows, strict=True)]),
            ]
            parts.append(f'<polygon points="{_points(edge)}" fill="{line.colour}" opacity="0.2"/>')
        parts.append(f'<polyline points="{_points([*zip(xs, line.shares, strict=True)])}" '
                     f'fill="none" stroke="{line.colour}" stroke-width="2"/>')  # fmt: skip
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{end + 4:.1f}" fill="{line.colour}">'
                     f"{escape(line.name)}</text>")  # fmt: skip
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>'
    )
    parts.append(f'<text transform="translate(16 {HEIGHT / 2}) rotate(-90)" '
                 f'text-anchor="middle">{escape(up)}</text>')  # fmt: skip
    return "\n".join([*parts, "</g></svg>\n"])


def _height(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{_height(share):.1f}" for x, share in points)


def _apart(heights: Sequence[float], gap: float = 15.0) -> list[float]:
    """Move labels down until none covers another; keep their order from top to bottom."""
    found = list(heights)
    order = sorted(range(len(found)), key=lambda index: found[index])
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + gap)
    return found
