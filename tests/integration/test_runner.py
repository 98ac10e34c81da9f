"""The sandbox as its users see it: calls, sieves, recordings, checkers; and what it leaves behind.

Everything here runs real processes. ``-W error`` makes a leaked descriptor or process a failure.
"""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from plusforge.oracle import clock, protocol, wire
from plusforge.oracle.errors import SandboxError
from plusforge.oracle.isolation import probe
from plusforge.oracle.protocol import FIRST_INPUTS
from plusforge.oracle.runner import Outcome, Program, RunLimits, Sandbox
from plusforge.oracle.verdict import OutcomeKind

from tests.support import heed_interrupts

LIMITS = RunLimits(cpu_s=5.0)
QUICK = RunLimits(cpu_s=0.2)
SQUARES = Program("def f(xs):\n    return sum(x * x for x in xs)\n", "f")


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as shared:
        yield shared


def wired(*calls):
    return [wire.dumps(args) for args in calls]


def program(body, params="x"):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Program(f"import os, sys, time\ndef f({params}):\n{lines}", "f")


def kinds(outcomes):
    return [str(outcome.kind) for outcome in outcomes]


def values(outcomes):
    return [wire.loads(o.payload) if o.kind is OutcomeKind.VALUE else str(o.kind) for o in outcomes]


# ---------------------------------------------------------------- call


def test_call_gives_one_outcome_for_each_input_in_order(sandbox):
    outcomes = sandbox.call(SQUARES, wired(([1, 2],), ([],), (["a"],), ([3],)), LIMITS)
    assert values(outcomes) == [5, 0, "raised", 9]
    assert outcomes[2].payload == b"TypeError"
    assert "can't multiply" in outcomes[2].message


def test_no_inputs_give_no_outcomes(sandbox):
    assert sandbox.call(SQUARES, [], LIMITS) == []


def test_many_inputs_cross_in_several_frames(sandbox):
    inputs = wired(*(([n],) for n in range(5000)))
    assert values(sandbox.call(SQUARES, inputs, LIMITS)) == [n * n for n in range(5000)]


def test_large_inputs_and_outputs_do_not_block_each_other(sandbox):
    limits = RunLimits(output_bytes=10_000_000)
    inputs = wired(*((["x" * 1000] * 1000,) for _ in range(8)))
    outcomes = sandbox.call(Program("def f(x): return x", "f"), inputs, limits)
    assert [wire.dumps((wire.loads(o.payload),)) for o in outcomes] == inputs


def test_arguments_share_nothing(sandbox):
    same = [0]
    outcomes = sandbox.call(program("x.append(1)\nreturn y", "x, y"), wired((same, same)), LIMITS)
    assert values(outcomes) == [[0]]


def test_observing_arguments_gives_them_as_they_are_after_the_call(sandbox):
    inputs = wired(([3, 1, 2], "k"))
    outcomes = sandbox.call(program("x.sort()", "x, k"), inputs, LIMITS, observe="arguments")
    assert values(outcomes) == [([1, 2, 3], "k")]
    with pytest.raises(ValueError, match="observe"):
        sandbox.call(SQUARES, inputs, LIMITS, observe="stdout")


def test_what_a_program_returns_is_reduced_or_refused(sandbox):
    source = (
        "from fractions import Fraction\nfrom collections import Counter\n"
        "R = [Counter('aa'), Fraction(1, 2), (i for i in 'ab'), lambda: 0, [range(3)]]\n"
        "def f(k): return R[k]\n"
    )
    inputs = wired(*((k,) for k in range(5)))
    outcomes = sandbox.call(Program(source, "f"), inputs, LIMITS)
    assert values(outcomes) == [{"a": 2}, "unencodable", "unencodable", "unencodable", [[0, 1, 2]]]
    assert [o.message for o in outcomes[1:4]] == [
        "fractions.Fraction", "builtins.generator", "builtins.function"
    ]  # fmt: skip
    (exact,) = sandbox.call(Program(source, "f"), inputs[1:2], LIMITS, by_equality=True)
    assert wire.loads(exact.payload) == 0.5


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(:\n", "SyntaxError"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("import no_such_module\n", "no_such_module"),
        ("def g(x): pass\n", "no 'f'"),
        ("x = '\0'\ndef f(x): pass\n", "null"),
    ],
)
def test_a_program_that_does_not_load_says_why_for_every_input(sandbox, source, message):
    outcomes = sandbox.call(Program(source, "f"), wired((1,), (2,)), LIMITS)
    assert kinds(outcomes) == ["load_error", "load_error"]
    assert message in outcomes[0].message


