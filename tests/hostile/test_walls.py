"""What programs reach, leave behind or use up: the machine's sockets, later samples, time."""

import dataclasses
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from plusforge.oracle import clock, keeper, referee, wire
from plusforge.oracle import judge as judge_module
from plusforge.oracle.courtroom import Courtroom, EvaluateSettings
from plusforge.oracle.gold import assay
from plusforge.oracle.judge import CHECKED_TOGETHER, judge
from plusforge.oracle.judged import Judged, JudgeSettings
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.suiterecord import Stated, SuiteTask
from plusforge.oracle.task import Comparison, Limits, Reference

from tests.hostile.cases import NUMBERS, RIGHT, SQUARES, Case

SETTINGS = JudgeSettings(memory_mib=256)
MANY = tuple((number,) for number in range(40))
MANY_SQUARES = tuple(number * number for number in range(40))
YES = Comparison(kind="checker", checker="def check(y, x): return True\n")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as shared:
        if shared.report.level != "strong":
            pytest.skip("this machine cannot isolate fully: " + shared.report.line())
        yield shared


def judged(
    sandbox: Sandbox, code: str, settings: JudgeSettings = SETTINGS, **fields: object
) -> Judged:
    about = {"inputs": NUMBERS, "expected": SQUARES, **fields}
    case = Case("case", code, verdict="", **about)  # type: ignore[arg-type]
    return judge(code, case.gold(), sandbox, settings)


def error_of(found: Judged) -> str:
    assert found.failure is not None
    return found.failure.error


# ---------------------------------------------------------------- out of the sandbox

SENDS = """
import socket
def f(x):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.{kind})
    {call}
    return x * x
"""


@pytest.mark.parametrize("kind", ["SOCK_DGRAM", "SOCK_STREAM", "SOCK_SEQPACKET"])
@pytest.mark.parametrize("call", ["one.sendto(b'out', {!r})", "one.sendmsg([b'out'], [], 0, {!r})"])
def test_no_program_sends_to_a_socket_of_the_machine(
    sandbox: Sandbox, kind: str, call: str
) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))  # pytest's own is too deep for a socket's name
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
            ours.bind(str(folder / "log"))
            (folder / "log").chmod(0o777)
            folder.chmod(0o755)
            code = SENDS.format(kind=kind, call=call.format(str(folder / "log")))
            judged(sandbox, code)
            ours.setblocking(False)
            with pytest.raises(BlockingIOError):
                ours.recv(100)
    finally:
        shutil.rmtree(folder)


def test_connected_pairs_still_work(sandbox: Sandbox) -> None:
    code = """
import asyncio, socket
async def g(x):
    await asyncio.sleep(0)
    return x * x
def f(x):
    one, two = socket.socketpair()
    one.send(b"x")
    return asyncio.run(g(x)) if two.recv(1) == b"x" else None
"""
    assert judged(sandbox, code).base == "pass"


# ---------------------------------------------------------------- to the next sample


@pytest.mark.parametrize("fd", [0, 1, 2])
def test_no_mark_is_left_for_the_next_sample(sandbox: Sandbox, fd: int) -> None:
    code = f"""
import fcntl, os
before = fcntl.fcntl({fd}, fcntl.F_GETFL)
fcntl.fcntl({fd}, fcntl.F_SETFL, before ^ os.O_APPEND ^ os.O_NONBLOCK)
def f(x): return before
"""
    seen = [judged(sandbox, code).failure for _ in range(2)]
    assert seen[0] is not None
    assert seen[1] is not None
    assert seen[0].got == seen[1].got == (os.O_RDWR | 0o100000,)


# ---------------------------------------------------------------- the kernel's own memory


def test_threads_are_bounded(sandbox: Sandbox) -> None:
    if "at most" not in sandbox.report.layers["pid namespace"]:
        pytest.skip("this kernel cannot bound process numbers in a namespace (Linux 6.14 can)")
    code = """
import threading, time
def f(x):
    threading.stack_size(32768)
    for count in range(5000):
        try: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError: return count
    return -1
"""
    found = judged(sandbox, code)
    assert found.failure is not None
    assert found.failure.got is not None
    assert 200 <= found.failure.got[0] <= 1024
    assert judged(sandbox, RIGHT).base == "pass"


