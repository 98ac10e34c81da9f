"""Replies that are modules: what their entry point reaches must stay, the rest must go."""

from tests.extraction_cases import DOUBLES, Case

REACHED = [
    Case(
        "decorator",
        """\
from functools import lru_cache

@lru_cache(None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
""",
        "fib",
        [((30,), 832040)],
        holds=["@lru_cache(None)"],
    ),
    Case(
        "decorator of its own",
        """\
def twice(g):
    return lambda x: 2 * g(x)

@twice
def f(x):
    return x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "decorator by hand",
        """\
def g(x):
    return x

def f(x):
    return x

f = (lambda h: lambda x: 2 * h(x))(f)
""",
        "f",
        DOUBLES,
        lacks=["def g"],
    ),
    Case(
        "helper without return",
        """\
def put(xs, x):
    xs.append(x)

def f(x):
    xs = []
    put(xs, 2 * x)
    return xs[0]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "helper generator",
        """\
def gen(x):
    yield x
    yield x

def f(x):
    return sum(gen(x))
""",
        "f",
        DOUBLES,
    ),
    Case(
        "global",
        """\
count = 0

def inc():
    global count
    count += 1

def f(x):
    inc()
    return 2 * x + count * 0
""",
        "f",
        DOUBLES,
    ),
    Case(
        "table filled by a loop",
        """\
T = {}
for i in range(9):
    T[i] = 2 * i

def f(x):
    return T[x]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "table filled by appending",
        """\
T = []
for i in range(9):
    T.append(2 * i)

def f(x):
    return T[x]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "table filled by a function",
        """\
T = [0] * 9

def fill():
    for i in range(9):
        T[i] = 2 * i

fill()

def f(x):
    return T[x]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "table filled by a function that is given it",
        """\
T = []

def fill(t, n):
    t.extend(range(0, n, 2))

fill(T, 9)

def f(x):
    return T[x]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "table made by a function through others",
        """\
T = None

def make():
    global T
    T = [2 * i for i in range(9)]

def setup():
    make()

setup()

def f(x):
    return T[x]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "table filled by decorators",
        """\
T = {}

def op(name):
    def keep(g):
        T[name] = g
        return g
    return keep

@op('*')
def times(x):
    return 2 * x

def f(x):
    return T['*'](x)
""",
        "f",
        DOUBLES,
    ),
    Case(
        "memo with a first entry",
        """\
memo = {}
memo[0] = 1

def f(n):
    return memo[0] * 2 * n
""",
        "f",
        DOUBLES,
    ),
    Case(
        "constant that is added to",
        """\
M = 10
M += 7

def f(x):
    return x % M * 2 + M - 17
""",
        "f",
        DOUBLES,
    ),
    Case(
        "import that may fail",
        """\
try:
    from math import prod
except ImportError:
    def prod(xs):
        return 0

def f(x):
    return prod([2, x])
""",
        "f",
        DOUBLES,
    ),
    Case(
        "version condition",
        """\
import sys
if sys.version_info >= (3, 0):
    def g(x):
        return 2 * x
else:
    def g(x):
        return 0

def f(x):
    return g(x)
""",
        "f",
        DOUBLES,
    ),
    Case(
        "conditional entry point",
        """\
import sys
if sys.version_info < (3, 0):
    def f(x):
        return 0
else:
    def f(x):
        return 2 * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "dataclass",
        """\
from dataclasses import dataclass

@dataclass
class P:
    x: int
    y: int = 2

def f(x):
    p = P(x)
    return p.x * p.y
""",
        "f",
        DOUBLES,
    ),
    Case(
        "class with an attribute set later",
        """\
class C:
    k = 1

C.k = 2

def f(x):
    return C.k * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "named tuple",
        """\
from collections import namedtuple
P = namedtuple('P', 'x')

def f(x):
    return P(2 * x).x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "single dispatch",
        """\
from functools import singledispatch

@singledispatch
def f(x):
    return x

@f.register
def _(x: int):
    return 2 * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "mutual recursion",
        """\
def odd(n):
    return n != 0 and even(n - 1)

def even(n):
    return n == 0 or odd(n - 1)
""",
        "even",
        [((4,), True), ((3,), False)],
    ),
    Case(
        "lambda",
        """\
double = lambda x: 2 * x
f = lambda x: double(x)
""",
        "f",
        DOUBLES,
    ),
    Case(
        "star import",
        """\
from math import *

def f(x):
    return floor(2.0 * x)
""",
        "f",
        DOUBLES,
    ),
    Case(
        "future import",
        """\
from __future__ import annotations

def f(x: Undefined) -> Missing:
    return 2 * x
""",
        "f",
        DOUBLES,
        holds=["from __future__"],
    ),
    Case(
        "recursion limit",
        """\
import sys
sys.setrecursionlimit(5000)

def f(n):
    return 0 if n == 0 else 1 + f(n - 1)
""",
        "f",
        [((3000,), 3000)],
    ),
    Case(
        "precision",
        """\
from decimal import Decimal, getcontext
getcontext().prec = 3

def f(x):
    return str(Decimal(x) / 3)
""",
        "f",
        [((1,), "0.333")],
    ),
    Case(
        "default from a constant",
        """\
K = 2
L = 9

def f(x, k=K):
    return k * x
""",
        "f",
        DOUBLES,
        lacks=["L = 9"],
    ),
    Case(
        "names looked up by text",
        """\
def g2(x):
    return 2 * x

def f(x):
    return globals()[f'g{2}'](x)
""",
        "f",
        DOUBLES,
    ),
    Case(
        "two statements on a line",
        """\
a = 1; b = 2

def f(x): return b * x
""",
        "f",
        DOUBLES,
        lacks=["a = 1"],
    ),
    Case(
        "statement over several lines",
        """\
T = [
0,
2,
4,
]

def f(x):
    return T[x]
""",
        "f",
        DOUBLES,
    ),
    Case(
        "comments kept",
        """\
# why
# indeed
def f(x):  # here
    # there
    return 2 * x
""",
        "f",
        DOUBLES,
        holds=["# why", "# indeed", "# here", "# there"],
    ),
    Case(
        "comprehension target is no global",
        """\
x = open('no such file')

def f(n):
    return sum(x for x in [n, n])
""",
        "f",
        DOUBLES,
        lacks=["open"],
    ),
    Case(
        "parameter is no global",
        """\
n = int(input())
print(f(n))
def f(n):
    return 2 * n
""",
        "f",
        DOUBLES,
        lacks=["input"],
    ),
    Case(
        "demonstrations",
        """\
import unittest
def f(x):
    return 2 * x

print(f(2))
assert f(1) == 2
for i in range(3):
    print(f(i))
class T(unittest.TestCase):
    def test(self):
        self.assertEqual(f(1), 2)
unittest.main()
""",
        "f",
        DOUBLES,
        lacks=["print", "assert", "unittest"],
    ),
    Case(
        "main guard",
        """\
def f(x):
    return 2 * x

if __name__ == '__main__':
    n = int(input())
    print(f(n))
""",
        "f",
        DOUBLES,
        lacks=["input", "__main__"],
    ),
    Case(
        "main function",
        """\
N = 0

def f(x):
    global N
    N += 1
    return 2 * x

def main():
    print(f(int(input())))

main()
""",
        "f",
        DOUBLES,
        lacks=["main"],
    ),
    Case(
        "statements that wait or exit",
        """\
import sys
data = sys.stdin.read()
def f(x):
    return 2 * x if sys.maxsize else 0
sys.exit(f(3))
""",
        "f",
        DOUBLES,
        lacks=["stdin", "exit"],
    ),
    Case(
        "imports not needed",
        """\
import numpy as np
import matplotlib.pyplot as plt
import os, math
def f(x):
    return math.floor(2 * x)
""",
        "f",
        DOUBLES,
        lacks=["numpy", "matplotlib"],
    ),
    Case(
        "name taken again by a loop",
        """\
def f(x):
    return 2 * x

for f in [1, 2]:
    print(f)
""",
        "f",
        DOUBLES,
        lacks=["for"],
    ),
    Case(
        "name taken again by a file",
        """\
def f(x):
    return 2 * x

with open('x') as f:
    print(f.read())
""",
        "f",
        DOUBLES,
        lacks=["open"],
    ),
    Case(
        "defined twice",
        """\
def f(x):
    return 0

def f(x):
    return 2 * x
""",
        "f",
        DOUBLES,
        lacks=["return 0"],
    ),
    Case(
        "stub behind the whole",
        """\
def f(x):
    return 2 * x

def f(x):
    pass
""",
        "f",
        DOUBLES,
    ),
    Case(
        "one letter among longer names",
        """\
def fast(x):
    return 0

def f(x):
    return 2 * x

def ff(x):
    return 1
""",
        "f",
        DOUBLES,
        lacks=["fast", "ff"],
    ),
    Case(
        "prefix of another name",
        """\
def add_all(xs):
    return 0

def add(a, b):
    return a + b
""",
        lacks=["add_all"],
    ),
    Case(
        "old print behind the code",
        """\
def f(x):
    return 2 * x

print f(2)
""",
        "f",
        DOUBLES,
        lacks=["print"],
    ),
    Case(
        "other function broken",
        """\
def f(x):
    return 2 * x

def g(x):
    return [x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "broken call before the code",
        """\
print(f(2)

def f(x):
    return 2 * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "method",
        """\
class Solution:
    def f(self, x):
        return self.g(x)

    def g(self, x):
        return 2 * x
""",
        "f",
        DOUBLES,
        holds=["f = Solution().f"],
    ),
    Case(
        "static method",
        """\
class Tools:
    @staticmethod
    def f(x):
        return 2 * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "method with state",
        """\
class Solution:
    def __init__(self):
        self.xs = []

    def f(self, x):
        self.xs += [x, x]
        return sum(self.xs)
""",
        "f",
        DOUBLES,
    ),
    Case(
        "method with imports",
        """\
from typing import List
import collections
class Solution:
    def f(self, x: List) -> int:
        return 2 * x
""",
        "f",
        DOUBLES,
        lacks=["collections"],
    ),
    Case(
        "method beside a function",
        """\
class S:
    def f(self, x):
        return 0

def f(x):
    return 2 * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "async helper left alone",
        """\
async def g():
    return 1

def f(x):
    return 2 * x
""",
        "f",
        DOUBLES,
    ),
    Case(
        "names defined by executed text",
        """\
exec('def plus(a, b): return a + b')

def add(a, b):
    return plus(a, b)
""",
    ),
    Case(
        "names defined in a loop",
        """\
for name in ['plus']:
    globals()[name] = lambda a, b: a + b

def add(a, b):
    return plus(a, b)
""",
    ),
    Case(
        "names set on the module",
        """\
import sys
setattr(sys.modules[__name__], 'plus', lambda a, b: a + b)

def add(a, b):
    return plus(a, b)
""",
    ),
    Case(
        "classes that register themselves",
        """\
class Base:
    known = {}
    def __init_subclass__(cls):
        Base.known[cls.__name__] = cls

class Plus(Base):
    def go(self, a, b):
        return a + b

def add(a, b):
    return Base.known['Plus']().go(a, b)
""",
    ),
    Case(
        "classes found by what they inherit from",
        """\
class Base:
    pass

class Plus(Base):
    def go(self, a, b):
        return a + b

def add(a, b):
    return Base.__subclasses__()[0]().go(a, b)
""",
    ),
    Case(
        "table filled through another name",
        """\
T = []
U = T
U.append(0)

def add(a, b):
    return a + b + T[0]
""",
    ),
    Case(
        "table filled through its parts",
        """\
T = {}
for word in ['x', 'xy']:
    node = T
    for letter in word:
        node = node.setdefault(letter, {})
    node['end'] = 0

def add(a, b):
    return a + b + T['x']['y']['end']
""",
    ),
    Case(
        "table filled through its parts by a function",
        """\
T = {}

def put(word):
    node = T
    for letter in word:
        node = node.setdefault(letter, {})
    node['end'] = 0

put('xy')

def add(a, b):
    return a + b + T['x']['y']['end']
""",
    ),
    Case(
        "rows of a table changed in a loop",
        """\
T = [[], []]
for row in T:
    row.append(0)

def add(a, b):
    return a + b + T[1][0]
""",
    ),
    Case(
        "heap made in place",
        """\
import heapq

H = [3, 0]
heapq.heapify(H)

def add(a, b):
    return a + b + H[0]
""",
    ),
    Case(
        "object set up by its methods",
        """\
class Graph:
    def __init__(self):
        self.edges = []
    def put(self, edge):
        self.edges.append(edge)

g = Graph()
g.put(0)

def add(a, b):
    return a + b + g.edges[0]
""",
    ),
    Case(
        "attribute of the function itself",
        """\
def add(a, b):
    add.calls += 1
    return a + b

add.calls = 0
""",
    ),
    Case(
        "walrus at the top",
        """\
if (K := 3) > 2:
    pass

def add(a, b):
    return a + b + K - 3
""",
    ),
    Case(
        "swapped constants",
        """\
A, B = 1, 0
A, B = B, A

def add(a, b):
    return a + b + A
""",
    ),
    Case(
        "dispatch table below",
        """\
def plus(a, b):
    return a + b

def add(a, b):
    return OPS['+'](a, b)

OPS = {'+': plus}
print(add(1, 2))
""",
    ),
    Case(
        "helper named like a built-in function",
        """\
def sum(a, b):
    return a + b

def add(a, b):
    return sum(a, b)
""",
    ),
    Case(
        "command line at the end",
        """\
import argparse

def add(a, b):
    return a + b

parser = argparse.ArgumentParser()
args = parser.parse_args()
print(add(args.x, 1))
""",
    ),
    Case(
        "endless prompt at the end",
        """\
def add(a, b):
    return a + b

while True:
    x = input()
    if x == 'q':
        break
    print(add(x, x))
""",
    ),
    Case(
        "imported from the standard library",
        """\
from operator import add
""",
    ),
    Case(
        "one of several targets",
        """\
add, sub = (lambda a, b: a + b), (lambda a, b: a - b)
""",
    ),
    Case(
        "taken from a table",
        """\
F = {'add': lambda a, b: a + b}
add = F['add']
""",
    ),
    Case(
        "made by a factory",
        """\
def make():
    def add(a, b):
        return a + b
    return add

add = make()
""",
    ),
]