def test_a_program_that_hangs_while_loading_costs_one_limit(sandbox):
    start = time.monotonic()
    outcomes = sandbox.call(Program("while True: pass\n", "f"), wired(*[(1,)] * 50), QUICK)
    assert set(kinds(outcomes)) == {"timeout"}
    assert "loading" in outcomes[0].message
    # One limit of 2 s, not one an input; a loaded machine is slower.
    assert time.monotonic() - start < 30


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("while x == 2: pass", "timeout"),
        ("if x == 2: os._exit(0)", "crash"),
        ("if x == 2: os.kill(os.getpid(), 11)", "crash"),
        ("if x == 2: return [0] * (1 << 40)", "memory"),
        ("if x == 2: return 'x' * 200_000", "output_limit"),
        ("if x == 2: return [['x' * 60_000] * 3]", "output_limit"),
        ("if x == 2: raise SystemExit", "raised"),
        ("if x == 2: raise KeyboardInterrupt", "raised"),
        ("if x == 2: return f(x)", "raised"),
        ("if x == 2: input()", "raised"),
    ],
)
def test_a_bad_call_costs_one_input(sandbox, body, kind):
    inputs = wired(*((n,) for n in range(5)))
    outcomes = sandbox.call(program(body + "\nreturn x"), inputs, QUICK)
    assert values(outcomes) == [0, 1, kind, 3, 4]


def test_one_bad_call_late_in_a_batch_loses_no_buffered_result(sandbox):
    inputs = wired(*((n,) for n in range(2000)))
    outcomes = sandbox.call(program("while x == 1500: pass\nreturn x"), inputs, QUICK)
    assert values(outcomes) == [*range(1500), "timeout", *range(1501, 2000)]


def test_a_sleeper_is_not_given_ten_times_its_limit(sandbox, monkeypatch):
    monkeypatch.setattr(clock, "IDLE_SECONDS", 0.2)
    limits = RunLimits(cpu_s=0.5)
    start = time.monotonic()
    (outcome,) = sandbox.call(program("time.sleep(60)"), wired((1,)), limits)
    assert outcome.kind is OutcomeKind.TIMEOUT
    assert "of which it ran 0.0 s" in outcome.message
    assert time.monotonic() - start < 4.5


def test_the_total_limit_ends_the_whole_job(sandbox):
    limits = RunLimits(cpu_s=1.0, total_cpu_s=0.4)
    body = "end = time.process_time() + 0.1\nwhile time.process_time() < end: pass\nreturn x"
    start = time.monotonic()
    outcomes = sandbox.call(program(body), wired(*((n,) for n in range(100))), limits)
    assert values(outcomes)[:2] == [0, 1]
    assert kinds(outcomes)[-1] == "timeout"
    assert len(outcomes) == 100
    assert time.monotonic() - start < 20


def test_a_program_is_a_module_of_its_own(sandbox):
    source = (
        "import sys\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass P:\n    x: int\n"
        "if __name__ == '__main__':\n    raise SystemExit\n"
        "def f(x):\n"
        "    mine = sys.modules[__name__]\n"
        "    return [__name__, P(x).x, mine.P is P, 'plusforge' in str(sys.modules)]\n"
    )
    outcomes = sandbox.call(Program(source, "f"), wired((1,)), LIMITS)
    assert values(outcomes) == [["__solution__", 1, True, False]]


def test_big_integers_have_no_digit_limit(sandbox):
    outcomes = sandbox.call(program("return len(str(10 ** x))"), wired((9000,)), LIMITS)
    assert values(outcomes) == [9001]


def test_deep_recursion_works_when_the_program_allows_it(sandbox):
    source = (
        "import sys\nsys.setrecursionlimit(50_000)\n"
        "def f(n): return 0 if n == 0 else 1 + f(n - 1)\n"
    )
    assert values(sandbox.call(Program(source, "f"), wired((20_000,)), LIMITS)) == [20_000]


