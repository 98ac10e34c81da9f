"""When the code inside a child fails: a second try, and then the right one gets the blame."""

from collections.abc import Iterator

import pytest
from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle import launcher, wire
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.outcome import Program, RunLimits
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.taskfile import parse_task
from plusforge.oracle.verdict import OutcomeKind

LIMITS = RunLimits(cpu_s=5.0)
SAME = Program("def f(x):\n    return x\n", "f")
INPUTS = [wire.dumps((n,)) for n in range(4)]
GOOD = launcher._BOOT
BROKEN = GOOD.replace(
    "zygote.main(", "zygote.jobs.{what} = lambda *a: 1 / 0\nzygote.main(", 1
)  # fmt: skip

TASK = '''def same(x: int) -> int:
    """Return x.

    >>> same(1)
    1
    """
    return x
'''


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as fresh:
        yield fresh


def kinds(sandbox: Sandbox, program: Program) -> list[str]:
    return [str(outcome.kind) for outcome in sandbox.call(program, INPUTS, LIMITS)]


def broken(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(launcher, "_BOOT", BROKEN.format(what=what))


@pytest.mark.parametrize("what", ["serve", "load_all", "Results"])
def test_own_code_that_always_fails_is_nobody_elses_fault(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    broken(monkeypatch, what)
    with pytest.raises(SandboxError):
        sandbox.call(SAME, INPUTS, LIMITS)
    with pytest.raises(SandboxError), sandbox.sieve(None, [SAME], LIMITS) as session:
        session.feed(INPUTS)


def test_a_run_ends_with_the_environments_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "Results")
    with Workbench() as bench, pytest.raises(SandboxError, match="own code fails") as caught:
        run_task(parse_task(TASK, "same.py", "t/same"), "t", Config(budget=5), bench)
    assert caught.value.exit_code == 4


def test_own_code_that_fails_in_a_recording(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch, "serve")
    with pytest.raises(SandboxError):
        sandbox.record(SAME, "f(1)", LIMITS)


@pytest.mark.parametrize("what", ["serve", "load_all", "Results"])
def test_a_fresh_zygote_gets_a_second_try(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    broken(monkeypatch, what)
    _ = sandbox.report  # starts the broken one
    monkeypatch.setattr(launcher, "_BOOT", GOOD)
    assert kinds(sandbox, SAME) == ["value"] * 4


def test_a_recording_gets_a_second_try(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, "TASKS['record']")
    _ = sandbox.report
    monkeypatch.setattr(launcher, "_BOOT", GOOD)
    recording = sandbox.record(SAME, "f(1)\nf(2)", LIMITS)
    assert (recording.outcome_kind, recording.calls) == (OutcomeKind.VALUE, INPUTS[1:3])


@pytest.mark.parametrize(
    "evil",
    ["__import__('os')._exit(70)", "import builtins; builtins.len = 3"],
    ids=["says so", "breaks it"],
)
def test_a_program_cannot_pass_its_fault_on(sandbox: Sandbox, evil: str) -> None:
    source = f"def f(x):\n    if x == 2:\n        {evil}\n        raise ValueError\n    return x\n"
    outcomes = sandbox.call(Program(source, "f"), INPUTS, LIMITS)
    assert [str(o.kind) for o in outcomes] == ["value", "value", "crash", "value"]
    assert "meddle" in outcomes[2].message
    assert kinds(sandbox, SAME) == ["value"] * 4


def test_a_result_that_raises_when_looked_at_is_the_programs_fault(sandbox: Sandbox) -> None:
    source = "class No:\n    def __bool__(self): raise ValueError('no')\ndef f(x): return No()\n"
    (outcome,) = sandbox.call(Program(source, "f"), INPUTS[:1], LIMITS, observe="truth")
    assert (outcome.kind, outcome.payload) == (OutcomeKind.RAISED, b"ValueError")
    with sandbox.sieve(None, [Program(source, "f")] * 2, LIMITS, observe="truth") as session:
        assert [outcome.kind for outcome in session.feed(INPUTS)] == [OutcomeKind.RAISED] * 4
