"""Raw model replies with what the program in them must do: each states the right values.

Written for the tests. The first words of a case's name say what is odd about the reply.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PROMPT = '''\
from typing import List


def add(a: int, b: int) -> int:
    """Return the sum.

    >>> add(1, 2)
    3
    """
'''
HELPED = '''\
import math


def half(x: int) -> int:
    return x // 2


def quarter(x: int) -> int:
    """Return a quarter, rounded down."""
'''
ADDS = (((1, 2), 3), ((-4, 4), 0))
"""What ``add`` must answer."""
DOUBLES = (((2,), 4), ((0,), 0))
"""What ``f`` must answer where it doubles."""


@dataclass(frozen=True)
class Case:
    """A reply.

    Attributes:
        name: What it shows.
        raw: The reply.
        entry: The function asked for.
        calls: Arguments, and what the function of the extracted module returns for them.
        prompt: What the model was shown.
        lacks: Texts that must be gone.
        holds: Texts that must still be there.
    """

    name: str
    raw: str
    entry: str = "add"
    calls: Sequence[tuple[tuple[Any, ...], Any]] = ADDS
    prompt: str | None = None
    lacks: Sequence[str] = ()
    holds: Sequence[str] = ()


@dataclass(frozen=True)
class Failing:
    """A reply without a usable program: the outcome and words of the reason."""

    name: str
    raw: str
    outcome: str
    reason: str
    entry: str = "add"
    prompt: str | None = None
    code: str | None = field(default=None)


BODY = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"


def fenced(code: str, tag: str = "python", mark: str = "```") -> str:
    return f"{mark}{tag}\n{code.rstrip()}\n{mark}\n"


def indented(text: str, by: int) -> str:
    return "".join(" " * by + line if line.strip() else line for line in text.splitlines(True))


# --- where the code stands --------------------------------------------------------------------

PLACES = [
    Case("code alone", BODY),
    Case("fence", f"Sure!\n\n{fenced(BODY)}\nIt isn't hard.\n"),
    Case("fence without a tag", fenced(BODY, "")),
    Case("fence with a wrong tag", fenced(BODY, "js")),
    Case("fence with a long tag", fenced(BODY, 'python title="add.py" linenos')),
    Case("fence of tildes", fenced(BODY, "py", "~~~")),
    Case("fence of four ticks around three", fenced(f'"""\n```\n"""\n{BODY}', "python", "````")),
    Case("fence without an end", f"Here:\n```python\n{BODY}"),
    Case("fence in a list", f"1. First:\n{indented(fenced(BODY), 3)}2. Done.\n"),
    Case("fence deep in lists", f"- a\n  - b\n\n{indented(fenced(BODY), 4)}"),
    Case("fence indented under a paragraph", f"Here:\n{indented(fenced(BODY), 4)}\nBye.\n"),
    Case("fence in a quotation", "".join(f"> {line}\n" for line in fenced(BODY).splitlines())),
    Case("fence behind words", f"The code: ```python\n{BODY}```\nDone.\n"),
    Case("fence on one line", "```python def add(a, b): return a + b```\n"),
    Case("fence that ends behind code", "```python\ndef add(a, b):\n    return a + b```\nSo it is.\n"),
    Case("fence opened by the prompt", f"{BODY}```\nThis adds.\n"),
    Case("fence opened by the prompt, tag swallows code", f"```def add(a, b):\n    return a + b\n```\n"),
    Case("ticks at the end", BODY.rstrip() + "\n``"),
    Case("html around a fence", f"<answer>\n{fenced(BODY)}</answer>\n"),
    Case("html around code", f"<code>\n{BODY}</code>\n"),
    Case("brackets around code", f"[PYTHON]\n{BODY}[/PYTHON]\n"),
    Case("brackets of a few-shot prompt", f"[BEGIN]\n{BODY}[DONE]\n\nNext task:\n{WRONG}"),
    Case("prose around code", f"Here's the code (as you've asked:\n\n{BODY}\nThat's it; isn't it?\n"),
    Case("prose with quotes and brackets", f'So """ this [ is {{ it:\n{BODY}And ''' + "''' so on (\n"),
    Case("prose that looks like code", f"if you like:\n{BODY}for example:\n    add(1, 2)\nimport this\n"),
    Case("prose right behind code", BODY + "This adds the numbers.\n- it is short\n"),
    Case("markdown headings", f"# Solution\n\n{BODY}\n## Why\n\nBecause (see above.\n"),
    Case(
        "last of several blocks",
        fenced(WRONG) + "No, that subtracts.\n" + fenced(BODY) + "Use it:\n" + fenced("print(add(1, 2))"),
    ),
    Case("last block is a test", fenced(BODY) + fenced("from solution import add\nassert add(1, 2) == 3")),
    Case("last block repeats the prompt", fenced(BODY) + "for\n" + fenced(PROMPT)),
    Case("last block is broken", fenced(BODY) + fenced("def add(a, b:\n    ...")),
    Case("block of output", fenced(BODY) + fenced("3", "text")),
    Case(
        "helper in a block of its own",
        "A helper:\n" + fenced("def plus(a, b):\n    return a + b") + "and\n"
        + fenced("def add(a, b):\n    return plus(a, b)"),
    ),
    Case(
        "helper in a later block",
        fenced("def add(a, b):\n    return plus(a, b)") + "with\n"
        + fenced("def plus(a, b):\n    return a + b"),
    ),
    Case(
        "fence within a docstring",
        "def add(a, b):\n    '''Add.\n\n    ```\n    add(1, 2)\n    ```\n    '''\n    return a + b\n",
        holds=["add(1, 2)"],
    ),
    Case(
        "fence within a docstring within a fence",
        fenced('def add(a, b):\n    """Add.\n\n    ```python\n    add(1, 2)\n    ```\n    """\n    return a + b'),
    ),
    Case(
        "fence at the margin of a docstring within a fence",
        fenced('def add(a, b):\n    """Add.\n```\nadd(1, 2)\n```\n"""\n    return a + b') + "Fine.\n",
        holds=["```\nadd(1, 2)\n```"],
    ),
    Case("indented as a whole", indented(BODY, 4) + "\nThat is all.\n"),
    Case("blank line in the body", "def add(a, b):\n    c = a\n\n\n    return c + b\n"),
    Case("comment at the margin", "def add(a, b):\n# so\n    c = a\n# and\n    return c + b\n", holds=["# so"]),
    Case("json around code", '{"thought": "easy", "code": "def add(a, b):\\n    return a + b\\n"}'),
]  # fmt: skip