def test_random_numbers_are_the_same_in_every_child(sandbox):
    drawn = Program("import random\ndef f(x): return random.random()\n", "f")
    inputs = wired((1,))
    first = sandbox.call(drawn, inputs, LIMITS)
    assert sandbox.call(drawn, inputs, LIMITS) == first
    with Sandbox(hash_seed=1) as other:
        assert other.call(drawn, inputs, LIMITS) != first


def test_the_hash_seed_decides_the_order_of_sets():
    order = Program("def f(n): return list({str(i) for i in range(n)})\n", "f")
    found = []
    for seed in (0, 0, 1, 2):
        with Sandbox(hash_seed=seed) as sandbox:
            found += values(sandbox.call(order, wired((50,)), LIMITS))
    assert found[0] == found[1]
    assert found[0] != found[2] != found[3]


def test_a_layer_that_does_not_exist_cannot_be_switched_off():
    with pytest.raises(ValueError, match="firewall"):
        Sandbox(disable=frozenset({"firewall"}))


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_hash_seed_that_python_would_refuse_is_refused_here(seed):
    with pytest.raises(ValueError, match="hash_seed"):
        Sandbox(hash_seed=seed)


def test_a_program_on_trial_waits_for_its_first_outcomes_to_be_seen(sandbox):
    """A wrong one is told by them, and has not gone on with thousands of inputs meanwhile."""
    inputs = wired(*((number,) for number in range(3000)))
    expected = [protocol.frame(protocol.VALUE, wire.dumps(number)) for number in range(3000)]
    with sandbox.trial(
        program("global n; n = 1 + globals().get('n', 0)\nreturn n"), LIMITS
    ) as trial:
        outcomes = trial.compare(inputs, expected)
        seen = []
        while len(seen) < FIRST_INPUTS:
            seen += next(outcomes)
        time.sleep(0.1)
        assert values(seen) == [*range(1, FIRST_INPUTS + 1)]
        assert trial._driver._link.child.begun() == FIRST_INPUTS
        rest = [outcome for some in outcomes for outcome in some]
    assert wire.loads(rest[-1].payload) == 3000


def test_what_a_program_on_trial_came_to_is_seen_before_it_hangs(sandbox):
    """A wrong one that hangs next has not cost its whole time."""
    inputs = wired(*((number,) for number in range(FIRST_INPUTS)))
    hangs = program(f"while x == {FIRST_INPUTS - 1}: pass\nreturn -x")
    with sandbox.trial(hangs, LIMITS) as trial:
        outcomes = trial.compare(inputs, [protocol.frame(protocol.VALUE, b"N")] * FIRST_INPUTS)
        seen = []
        while len(seen) < FIRST_INPUTS - 1:
            seen += next(outcomes)
        assert values(seen) == [-number for number in range(FIRST_INPUTS - 1)]
        assert trial.cpu() < LIMITS.cpu_s


@pytest.mark.parametrize("slow", [0, 5, 11, 12, 28, 29])
def test_a_slow_input_has_its_own_allowance_whatever_comes_before_it(sandbox, slow):
    """The results of quick ones are sent before it begins, and not while it is waited for."""
    inputs = wired(*((number,) for number in range(30)))
    expected = [protocol.frame(protocol.VALUE, args[5:]) for args in inputs]
    body = f"while x == {slow} and time.process_time() < end: pass\nreturn x"
    busy = program(f"end = time.process_time() + 0.6\n{body}")
    for _ in range(3):
        with sandbox.trial(busy, QUICK, slow={slow: 5.0}) as trial:
            seen = [outcome for some in trial.compare(inputs, expected) for outcome in some]
        assert seen == [None] * 30


def test_the_allowance_of_a_slow_input_is_no_other_ones(sandbox):
    inputs = wired(*((number,) for number in range(30)))
    expected = [protocol.frame(protocol.VALUE, args[5:]) for args in inputs]
    hangs = program("while x == 21: pass\nreturn x")
    with sandbox.trial(hangs, QUICK, slow={20: 60.0}) as trial:
        seen = [outcome for some in trial.compare(inputs, expected) for outcome in some]
        assert trial.cpu() < 30
    assert [index for index, outcome in enumerate(seen) if outcome is not None] == [21]


