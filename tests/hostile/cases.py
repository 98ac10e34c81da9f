"""Programs that a judge must get right, written for this project; and those beside the clone.

Each case: what the sample is, inputs, expected outcomes, and the verdict. ``fail`` stands for any
verdict but ``pass`` and ``judge_error``.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plusforge.oracle import wire
from plusforge.oracle.gold import Gold, frame_of
from plusforge.oracle.literals import fold_text
from plusforge.oracle.task import Comparison
from plusforge.oracle.values import Raised

PLAIN = Comparison()


@dataclass(frozen=True)
class Case:
    """A sample and the verdict it deserves."""

    name: str
    code: str
    inputs: tuple[Any, ...]
    expected: tuple[Any, ...]
    verdict: str
    entry: str = "f"
    policy: str = ""
    comparison: Comparison = field(default=PLAIN)

    def gold(self) -> Gold:
        """Return the case's tests, all of them base tests."""
        frames = [frame_of(value) for value in self.expected]
        return Gold(
            task_id=self.name,
            entry_point=self.entry,
            comparison=self.comparison,
            n_base=len(self.inputs),
            args=[wire.dumps(args) for args in self.inputs],
            frames=frames,
            longest=max(map(len, frames)),
        )

    def is_right(self, verdict: str) -> bool:
        """Tell whether a verdict is the one deserved."""
        if self.verdict == "fail":
            return verdict not in ("pass", "judge_error")
        return verdict == self.verdict


def manifest_cases(path: Path) -> list[Case]:
    """Return the cases of a manifest (see its README for the fields)."""
    found = []
    for entry in json.loads(path.read_text()):
        verdict = entry["verdict"].removeprefix("fail:").replace("wrong_answer", "wrong")
        found.append(
            Case(
                entry["name"],
                entry["code"],
                tuple(fold_text(entry["inputs"])),
                tuple(fold_text(entry["expected"])),
                verdict,
                entry["entry"],
                entry["policy"] or "",
            )
        )
    return found


NUMBERS = ((1,), (2,), (3,))
SQUARES = (1, 4, 9)
RIGHT = "def f(x):\n    return x * x\n"


def raw_frames(kind: str, payload: str, count: int = 3) -> str:
    """Return a sample that writes frames itself and then ends its process."""
    return f"""
import os, struct, marshal
def f(x):
    payload = {payload}
    frame = struct.pack("<BBHIII", {kind}, 0, 0, 0, len(payload), 0) + payload
    os.write(4, frame * {count})
    os._exit(0)
"""


def _case(name: str, verdict: str, code: str, **fields: Any) -> Case:
    return Case(name, code, fields.pop("inputs", NUMBERS), fields.pop("expected", SQUARES),
                verdict, **fields)  # fmt: skip


