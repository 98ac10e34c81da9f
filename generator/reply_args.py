"""Values to argument rows: is ``[1, 2]`` two arguments, one argument, or two inputs?

The number of parameters decides, then their annotations, then how such things are usually written.
"""

from __future__ import annotations

from collections.abc import Sequence

from plusforge.oracle.retype import retype
from plusforge.oracle.task import Param
from plusforge.oracle.typespec import (
    CONTAINERS,
    SCALARS,
    Anything,
    Fixed,
    Many,
    Mapping,
    OneOf,
    Scalar,
    Spec,
    Unknown,
    parse_annotation,
)
from plusforge.oracle.values import Args, Value
from plusforge.oracle.wording import plural

LOOKED_AT = 40
"""Items of a container that are looked at to tell what it is."""


def fits(value: Value, spec: Spec) -> bool | None:
    """Tell whether a value looks like one of a spec; None when the spec says nothing.

    Laxer than the type check of inputs: an int does for a float, and of a long list the first
    ``LOOKED_AT`` items count. It only decides between ways of reading.
    """
    match spec:
        case Scalar(kind):
            kinds = {"float": (int, float), "complex": (int, float, complex)}
            return isinstance(value, kinds.get(kind, SCALARS[kind]))
        case Many(kind, item):
            if not isinstance(value, CONTAINERS[kind]):
                return False
            return not any(fits(part, item) is False for part in list(value)[:LOOKED_AT])
        case Fixed(kind, items):
            if not isinstance(value, CONTAINERS[kind]) or len(value) != len(items):
                return False
            return not any(fits(v, item) is False for v, item in zip(value, items, strict=True))
        case Mapping(key, item):
            if not isinstance(value, dict):
                return False
            some = list(value.items())[:LOOKED_AT]
            return not any(fits(k, key) is False or fits(v, item) is False for k, v in some)
        case OneOf(options):
            answers = [fits(value, option) for option in options]
            return True if True in answers else None if None in answers else False
        case Anything() | Unknown():
            return None


class Signature:
    """The parameters of an entry point, asked how values are arguments of it.

    Attributes:
        names: Of the parameters, in order.
        required: Number of arguments a call must give.
        specs: Types, from the annotations.
    """

    def __init__(self, params: Sequence[Param]) -> None:
        """Read the parameters' annotations."""
        self.names = [param.name for param in params]
        self.required = sum(not param.optional for param in params)
        self.specs = [parse_annotation(param.annotation) for param in params]

    @property
    def one_string(self) -> bool:
        """True when a single string is the whole input."""
        return len(self.names) == 1 and fits("", self.specs[0]) is True

    @property
    def untyped(self) -> bool:
        """True when nothing is known of the first parameter's type."""
        return bool(self.specs) and isinstance(self.specs[0], Anything | Unknown)

    @property
    def one_untyped(self) -> bool:
        """True when there is a single parameter of which no type is known."""
        return len(self.names) == 1 and self.untyped

    def misfits(self, args: Args) -> int:
        """Return how many arguments do not look like what the annotations say."""
        return sum(fits(arg, spec) is False for arg, spec in zip(args, self.specs, strict=False))

    def retyped(self, args: Args) -> Args:
        """Return arguments from JSON with the types that it cannot say: tuples, sets, int keys."""
        pairs = zip(args, self.specs, strict=False)
        return tuple(retype(arg, spec, text=False) for arg, spec in pairs)

    def wrong_count(self, count: int) -> str:
        """Return why a number of arguments is wrong, or an empty string."""
        least, most = self.required, len(self.names)
        if least <= count <= most:
            return ""
        takes = str(most) if least == most else f"{least} to {most}"
        given = f"{count} {plural(count, 'argument')}"
        return f"{given} where the function takes {takes} ({', '.join(self.names) or 'none'})"

    def by_name(self, values: dict[str, Value]) -> Args | str:
        """Return values given by parameter name as a row, or why they are none.

        Arguments may be left out at the end only: a row has no gaps.
        """
        strange = [name for name in values if name not in self.names]
        if strange:
            return f"{strange[0]!r} is no parameter ({', '.join(self.names) or 'there are none'})"
        missing = [name for name in self.names[: self.required] if name not in values]
        if missing:
            return f"no value for {missing[0]!r}"
        row = self.names[: len(values)]
        if set(row) != set(values):
            gap = next(name for name in row if name not in values)
            return f"{gap!r} is left out and a later parameter is not; give it as well"
        return tuple(values[name] for name in row)

    def single(self, value: Value, *, rows: bool = False) -> Args | str:
        """Return a value as one input, or why it is none.

        Args:
            value: A row of arguments, arguments by name, or the only argument.
            rows: Lists are rows of arguments, as in JSON, even of a function of one parameter.
        """
        least, most = self.required, len(self.names)
        options: list[Args] = []
        if isinstance(value, dict) and value:
            named = self.by_name(value)
            if not isinstance(named, str):
                options.append(named)
        sequence = isinstance(value, tuple | list)
        spread = [tuple(value)] if sequence and least <= len(value) <= most else []
        row_first = isinstance(value, tuple) or rows
        if row_first:
            options += spread
        if least <= 1 <= most:
            options.append((value,))
        if not row_first:
            options += spread
        if not options and isinstance(value, dict):
            return str(self.by_name(value))
        if options:
            best = min(options, key=self.misfits)
            tuple_of_many = isinstance(value, tuple) and best == (value,) and len(value) != 1
            if not (tuple_of_many and self.misfits(best)):
                return best
        return self.wrong_count(len(value) if sequence else 1) or "it fits no parameter"

    def doubt(self, value: Value, *, rows: bool = False) -> float:
        """Return how badly a value reads as one input: 0 well, 1 not at all."""
        args = self.single(value, rows=rows)
        if isinstance(args, str):
            return 1.0
        return self.misfits(args) / max(1, len(args))
