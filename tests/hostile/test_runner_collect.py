"""Programs that attack: the outcome must be honest, and nothing outside may have changed.

Each program returns what its attack got. A test states what it must get instead.
"""

import json
import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from plusforge.oracle import wire
from plusforge.oracle.runner import Program, RunLimits, Sandbox
from plusforge.oracle.verdict import OutcomeKind

LIMITS = RunLimits(cpu_s=2.0)
QUICK = RunLimits(cpu_s=0.3, memory_mib=256)
ONE = [wire.dumps((1,))]


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as shared:
        if shared.report.level != "strong":
            pytest.skip("this machine cannot isolate fully: " + shared.report.line())
        yield shared


def attack(sandbox, body, *args, limits=LIMITS):
    """Run a body of ``f(*args)`` once; return its value, or the kind of its outcome."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    source = f"import ctypes, os, socket, struct, sys, threading, time\ndef f(*a):\n{lines}"
    (outcome,) = sandbox.call(Program(source, "f"), [wire.dumps(args)], limits)
    still_works = sandbox.call(Program("def f(x): return x", "f"), ONE, LIMITS)
    assert still_works[0].payload == wire.dumps(1)
    return wire.loads(outcome.payload) if outcome.kind is OutcomeKind.VALUE else str(outcome.kind)


def tried(*attempts):
    """Return a body that tries expressions and returns the names of those that worked."""
    body = "worked = []\n"
    for expression in attempts:
        body += f"try:\n    {expression}\n    worked.append({expression!r})\nexcept OSError: pass\n"
    return body + "return worked"


# ---------------------------------------------------------------- files and secrets


def test_files_cannot_be_read(sandbox, tmp_path):
    secret = tmp_path / "expected.json"
    secret.write_text("42")
    paths = ["/etc/passwd", "/proc/self/maps", "/proc/1/environ", "/", "/tmp", wire.__file__]
    paths += map(str, (secret, Path.cwd(), Path.home(), Path(wire.__file__).parent))
    body = """
got = []
for path in a[0]:
    for look in (os.listdir, lambda p: os.close(os.open(p, os.O_RDONLY))):
        try:
            look(path)
            got.append(path)
        except OSError:
            pass
return got
"""
    assert attack(sandbox, body, paths) == []


def test_installed_packages_cannot_be_read(sandbox):
    body = """
root = os.path.dirname(os.__file__)
got = []
for name in ("site-packages", "dist-packages"):
    try: got += os.listdir(os.path.join(root, name))
    except OSError: pass