# --- what stands around an answer -------------------------------------------------------------

MARKS = [
    Case("thought", f"<think>Perhaps\n````python\n{WRONG}````\n</think>\n{fenced(BODY)}"),
    Case("thought that began in the prompt", f"Is it\n{fenced(WRONG)}or so?\n</think>\n\n{BODY}"),
    Case("thought called reasoning", f"<reasoning>\n{WRONG}</reasoning>\n{BODY}"),
    Case("thought in brackets", f"[THINK]{WRONG}[/THINK]{BODY}"),
    Case("thought that speaks of its mark", f"<think>\nthe <think> mark\n{WRONG}\n</think>\n{BODY}"),
    Case("two thoughts", f"<think>{WRONG}</think>\n{fenced(WRONG)}<think>no</think>{fenced(BODY)}"),
    Case("thought with an open fence", f"<think>\n```python\n{WRONG}</think>\n{BODY}"),
    Case(
        "marks of thoughts in a program",
        'def f(s):\n    return s.replace("<think>", "").replace("</think>", "")\n',
        "f", [(("<think>x</think>",), "x")],
    ),
    Case("channels", f"<|channel|>analysis<|message|>{WRONG}<|end|><|start|>assistant<|channel|>final"
         f"<|message|>{fenced(BODY)}<|return|>"),
    Case("end of text", "def add(a, b):\n    return a + b<|endoftext|>"),
    Case("end of text, and on it goes", f"{BODY}<|endoftext|>\n{WRONG}"),
    Case("end of turn", f"{BODY}<end_of_turn>\n<start_of_turn>user\nthanks"),
    Case("end of sentence", "def add(a, b):\n    return a + b</s>"),
    Case("end of sentence, wide", "def add(a, b):\n    return a + b<\uff5cend\u2581of\u2581sentence\uff5c>"),
    Case("begun token", "def add(a, b):\n    return a + b <|end"),
    Case("begun token, barely", "def add(a, b):\n    return a + b<|"),
    Case("begun token, nearly whole", "def add(a, b):\n    return a + b<|im_end|"),
    Case("begun end of sentence", "def add(a, b):\n    return a + b</s"),
    Case("chat template", f"<|im_start|>user\n{WRONG}<|im_end|>\n<|im_start|>assistant\n{BODY}<|im_end|>"),
    Case("chat template of headers", "<|start_header_id|>assistant<|end_header_id|>\n\n" + BODY
         + "<|eot_id|><|start_header_id|>user<|end_header_id|>\n" + WRONG),
    Case("chat template of instructions", f"<s>[INST] {WRONG} [/INST] {fenced(BODY)}</s>"),
    Case(
        "tokens in a program",
        'def f(s):\n    return s.split("<|endoftext|>")[0] + "a<|end|>b"\n',
        "f", [(("x<|endoftext|>y",), "xa<|end|>b")],
    ),
    Case("bars in a program", "def f(a):\n    return a | 1 if a <3|4> 2 else a\n", "f", [((2,), 3)]),
    Case("carriage returns", BODY.replace("\n", "\r\n")),
    Case("carriage returns alone", BODY.replace("\n", "\r")),
    Case("byte order mark", "\ufeff" + BODY),
    Case("no-break spaces", "def add(a, b):\n\u00a0\u00a0\u00a0\u00a0return a\u00a0+ b\n"),
    Case("no-break space in a string", 'def f(x):\u00a0\n    return "\u00a0" * x\n', "f", [((2,), "\u00a0\u00a0")]),
    Case("zero-width spaces", "def add(a, b):\n    \u200breturn a + b\u200b\n"),
    Case("curly quotes", "def f(x):\n    return \u201cit\u2019s\u201d + \u2018x\u2019 * x\n", "f",
         [((2,), "it\u2019sxx")]),
    Case("curly quotes in a string and outside", "def f(x):\n    return '\u201c' + \u201ca\u201d\n", "f",
         [((0,), "\u201ca")]),
    Case("curly quotes in a string only", "def f(x):\n    return '\u201cq\u201d' * x\n", "f",
         [((2,), "\u201cq\u201d\u201cq\u201d")]),
    Case("full-width signs", "def add\uff08a\uff0c b\uff09\uff1a\n    return a + b\n"),
    Case("minus sign", "def f(x):\n    return x \u2212 1\n", "f", [((3,), 2)]),
    Case("interpreter session", ">>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n"),
    Case("interpreter session in a fence", "Try:\n" + fenced(
        ">>> import math\n>>> def add(a, b):\n...     c = a + b\n...\n...     return c\n>>> add(1, 2)\n3", "pycon")),
    Case("notebook session", "In [1]: def add(a, b):\n   ...:     return a + b\n   ...:\n\nIn [2]: add(1, 2)\nOut[2]: 3\n"),
]  # fmt: skip