def test_a_trial_can_be_left_early(sandbox):
    start = time.monotonic()
    with sandbox.trial(program("while x > 3: pass\nreturn x"), QUICK) as trial:
        next(trial.compare(wired((1,), (9,)), ()))
    assert time.monotonic() - start < 5
    assert values(sandbox.call(SQUARES, wired(([2],)), LIMITS)) == [4]


def test_check_asks_the_tasks_own_checker(sandbox):
    checker = Program("def check(output, xs):\n    return output in xs\n", "ignored")
    outcomes = sandbox.check(checker, wired((1, [1, 2]), (3, [1, 2])), LIMITS)
    assert values(outcomes) == [True, False]


# ---------------------------------------------------------------- sieve

POSITIVE = Program(
    "def contract(xs):\n    assert all(x > 0 for x in xs), 'not positive'\n", "contract"
)


def test_sieve_puts_inputs_to_contract_and_references(sandbox):
    other = Program("def f(xs):\n    return sum(x * x for x in xs) + (len(xs) > 2)\n", "f")
    batch = wired(([1, 2],), ([-1],), ([1, 1, 1],), (["a"],))
    with sandbox.sieve(POSITIVE, [SQUARES, other, SQUARES], LIMITS) as session:
        agreed, refused, differs, odd = session.feed(batch)
    assert agreed == Outcome(OutcomeKind.VALUE, wire.dumps(5))
    assert (refused.kind, refused.message) == ("contract", "AssertionError: not positive")
    assert differs.payload == wire.dumps(3)
    assert differs.others == (
        (OutcomeKind.VALUE, wire.dumps(4)), (OutcomeKind.VALUE, wire.dumps(3)),
    )  # fmt: skip
    assert odd.kind is OutcomeKind.CONTRACT


@pytest.mark.parametrize(
    ("body", "refuses"),
    [("return False", True), ("return None", False), ("return 0", False), ("return True", False),
     ("raise SystemExit", True), ("raise KeyboardInterrupt", True), ("1 / 0", True)],
)  # fmt: skip
def test_a_contract_refuses_by_raising_or_returning_false(sandbox, body, refuses):
    contract = Program(f"def contract(x):\n    {body}\n", "contract")
    with sandbox.sieve(contract, [Program("def f(x): return x\n", "f")], LIMITS) as session:
        (outcome,) = session.feed(wired((1,)))
    assert outcome.kind is (OutcomeKind.CONTRACT if refuses else OutcomeKind.VALUE)


def test_a_contract_cannot_change_what_the_references_see(sandbox):
    contract = Program("def contract(xs):\n    xs.clear()\n", "contract")
    with sandbox.sieve(contract, [SQUARES, SQUARES], LIMITS) as session:
        assert values(session.feed(wired(([2],)))) == [4]


def test_changed_arguments_are_noticed(sandbox):
    changer = program("x.sort()\nreturn x[0]")
    with sandbox.sieve(None, [changer], LIMITS) as session:
        outcomes = session.feed(wired(([2, 1],), ([1, 2],), ({"a": 1},)))
    assert [outcome.mutated for outcome in outcomes] == [True, False, False]
    stuffer = program("x.append(len)\nreturn 0")
    with sandbox.sieve(None, [stuffer], LIMITS) as session:
        assert session.feed(wired(([],)))[0].mutated


def test_steps_are_counted_alike_everywhere(sandbox):
    limits = RunLimits(steps=1000)
    batch = wired(([1] * 10,), ([1] * 5000,), ([1] * 10,))
    counted = []
    with Sandbox(hash_seed=7) as other:
        for place in (sandbox, other):
            with place.sieve(None, [SQUARES], limits) as session:
                counted.append(session.feed(batch))
    assert counted[0] == counted[1]
    assert kinds(counted[0]) == ["value", "steps", "value"]
    assert counted[0][0].steps == counted[0][2].steps > 10


def test_a_contract_that_runs_out_of_steps_is_named(sandbox):
    contract = Program("def contract(x):\n    while True: pass\n", "contract")
    with sandbox.sieve(contract, [SQUARES], RunLimits(steps=100)) as session:
        (outcome,) = session.feed(wired((1,)))
    assert (outcome.kind, outcome.message) == (OutcomeKind.STEPS, "contract")


