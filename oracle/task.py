"""The records of a benchmark: task, contract, reference, comparison, limits, tests.

All frozen, all plain data. What is special about one task is a field here; no code names a task.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from plusforge.oracle.values import Args, Raised, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Param:
    """One positional parameter of an entry point.

    Attributes:
        name: As written in the signature.
        annotation: Source text of the annotation, or None.
        optional: True when it has a default; calls may then leave it and all later ones out.
    """

    name: str
    annotation: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """Preconditions on the inputs; a violation is the input's fault, never the sample's.

    Attributes:
        source: A complete module that defines ``contract(<the entry point's parameters>)``. The
            input is invalid when the call raises anything or returns ``False``.
        declared: True when the benchmark states it; False when it was inferred from types and
            base inputs.
        where: File and line, for messages; empty when it stands in no file of its own.
    """

    source: str
    declared: bool
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A trusted implementation: a complete module that defines the task's entry point.

    Attributes:
        source: The module's text.
        name: Where it comes from, for example ``canonical_solution`` or ``reference_slices``.
    """

    source: str
    name: str = "canonical_solution"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How a result is compared with the reference's, as data.

    Attributes:
        kind: ``exact`` (Python ``==`` on plain values), ``close`` (recursive tolerance), ``set``
            (equal as sets), ``any_order`` (equal as multisets), ``truthy`` (equal truth value),
            ``not_none`` (both None or both not), ``checker`` (the task's own function decides).
        atol: Absolute tolerance, in units of the output (``close`` only).
        rtol: Relative tolerance (``close`` only).
        checker: For ``checker``: a complete module that defines
            ``check(output, *args) -> bool``; it runs in the sandbox on pristine arguments.
        observe: What counts as the outcome of a call: ``result`` (the returned value),
            ``arguments`` (the tuple of arguments after the call, for in-place tasks), ``truth``
            (the truth value of the result) or ``presence`` (whether it is not None).
        raises: Exception class names that are a promised outcome, part of the contract.
    """

    kind: str = "exact"
    atol: float = 0.0
    rtol: float = 0.0
    checker: str | None = None
    observe: str = "result"
    raises: tuple[str, ...] = ()


COMPARISON_KINDS = ("exact", "close", "set", "any_order", "truthy", "not_none", "checker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Declared resource limits of one call of a reference. Constants, never measured times.

    Attributes:
        steps: Deterministic cost of one call (loop turns, calls, sizes of bulk operations).
        cpu_s: CPU seconds before the emergency stop.
        memory_mib: Address space of the child, MiB.
        args_bytes: Size of the arguments in wire form, bytes.
        output_bytes: Size of the outcome in wire form, bytes.
        depth: Nested calls of recursive functions.
    """

    steps: int = 20_000
    cpu_s: float = 10.0
    memory_mib: int = 1024
    args_bytes: int = 20_000
    output_bytes: int = 20_000
    depth: int = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseTest:
    """One test shipped with the benchmark.

    Attributes:
        args: Positional arguments.
        expected: The outcome the benchmark states; meaningless unless ``stated``.
        stated: False when the benchmark only checks a property, so that the reference decides.
        where: Where it was found, for messages: ``file.py:12`` or ``assertion 3``.
        example: True when the prompt shows it (a doctest), False for a hidden test.
    """

    args: Args
    expected: Value | Raised = None
    stated: bool = False
    where: str = ""
    example: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TestScript:
    """A test program in the benchmark's own words, run whole in the sandbox.

    Attributes:
        source: A module, run after the reference's. When it defines ``check``, that is called
            with the entry point; otherwise its top-level asserts are the test.
        where: Name of the file whose lines are the source's, for messages; empty when none is.
    """

    source: str
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongProgram:
    """A known-wrong program of the kind models write: every suite must tell it apart.

    Attributes:
        name: Short name of the mistake, for example ``wrong_off_by_one``.
        source: A complete module that defines the entry point.
    """

    name: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """An input with its provenance.

    Attributes:
        args: Positional arguments.
        origin: For example ``llm``, ``hypothesis``, ``hand``.
    """

    args: Args
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One benchmark item, whatever file it came from.

    Attributes:
        task_id: Unique within the benchmark, for example ``HumanEval/0``.
        entry_point: Name of the function under test.
        prompt: The text a model sees.
        params: The entry point's positional parameters, in order.
        references: At least one; the first is the canonical solution.
        contract: Preconditions, or None until one has been inferred.
        base: The benchmark's own tests, as far as they could be read off.
        script: The benchmark's own test program, or None.
        comparison: How outcomes are compared.
        limits: Declared limits.
        mutates: Whether the references may change their arguments; None when the benchmark's form
            has no way to say so (it is then observed).
        wrong: Known-wrong programs.
        seeds: Recorded seed inputs.
        near_invalid: Recorded inputs that the contract should refuse; they test it.
        samples: Model-written programs that serve as targets of the search, right or wrong.
        proposed: Contracts that were proposed for a task which declares none.
        source: File and line of the task, for messages.
        notes: Remarks of the loader worth a reader's attention (types recovered and the like).
    """

    task_id: str
    entry_point: str
    prompt: str
    params: tuple[Param, ...]
    references: tuple[Reference, ...]
    contract: Contract | None = None
    base: tuple[BaseTest, ...] = ()
    script: TestScript | None = None
    comparison: Comparison = field(default_factory=Comparison)
    limits: Limits = field(default_factory=Limits)
    mutates: bool | None = None
    wrong: tuple[WrongProgram, ...] = ()
    seeds: tuple[Seed, ...] = ()
    samples: tuple[str, ...] = ()
    near_invalid: tuple[Seed, ...] = ()
    proposed: tuple[Contract, ...] = ()
    source: str = ""
    notes: tuple[str, ...] = ()

    @property
    def required(self) -> int:
        """Number of parameters a call must give."""
        return sum(not param.optional for param in self.params)
