"""Whatever the types and the values: proposals keep arity and type, and change nothing in place."""

from itertools import islice

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plusforge.generator.bounds import MAX_INT, MAX_ITEMS, MAX_TEXT
from plusforge.generator.fresh import fresh, hashable_part
from plusforge.generator.material import Material, build_material
from plusforge.generator.operators import Mutator
from plusforge.generator.rng import Stream
from plusforge.generator.smallscope import small_args, small_values
from plusforge.oracle.typecheck import compile_check
from plusforge.oracle.typespec import Anything, Many, Mapping, OneOf, Scalar, Spec
from plusforge.oracle.values import Args, Value, key_of

from tests.property import strategies

RICH = build_material(
    ['def f(x):\n    "Say \'no\' to 3.5"\n    return ["yes", 42, 0.25, "é"]'],
    "",
    [("(ab) 12-31", [1, 2.5])],
)
materials = st.sampled_from([Material(), RICH])
tricky = st.sampled_from(
    [
        Anything(),
        Many("list", Anything()),
        Many("set", Anything()),
        Many("frozenset", Many("tuple", Scalar("int"))),
        Many("set", OneOf((Scalar("int"), Many("tuple", Scalar("str"))))),
        Mapping(Anything(), Anything()),
        Mapping(Many("tuple", Scalar("int")), Many("list", Scalar("float"))),
        OneOf((Many("list", Scalar("int")), Many("list", Scalar("str")))),
        OneOf((Many("list", Scalar("int")), Scalar("none"))),
        Many("list", Many("tuple", Many("list", Scalar("str")))),
    ]
)
specs = strategies.specs | tricky


@st.composite
def calls(draw: st.DrawFn) -> tuple[list[Spec], Args, Args]:
    """Draw specs, and two calls that fit them; the second may leave arguments out."""
    chosen = draw(st.lists(specs, min_size=0, max_size=3))
    first = tuple(draw(_values_of(spec)) for spec in chosen)
    second = tuple(draw(_values_of(spec)) for spec in chosen)
    return chosen, first, second[: draw(st.integers(0, len(chosen)))]


def _values_of(spec: Spec) -> st.SearchStrategy[object]:
    hashable = strategies.hashables
    match spec:
        case Many("set", Anything()):
            return st.sets(hashable, max_size=4)
        case Many("list", Anything()):
            return st.lists(strategies.values, max_size=4)
        case Mapping(Anything(), Anything()):
            return st.dictionaries(hashable, strategies.values, max_size=4)
        case _:
            return strategies.values_of(spec)


def within_bounds(value: Value) -> bool:
    cls = type(value)
    if cls is int:
        return abs(value) <= MAX_INT
    if cls in (str, bytes):
        return len(value) <= MAX_TEXT
    if cls is dict:
        return len(value) <= MAX_ITEMS and all(map(within_bounds, value.values()))
    if cls in (list, tuple, set, frozenset):
        return len(value) <= MAX_ITEMS and all(map(within_bounds, value))
    return True


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls(), materials, st.integers(0, 2**32))
def test_proposals_fit_the_types_and_leave_the_parent_alone(
    drawn: tuple[list[Spec], Args, Args], material: Material, seed: int
) -> None:
    chosen, parent, other = drawn
    checks = [compile_check(spec) for spec in chosen]
    mutator = Mutator(chosen, material, Stream(seed))
    keys = key_of(parent), key_of(other)
    current = parent
    for turn in range(40):
        candidate, rules = mutator.propose(current, other)
        assert len(candidate) == len(parent)
        assert all(check(arg) for check, arg in zip(checks, candidate, strict=True))
        assert within_bounds(candidate) or not within_bounds(parent)
        mutator.feedback(rules, kept=turn % 2 == 0)
        if turn % 8 < 6:
            current = candidate
        else:
            current = parent
    assert (key_of(parent), key_of(other)) == keys


@settings(max_examples=200, deadline=None)
@given(specs, materials, st.integers(0, 2**32))
def test_drawn_values_fit_the_type(spec: Spec, material: Material, seed: int) -> None:
    check = compile_check(spec)
    rng = Stream(seed)
    for _ in range(20):
        value = fresh(spec, material, rng)
        assert check(value)
        assert within_bounds(value)


@settings(max_examples=100, deadline=None)
@given(specs, st.integers(0, 2**32))
def test_the_hashable_part_of_a_type_has_hashable_values(spec: Spec, seed: int) -> None:
    part = hashable_part(spec)
    if part is not None:
        rng = Stream(seed)
        values = [fresh(part, RICH, rng) for _ in range(20)]
        assert len(set(values)) >= 1
        assert all(map(compile_check(spec), values))


@settings(max_examples=150, deadline=None)
@given(specs, materials, st.integers(0, 60))
def test_small_values_fit_the_type_and_are_distinct(
    spec: Spec, material: Material, limit: int
) -> None:
    values = small_values(spec, material, limit)
    assert min(limit, 1) <= len(values) <= limit
    assert all(map(compile_check(spec), values))
    assert len(set(map(key_of, values))) == len(values)


@settings(max_examples=100, deadline=None)
@given(st.lists(specs, max_size=3), materials)
def test_small_calls_are_distinct_and_begin_with_the_simplest_values(
    chosen: list[Spec], material: Material
) -> None:
    found = list(islice(small_args(chosen, material, 150), 300))
    assert 1 <= len(found) <= 150
    assert len(set(map(key_of, found))) == len(found)
    assert key_of(found[0]) == key_of(tuple(small_values(spec, material, 1)[0] for spec in chosen))


def test_a_long_chain_of_mutations_of_anything_stays_small() -> None:
    spec = Many("list", Anything())
    mutator = Mutator([spec], Material(), Stream(0))
    check = compile_check(spec)
    current: Args = ([1, "a", None, [2.5], {"k": True}],)
    longest = 0
    for _ in range(3000):
        current, _ = mutator.propose(current, current)
        assert check(current[0])
        longest = max(longest, len(key_of(current)))
    assert longest < 5_000_000