def test_a_program_cannot_swallow_the_end_of_its_budget(sandbox):
    body = "try:\n    while True: pass\nexcept BaseException: pass\nreturn 1"
    with sandbox.sieve(None, [program(body)], RunLimits(steps=100)) as session:
        assert kinds(session.feed(wired((1,)))) == ["steps"]


def test_a_table_built_at_import_is_not_the_cost_of_a_call(sandbox):
    source = "T = [i for i in range(50_000)]\ndef f(x): return T[x]\n"
    with sandbox.sieve(None, [Program(source, "f")], RunLimits(steps=100)) as session:
        assert values(session.feed(wired((7,)))) == [7]


def test_a_session_outlives_hangs_and_pauses(sandbox):
    with sandbox.sieve(None, [program("while x == 2: pass\nreturn x")], QUICK) as session:
        assert values(session.feed(wired((1,), (2,), (3,)))) == [1, "timeout", 3]
        time.sleep(0.5)  # our own pause is not the child's
        assert values(session.feed(wired((4,)))) == [4]
        assert session.feed([]) == []


def test_a_session_whose_programs_do_not_load_says_which(sandbox):
    broken = Program("def contract(x): return (\n", "contract")
    with sandbox.sieve(broken, [SQUARES], LIMITS) as session:
        for _ in range(2):
            (outcome,) = session.feed(wired((1,)))
            assert outcome.kind is OutcomeKind.LOAD_ERROR
            assert outcome.message.startswith("contract: SyntaxError")
    with sandbox.sieve(None, [SQUARES, Program("", "f")], LIMITS) as session:
        assert "solution_2" in session.feed(wired((1,)))[0].message


def test_sessions_and_calls_can_run_side_by_side(sandbox):
    with (
        sandbox.sieve(None, [SQUARES], LIMITS) as one,
        sandbox.sieve(None, [program("return x")], LIMITS) as two,
    ):
        assert values(one.feed(wired(([1],)))) == [1]
        assert values(two.feed(wired((2,)))) == [2]
        assert values(sandbox.call(SQUARES, wired(([3],)), LIMITS)) == [9]
        assert values(one.feed(wired(([4],)))) == [16]


# ---------------------------------------------------------------- record


def test_record_notes_the_arguments_before_each_call(sandbox):
    script = (
        "def check(candidate):\n"
        "    assert candidate([2]) == 4\n"
        "    assert candidate(xs=[1, 1]) == 2\n"
        "    for n in range(3):\n"
        "        candidate([n])\n"
    )
    recording = sandbox.record(SQUARES, script, LIMITS)
    assert recording.outcome_kind is OutcomeKind.VALUE
    assert [wire.loads(call) for call in recording.calls] == [
        ([2],), ([1, 1],), ([0],), ([1],), ([2],),
    ]  # fmt: skip


def test_record_binds_keywords_and_defaults_to_positions(sandbox):
    three = Program("def f(a, b=2, *, c=3): return [a, b, c]\n", "f")
    script = "f(1)\nf(b=5, a=4)\nf(1, c=9)\nf(lambda: 0)\n"
    recording = sandbox.record(three, script, LIMITS)
    assert [wire.loads(call) for call in recording.calls] == [(1,), (4, 5)]
    assert recording.skipped == 2


def test_record_keeps_arguments_that_the_call_changes(sandbox):
    recording = sandbox.record(program("x.clear()"), "f([1, 2])\n", LIMITS)
    assert recording.calls == wired(([1, 2],))


def test_record_does_not_see_recursive_calls(sandbox):
    recording = sandbox.record(program("return x and f(x - 1)"), "f(5)\n", LIMITS)
    assert recording.calls == wired((5,))


def test_a_failed_assertion_is_reported_with_its_line(sandbox):
    script = "assert f([1]) == 1\nassert f([2]) == 5, 'five'\nf([3])\n"
    recording = sandbox.record(SQUARES, script, LIMITS)
    assert recording.outcome_kind is OutcomeKind.RAISED
    assert recording.line == 2
    assert recording.message == (
        "line 2: assert f([2]) == 5, 'five': AssertionError: five; f([2]) gave 4"
    )
    assert recording.calls == wired(([1],), ([2],))


