"""Sessions of many programs beside a reference: what kills them, and what they cannot do to others.

Everything here runs real processes.
"""

import pytest
from plusforge.oracle import targets, wire
from plusforge.oracle.errors import TaskError
from plusforge.oracle.mutants import mutants_of
from plusforge.oracle.runner import Program, RunLimits, Sandbox
from plusforge.oracle.task import Comparison
from plusforge.oracle.verdict import OutcomeKind

LIMITS = RunLimits(cpu_s=0.3, steps=20_000)
EXACT = Comparison()
PLUS_ONE = Program("def f(x):\n    return x + 1\n", "f")


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as shared:
        yield shared


def wired(*values):
    return [wire.dumps((value,)) for value in values]


def program(body, name="target"):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Program(f"import os, sys, re, math\ndef f(x):\n{lines}", "f", name)


def killers(sandbox, bodies, inputs, *, reference=PLUS_ONE, comparison=EXACT, limits=LIMITS):
    """Return for each target the inputs that kill it, and the kinds of those dropped."""
    crew = [program(body) for body in bodies]
    with sandbox.targets(reference, crew, limits, comparison) as session:
        found = session.feed(inputs)
    kills = [[n for n, killed in enumerate(found) if i in killed] for i in range(len(crew))]
    return kills, {index: str(outcome.kind) for index, outcome in session.dropped.items()}


@pytest.mark.parametrize(
    ("body", "killed_by"),
    [
        ("return 1 + x", []),
        ("return float(x + 1)", []),  # equal, as Python has it
        ("return x + 1 if x != 2 else 0", [2]),
        ("return x + 2", [0, 1, 2]),
        ("while x == 1: pass\nreturn x + 1", [1]),
        ("while x == 1: print(x)\nreturn x + 1", [1]),
        ("return f(x) if x == 1 else x + 1", [1]),
        ("try:\n    while x == 1: pass\nexcept BaseException: pass\nreturn x + 1", [1]),
        ("if x == 1: raise ValueError\nreturn x + 1", [1]),
        ("if x == 1: raise SystemExit\nreturn x + 1", [1]),
        ("if x == 1: return [0] * (1 << 40)\nreturn x + 1", [1]),
        ("if x == 1: return 'a'.ljust(1 << 40)\nreturn x + 1", [1]),
        ("if x == 1: return 'a' * 200_000\nreturn x + 1", [1]),
        ("if x == 1: return object()\nreturn x + 1", [1]),
        ("if x == 1: return (i for i in 'ab')\nreturn x + 1", [1]),
        ("if x == 1: return float('nan')\nreturn x + 1", [1]),
        ("class Yes:\n    def __eq__(self, other): return True\nreturn Yes()", [0, 1, 2]),
        ("class Big(int):\n    def __eq__(self, other): return True\nreturn Big(7)", [0, 1, 2]),
        ("class Boom:\n    def __eq__(self, other): raise OSError\nreturn Boom()", [0, 1, 2]),
        ("if x == 1: input()\nreturn x + 1", [1]),
    ],
)
def test_what_kills_a_target(sandbox, body, killed_by):
    kills, dropped = killers(sandbox, [body], wired(0, 1, 2))
    assert (kills, dropped) == ([killed_by], {})


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("if x == 1: os._exit(0)\nreturn x", "crash"),
        ("if x == 1: os.kill(os.getpid(), 11)\nreturn x", "crash"),
        ("if x == 1: re.match('(a+)+$', 'a' * 40 + 'b')\nreturn x", "timeout"),
    ],
)
def test_a_target_that_ends_its_process_is_dropped_alone(sandbox, body, kind):
    kills, dropped = killers(sandbox, ["return x", body, "return 1 + x"], wired(0, 1, 2))
    assert dropped == {1: kind}
    assert kills[0] == [0, 1, 2]
    assert kills[2] == []
    assert kills[1] in ([], [0])  # what it came to before it was dropped


FORGED = """
def frame(payload, *others):
    import struct
    rest = b"".join(struct.pack("<BI", 0, len(o)) + o for o in others)
    return struct.pack("<BBHIII", 0, 0, 0, 0, len(payload), len(rest)) + payload + rest
"""