return got
"""
    assert attack(sandbox, body) == []


def test_the_standard_library_can_still_be_imported(sandbox):
    body = "import sqlite3, asyncio, xml.dom.minidom, zoneinfo, lzma, email\nreturn 1"
    assert attack(sandbox, body) == 1


def test_the_environment_holds_no_secret(sandbox, monkeypatch):
    monkeypatch.setenv("PLUSFORGE_TEST_KEY", "secret")
    with Sandbox() as fresh:
        body = "return sorted(os.environ), 'secret' in str(os.environb)"
        names, leaked = attack(fresh, body)
    assert not leaked
    assert set(names) <= {"HOME", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "OMP_NUM_THREADS",
                          "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_",
                          "OPENBLAS_NUM_THREADS", "PATH", "PYTHONHASHSEED"}  # fmt: skip


def test_files_cannot_be_written_moved_or_removed(sandbox, tmp_path):
    canary = tmp_path / "canary"
    canary.write_text("alive")
    body = f"target = {str(canary)!r}\n" + tried(
        "open(target, 'w')", "open(target, 'a')", "os.remove(target)", "os.truncate(target, 0)",
        "os.rename(target, target + 'x')", "os.chmod(target, 0)", "os.mkdir(target + 'd')",
        "os.symlink(target, target + 's')", "os.link(target, target + 'l')", "os.utime(target)",
        "open('/tmp/plusforge_was_here', 'w')", "open('/dev/shm/plusforge_was_here', 'w')",
        "os.remove(os.__file__)", "open(os.__file__, 'r+')", "os.mkfifo('/tmp/plusforge_fifo')",
    )  # fmt: skip
    assert attack(sandbox, body) == []
    assert canary.read_text() == "alive"
    assert [path.name for path in tmp_path.iterdir()] == ["canary"]
    assert not Path("/tmp/plusforge_was_here").exists()


# ---------------------------------------------------------------- processes and the network


def test_no_process_can_be_started(sandbox):
    body = "import subprocess, multiprocessing\n" + tried(
        "os.fork()", "os.forkpty()", "os.system('true') and 0 or os.stat('/nonexistent')",
        "os.execv('/bin/true', ['true'])", "os.posix_spawn('/bin/true', ['true'], {})",
        "subprocess.run(['/bin/true'])", "multiprocessing.Process(target=len).start()",
    )  # fmt: skip
    assert attack(sandbox, body) == []


def test_no_signal_reaches_another_process(sandbox):
    body = f"parent = {os.getpid()}\n" + tried(
        "os.kill(os.getppid(), 9)", "os.kill(parent, 9)", "os.kill(0, 9)", "os.kill(-1, 9)",
        "os.killpg(os.getpgid(0), 9)", "os.kill(1, 9)",
    )  # fmt: skip
    assert attack(sandbox, body) == []


def test_programs_have_the_usual_signals_whatever_the_judge_ignores():
    # As under nohup, in the background of a script, or below a daemon.
    ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGCHLD)
    before = [signal.signal(number, signal.SIG_IGN) for number in ignored]
    try:
        with Sandbox() as fresh:
            body = "import signal\nreturn [str(signal.getsignal(n)) for n in a]"
            seen = attack(fresh, body, *map(int, ignored))
            assert attack(fresh, "os._exit(1)") == "crash"
    finally:
        for number, handler in zip(ignored, before, strict=True):
            signal.signal(number, handler)
    usual = str(signal.SIG_DFL)
    assert seen == [usual, str(signal.default_int_handler), usual]


def test_programs_have_no_signal_blocked_whatever_the_judge_blocks():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGUSR1))
    try:
        with Sandbox() as fresh:
            body = "import signal\nreturn len(signal.pthread_sigmask(signal.SIG_BLOCK, a))"
            blocked = attack(fresh, body)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert blocked == 0


def test_the_network_cannot_be_reached(sandbox):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        body = f"port = {server.getsockname()[1]}\n" + tried(
            "socket.create_connection(('127.0.0.1', port), 1)", "socket.socket()",
            "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.socket(socket.AF_NETLINK)",
            "socket.socket(socket.AF_UNIX)", "socket.getaddrinfo('localhost', 80)",
        )  # fmt: skip
        assert attack(sandbox, body) == []
        with pytest.raises(TimeoutError):
            server.accept()


def test_asyncio_and_threads_still_work(sandbox):
    body = """
import asyncio
from concurrent.futures import ThreadPoolExecutor
async def g(): return 1
with ThreadPoolExecutor(4) as pool:
    return asyncio.run(g()) + sum(pool.map(abs, [-1, 2]))
"""
    assert attack(sandbox, body) == 4


def test_kernel_doors_are_shut(sandbox):
    body = """
libc = ctypes.CDLL(None, use_errno=True)
calls = {"unshare": 272, "ptrace": 101, "bpf": 321, "io_uring": 425, "keyctl": 250, "mount": 165,
         "memfd": 319, "userfaultfd": 323, "perf": 298, "process_vm_readv": 310, "pidfd_open": 434,
         "x32 getpid": 0x40000027, "chroot": 161, "setns": 308, "personality": 135}
return [name for name, n in calls.items() if libc.syscall(n, 0, 0, 0, 0, 0) >= 0]
"""
    if os.uname().machine != "x86_64":
        pytest.skip("system call numbers of x86_64")
    assert attack(sandbox, body) == []


def test_limits_cannot_be_raised(sandbox):
    body = """
import resource
try:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    return "raised"
except (OSError, ValueError):
    return "refused"
