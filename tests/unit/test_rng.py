"""Streams are reproducible, independent, and fair enough."""

import random
from collections import Counter
from hashlib import sha256

from plusforge.generator.rng import Stream


def test_a_stream_is_mt19937_seeded_by_sha256_of_its_labels() -> None:
    seed = int.from_bytes(sha256(b"0\x1ftask\x1fmutate").digest()[:16], "big")
    reference = random.Random(seed)
    stream = Stream(0, "task", "mutate")
    assert [stream.unit() for _ in range(5)] == [reference.random() for _ in range(5)]


def test_other_labels_give_other_streams() -> None:
    firsts = {Stream(s, t).unit() for s in range(5) for t in ("a", "b", "ab")}
    assert len(firsts) == 15


def test_draws_are_in_range_and_cover_it() -> None:
    stream = Stream("range")
    counts = Counter(stream.between(-2, 2) for _ in range(5000))
    assert sorted(counts) == [-2, -1, 0, 1, 2]
    assert min(counts.values()) > 850  # 1000 expected, sd 28
    assert {stream.below(3) for _ in range(100)} == {0, 1, 2}


def test_shuffled_is_a_permutation_and_leaves_its_input() -> None:
    items = list(range(20))
    mixed = Stream("mix").shuffled(items)
    assert sorted(mixed) == items == list(range(20))
    assert mixed != items