@pytest.mark.parametrize(
    "forgery",
    [
        "b'?' * 40",
        "frame(b'')",
        "frame(b'', b'?')",  # no expected outcome
        "frame(b'', b'N', b'?')",  # no index of a target
        "frame(b'', b'N', b'????zzz') + struct.pack('<BBHIII', 203, 0, 0, 0, 0, 0)",
        "frame(b'?') * 3",
    ],
)
def test_a_target_that_forges_answers_is_dropped_alone(sandbox, forgery):
    # Bytes in a pipe do not tell whose they are.
    forger = f"import struct\n{FORGED}\nif x == 1: os.write(4, {forgery})\nreturn x + 1"
    kills, dropped = killers(sandbox, ["return x", forger, "return 1 + x"], wired(0, 1, 2))
    assert dropped == {1: "protocol"}
    assert kills == [[0, 1, 2], [], []]


def test_a_sample_that_forges_answers_costs_no_task(sandbox):
    forger = f"{FORGED}\nif x != 1: os.write(4, frame(b'', b'?'))\nreturn x + 1"
    assert killers(sandbox, [forger], wired(0, 1, 2)) == ([[]], {0: "protocol"})


def test_a_sandbox_that_is_lost_while_targets_load_is_replaced():
    class Lost(Sandbox):
        spawned = 0

        def _spawn(self, memory_mib):
            self.spawned += 1
            return super()._spawn(memory_mib)

    crew = [Program("for _ in range(2_000_000): pass\ndef f(x):\n    return x\n", "f")]
    with Lost() as sandbox, sandbox.targets(PLUS_ONE, crew, LIMITS, EXACT) as session:
        assert session.feed(wired(5), []) == [()]
        link = session.open()
        sandbox._zygote._process.kill()
        sandbox._zygote._process.wait()
        assert session.feed(wired(0, 1)) == [(0,), (0,)]
        assert session.open() is not link
        assert (sandbox.spawned, session.dropped) == (2, {})


def test_a_target_that_ends_the_process_after_it_has_loaded_is_dropped(sandbox):
    late = "import os, threading\nthreading.Thread(target=lambda: os._exit(3)).start()\n"
    crew = [program("return x"), Program(late + "def f(x):\n    return x\n", "f")]
    with sandbox.targets(PLUS_ONE, crew, LIMITS, EXACT) as session:
        assert [0 in killed for killed in session.feed(wired(0, 1))] == [True, True]
    assert {i: str(o.kind) for i, o in session.dropped.items()} == {1: "crash"}


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("def f(:\n", "load_error", "SyntaxError"),
        ("1 / 0\n", "load_error", "ZeroDivisionError"),
        ("def g(x): pass\n", "load_error", "no 'f'"),
        ("while True: pass\n", "load_error", "OutOfSteps"),
        ("import os\nos._exit(3)\n", "crash", "status 3"),
        ("import re\nre.match('(a+)+$', 'a' * 40 + 'b')\n", "timeout", "CPU time"),
    ],
)
def test_a_target_that_does_not_load_is_dropped_and_named(sandbox, source, kind, message):
    crew = [program("return x"), Program(source, "f"), program("return 0")]
    with sandbox.targets(PLUS_ONE, crew, LIMITS, EXACT) as session:
        assert session.feed(wired(1, -1)) == [(0, 2), (0,)]
    assert {i: str(o.kind) for i, o in session.dropped.items()} == {1: kind}
    assert message in session.dropped[1].message


def test_arguments_are_fresh_for_every_target(sandbox):
    reference = program("return sorted(x)")
    bodies = ["x.sort()\nreturn x", "x.append(0)\nreturn sorted(x)", "x.clear()\nreturn x"]
    kills, _ = killers(sandbox, bodies, wired([3, 1], [], [2]), reference=reference)
    assert kills == [[], [0, 1, 2], [0, 2]]


def test_changed_arguments_are_the_outcome_where_the_task_says_so(sandbox):
    reference = program("x.sort()")
    bodies = ["x.sort()\nreturn 1", "x.reverse()", "return sorted(x)"]
    kills, _ = killers(
        sandbox, bodies, wired([1, 2], [2, 1]), reference=reference,
        comparison=Comparison(observe="arguments"),
    )  # fmt: skip
    assert kills == [[], [0], [1]]


