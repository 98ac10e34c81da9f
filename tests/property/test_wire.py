"""The wire form, tried on values and on damage that nobody thought of."""

from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.oracle import wire
from plusforge.oracle.values import key_of

HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=20),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4),
    max_leaves=6,
)
VALUES = st.recursive(
    HASHABLE | st.complex_numbers() | st.text(st.characters(categories=["Cs", "Lu"])),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner, inner)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=5)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_round_trip(value):
    data = wire.dumps(value)
    back = wire.loads(data)
    assert wire.is_exact(value)
    assert key_of(back) == key_of(value)
    assert wire.dumps(back) == data
    assert wire.reduce_value(value) is not None or value is None


@given(st.lists(st.integers() | st.floats(allow_nan=False), min_size=2, max_size=300))
def test_round_trip_of_number_lists(value):
    back = wire.loads(wire.dumps(value))
    assert back == value
    assert list(map(type, back)) == list(map(type, value))


@settings(max_examples=300)
@given(VALUES, st.lists(st.tuples(st.integers(0), st.binary(max_size=6)), min_size=1, max_size=4))
def test_damaged_bytes_give_a_plain_value_or_are_refused(value, damage):
    data = wire.dumps(value)
    for where, patch in damage:
        at = where % (len(data) + 1)
        data = data[:at] + patch + data[at + len(patch) // 2 :]
    _reads_or_refuses(data)


PARTS = [b"[", b"(", b"<", b">", b"{", b"0", b"N", b"T", b"i", b"l", b"g", b"u", b"s", b"y"]
PARTS += [b"\0", b"\1\0\0\0", b"\2\0\0\0", b"\xff"]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS)))
def test_any_bytes_give_a_plain_value_or_are_refused(parts):
    _reads_or_refuses(b"".join(parts))


def _reads_or_refuses(data):
    try:
        value = wire.loads(data)
    except wire.BadFrame:
        return
    wire.dumps(value)  # whatever was read is plain