OWN = [
    _case("right", "pass", RIGHT),
    # ------------------------------------------------------------ cannot be loaded
    _case("does_not_compile", "load_error", "def f(x:\n"),
    _case("no_entry_point", "load_error", "def g(x):\n    return x * x\n"),
    _case("entry_is_none", "load_error", RIGHT + "f = None\n"),
    _case("raises_at_import", "load_error", RIGHT + "raise RuntimeError('no')\n"),
    _case("exits_at_import", "load_error", RIGHT + "raise SystemExit(0)\n"),
    _case("unknown_module", "load_error", "import module_that_is_nowhere\n" + RIGHT),
    _case("null_bytes", "load_error", RIGHT + "\0"),
    _case("lone_surrogate", "load_error", RIGHT + "s = '\ud800'\n"),
    _case("only_text", "load_error", "Here is the solution you asked for:\n"),
    _case("nested_too_deeply", "fail", RIGHT + "y = " + "(" * 5000 + ")" * 5000 + "\n"),
    _case("eats_memory_at_import", "memory", RIGHT + "y = [0] * (1 << 33)\n"),
    _case("loops_at_import", "timeout", RIGHT + "while True: pass\n"),
    _case("ends_at_import", "crash", RIGHT + "import os\nos._exit(0)\n"),
    _case("entry_is_no_function", "exception", "f = 7\n"),
    _case("exits_after_its_own_test", "load_error", RIGHT + "import sys\nsys.exit(f(2) != 4)\n"),
    _case("entry_by_getattr_of_the_module", "load_error", "def __getattr__(name): return abs\n"),
    # ------------------------------------------------------------ breaks the protocol
    _case("forges_wrong_values", "wrong", raw_frames("0", "marshal.dumps(7, 2)")),
    _case("forges_end", "protocol", raw_frames("203", "b''")),
    _case("forges_loaded", "protocol", raw_frames("202", "b''")),
    _case("forges_unknown_kind", "protocol", raw_frames("99", "b''")),
    _case("forges_load_error", "protocol", raw_frames("7", "b''")),
    _case("forges_contract", "protocol", raw_frames("2", "b''")),
    _case("forges_digest", "fail", raw_frames("8", "b'0' * 40")),
    _case("forges_short_digest", "fail", raw_frames("8", "b''")),
    _case("forges_bad_marshal", "protocol", raw_frames("0", "b'[\\xff\\xff\\xff\\xff'")),
    _case("forges_code_object", "protocol", raw_frames("0", "marshal.dumps(f.__code__)")),
    _case("forges_half_a_frame", "fail", """
import os
def f(x):
    os.write(4, b"\\0" * 7)
    os._exit(0)
"""),
    _case("forges_huge_length", "protocol", """
import os, struct
def f(x):
    os.write(4, struct.pack("<BBHIII", 0, 0, 0, 0, 0xFFFFFFFF, 0))
    while True: pass
"""),
    _case("too_many_results", "fail", """
import os, struct, marshal
def f(x):
    if x == 1:
        one = marshal.dumps(1, 2)
        os.write(4, (struct.pack("<BBHIII", 0, 0, 0, 0, len(one), 0) + one) * 5000)
    return x * x
"""),
    _case("answers_at_import", "protocol", """
import os, struct, marshal
def frame(kind, payload=b""):
    return struct.pack("<BBHIII", kind, 0, 0, 0, len(payload), 0) + payload
values = b"".join(frame(0, marshal.dumps(n * n, 2)) for n in (1, 2, 3))
os.write(4, frame(202) + values + frame(203))
def f(x):
    while True: pass
"""),
    _case("answers_what_it_has_not_got", "protocol", """
import os, struct, sys
def f(x):
    if x == 12:
        value = struct.pack("<BBHIIIBI", 0, 0, 0, 0, 5, 0, ord("i"), 7)
        end = struct.pack("<BBHIII", 203, 0, 0, 0, 0, 0)
        sys._getframe(1).f_back.f_locals["outbox"].flush()
        os.write(4, value + end + (value + end) * 2)
        os._exit(0)
    return 7
""", inputs=tuple((n,) for n in range(1, 15)), expected=(7,) * 14),
    # ------------------------------------------------------------ memory and output
    _case("grows_a_list", "memory", "def f(x, y=[]):\n    while True: y.append('a' * 99999)\n"),
    _case("one_big_block", "memory", "def f(x):\n    return len(bytearray(1 << 40))\n"),
    _case("swallows_memory_error", "pass", """
def f(x):
    try:
        y = bytearray(1 << 40)
    except MemoryError:
        pass
    return x * x
"""),
    _case("raises_memory_error", "memory", "def f(x):\n    raise MemoryError\n"),
    _case("long_text", "output_limit", "def f(x):\n    return 'a' * (1 << 26)\n"),
    _case("many_items", "output_limit", "def f(x):\n    return [x] * (1 << 22)\n"),
    _case("long_exception", "exception", "def f(x):\n    raise ValueError('a' * (1 << 26))\n"),
    _case("endless_length", "fail", """
class L(list):
    def __len__(self): return 1 << 60
    def __iter__(self):
        while True: yield 1
def f(x):
    return L([1])
"""),
    _case("large_block_after_small_objects", "pass", """
def f(x):
    rows = [(number,) for number in range(1_500_000)]
    live = [bytearray(5000) for _ in range(9)]
    rows = len(rows)
    return x * x if len(bytearray(190 << 20)) > rows else live
"""),
    _case("memory_error_then_other_shapes", "pass", """
def f(x):
    rows = []
    try:
        while True: rows.append((x, len(rows)))
    except MemoryError:
        rows = None
    return x * x if len([0] * 15_000_000) else rows
"""),
    _case("threads_that_each_use_memory", "pass", """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
def f(x):
    all_there = Barrier(16)
    def work(n):
        all_there.wait(5)
        return sum(len([None] * n) for n in range(2000))
    with ThreadPoolExecutor(16) as pool: list(pool.map(work, range(16)))
    return x * x
"""),
    _case("threads_of_small_stacks", "exception", """
import threading, time
threading.stack_size(32768)
def f(x):
    for _ in range(30_000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""),
    # ------------------------------------------------------------ lies about equality
    _case("lying_str", "wrong", """
class S(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
def f(x): return S("no")
""", expected=("a", "b", "c")),
    _case("lying_float", "wrong", """
class F(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __abs__ = __sub__
def f(x): return F("nan")
""", expected=(1.0, 2.0, 3.0), comparison=Comparison(kind="close", atol=1e-6, rtol=1e-6)),
    _case("lying_dict_items", "wrong", """
class D(dict):
    def items(self): return [(1, 1)]
    def __iter__(self): return iter([1])
    def __eq__(self, other): return True
def f(x): return D({0: 0})
""", expected=({1: 1},) * 3),
    _case("equal_to_all_in_a_set", "wrong", """
class A:
    def __eq__(self, other): return True
    def __hash__(self): return 0
def f(x): return {A()}
""", expected=({1}, {2}, {3}), comparison=Comparison(kind="set")),
    _case("instance_by_class", "wrong", """
class A:
    @property
    def __class__(self): return int
    def __eq__(self, other): return True
def f(x): return A()
"""),
    _case("values_of_a_dict_are_no_list", "wrong", "def f(x): return {1: x * x}.values()\n",
          expected=([1], [4], [9])),
    _case("a_range_is_no_list", "wrong", "def f(x): return range(x)\n",
          expected=([0], [0, 1], [0, 1, 2])),
    _case("a_tuple_is_no_list", "wrong", "def f(x): return (x,)\n", expected=([1], [2], [3])),
    _case("float_for_int", "pass", "def f(x): return float(x * x)\n"),
    _case("nan_for_nan", "pass", "def f(x): return float('nan')\n", expected=(math.nan,) * 3),
    _case("named_tuple", "pass", """
from collections import namedtuple
P = namedtuple("P", "a b")
def f(x): return P(x, x)
""", expected=((1, 1), (2, 2), (3, 3))),
    _case("keys_of_an_ordered_dict", "pass",
          "from collections import OrderedDict\ndef f(x): return OrderedDict({x: 0}).keys()\n",
          expected=({1}, {2}, {3})),
    _case("infinite_decimal", "pass",
          "from decimal import Decimal\ndef f(x): return Decimal('inf')\n",
          expected=(math.inf,) * 3),
    _case("whole_fraction_of_many_digits", "pass",
          "from fractions import Fraction\ndef f(x): return Fraction(7) ** 9000\n",
          expected=(7**9000,) * 3),
    _case("equal_to_any_of_the_library", "wrong",
          "from unittest.mock import ANY\ndef f(x): return [ANY]\n", expected=([1], [4], [9])),
    _case("structures_that_share_themselves", "fail", """
def f(x):
    y = [x]
    for _ in range(50): y = [y, y]
    return y
"""),
    _case("decimal_of_a_vast_exponent", "fail",
          "from decimal import Decimal\ndef f(x): return Decimal('1E+999999999')\n"),
    _case("fraction_that_is_wrong", "wrong",
          "from fractions import Fraction\ndef f(x): return Fraction(x, 3)\n"),
    _case("fraction_that_is_right", "pass",
          "from fractions import Fraction\ndef f(x): return Fraction(2 * x * x, 2)\n"),
    _case("decimals_in_a_list", "wrong",
          "from decimal import Decimal\ndef f(x): return [Decimal(x)]\n",
          expected=([7], [7], [7]), comparison=Comparison(kind="any_order")),
    _case("decimal_for_the_checker", "pass",
          "from decimal import Decimal\ndef f(xs): return Decimal(xs[0])\n",
          inputs=(([3, 1],), ([5],)), expected=(1, 5),
          comparison=Comparison(kind="checker", checker="def check(y, xs): return y in xs\n")),
    _case("fraction_of_very_many_digits", "fail",
          "from fractions import Fraction\ndef f(x): return Fraction(1 << 200_000, 3)\n"),
    _case("text_is_no_list_of_digits", "wrong", "def f(x): return [1, 2]\n",
          expected=("12",) * 3, comparison=Comparison(kind="any_order")),
    # ------------------------------------------------------------ ends like the judge's own code
    _case("exits_like_the_harness", "crash", "import os\ndef f(x): os._exit(70)\n"),
    _case("traces_the_harness", "fail", """
import sys
def trace(*_): raise SystemExit(0)
def f(x):
    sys.settrace(trace)
    return x * x
"""),
    _case("main_thread_leaves_others_behind", "fail", """
import ctypes, platform, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
def f(x): ctypes.CDLL(None).syscall(60 if platform.machine() == "x86_64" else 93, 0)
"""),
    _case("lies_about_what_it_has_begun", "fail", """
import os, sys
def f(x):
    frame = sys._getframe(1)
    while frame:
        page = frame.f_locals.get("begun")
        for n in range(len(page or ())): page[n] = 0xFFFFFFFF
        frame = frame.f_back
    os._exit(0)
"""),
    _case("many_blank_lines", "pass", "\n" * 100_000 + RIGHT),
    # ------------------------------------------------------------ exceptions as promised outcomes
    _case("promised_exception", "pass", "def f(x):\n    raise ValueError(x)\n",
          expected=(Raised("ValueError"),) * 3, comparison=Comparison(raises=("ValueError",))),
    _case("another_exception", "exception", "def f(x):\n    raise KeyError(x)\n",
          expected=(Raised("ValueError"),) * 3, comparison=Comparison(raises=("ValueError",))),
    _case("returns_the_exception", "wrong", "def f(x):\n    return ValueError(x)\n",
          expected=(Raised("ValueError"),) * 3, comparison=Comparison(raises=("ValueError",))),
    _case("value_for_exception", "wrong", RIGHT,
          expected=(Raised("ValueError"),) * 3, comparison=Comparison(raises=("ValueError",))),
    _case("exception_for_value", "exception", "def f(x):\n    raise ValueError(x)\n"),
    _case("keyboard_interrupt", "exception", "def f(x):\n    raise KeyboardInterrupt\n"),
    _case("generator_exit", "exception", "def f(x):\n    raise GeneratorExit\n"),
    _case("hostile_metaclass", "exception", """
class M(type):
    def __getattribute__(cls, name): raise SystemExit(0)
    @property
    def __name__(cls): raise SystemExit(0)
class E(BaseException, metaclass=M): pass
def f(x): raise E
"""),
    # ------------------------------------------------------------ the checker
    _case("changes_what_the_checker_sees", "wrong", """
def f(xs):
    xs[:] = [0]
    return 0
""", inputs=(([3, 1],), ([5],)), expected=(1, 5),
          comparison=Comparison(kind="checker", checker="def check(y, xs): return y in xs\n")),
    _case("another_right_answer", "pass", "def f(xs):\n    return xs[0]\n",
          inputs=(([3, 1],), ([5],)), expected=(1, 5),
          comparison=Comparison(kind="checker", checker="def check(y, xs): return y in xs\n")),
    _case("object_for_the_checker", "wrong", """
class A:
    def __eq__(self, other): return True
def f(xs): return A()
""", inputs=(([3, 1],), ([5],)), expected=(1, 5),
          comparison=Comparison(kind="checker", checker="def check(y, xs): return y in xs\n")),
    _case("truth_is_demanded", "wrong", "def f(xs):\n    return 9\n", inputs=(([3, 1],),),
          expected=(1,), comparison=Comparison(kind="checker",
          checker="def check(y, xs): return 'yes'\n")),
    _case("forges_sets_within_sets", "protocol",
          raw_frames("0", "b'>\\1\\0\\0\\0' * 50 + b'N'"), expected=(1, 2, 3),
          comparison=Comparison(kind="checker", checker="def check(y, x): return True\n")),
    # ------------------------------------------------------------ out of the sandbox
    _case("datagrams_to_the_machine", "exception", """
import socket
def f(x):
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return x * x
"""),
    # ------------------------------------------------------------ in place
    _case("in_place", "pass", "def f(xs):\n    xs.sort()\n", inputs=(([2, 1],), ([3],)),
          expected=(([1, 2],), ([3],)), comparison=Comparison(observe="arguments")),
    _case("rebinds_instead", "wrong", "def f(xs):\n    xs = sorted(xs)\n", inputs=(([2, 1],),),
          expected=(([1, 2],),), comparison=Comparison(observe="arguments")),
    # ------------------------------------------------------------ time
    _case("sleeps_with_swallowed_errors", "timeout", """
import time
def f(x):
    while True:
        try: time.sleep(60)
        except BaseException: pass
"""),
    _case("many_threads_wait", "fail", """
import threading, time
def f(x):
    for _ in range(10_000): threading.Thread(target=time.sleep, args=(60,)).start()
    return 0
"""),
    _case("stops_itself", "fail", """
import os, signal
def f(x):
    os.kill(os.getpid(), signal.SIGSTOP)
    return 0
"""),
    _case("slow_once_then_right", "timeout", """
import time
def f(x):
    if x == 2:
        end = time.process_time() + 5
        while time.process_time() < end: pass
    return x * x
"""),
    # ------------------------------------------------------------ odd but right
    _case("recursion_limit_raised", "pass", """
import sys
sys.setrecursionlimit(1 << 30)
def f(x): return x * x
"""),
    _case("closes_stdout", "pass", "import sys\nsys.stdout.close()\n" + RIGHT),
    _case("another_main_module", "pass", "import sys\nsys.modules[__name__] = None\n" + RIGHT),
    _case("every_warning_raises", "pass",
          "import warnings\nwarnings.simplefilter('error')\n" + RIGHT),
    _case("line_ends_of_other_systems", "pass", RIGHT.replace("\n", "\r\n") + "\f\n"),
    _case("replaces_itself", "pass", """
def f(x):
    global f
    f = None
    return x * x
"""),
    _case("interrupts_itself_in_time", "pass", """
import signal
class Late(Exception): pass
def late(*_): raise Late
def f(x):
    signal.signal(signal.SIGVTALRM, late)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)
        while True: pass
    except Late:
        return x * x
"""),
    _case("thread_with_a_deep_stack", "pass", """
import sys, threading
sys.setrecursionlimit(10**6)
threading.stack_size(64 << 20)
def deep(n): return n and 1 + deep(n - 1)
def f(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(deep(20_000)))
    thread.start()
    thread.join()
    return x * x if found == [20_000] else None
"""),
    _case("replaces_import", "pass", "import builtins\nbuiltins.__import__ = None\n" + RIGHT),
    _case("empties_modules", "pass", "import sys\nsys.modules.clear()\n" + RIGHT),
    _case("freezes_the_collector", "pass", "import gc\ngc.disable()\ngc.freeze()\n" + RIGHT),
    _case("callable_object", "pass", """
class F:
    def __call__(self, x): return x * x
f = F()
"""),
    _case("state_that_helps_nobody", "wrong", """
seen = []
def f(x):
    seen.append(x)
    return len(seen)
"""),
]  # fmt: skip