def test_a_promised_exception_is_an_outcome(sandbox):
    reference = program("if x < 0: raise ValueError('no')\nreturn x")
    bodies = [
        "if x < 0: raise ValueError\nreturn x",
        "if x < 0: raise KeyError\nreturn x",
        "return x",
        "while x < 0: pass\nreturn x",
    ]
    kills, _ = killers(sandbox, bodies, wired(-1, 1), reference=reference)
    assert kills == [[], [0], [0], [0]]


def test_an_input_without_an_answer_kills_nothing(sandbox):
    reference = program(
        "while x == 1: pass\nif x == 2: os._exit(1)\nif x == 3: return object()\n"
        "if x == 4: re.match('(a+)+$', 'a' * 40 + 'b')\nreturn x"
    )
    kills, dropped = killers(
        sandbox, ["return -1"], wired(0, 1, 2, 3, 4, 5), reference=reference
    )  # fmt: skip
    assert (kills, dropped) == ([[0, 5]], {})


@pytest.mark.parametrize(
    ("comparison", "reference", "bodies", "kills"),
    [
        (
            Comparison(kind="close", atol=1e-6),
            "return x / 3",
            ["return x / 3 + 1e-9", "return x / 3 + 1", "return None", "return float('nan')"],
            [[], [0, 1], [0, 1], [0, 1]],
        ),
        (
            Comparison(kind="any_order"),
            "return [x, 2]",
            ["return [2, x]", "return [2, x, 2]", "return (x, 2)"],
            [[], [0, 1], []],
        ),
        (Comparison(kind="truthy"), "return x", ["return 7", "return -x"], [[0], []]),
        (EXACT, "return x * math.nan", ["return math.nan", "return 0.0"], [[], [0, 1]]),
        (
            EXACT,
            "return x / 2",
            ["from fractions import Fraction\nreturn Fraction(x, 2)", "return x // 2"],
            [[], [1]],
        ),
        (
            Comparison(
                kind="checker", checker="def check(output, x):\n    return output * output == x\n"
            ),
            "return int(x ** 0.5)",
            ["return -int(x ** 0.5)", "return x", "return None"],
            [[], [0, 1], [0, 1]],
        ),
        (  # what equals the reference's answer is put to the checker as well
            Comparison(kind="checker", checker="def check(output, x):\n    return output is x\n"),
            "return x",
            ["return int(x)", "return float(x)"],
            [[], [0, 1]],
        ),
    ],
)
def test_the_tasks_comparison_decides(sandbox, comparison, reference, bodies, kills):
    inputs = wired(4, 9) if comparison.kind == "checker" else wired(0, 1)
    found, dropped = killers(
        sandbox, bodies, inputs, reference=program(reference), comparison=comparison
    )
    assert (found, dropped) == (kills, {})


def test_targets_leave_and_join(sandbox):
    crew = [program("return x"), program("return 1")]
    with sandbox.targets(PLUS_ONE, crew, LIMITS, EXACT) as session:
        assert session.feed(wired(0, 1)) == [(0,), (0, 1)]
        assert session.feed(wired(0, 1), [1]) == [(), (1,)]
        assert session.add([program("return 2")]) == range(2, 3)
        assert session.feed(wired(0, 1), [2, 1]) == [(2,), (1,)]
        assert session.feed(wired(5), []) == [()]
        assert session.feed([]) == []
        with pytest.raises(ValueError, match="4000 at most"):
            session.add([program("return 2")] * targets.MOST_TARGETS)


def test_a_target_may_leave_at_its_first_kill(sandbox):
    crew = [program("return x"), program(f"return x + (x > {targets.SHRINKING_BATCH})")]
    inputs = wired(*range(3 * targets.SHRINKING_BATCH, 0, -1))
    with sandbox.targets(PLUS_ONE, crew, LIMITS, EXACT) as session:
        whole = session.feed(inputs)
        first = session.feed(inputs, once=True)
    assert whole[0] == first[0] == (0,)
    assert {n: killed for n, killed in enumerate(first) if killed} == {
        0: (0,),
        2 * targets.SHRINKING_BATCH: (1,),
    }
    close = Comparison(kind="close", atol=0.5)
    with sandbox.targets(PLUS_ONE, [program("return -x")], LIMITS, close) as session:
        assert session.feed(wired(3, 4, 5), once=True) == [(0,), (), ()]