@pytest.mark.slow
def test_the_sandbox_outlives_its_process_numbers(sandbox: Sandbox) -> None:
    case = Case("case", RIGHT, NUMBERS, SQUARES, "pass")
    gold = case.gold()
    assert {judge(RIGHT, gold, sandbox, SETTINGS).base for _ in range(1200)} == {"pass"}


def test_sockets_hold_little_memory(sandbox: Sandbox) -> None:
    code = """
import socket
def f(x):
    sent, held = 0, []
    try:
        while True:
            one, two = socket.socketpair()
            held += [one, two]
            one.setblocking(False)
            try: one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
            except PermissionError: pass
            try:
                while True: sent += one.send(bytes(65536))
            except BlockingIOError: pass
    except OSError:
        return sent
"""
    found = judged(sandbox, code)
    assert found.failure is not None
    assert found.failure.got is not None
    assert 0 < found.failure.got[0] < 32 << 20


# ---------------------------------------------------------------- the judge's own time

FORGES = """
import os, struct
def f(x):
    payload = {payload}
    data = struct.pack("<BBHIII", {kind}, 0, 0, 0, len(payload), 0) + payload
    while data: data = data[os.write(4, data):]
    os.write(4, struct.pack("<BBHIII", 203, 0, 0, 0, 0, 0))
    while True: pass
"""


def test_sets_within_sets_take_no_time_to_pass_on(sandbox: Sandbox) -> None:
    # Python's marshal writes n of them in 2**n steps; the task's checker has to be asked.
    code = FORGES.format(kind=0, payload="b'>\\1\\0\\0\\0' * 50 + b'N'")
    found = judged(sandbox, code, inputs=((1,),), expected=(1,), comparison=YES)
    assert found.base == "protocol"
    assert "sets within sets" in error_of(found)


def test_the_name_of_an_exception_is_recorded_only_when_short(sandbox: Sandbox) -> None:
    code = FORGES.format(kind=1, payload="b'A' * (1 << 20)")
    found = judged(sandbox, code)
    assert found.base == "exception"
    assert found.failure is not None
    assert found.failure.got is None


def test_a_checkers_first_no_is_enough(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "CHECKER_CPU_S", 0.2)
    started = []
    spawn = sandbox._spawn
    monkeypatch.setattr(sandbox, "_spawn", lambda mib: started.append(mib) or spawn(mib))
    endless = Comparison(kind="checker", checker="def check(y, x):\n    while True: pass\n")
    code = "def f(x): return -1\n"
    found = judged(sandbox, code, inputs=MANY, expected=MANY_SQUARES, comparison=endless)
    assert found.base == "wrong"
    assert len(started) == 2  # the sample's process, and one for the checker


def test_a_sample_cannot_keep_the_checker_busy_for_ever(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_module, "CHECKER_TOTAL_S", 1.0)
    taking = Comparison(
        kind="checker", checker="def check(y, x):\n    for _ in range(y): pass\n    return True\n"
    )
    quick, slow = "def f(x): return 3\n", "def f(x): return 1_000_000\n"
    inputs = tuple((number % 30,) for number in range(3 * CHECKED_TOGETHER))
    squares = tuple(x * x for (x,) in inputs)
    found = judged(sandbox, quick, inputs=inputs, expected=squares, comparison=taking)
    assert found.base == "pass", error_of(found)
    settings = JudgeSettings(all_tests=True)  # each go that is cut short is followed by another
    found = judged(sandbox, slow, settings, inputs=inputs, expected=squares, comparison=taking)
    assert (found.base, error_of(found)) == (
        "wrong",
        "the task's checker gives no answer (timeout: no CPU time left for this job)",
    )
    assert found.failed is not None
    assert len(found.failed) > 2 * CHECKED_TOGETHER


def test_a_slow_checker_has_the_time_that_it_takes(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_module, "CHECKER_TOTAL_S", 0.0)
    slow = "def check(y, x):\n    for _ in range(200_000): pass\n    return True\n"
    task = SuiteTask(
        task_id="t", entry_point="f", references=(Reference(source="def f(x): return x * x\n"),),
        comparison=Comparison(kind="checker", checker=slow), limits=Limits(),
        base=tuple(Stated(wire.dumps(args), (args[0] ** 2,)) for args in MANY), plus=(),
    )  # fmt: skip
    gold = assay(task, sandbox)
    assert not gold.problem
    found = judge("def f(x): return 3\n", gold, sandbox, SETTINGS)
    assert found.base == "pass", error_of(found)


