"""Pre-flight of one task: nothing is generated before its contract and references have been proven.

A reference is validated when it passes the benchmark's own tests, gives the stated answers, gives
the same answers in a fresh process under another hash seed, agrees with the other references and
leaves its arguments alone (or declares that it does not). A task that fails here raises
``TaskError`` with the reason; the other tasks go on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from plusforge.oracle import wire
from plusforge.oracle.answers import (
    Answer,
    answer_of,
    contract_program,
    decoded,
    generous_limits,
    has_non_finite,
    own_args,
    reference_programs,
    references_agree,
    repeat_answers,
)
from plusforge.oracle.compare import agree
from plusforge.oracle.complaints import (
    BASE_STEPS,
    INFERRED,
    base_fault,
    call_text,
    no_base_input,
    not_plain,
    short,
    test_fault,
    told,
    unsteady,
)
from plusforge.oracle.conformity import conforms
from plusforge.oracle.contracts import infer_contract
from plusforge.oracle.errors import TaskError
from plusforge.oracle.proposals import contract_doubts, settled_contract
from plusforge.oracle.runner import Outcome, Program, Sandbox
from plusforge.oracle.task import BaseTest, Task
from plusforge.oracle.typespec import Spec, parse_annotation, unify
from plusforge.oracle.values import Args, Raised, Value
from plusforge.oracle.verdict import OutcomeKind
from plusforge.oracle.wording import plural

COMPUTED = "base:computed"
"""Note of a loader: some base inputs are computed by the test program and must be recorded."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task that passed its pre-flight.

    Attributes:
        task: The task, with its contract filled in and its base tests complete.
        specs: One type spec for each parameter.
        base: The references' answers to the base inputs, in order, without repeats.
        finite: True when no stated outcome holds NaN or infinity, so that none is wanted.
        notes: What a reader of the manifest should know.
    """

    task: Task
    specs: tuple[Spec, ...]
    base: tuple[Answer, ...]
    finite: bool
    notes: tuple[str, ...]


def prepare(task: Task, first: Sandbox, second: Sandbox) -> Prepared:
    """Run the pre-flight of a task.

    Args:
        task: As loaded.
        first: Runs contracts and references.
        second: Runs the references again; it must have another hash seed.

    Returns:
        The task, ready for generation.

    Raises:
        TaskError: The task cannot be trusted; the message says why and what to do.
    """
    if not task.references:
        raise TaskError("no reference: add the canonical solution to the task")
    computed = COMPUTED in task.notes
    calls, skipped = _run_script(task, first) if computed else ([], 0)
    base = _with_recorded(task, calls) if computed else list(task.base)
    if not base:
        raise TaskError(no_base_input(task, skipped))
    _check_arity(task, base)
    specs = tuple(
        unify(parse_annotation(p.annotation), [t.args[i] for t in base if len(t.args) > i])
        for i, p in enumerate(task.params)
    )
    _check_types(task, specs, base)
    notes = [note for note in task.notes if note != COMPUTED]
    if skipped:
        notes.append(f"{skipped} {plural(skipped, 'base call')} left out: {not_plain(task)}")
    if task.contract is None:
        task = dataclasses.replace(task, base=tuple(base))
        contract, remarks = settled_contract(task, first)
        if contract is None:
            contract = infer_contract(task, specs)
            remarks.append(INFERRED)
        task = dataclasses.replace(task, contract=contract)
        notes += remarks
    answers, mutates = _answer_base(task, base, first)
    if mutates and task.mutates is False and task.comparison.observe == "result":
        raise TaskError(
            "the reference changes its arguments: copy them first, or declare MUTATES = True"
        )
    if mutates and task.mutates is None:
        notes.append("the reference changes its arguments; every call gets fresh ones")
    _check_stated(task, base, answers, notes)
    if task.comparison.checker is not None:
        _check_checker(task, base, answers, first)
    if not computed:
        # After the single calls: those end an endless loop in seconds and can say which input.
        _run_script(task, first)
    _check_again(task, answers, second)
    notes += contract_doubts(task, first)
    kept = tuple({answer.args: answer for answer in reversed(answers)}.values())[::-1]
    finite = not any(has_non_finite(a) for a in kept)
    task = dataclasses.replace(task, base=tuple(base), mutates=mutates or bool(task.mutates))
    return Prepared(task, specs, kept, finite, tuple(notes))


def _run_script(task: Task, sandbox: Sandbox) -> tuple[list[Args], int]:
    """Run the benchmark's own tests against every reference.

    Returns:
        The inputs they used, and how many more have no plain form.
    """
    calls: list[Args] = []
    skipped = 0
    if task.script is None:
        return calls, skipped
    for program in reference_programs(task):
        limits = generous_limits(task)
        recording = sandbox.record(program, task.script.source, limits, seed=0)
        if recording.outcome_kind is not OutcomeKind.VALUE:
            raise TaskError(test_fault(task.script, program.name, recording))
        if not calls:
            calls = [wire.loads(call) for call in recording.calls]
            skipped = recording.skipped
    return calls, skipped


def _with_recorded(task: Task, recorded: Sequence[Args]) -> list[BaseTest]:
    """Return the base tests and those inputs of the test script that none of them has."""
    base = list(task.base)
    seen = {wire.dumps(test.args) for test in base}
    for args in recorded:
        key = wire.dumps(args)
        if key not in seen:
            seen.add(key)
            base.append(BaseTest(args=args, where="computed by the test program"))
    return base


def _check_arity(task: Task, base: Sequence[BaseTest]) -> None:
    for test in base:
        if not task.required <= len(test.args) <= len(task.params):
            raise TaskError(
                f"base test {test.where} gives {_arguments(test)}, {task.entry_point} "
                f"takes {task.required} to {len(task.params)}: correct the test or the signature"
            )


def _arguments(test: BaseTest) -> str:
    return f"{len(test.args)} {plural(len(test.args), 'argument')}"


def _check_types(task: Task, specs: Sequence[Spec], base: Sequence[BaseTest]) -> None:
    for test in base:
        for param, spec, arg in zip(task.params, specs, test.args, strict=False):
            problem = conforms(arg, spec)
            if problem is not None:
                raise TaskError(
                    f"base test {test.where}: argument {param.name} does not fit its type: "
                    f"{problem}; correct the annotation or the test"
                )


def _answer_base(
    task: Task, base: Sequence[BaseTest], sandbox: Sandbox
) -> tuple[list[Answer], bool]:
    contract = contract_program(task.contract) if task.contract else None
    limits = generous_limits(task, steps=BASE_STEPS)
    inputs = [wire.dumps(test.args) for test in base]
    observe = task.comparison.observe
    with sandbox.sieve(contract, reference_programs(task), limits, observe=observe) as session:
        outcomes = session.feed(inputs)
    answers = []
    for test, args, outcome in zip(base, inputs, outcomes, strict=True):
        answer = answer_of(outcome, args, task.comparison)
        if answer is None:
            raise base_fault(task, test, outcome)
        if not references_agree(task.comparison, outcome):
            raise TaskError(_dissent(task, test, answer, outcome, sandbox))
        answers.append(answer)
    return answers, any(outcome.mutated for outcome in outcomes)


def _dissent(task: Task, test: BaseTest, answer: Answer, outcome: Outcome, sandbox: Sandbox) -> str:
    """Say which further reference does not agree with the first on a base input."""
    place = f"base input {test.where}: {call_text(task.entry_point, test.args)}"
    first = f"{task.references[0].name} {told(answer.value())}"
    for program, (kind, payload) in zip(reference_programs(task)[1:], outcome.others, strict=True):
        if kind is not OutcomeKind.VALUE:
            # Again, for the message: what came with the first's answer is the class alone.
            limits, observe = generous_limits(task), task.comparison.observe
            again = sandbox.call(program, [answer.args], limits, observe=observe)[0]
            why = again.message or payload.decode("utf-8", "replace")
            what = "raises" if kind is OutcomeKind.RAISED else f"comes to {kind}:"
            return f"{program.name} {what} {why} on {place}, where {first}; correct it"
        if not agree(task.comparison, answer.value(), wire.loads(payload)):
            other = f"{program.name} {told(wire.loads(payload))}"
            return f"the references disagree on {place}: {first}, {other}; one is wrong: correct it"
    return f"the references disagree on {place}; one of them is wrong: correct it"


def _check_stated(
    task: Task, base: Sequence[BaseTest], answers: Sequence[Answer], notes: list[str]
) -> None:
    for test, answer in zip(base, answers, strict=True):
        if not test.stated:
            continue
        got = answer.value()
        if task.comparison.kind == "checker" and not isinstance(test.expected, Raised):
            continue  # many answers are right; see _check_checker
        if agree(task.comparison, test.expected, got):
            continue
        call = call_text(task.entry_point, test.args)
        message = (
            f"{test.where} states {short(test.expected)} for {call}, "
            f"the reference gives {short(got)}"
        )
        if test.example and task.script is not None and task.mutates is None:
            # The hidden tests side with the reference: the prompt's example is the fault, and
            # models read it. Worth a note on the suite, not the loss of the task.
            notes.append(f"prompt example contradicts the tests: {message}")
        else:
            raise TaskError(f"wrong reference or test: {message}; correct one of them")


def _check_checker(
    task: Task, base: Sequence[BaseTest], answers: Sequence[Answer], sandbox: Sandbox
) -> None:
    """Ask the task's own checker about every outcome that is stated or that a reference gives."""
    asked: list[tuple[BaseTest, str, Value]] = [
        (test, f"what {test.where} states", test.expected)
        for test in base
        if test.stated and not isinstance(test.expected, Raised)
    ]
    inputs = [answer.args for answer in answers]
    limits, observe = generous_limits(task), task.comparison.observe
    for program in reference_programs(task):
        outcomes = sandbox.call(program, inputs, limits, observe=observe)
        for test, outcome in zip(base, outcomes, strict=True):
            if outcome.kind is OutcomeKind.VALUE:
                who = f"what {program.name} gives on base input {test.where}"
                asked.append((test, who, wire.loads(outcome.payload)))
    checker = Program(task.comparison.checker or "", "check", "check")
    questions = [wire.dumps((value, *test.args)) for test, _, value in asked]
    verdicts = sandbox.check(checker, questions, limits)
    for (test, who, value), verdict in zip(asked, verdicts, strict=True):
        if not verdict.is_true:
            detail = f" ({verdict.message})" if verdict.message else ""
            call = call_text(task.entry_point, test.args)
            raise TaskError(
                f"check refuses {who}: {short(value)} for {call}{detail}; correct one of the two"
            )


def _check_again(task: Task, answers: Sequence[Answer], sandbox: Sandbox) -> None:
    """Run the reference again, in a new process, in reverse order, under another hash seed."""
    program = reference_programs(task)[0]
    again = repeat_answers(task, program, answers, sandbox, by_equality=True)
    for answer, other in zip(answers, again, strict=True):
        if other is not None and other.kind is OutcomeKind.UNENCODABLE:
            call = call_text(task.entry_point, own_args(answer.args))
            raise TaskError(
                f"{program.name} returns, for {call}, what equals no plain value "
                f"({other.message}): no sample could be judged; let it return a list or the like"
            )
        if other is not None:
            raise unsteady(task, own_args(answer.args), answer.value(), decoded(other))