"""
    assert attack(sandbox, body) == "refused"


# ---------------------------------------------------------------- resources


def test_memory_bombs_end_as_memory(sandbox):
    limits = RunLimits(cpu_s=10.0, memory_mib=128)
    assert attack(sandbox, "return len(bytearray(1 << 30))", limits=limits) == "memory"
    body = "hoard = []\nwhile True: hoard.append('x' * (1 << 20))"
    assert attack(sandbox, body, limits=limits) == "memory"
    body = "import mmap\nreturn len([mmap.mmap(-1, 1 << 26) for _ in range(64)])"
    assert attack(sandbox, body, limits=limits) in ("memory", "raised")


def test_threads_are_bounded_and_do_not_outlive_the_call(sandbox):
    body = """
def spin():
    while True: pass
try:
    for _ in range(2000):
        threading.Thread(target=spin, daemon=True).start()
except RuntimeError:
    return "bounded"
"""
    assert attack(sandbox, body, limits=QUICK) in ("bounded", "timeout", "memory")


def test_printing_for_ever_goes_nowhere(sandbox):
    body = (
        "for _ in range(2000): print('x' * 100_000)\nsys.stderr.write('y' * 10_000_000)\nreturn 1"
    )
    assert attack(sandbox, body) == 1


def test_standard_input_is_empty(sandbox):
    assert attack(sandbox, "return [sys.stdin.read(), os.read(0, 10)]") == ["", b""]


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nwhile True: pass",
        "return (10 ** 8) ** (10 ** 8)",
        "import re\nreturn re.match(r'(a+)+$', 'a' * 40 + 'b')",
        "time.perf_counter = time.time = time.monotonic = lambda: 0.0\nwhile True: pass",
    ],
)
def test_hangs_end_as_timeout(sandbox, body):
    assert attack(sandbox, body, limits=QUICK) == "timeout"


# ---------------------------------------------------------------- results and their channel


@pytest.mark.parametrize(
    "body",
    [
        "os._exit(0)",
        "os.close(4)",
        "os.closerange(0, 64)",
        "ctypes.string_at(0)",
        "os.kill(os.getpid(), 9)",
        "sys.setrecursionlimit(10**9)\nclass R:\n    def __repr__(s): return repr(s)\nrepr(R())",
    ],
)
def test_a_program_that_destroys_itself_is_a_crash(sandbox, body):
    assert attack(sandbox, body) in ("crash", "raised")


def test_an_exception_that_attacks_whoever_looks_at_it_is_just_an_exception(sandbox):
    body = """
class Meta(type):
    __name__ = property(lambda c: 1 / 0)
class Evil(BaseException, metaclass=Meta):
    def __str__(self): raise Evil
raise Evil
"""
    assert attack(sandbox, body) == "raised"


FORGE = """
import os, struct
HEAD = struct.Struct("<BBHIII")
def frame(kind, payload=b""):
    os.write(4, HEAD.pack(kind, 0, 0, 0, len(payload), 0) + payload)
"""


def forged(sandbox, body, count=3):
    source = FORGE + "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    inputs = [wire.dumps((n,)) for n in range(count)]
    return [str(o.kind) for o in sandbox.call(Program(source, "f"), inputs, QUICK)]


def test_forged_results_are_only_results(sandbox):
    one = wire.dumps(1)
    for body in (
        f"frame(0, {one!r})",  # more results than inputs
        "frame(203)",  # the end, too soon
        "frame(201)\nframe(202)",  # about the child, too late
        "frame(77)",
        "os.write(4, b'garbage' * 100)",
        "os.write(4, HEAD.pack(0, 0, 0, 0, 1 << 31, 0))",
        "os.write(4, HEAD.pack(0, 0, 0, 0, 0, 1 << 31))",
    ):
        kinds = forged(sandbox, body)
        assert len(kinds) == 3
        assert kinds != ["value"] * 3, body


def test_all_answers_forged_and_then_gone_is_no_answer(sandbox):
    kinds = forged(sandbox, "for n in range(3): frame(0, b'N')\nos._exit(0)")
    assert kinds[-1] == "crash"
    kinds = forged(sandbox, "for n in range(3): frame(0, b'N')\nframe(203)\nos._exit(0)")
    assert kinds == ["value"] * 3  # it answered, by another road; whether rightly is compared


def test_a_program_that_lies_about_progress_costs_two_limits_at_most(sandbox):
    body = """
