"""Valid inputs at the boundaries of a task's types, to show which mutants can be killed at all.

Made of what the search is made of (small scope, values drawn by type), under another seed and in
another order, without feedback: base inputs with one argument or one number replaced, the simplest
calls, and calls drawn by type.
"""

from collections.abc import Iterator
from itertools import chain, islice

from plusforge.generator.fresh import FLOATS, INTS, fresh
from plusforge.generator.material import Material, build_material
from plusforge.generator.rng import Stream
from plusforge.generator.smallscope import small_args, small_values
from plusforge.generator.streams import alternate
from plusforge.oracle.answers import own_args
from plusforge.oracle.reference import Prepared
from plusforge.oracle.sieve import Sieve
from plusforge.oracle.values import Args, Value

SMALL, PER_ARGUMENT = 3000, 60
BATCH = 250
TRIES_PER_INPUT = 20
"""Candidates offered for each input wanted, at most."""


def further_inputs(prepared: Prepared, sieve: Sieve, benchmark: str, wanted: int) -> list[bytes]:
    """Return valid inputs in wire form.

    Args:
        prepared: The task after its pre-flight.
        sieve: Judges the candidates; it must be fresh.
        benchmark: Its name; part of the random stream's label.
        wanted: How many, at most; fewer where the types or the contract allow few.
    """
    candidates = islice(_candidates(prepared, benchmark), wanted * TRIES_PER_INPUT)
    found: list[bytes] = []
    while len(found) < wanted and (batch := list(islice(candidates, BATCH))):
        found += [answer.args for answer in sieve.feed(batch, "further") if answer is not None]
    return found[:wanted]


def _candidates(prepared: Prepared, benchmark: str) -> Iterator[Args]:
    task = prepared.task
    base = [own_args(answer.args) for answer in prepared.base]
    contract = task.contract.source if task.contract else ""
    sources = [*(reference.source for reference in task.references), contract]
    material = build_material(sources, task.prompt, base)
    rng = Stream("further inputs", benchmark, task.task_id)
    small = rng.shuffled(list(small_args(prepared.specs, material, SMALL)))
    columns = [small_values(spec, material, PER_ARGUMENT) for spec in prepared.specs]
    near = [
        (*args[:place], value, *args[place + 1 :])
        for args in base
        for place, column in enumerate(columns[: len(args)])
        for value in chain(column, _renumbered(args[place]))
    ]
    streams = [iter(small), iter(rng.shuffled(near)), _drawn(prepared, material, base, rng)]
    return alternate(streams)


def _renumbered(value: Value) -> Iterator[Value]:
    """Yield a value with one number, at any depth of lists and tuples, set to each boundary."""
    if type(value) is int:
        yield from INTS
    elif type(value) is float:
        yield from FLOATS
    elif type(value) in (list, tuple):
        for place, item in enumerate(value):
            for other in _renumbered(item):
                yield type(value)([*value[:place], other, *value[place + 1 :]])


def _drawn(prepared: Prepared, material: Material, base: list[Args], rng: Stream) -> Iterator[Args]:
    """Yield calls drawn by type, every other one with a single new argument. Never ends."""
    specs = prepared.specs
    if not specs:
        return
    while True:
        yield tuple(fresh(spec, material, rng) for spec in specs)
        args = rng.choice(base)
        if args:
            place = rng.below(len(args))
            yield (*args[:place], fresh(specs[place], material, rng), *args[place + 1 :])