@pytest.mark.parametrize(
    ("script", "kind", "text"),
    [
        ("def check(", "raised", "line 1"),
        ("f([1])\nwhile True: pass\n", "timeout", "CPU"),
        ("f([1])\nimport os; os._exit(3)\n", "crash", "status 3"),
        ("def check(c): raise SystemExit\n", "raised", "SystemExit"),
    ],
)
def test_a_script_that_does_not_run_through_says_why(sandbox, script, kind, text):
    recording = sandbox.record(SQUARES, script, QUICK)
    assert str(recording.outcome_kind) == kind
    assert text in recording.message


def test_recorded_random_inputs_depend_on_the_seed_alone(sandbox):
    script = "import random\nfor _ in range(3): f([random.randint(0, 10**9)])\n"
    one, same, other = (sandbox.record(SQUARES, script, LIMITS, seed=s) for s in (1, 1, 2))
    assert one == same
    assert one.calls != other.calls


def test_a_recording_of_a_program_that_does_not_load(sandbox):
    recording = sandbox.record(Program("1 / 0", "f"), "f(1)", LIMITS)
    assert (recording.outcome_kind, recording.calls) == (OutcomeKind.LOAD_ERROR, [])


# ---------------------------------------------------------------- isolation


def test_the_report_is_honest_about_what_is_off():
    full = probe()
    assert full.level in ("strong", "medium")
    assert full.line().startswith(f"isolation: level={full.level} ")
    if not full.active("seccomp"):
        pytest.skip("no seccomp here to switch off")
    less = probe(disable=frozenset({"seccomp", "namespace"}))
    assert less.level == "medium"
    assert not less.active("seccomp")
    assert "OPEN" in less.line()
    assert any("system calls" in advice for advice in less.advice)


@pytest.mark.parametrize(
    "off", [{"landlock"}, {"seccomp"}, {"namespace"}, {"rlimits"}, {"capabilities"},
            {"undumpable"}, {"landlock", "seccomp"}],
    ids=sorted,
)  # fmt: skip
def test_programs_run_with_any_layer_switched_off(off):
    with Sandbox(disable=frozenset(off), allow_weak=True) as sandbox:
        for name in off - {"namespace"}:
            assert sandbox.report.layers[name] == "off: switched off"
        assert values(sandbox.call(SQUARES, wired(([3],)), LIMITS)) == [9]


def test_without_any_way_to_hide_files_nothing_is_run():
    hiding = frozenset({"landlock", "mounts"})
    with Sandbox(disable=hiding) as sandbox, pytest.raises(SandboxError, match="Landlock"):
        sandbox.call(SQUARES, wired(([3],)), LIMITS)
    with Sandbox(disable=hiding, allow_weak=True) as sandbox:
        assert sandbox.report.level == "weak"
        assert values(sandbox.call(SQUARES, wired(([3],)), LIMITS)) == [9]


def test_asking_for_numpy_that_is_not_there_says_what_to_do():
    if importlib.util.find_spec("numpy"):
        pytest.skip("numpy is installed")
    with Sandbox(numpy=True) as sandbox, pytest.raises(SandboxError, match="pip install numpy"):
        sandbox.call(SQUARES, wired(([1],)), LIMITS)


def test_programs_can_have_numpy_and_its_results_become_plain():
    pytest.importorskip("numpy")
    source = (
        "import numpy as np\n"
        "R = [np.float64(1.5), np.arange(3), np.bool_(True), [np.int8(1)], np.random.rand()]\n"
        "def f(k): return R[k] if k < 4 else np.datetime64('2020-01-01')\n"
    )
    inputs = wired(*((k,) for k in range(5)))
    with Sandbox(numpy=True) as sandbox:
        outcomes = sandbox.call(Program(source, "f"), inputs, LIMITS)
        assert values(outcomes) == [1.5, [0, 1, 2], True, [1], "unencodable"]
        drawn = Program("import numpy as np\ndef f(x): return np.random.rand()\n", "f")
        assert sandbox.call(drawn, inputs[:1], LIMITS) == sandbox.call(drawn, inputs[:1], LIMITS)