import gc
for page in [o for o in gc.get_objects() if type(o).__name__ == "memoryview"]:
    try: page[0] = 90
    except (TypeError, ValueError): pass
while True: pass
"""
    inputs = [wire.dumps((n,)) for n in range(100)]
    source = "def f(x):\n" + "".join(f"    {line}\n" for line in body.strip().splitlines())
    with sandbox.trial(Program(source, "f"), QUICK) as trial:
        first = next(trial.compare(inputs, ()))[0]
    assert first is not None
    assert first.kind is OutcomeKind.TIMEOUT


def test_results_that_lie_about_themselves_count_as_what_they_are(sandbox):
    body = """
class Any(int):
    __class__ = property(lambda s: list)
    def __eq__(s, o): return True
    def __hash__(s): return 0
    def __index__(s): return 42
    def __int__(s): return 42
return [Any(7), {Any(8): Any(9)}]
"""
    assert attack(sandbox, body) == [7, {8: 9}]


def test_the_harness_can_be_patched_but_nothing_is_won(sandbox):
    body = """
import builtins, marshal
marshal.dumps = marshal.loads = lambda *a: b"T"
builtins.len = builtins.type = builtins.isinstance = lambda *a: True
os.write = lambda *a: 1
return 5
"""
    assert attack(sandbox, body) in (5, True, "crash", "raised", "timeout", "protocol")


def test_a_child_finds_nothing_of_the_parent_in_its_memory(sandbox):
    body = """
import gc
needle = "expected_" + "value_of_the_parent"
return sum(needle in str(o) for o in gc.get_objects() if type(o) is dict)
"""
    expected = "expected_value_of_the_parent"
    assert attack(sandbox, body) == 0
    assert expected


# ---------------------------------------------------------------- an ordinary user

ORDINARY = """
import json, os, sys, types
for name in ("plusforge", "plusforge.oracle"):
    sys.modules[name] = package = types.ModuleType(name)
    package.__path__ = []
package.__path__ = [sys.argv[1]]
from plusforge.oracle import wire
from plusforge.oracle.runner import Program, RunLimits, Sandbox
source = '''
import os
def f(path):
    got = []
    for step in (lambda: open(path), lambda: os.fork(), lambda: os.kill(os.getppid(), 9),
                 lambda: open("/tmp/plusforge_was_here", "w"), lambda: os.listdir("/")):
        try: got.append(str(step()))
        except OSError: pass
    return got
'''
with Sandbox() as sandbox:
    (outcome,) = sandbox.call(Program(source, "f"), [wire.dumps(("/etc/passwd",))], RunLimits())
    print(json.dumps([os.getuid(), sandbox.report.level, wire.loads(outcome.payload)]))
"""


def test_an_ordinary_user_is_isolated_as_well():
    if os.geteuid() != 0:
        pytest.skip("we are one: the other tests show it")
    candidates = [Path(f"/usr/bin/python3.{minor}") for minor in (13, 12, 11)]
    python = next((path for path in candidates if path.exists()), None)
    if python is None:
        pytest.skip("no system Python that an ordinary user could run")
    folder = Path(wire.__file__).parent
    command = [python, "-B", "-c", ORDINARY, str(folder)]
    try:
        done = subprocess.run(command, user=65534, group=65534, extra_groups=[], cwd="/",
                              capture_output=True, text=True, check=False)  # fmt: skip
    except PermissionError:
        pytest.skip("this process may not become another user")
    if "PermissionError" in done.stderr:
        pytest.skip("an ordinary user cannot read this checkout")
    user, level, got = json.loads(done.stdout)
    assert user == 65534
    assert level in ("strong", "medium")
    assert got == []