# --- continuations of a prompt ----------------------------------------------------------------

CONTINUED = [
    Case("body", "    return a + b\n", prompt=PROMPT, holds=[">>> add(1, 2)"]),
    Case("body that runs on", f"    return a + b\n\n\n{WRONG}\nprint(add(1, 2))\n", prompt=PROMPT, lacks=["print"]),
    Case("body and a closing fence", "    return a + b\n```\nIt adds.\n", prompt=PROMPT),
    Case("body in a fence", fenced("    c = a\n    return c + b"), prompt=PROMPT),
    Case("body in a fence, at the margin", fenced("c = a\nreturn c + b"), prompt=PROMPT),
    Case("body with its first line stripped", "c = a\n    return c + b\n", prompt=PROMPT),
    Case("body, one line, stripped", "return a + b", prompt=PROMPT),
    Case("body indented by two", "  if a:\n    return a + b\n  return b\n", prompt=PROMPT),
    Case("body indented by tabs", "\tif a:\n\t\treturn a + b\n\treturn b\n", prompt=PROMPT),
    Case("body behind prose", "The body is:\n\n    return a + b\n", prompt=PROMPT),
    Case("body and prose", "    return a + b\n\nThis isn't hard (really.\n", prompt=PROMPT),
    Case("body and a helper", "    return plus(a, b)\n\n\ndef plus(a, b):\n    return a + b\n", prompt=PROMPT),
    Case("body that ends in a token", "    return a + b<|endoftext|>", prompt=PROMPT),
    Case("body with a string at the margin", '    s = """x\ny"""\n    return a + b + len(s) - 3\n', prompt=PROMPT),
    Case("body at the margin with a string", 's = """x\ny"""\nreturn a + b + len(s) - 3\n', prompt=PROMPT),
    Case("body with a function of its own", "    def plus():\n        return a + b\n    return plus()\n", prompt=PROMPT),
    Case("body after a bare signature", "    return a + b\n", prompt="def add(a, b):\n"),
    Case("body uses the prompt's import", "    return sum([a, b])\n", prompt=PROMPT.replace("int,", "List,"),
         holds=["from typing import List"]),
    Case("body uses the prompt's helper", "    return half(half(x))\n", "quarter", [((9,), 2)], HELPED,
         lacks=["math"]),
    Case("whole function, helper in the prompt", "def quarter(x):\n    return half(half(x))\n", "quarter",
         [((9,), 2)], HELPED),
    Case("whole function, import in the prompt", "def add(a: List, b: int) -> int:\n    return a + b\n",
         prompt=PROMPT),
    Case("prompt repeated", PROMPT + "    return a + b\n", prompt=PROMPT),
    Case("prompt repeated, and the signature", PROMPT + "\n" + BODY, prompt=PROMPT),
    Case("signature repeated, indented", indented(BODY, 4), prompt=PROMPT),
    Case("prompt repeated, body in another block", fenced(PROMPT) + "goes on\n" + fenced("    return a + b"),
         prompt=PROMPT),
    Case("prompt is a chat message", "    return a + b\n", prompt=f"Complete this:\n{fenced(PROMPT)}Go on.\n"),
    Case("method instead of a body", "class Solution:\n    def add(self, a, b):\n        return a + b\n",
         prompt=PROMPT),
]  # fmt: skip

