"""What a mutation operator is: a plain function, its family, what it works on, and its examples.

Every operator has the signature ``op(value, spec, material, rng)`` and returns a new value of the
same type, or ``SKIP`` when it has nothing to do there. It never changes the value it is given;
parts of the new value may be shared with the old one, because candidates are serialised at once.

What ``value`` and ``spec`` are depends on the group the operator is registered for:

===================  ======================================  ================================
group                value                                   result
===================  ======================================  ================================
a scalar kind        the scalar                              a scalar of that kind
``list``             a list or tuple (``Many``)              a list of items, cast by the table
``numbers``          the same, ints and floats only          the same
``texts``            the same, strings only                  the same
``matrix``           the same, of lists or tuples            the same
``rows``             the same, of those or of records        the same
``nest``             a list or tuple of ``Any``              the same
``set``              the items of a set, ordered             a list of items, cast by the table
``dict``             a dict (``Mapping``)                    a dict
``nest_dict``        a dict with values of ``Any``           a dict
``record``           a sequence with typed positions         a list of items, cast by the table
``args``             all arguments, specs in a tuple         a tuple of the same length
``number~list`` etc  two arguments (x, y), specs in a pair   the pair with x, y or both changed
===================  ======================================  ================================

Pair groups are made of ``number text list set dict any``. Whatever a pair or ``args`` operator
returns is checked against the specs before it is used, so these may be generous.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from plusforge.generator.material import Material
from plusforge.generator.rng import Stream
from plusforge.oracle.values import Value

Apply: TypeAlias = Callable[[Any, Any, Material, Stream], Any]
Expected: TypeAlias = Sequence[Value] | Callable[[Any], bool]
Example: TypeAlias = tuple[Value, Expected]


class _Skip:
    """The type of ``SKIP``."""

    def __repr__(self) -> str:
        return "SKIP"


SKIP: Final[Any] = _Skip()
"""An operator's answer when it has nothing to do with a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """One mutation rule.

    Attributes:
        name: The function's name; unique in the catalogue.
        family: What kind of change it makes, for reports.
        on: Groups it works on, see the module's docstring.
        apply: The function.
        weight: How often it is chosen, relative to 1.0, before any feedback.
        needs: An attribute of the material that must not be empty, or None.
        examples: Pairs of a value and what may come out of it: all possible results, or a
            predicate that every result satisfies. They are documentation and tests.
    """

    name: str
    family: str
    on: tuple[str, ...]
    apply: Apply
    weight: float
    needs: str | None
    examples: tuple[Example, ...]


def registrar(catalogue: list[Operator]) -> Callable[..., Callable[[Apply], Apply]]:
    """Return the decorator that enters functions into one module's list of operators.

    Args:
        catalogue: The list to append to; its order is the order of definition.
    """

    def operator(
        family: str,
        *,
        on: str,
        examples: Sequence[Example],
        weight: float = 1.0,
        needs: str | None = None,
    ) -> Callable[[Apply], Apply]:
        def enter(function: Apply) -> Apply:
            catalogue.append(
                Operator(
                    name=function.__name__,
                    family=family,
                    on=tuple(on.split()),
                    apply=function,
                    weight=weight,
                    needs=needs,
                    examples=tuple(examples),
                )
            )
            return function

        return enter

    return operator


def proper_slice(value: Value, rng: Stream) -> Value:
    """Return a proper, non-empty slice of a string or a list, or ``SKIP``: it is too short.

    Args:
        value: Anything that can be sliced.
        rng: Decides whether it is a prefix, a suffix or a middle, and where it is cut.
    """
    n = len(value)
    if n < 2:
        return SKIP
    kind = rng.unit()
    if kind < 0.35:
        return value[: 1 + int(rng.unit() * (n - 1))]
    if kind < 0.7:
        return value[1 + int(rng.unit() * (n - 1)) :]
    i = int(rng.unit() * n)
    return value[i : i + 1 + int(rng.unit() * (n - 1))]