def test_many_inputs_cross_in_several_batches(sandbox):
    number = 2 * targets.BATCH + 3
    kills, _ = killers(sandbox, ["return x + (x % 100 != 7)"], wired(*range(number)))
    assert kills == [[n for n in range(number) if n % 100 == 7]]


def test_a_crash_late_in_a_batch_loses_nothing(sandbox):
    bodies = ["return x + (x != 150)", "if x == 170: os._exit(0)\nreturn x + 1"]
    kills, dropped = killers(sandbox, bodies, wired(*range(200)))
    assert (kills, dropped) == ([[150], []], {1: "crash"})


def test_a_reference_that_does_not_load_is_an_error(sandbox):
    with (
        sandbox.targets(Program("def f(:", "f"), [PLUS_ONE], LIMITS, EXACT) as session,
        pytest.raises(TaskError, match="does not load"),
    ):
        session.feed(wired(1))


def test_the_budget_grows_with_the_references_cost(sandbox):
    reference = program("for _ in range(x): pass\nreturn 0")
    loop = "for _ in range({} * x + {}): pass\nreturn 0"
    spare, factor = targets.SPARE_STEPS, targets.STEP_FACTOR
    bodies = [
        loop.format(factor - 1, 0),
        loop.format(factor, spare + 100),
        loop.format(1, spare + 100),
    ]
    kills, _ = killers(sandbox, bodies, wired(0, 5000), reference=reference)
    assert kills == [[], [0, 1], [0]]


def test_the_steps_of_all_programs_are_counted(sandbox):
    crew = [
        program("for _ in range(2 * x): pass\nreturn 0"),
        program("while True: pass"),
        program("return 10 ** 10 ** x"),  # refused before it begins
    ]
    reference = program("for _ in range(x): pass\nreturn 0")
    with sandbox.targets(reference, crew, LIMITS, EXACT) as session:
        session.feed(wired(100, 1000), [0])
        assert session.steps == (101 + 201) + (1001 + 2001)
        before = session.steps
        session.feed(wired(100), [1])
        budget = targets.STEP_FACTOR * 101 + targets.SPARE_STEPS
        assert session.steps - before == 101 + budget
        before = session.steps
        session.feed(wired(100), [2])
        assert session.steps - before == 101 + budget


def test_mutants_are_told_from_their_reference(sandbox):
    source = (
        "def f(x):\n    total = 0\n    for n in x:\n"
        "        if n % 2 == 0 and n > 0:\n            total += n\n    return total\n"
    )
    made = mutants_of(source, "f")
    crew = [Program(mutant.source, "f", mutant.name) for mutant in made]
    inputs = wired([], [2], [1, 4, -2, 3, 8], [0], [-2, -4], [2, 2], [1, 1])
    with sandbox.targets(Program(source, "f"), crew, LIMITS, EXACT) as session:
        killed = set().union(*session.feed(inputs))
        assert session.dropped == {}
    left = {mutant.name for index, mutant in enumerate(made) if index not in killed}
    # What is left is equivalent: 0 may be added, in any order, and signs leave numbers even.
    assert left == {
        "LOP:3:13:reversed", "ROR:4:26:Gt->GtE", "CRP:4:30:0->1", "ROR:4:11:Eq->LtE",
        "CRP:4:15:2->-2", "CRP:4:30:0->-1", "UOI:4:11:abs", "UOI:4:11:minus",
    }  # fmt: skip


def test_the_kind_of_a_dropped_target_is_known(sandbox):
    with sandbox.targets(PLUS_ONE, [program("os._exit(0)")], LIMITS, EXACT) as session:
        assert session.feed(wired(1)) == [()]
        assert session.dropped[0].kind is OutcomeKind.CRASH