def test_memory_that_a_program_frees_is_used_again_or_given_back(sandbox):
    """16 MiB of small objects are 4,000 pages: faulted in once, or at each call."""
    body = (
        "import resource\n"
        "def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "before = faults()\n"
        "rows = [[i] for i in range(x)]\n"
        "return faults() - before"
    )
    inputs = wired(*[(150_000,)] * 4)
    kept = sandbox.call(program(body), inputs, LIMITS)
    assert max(values(kept)[1:]) < 400
    given_back = sandbox.call(program(body), inputs, replace(LIMITS, gives_back=True))
    assert min(values(given_back)[1:]) > 2000


# ---------------------------------------------------------------- what is left behind


def descriptors():
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def children():
    task = Path(f"/proc/self/task/{os.getpid()}/children")
    return task.read_text().split()


def test_two_hundred_jobs_leave_nothing_behind():
    before, processes = descriptors(), children()
    with Sandbox() as sandbox:
        sandbox.call(SQUARES, wired(([1],)), LIMITS)
        during = descriptors()
        for n in range(200):
            body = ("return x", "os._exit(1)", "raise ValueError")[n % 3]
            sandbox.call(program(body), wired((1,)), LIMITS)
        assert descriptors() == during
        assert len(children()) == len(processes) + 1
    assert descriptors() == before
    assert children() == processes


def test_a_lost_zygote_is_replaced():
    with Sandbox() as sandbox:
        assert values(sandbox.call(SQUARES, wired(([1],)), LIMITS)) == [1]
        with sandbox.sieve(None, [SQUARES], LIMITS) as session:
            assert values(session.feed(wired(([2],)))) == [4]
            for pid in children():
                os.kill(int(pid), signal.SIGKILL)
            assert values(session.feed(wired(([3],)))) == [9]
        assert values(sandbox.call(SQUARES, wired(([4],)), LIMITS)) == [16]


def test_closing_twice_and_reopening_is_fine():
    sandbox = Sandbox()
    sandbox.close()
    assert values(sandbox.call(SQUARES, wired(([1],)), LIMITS)) == [1]
    sandbox.close()
    sandbox.close()
    assert values(sandbox.call(SQUARES, wired(([2],)), LIMITS)) == [4]
    sandbox.close()


VICTIM = """
import sys, time
from plusforge.oracle import wire
from plusforge.oracle.runner import Program, RunLimits, Sandbox
with Sandbox() as sandbox:
    with sandbox.sieve(None, [Program("def f(x): return x", "f")], RunLimits()) as session:
        session.feed([wire.dumps((1,))])
        print("ready", flush=True)
        sandbox.call(Program("def f(x):\\n    while True: pass", "f"), [wire.dumps((1,))],
                     RunLimits(cpu_s=60))
"""


def descendants(pid):
    found, queue = [], [pid]
    while queue:
        for task in Path(f"/proc/{queue.pop()}/task").glob("*/children"):
            below = [int(word) for word in task.read_text().split()]
            found += below
            queue += below
    return found


def test_without_seccomp_what_a_program_starts_ends_with_it():
    with Sandbox(disable=frozenset({"seccomp"}), allow_weak=True) as sandbox:
        sandbox.call(SQUARES, wired(([1],)), LIMITS)
        before = descendants(os.getpid())
        body = "if os.fork() == 0:\n    time.sleep(60)\nreturn x"
        assert values(sandbox.call(program(body), wired((1,)), LIMITS)) == [1]
        assert descendants(os.getpid()) == before


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_survives_its_parent(how):
    with subprocess.Popen(
        [sys.executable, "-c", VICTIM],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=heed_interrupts,
    ) as victim:
        assert victim.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        below = descendants(victim.pid)
        assert len(below) >= 3
        victim.send_signal(how)
        victim.wait(20)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(map(alive, below)):
        time.sleep(0.02)
    assert not [pid for pid in below if alive(pid)]


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_forked_copy_of_the_parent_starts_a_sandbox_of_its_own():
    with Sandbox() as sandbox:
        assert values(sandbox.call(SQUARES, wired(([1],)), LIMITS)) == [1]
        pid = os.fork()
        if pid == 0:
            good = values(sandbox.call(SQUARES, wired(([2],)), LIMITS)) == [4]
            sandbox.close()
            os._exit(0 if good else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert values(sandbox.call(SQUARES, wired(([3],)), LIMITS)) == [9]