def test_a_sample_is_not_charged_for_a_slow_checker(sandbox: Sandbox) -> None:
    """Ten times its CPU time is no limit on how long the judge itself is busy."""
    slow = "def check(y, x):\n    for _ in range(300_000): pass\n    return True\n"
    inputs = tuple((number,) for number in range(3 * CHECKED_TOGETHER))
    found = judged(
        sandbox, "def f(x): return -1\n", JudgeSettings(total_cpu_s=0.3, cpu_factor=1.0),
        inputs=inputs, expected=tuple(range(len(inputs))),
        comparison=Comparison(kind="checker", checker=slow),
    )  # fmt: skip
    assert found.base == "pass", error_of(found)


# ---------------------------------------------------------------- the sample's time


def test_time_that_we_are_busy_is_not_held_against_a_sample(sandbox: Sandbox) -> None:
    # While the checker works on the first answers, the sample runs on: four times its limit.
    busy = """def check(y, x):
    for _ in range(10_000_000 if x == 0 else 0): pass
    return True
"""
    slow = "def f(x):\n    for _ in range(200_000): pass\n    return -1 if x < 200 else x\n"
    inputs = tuple((number,) for number in range(400))
    found = judged(
        sandbox, slow, JudgeSettings(min_cpu_s=0.1), inputs=inputs, expected=tuple(range(400)),
        comparison=Comparison(kind="checker", checker=busy),
    )  # fmt: skip
    assert found.base == "pass", error_of(found)


SLEEPS = "import time\ndef f(x):\n    time.sleep(0.3)\n    return x * x\n"


def test_all_the_sleep_of_a_sample_is_bounded(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(sandbox, SLEEPS).base == "pass"
    monkeypatch.setattr(clock, "IDLE_SECONDS", 1.0)
    monkeypatch.setattr(keeper, "IDLE_TOTAL_S", 2.0)
    found = judged(sandbox, SLEEPS, inputs=MANY, expected=MANY_SQUARES)
    assert found.base == "timeout"
    assert "slept for more than 2 s" in error_of(found)


def test_without_the_kernels_word_the_wall_clock_bounds_a_sample(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock.Clock, "_queued", lambda self: None)
    monkeypatch.setattr(clock, "IDLE_SECONDS", 0.5)
    settings = JudgeSettings(total_cpu_s=0.1)
    found = judged(sandbox, SLEEPS, settings, inputs=MANY, expected=MANY_SQUARES)
    assert found.base == "timeout"
    assert "more than 10 times its CPU time" in error_of(found)


def test_what_is_run_again_counts_towards_the_samples_time(sandbox: Sandbox) -> None:
    # Long results that are equal in another form are computed twice, each time with the import.
    code = "for _ in range(8_000_000): pass\ndef f(x): return [float(x)] * 20_000\n"
    inputs, expected = MANY[:20], tuple([number] * 20_000 for (number,) in MANY[:20])
    case = Case("case", code, inputs, expected, "")
    same = Reference(source="def f(x): return [x] * 20_000\n", name="reference")
    gold = dataclasses.replace(case.gold(), references=(same,))
    found = judge(code, gold, sandbox, JudgeSettings(total_cpu_s=0.8))
    assert found.base == "timeout"
    assert "no CPU time left" in error_of(found)
    assert judge(code, gold, sandbox, JudgeSettings()).base == "pass"


@pytest.mark.parametrize(("factor", "verdict"), [(0.0, "timeout"), (100.0, "pass")])
def test_the_factor_holds_for_references_too_quick_to_be_timed(
    sandbox: Sandbox, factor: float, verdict: str
) -> None:
    code = """
import time
def f(x):
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
    return x * x
"""
    settings = JudgeSettings(min_cpu_s=0.05, cpu_factor=factor)
    assert judged(sandbox, code, settings).base == verdict


# ---------------------------------------------------------------- numpy


@pytest.mark.parametrize(
    "code",
    [
        "import numpy",
        "import math, numpy as np",
        "import math; import numpy as np",
        "try: from numpy import array\nexcept ImportError: pass",
        "np = __import__('numpy')",
        "import importlib\nnp = importlib.import_module('numpy')",
    ],
)
def test_numpy_is_there_however_it_is_imported(code: str) -> None:
    pytest.importorskip("numpy")
    with Courtroom(EvaluateSettings()) as court:
        assert court._sandbox_for(code + "\n" + RIGHT) is not court.plain
        assert court._sandbox_for(RIGHT) is court.plain
