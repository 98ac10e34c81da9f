# ruff: noqa: E501 - one program a line
"""The step counter: same results, deterministic counts, nothing slips past the budget."""

from typing import Any

import pytest
from plusforge.oracle.instrument import CODE_HOOK, prepare, prepare_expression
from plusforge.oracle.meter import Meter, OutOfSteps


def load(source: str, steps: int = 10_000, depth: int = 50) -> tuple[Any, Meter]:
    namespace: dict[str, Any] = {"__name__": "program"}
    meter = Meter(steps, depth)
    meter.install(namespace)
    namespace[CODE_HOOK] = prepare_expression
    exec(prepare(source, "<test>"), namespace)
    meter.reset()
    return namespace["f"], meter


@pytest.mark.parametrize(
    ("source", "args", "expected"),
    [
        ("def f(n):\n  'doc'\n  return [i * 2 for i in range(n) if i % 2]", (6,), [2, 6, 10]),
        ("def f(a):\n  a *= 2\n  return a", ([1],), [1, 1]),
        ("def f(a):\n  b = a\n  b *= 2\n  return a is b", ([1],), True),
        ("def f(x, y): return x ** y, x << y, pow(x, y), pow(x, y, 7)", (3, 4), (81, 48, 81, 4)),
        ("def f(s): return ','.join(c for c in s), s[1:], s.count('a')", ("aba",), ("a,b,a", "ba", 2)),
        ("def f(x): return x in (1, 2), x not in [1], 'a' in {'a': 1}", (1,), (True, False, True)),
        ("def f(n):\n  return 1 if n < 2 else n * f(n - 1)", (20,), 2432902008176640000),
        ("def f(n): return f'{n:>4}|{n!r}'", (7,), "   7|7"),
        ("def f(n): return sum(map(int, str(n))), max(3, n), sorted({n, 1})", (12,), (3, 12, [1, 12])),
        ("def f(x):\n  def list(y): return y + 1\n  return list(x)", (1,), 2),
        ("def g():\n  yield 1\n  yield 2\ndef f(): return list(g())", (), [1, 2]),
        ("def f(a, b):\n  a[0] *= b\n  return a", ([2], 3), [6]),
        ("class A:\n  def m(self): return [x for x in range(3)]\ndef f(): return A().m()", (), [0, 1, 2]),
        ("def f(x): return eval(' x * 3 + y', {'y': 1, 'x': x}) if 0 else eval('x * 3')", (4,), 12),
        ("from math import factorial\ndef f(n): return factorial(n)", (5,), 120),
    ],
)  # fmt: skip
def test_rewriting_keeps_the_meaning(source: str, args: tuple[Any, ...], expected: Any) -> None:
    function, _ = load(source)
    assert function(*args) == expected


@pytest.mark.parametrize(
    "source",
    [
        "def f():\n  while True: pass",
        "def f():\n  for i in range(10**9): pass",
        "def f(): return [i for i in range(10**9)]",
        "def f(): return sum(range(10**9))",
        "def f(): return list(range(10**9))",
        "def f(): return 7 ** 10**7",
        "def f(): return pow(7, 10**8)",
        "def f(): return pow(3, 1 << 9999, (1 << 9999) + 1)",
        "def f(): return 1 << 10**9",
        "def f():\n  x = 1\n  x <<= 10**9\n  return x",
        "def f(): return 'a' * 10**9",
        "def f(): return 10**9 * [0]",
        "def f(n=1): return f(n + 1)",
        "def g(n): return f(n)\ndef f(n=1): return g(n + 1)",
        "from itertools import *\ndef f(): return list(permutations(range(11)))",
        "from itertools import *\ndef f(): return max(product('ab', repeat=40))",
        "from itertools import *\ndef f(): return '-1' in map(str, count())",
        "import math\ndef f(): return math.factorial(10**6)",
        "def f():\n  x = 3\n  while True: x = x * x",
        "def f(): return str(2 ** 3_000_000)",
        "def f(): return 'a'.zfill(10**9)",
        "def f(): return eval('9**9**9')",
        "def f():\n  s = [0] * 1000\n  while True: s.count(1)",
        "def f():\n  s = 'ab' * 1000\n  while 'c' not in s: s = s[1:] + 'b'",
    ],
)  # fmt: skip
def test_costly_calls_run_out(source: str) -> None:
    function, meter = load(source)
    with pytest.raises(OutOfSteps):
        function()
    assert meter.exhausted


def test_swallowing_the_exception_does_not_hide_it() -> None:
    source = "def f():\n  try:\n    while True: pass\n  except BaseException:\n    return 1"
    function, meter = load(source)
    assert function() == 1
    assert meter.exhausted


def test_counts_are_exact_and_reset() -> None:
    function, meter = load("def f(n):\n  t = 0\n  for i in range(n): t += i\n  return t")
    for n in (3, 3, 10):
        meter.reset()
        function(n)
        assert meter.used == n + 1
        assert not meter.exhausted


def test_depth_counts_nested_calls_not_their_number() -> None:
    source = "def f(n):\n  if n == 0: return 0\n  return 1 + f(n - 1)"
    function, meter = load(source, depth=50)
    assert [function(40) for _ in range(5)] == [40] * 5
    with pytest.raises(OutOfSteps):
        function(60)
    meter.reset()
    assert function(40) == 40