# --- what the entry point reaches --------------------------------------------------------------

REACHED = [
    Case(
        "decorator",
        "from functools import lru_cache\n\n@lru_cache(None)\ndef fib(n):\n"
        "    return n if n < 2 else fib(n - 1) + fib(n - 2)\n",
        "fib", [((30,), 832040)], holds=["@lru_cache(None)"],
    ),
    Case("decorator of its own", "def twice(g):\n    return lambda x: 2 * g(x)\n\n@twice\ndef f(x):\n    return x\n",
         "f", DOUBLES),
    Case("decorator by hand", "def g(x):\n    return x\n\ndef f(x):\n    return x\n\nf = (lambda h: lambda x: 2 * h(x))(f)\n",
         "f", DOUBLES, lacks=["def g"]),
    Case("helper without return", "def put(xs, x):\n    xs.append(x)\n\ndef f(x):\n    xs = []\n    put(xs, 2 * x)\n    return xs[0]\n",
         "f", DOUBLES),
    Case("helper generator", "def gen(x):\n    yield x\n    yield x\n\ndef f(x):\n    return sum(gen(x))\n", "f", DOUBLES),
    Case("global", "count = 0\n\ndef inc():\n    global count\n    count += 1\n\ndef f(x):\n    inc()\n    return 2 * x + count * 0\n",
         "f", DOUBLES),
    Case("table filled by a loop", "T = {}\nfor i in range(9):\n    T[i] = 2 * i\n\ndef f(x):\n    return T[x]\n", "f", DOUBLES),
    Case("table filled by appending", "T = []\nfor i in range(9):\n    T.append(2 * i)\n\ndef f(x):\n    return T[x]\n", "f", DOUBLES),
    Case("table filled by a function", "T = [0] * 9\n\ndef fill():\n    for i in range(9):\n        T[i] = 2 * i\n\nfill()\n\ndef f(x):\n    return T[x]\n",
         "f", DOUBLES),
    Case("table filled by a function that is given it", "T = []\n\ndef fill(t, n):\n    t.extend(range(0, n, 2))\n\nfill(T, 9)\n\ndef f(x):\n    return T[x]\n",
         "f", DOUBLES),
    Case("table made by a function through others", "T = None\n\ndef make():\n    global T\n    T = [2 * i for i in range(9)]\n\ndef setup():\n    make()\n\nsetup()\n\ndef f(x):\n    return T[x]\n",
         "f", DOUBLES),
    Case("table filled by decorators", "T = {}\n\ndef op(name):\n    def keep(g):\n        T[name] = g\n        return g\n    return keep\n\n@op('*')\ndef times(x):\n    return 2 * x\n\ndef f(x):\n    return T['*'](x)\n",
         "f", DOUBLES),
    Case("memo with a first entry", "memo = {}\nmemo[0] = 1\n\ndef f(n):\n    return memo[0] * 2 * n\n", "f", DOUBLES),
    Case("constant that is added to", "M = 10\nM += 7\n\ndef f(x):\n    return x % M * 2 + M - 17\n", "f", DOUBLES),
    Case("import that may fail", "try:\n    from math import prod\nexcept ImportError:\n    def prod(xs):\n        return 0\n\ndef f(x):\n    return prod([2, x])\n",
         "f", DOUBLES),
    Case("version condition", "import sys\nif sys.version_info >= (3, 0):\n    def g(x):\n        return 2 * x\nelse:\n    def g(x):\n        return 0\n\ndef f(x):\n    return g(x)\n",
         "f", DOUBLES),
    Case("conditional entry point", "import sys\nif sys.version_info < (3, 0):\n    def f(x):\n        return 0\nelse:\n    def f(x):\n        return 2 * x\n",
         "f", DOUBLES),
    Case("dataclass", "from dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int\n    y: int = 2\n\ndef f(x):\n    p = P(x)\n    return p.x * p.y\n",
         "f", DOUBLES),
    Case("class with an attribute set later", "class C:\n    k = 1\n\nC.k = 2\n\ndef f(x):\n    return C.k * x\n", "f", DOUBLES),
    Case("named tuple", "from collections import namedtuple\nP = namedtuple('P', 'x')\n\ndef f(x):\n    return P(2 * x).x\n", "f", DOUBLES),
    Case("single dispatch", "from functools import singledispatch\n\n@singledispatch\ndef f(x):\n    return x\n\n@f.register\ndef _(x: int):\n    return 2 * x\n",
         "f", DOUBLES),
    Case("mutual recursion", "def odd(n):\n    return n != 0 and even(n - 1)\n\ndef even(n):\n    return n == 0 or odd(n - 1)\n",
         "even", [((4,), True), ((3,), False)]),
    Case("lambda", "double = lambda x: 2 * x\nf = lambda x: double(x)\n", "f", DOUBLES),
    Case("star import", "from math import *\n\ndef f(x):\n    return floor(2.0 * x)\n", "f", DOUBLES),
    Case("future import", "from __future__ import annotations\n\ndef f(x: Undefined) -> Missing:\n    return 2 * x\n", "f", DOUBLES,
         holds=["from __future__"]),
    Case("recursion limit", "import sys\nsys.setrecursionlimit(5000)\n\ndef f(n):\n    return 0 if n == 0 else 1 + f(n - 1)\n",
         "f", [((3000,), 3000)]),
    Case("precision", "from decimal import Decimal, getcontext\ngetcontext().prec = 3\n\ndef f(x):\n    return str(Decimal(x) / 3)\n",
         "f", [((1,), "0.333")]),
    Case("default from a constant", "K = 2\nL = 9\n\ndef f(x, k=K):\n    return k * x\n", "f", DOUBLES, lacks=["L = 9"]),
    Case("names looked up by text", "def g2(x):\n    return 2 * x\n\ndef f(x):\n    return globals()[f'g{2}'](x)\n", "f", DOUBLES),
    Case("two statements on a line", "a = 1; b = 2\n\ndef f(x): return b * x\n", "f", DOUBLES, lacks=["a = 1"]),
    Case("statement over several lines", "T = [\n0,\n2,\n4,\n]\n\ndef f(x):\n    return T[x]\n", "f", DOUBLES),
    Case("comments kept", "# why\n# indeed\ndef f(x):  # here\n    # there\n    return 2 * x\n", "f", DOUBLES,
         holds=["# why", "# indeed", "# here", "# there"]),
    Case("comprehension target is no global", "x = open('no such file')\n\ndef f(n):\n    return sum(x for x in [n, n])\n", "f", DOUBLES,
         lacks=["open"]),
    Case("parameter is no global", "n = int(input())\nprint(f(n))\ndef f(n):\n    return 2 * n\n", "f", DOUBLES, lacks=["input"]),
    Case("demonstrations", "import unittest\ndef f(x):\n    return 2 * x\n\nprint(f(2))\nassert f(1) == 2\nfor i in range(3):\n    print(f(i))\n"
         "class T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 2)\nunittest.main()\n", "f", DOUBLES,
         lacks=["print", "assert", "unittest"]),
    Case("main guard", "def f(x):\n    return 2 * x\n\nif __name__ == '__main__':\n    n = int(input())\n    print(f(n))\n", "f", DOUBLES,
         lacks=["input", "__main__"]),
    Case("main function", "N = 0\n\ndef f(x):\n    global N\n    N += 1\n    return 2 * x\n\ndef main():\n    print(f(int(input())))\n\nmain()\n", "f", DOUBLES,
         lacks=["main"]),
    Case("statements that wait or exit", "import sys\ndata = sys.stdin.read()\ndef f(x):\n    return 2 * x if sys.maxsize else 0\nsys.exit(f(3))\n", "f", DOUBLES,
         lacks=["stdin", "exit"]),
    Case("imports not needed", "import numpy as np\nimport matplotlib.pyplot as plt\nimport os, math\ndef f(x):\n    return math.floor(2 * x)\n", "f", DOUBLES,
         lacks=["numpy", "matplotlib"]),
    Case("name taken again by a loop", "def f(x):\n    return 2 * x\n\nfor f in [1, 2]:\n    print(f)\n", "f", DOUBLES, lacks=["for"]),
    Case("name taken again by a file", "def f(x):\n    return 2 * x\n\nwith open('x') as f:\n    print(f.read())\n", "f", DOUBLES, lacks=["open"]),
    Case("defined twice", "def f(x):\n    return 0\n\ndef f(x):\n    return 2 * x\n", "f", DOUBLES, lacks=["return 0"]),
    Case("stub behind the whole", "def f(x):\n    return 2 * x\n\ndef f(x):\n    pass\n", "f", DOUBLES),
    Case("one letter among longer names", "def fast(x):\n    return 0\n\ndef f(x):\n    return 2 * x\n\ndef ff(x):\n    return 1\n", "f", DOUBLES,
         lacks=["fast", "ff"]),
    Case("prefix of another name", "def add_all(xs):\n    return 0\n\ndef add(a, b):\n    return a + b\n", lacks=["add_all"]),
    Case("old print behind the code", "def f(x):\n    return 2 * x\n\nprint f(2)\n", "f", DOUBLES, lacks=["print"]),
    Case("other function broken", "def f(x):\n    return 2 * x\n\ndef g(x):\n    return [x\n", "f", DOUBLES),
    Case("broken call before the code", "print(f(2)\n\ndef f(x):\n    return 2 * x\n", "f", DOUBLES),
    Case("method", "class Solution:\n    def f(self, x):\n        return self.g(x)\n\n    def g(self, x):\n        return 2 * x\n", "f", DOUBLES,
         holds=["f = Solution().f"]),
    Case("static method", "class Tools:\n    @staticmethod\n    def f(x):\n        return 2 * x\n", "f", DOUBLES),
    Case("method with state", "class Solution:\n    def __init__(self):\n        self.xs = []\n\n    def f(self, x):\n        self.xs += [x, x]\n        return sum(self.xs)\n",
         "f", DOUBLES),
    Case("method with imports", "from typing import List\nimport collections\nclass Solution:\n    def f(self, x: List) -> int:\n        return 2 * x\n", "f", DOUBLES,
         lacks=["collections"]),
    Case("method beside a function", "class S:\n    def f(self, x):\n        return 0\n\ndef f(x):\n    return 2 * x\n", "f", DOUBLES),
    Case("async helper left alone", "async def g():\n    return 1\n\ndef f(x):\n    return 2 * x\n", "f", DOUBLES),
]  # fmt: skip

