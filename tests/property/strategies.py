"""Hypothesis strategies for plain values and type specs, shared by the property tests."""

from hypothesis import strategies as st
from plusforge.oracle.typespec import Anything, Fixed, Many, Mapping, OneOf, Scalar, Spec

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(st.characters(codec=None, exclude_categories=[]), max_size=8)
    | st.binary(max_size=8)
)
hashables = st.recursive(
    scalars,
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(hashables, inner, max_size=3)
        | st.sets(hashables, max_size=3)
        | st.frozensets(hashables, max_size=3)
    ),
    max_leaves=12,
)

_STRATEGY_OF = {
    "none": st.none(),
    "bool": st.booleans(),
    "int": st.integers(-(2**70), 2**70),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "complex": st.complex_numbers(allow_nan=False, allow_infinity=False),
    "str": st.text(max_size=8),
    "bytes": st.binary(max_size=8),
}
scalar_specs = st.sampled_from(sorted(_STRATEGY_OF)).map(Scalar)


def _unions(parts: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    distinct = st.lists(parts, min_size=2, max_size=3, unique=True)
    return distinct.map(lambda options: OneOf(tuple(options)))


specs: st.SearchStrategy[Spec] = st.recursive(
    scalar_specs,
    lambda inner: (
        st.builds(Many, st.sampled_from(["list", "tuple"]), inner)
        | st.builds(Many, st.sampled_from(["set", "frozenset"]), scalar_specs)
        | st.builds(
            Fixed,
            st.sampled_from(["list", "tuple"]),
            st.lists(inner, min_size=1, max_size=3).map(tuple),
        )
        | st.builds(Mapping, scalar_specs, inner)
        | _unions(scalar_specs)
    ),
    max_leaves=4,
)


def values_of(spec: Spec) -> st.SearchStrategy[object]:
    """Return a strategy for the values of a spec."""
    match spec:
        case Scalar(kind):
            return _STRATEGY_OF[kind]
        case Many("set", item):
            return st.sets(values_of(item), max_size=4)
        case Many("frozenset", item):
            return st.frozensets(values_of(item), max_size=4)
        case Many(kind, item):
            return st.lists(values_of(item), max_size=4).map(tuple if kind == "tuple" else list)
        case Fixed(kind, items):
            return st.tuples(*map(values_of, items)).map(tuple if kind == "tuple" else list)
        case Mapping(key, value):
            return st.dictionaries(values_of(key), values_of(value), max_size=4)
        case OneOf(options):
            return st.one_of(*map(values_of, options))
        case Anything():
            return values
        case _:
            return st.nothing()