CASES = [*PLACES, *MARKS, *CONTINUED, *REACHED]

FAILING = [
    Failing("nothing", "", "empty", "no answer"),
    Failing("blanks", " \n\t\n", "empty", "no answer"),
    Failing("thought only", f"<think>done</think>\n", "empty", "no answer"),
    Failing("token only", "<|endoftext|>", "empty", "no answer"),
    Failing("thought without an end", f"<think>Let me see\n{fenced(BODY)}", "truncated", "more tokens", code=""),
    Failing("channel without an answer", f"<|channel|>analysis<|message|>{BODY}", "truncated", "more tokens", code=""),
    Failing("fence without an end, code broken", "```python\ndef add(a, b):\n    return (a +", "truncated", "more tokens"),
    Failing("prose", "I'm sorry, I can't (yet.", "no_code", "prose only", code=""),
    Failing("words that parse", "Nothing", "no_code", "prose only"),
    Failing("broken function", "def add(a, b):\n    return (a + b\n", "does_not_compile", "line 2"),
    Failing("old Python", "def add(a, b):\n    print a + b\n", "does_not_compile", "line 2"),
    Failing("broken fence", fenced("for x in:\n  y"), "does_not_compile", "line 1"),
    Failing("return outside a function", "add = lambda a, b: a\nreturn 3\n", "ok", ""),
    Failing("other name", "def plus(a, b):\n    return a + b\n", "no_entry_point", "defines plus"),
    Failing("several other names", "def p(a):\n    return a\n\ndef q(a):\n    return a\n", "no_entry_point", "nowhere"),
    Failing("usage only", fenced("result = add(1, 2)\nprint(result)"), "no_entry_point", "nowhere"),
    Failing("import only", "from solution import add\nprint(add(1, 2))\n", "no_entry_point", "nowhere"),
    Failing("body, prompt unknown", "    return a + b\n", "no_entry_point", "without a prompt"),
    Failing("longer name", "def add_all(a, b):\n    return a + b\n", "no_entry_point", "defines add_all"),
    Failing("method of objects that need arguments",
            "class C:\n    def __init__(self, k):\n        self.k = k\n\n    def add(self, a, b):\n        return a\n",
            "no_entry_point", "need arguments"),
    Failing("inner function", "def outer():\n    def add(a, b):\n        return a + b\n", "no_entry_point", "defines outer"),
]  # fmt: skip
