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
    Case(
        "fence that ends behind code", "```python\ndef add(a, b):\n    return a + b```\nSo it is.\n"
    ),
    Case("fence opened by the prompt", f"{BODY}```\nThis adds.\n"),
    Case(
        "fence opened by the prompt, tag swallows code",
        "```def add(a, b):\n    return a + b\n```\n",
    ),
    Case("ticks at the end", BODY.rstrip() + "\n``"),
    Case("html around a fence", f"<answer>\n{fenced(BODY)}</answer>\n"),
    Case("html around code", f"<code>\n{BODY}</code>\n"),
    Case("brackets around code", f"[PYTHON]\n{BODY}[/PYTHON]\n"),
    Case("brackets of a few-shot prompt", f"[BEGIN]\n{BODY}[DONE]\n\nNext task:\n{WRONG}"),
    Case(
        "prose around code", f"Here's the code (as you've asked:\n\n{BODY}\nThat's it; isn't it?\n"
    ),
    Case(
        "prose with quotes and brackets", f'So """ this [ is {{ it:\n{BODY}And ' + "''' so on (\n"
    ),
    Case(
        "prose that looks like code",
        f"if you like:\n{BODY}for example:\n    add(1, 2)\nimport this\n",
    ),
    Case("prose right behind code", BODY + "This adds the numbers.\n- it is short\n"),
    Case("markdown headings", f"# Solution\n\n{BODY}\n## Why\n\nBecause (see above.\n"),
    Case(
        "last of several blocks",
        fenced(WRONG)
        + "No, that subtracts.\n"
        + fenced(BODY)
        + "Use it:\n"
        + fenced("print(add(1, 2))"),
    ),
    Case(
        "last block is a test",
        fenced(BODY) + fenced("from solution import add\nassert add(1, 2) == 3"),
    ),
    Case("last block repeats the prompt", fenced(BODY) + "for\n" + fenced(PROMPT)),
    Case("last block is broken", fenced(BODY) + fenced("def add(a, b:\n    ...")),
    Case("block of output", fenced(BODY) + fenced("3", "text")),
    Case(
        "helper in a block of its own",
        "A helper:\n"
        + fenced("def plus(a, b):\n    return a + b")
        + "and\n"
        + fenced("def add(a, b):\n    return plus(a, b)"),
    ),
    Case(
        "helper in a later block",
        fenced("def add(a, b):\n    return plus(a, b)")
        + "with\n"
        + fenced("def plus(a, b):\n    return a + b"),
    ),
    Case(
        "fence within a docstring",
        "def add(a, b):\n    '''Add.\n\n    ```\n    add(1, 2)\n    ```\n"
        "    '''\n    return a + b\n",
        holds=["add(1, 2)"],
    ),
    Case(
        "fence within a docstring within a fence",
        fenced(
            'def add(a, b):\n    """Add.\n\n    ```python\n    add(1, 2)\n    ```\n'
            '    """\n    return a + b'
        ),
    ),
    Case(
        "fence at the margin of a docstring within a fence",
        fenced('def add(a, b):\n    """Add.\n```\nadd(1, 2)\n```\n"""\n    return a + b')
        + "Fine.\n",
        holds=["```\nadd(1, 2)\n```"],
    ),
    Case("indented as a whole", indented(BODY, 4) + "\nThat is all.\n"),
    Case("blank line in the body", "def add(a, b):\n    c = a\n\n\n    return c + b\n"),
    Case(
        "comment at the margin",
        "def add(a, b):\n# so\n    c = a\n# and\n    return c + b\n",
        holds=["# so"],
    ),
    Case("text behind the last block", f"Draft:\n{fenced(WRONG)}\nFinal answer:\n\n{BODY}"),
    Case("listing with line numbers", "1  def add(a, b):\n2      return a + b\n"),
    Case("listing with points", fenced("1. def add(a, b):\n2.     return a + b")),
    Case(
        "difference",
        fenced(
            "-" + WRONG.strip().replace("\n", "\n-") + "\n+" + BODY.strip().replace("\n", "\n+")
        ),
    ),
    Case("entities", "def add(a, b):\n    if a &lt; b:\n        return a + b\n    return b + a\n"),
    Case("code within a line", "Just use `add = lambda a, b: a + b` there.\n"),
    Case("string that lost its quotes", "def add(a, b):\\n    return a + b\\n"),
    Case(
        "call of a tool", '<tool_call>\n{"code": "def add(a, b):\\n    return a + b"}\n</tool_call>'
    ),
    Case("markdown within a fence", f"```markdown\n# Title\n{fenced(BODY)}```\n"),
    Case("fence closed with words", f"```python\n{BODY}``` (end)\nThat's (it.\n"),
    Case(
        "prose names the function",
        f"The def add(a, b): isn't hard.\n\n{BODY}\nSo def add(x): works.\n",
    ),
    Case("json around code", '{"thought": "easy", "code": "def add(a, b):\\n    return a + b\\n"}'),
]

# --- what stands around an answer -------------------------------------------------------------

MARKS = [
    Case("thought", f"<think>Perhaps\n````python\n{WRONG}````\n</think>\n{fenced(BODY)}"),
    Case("thought that began in the prompt", f"Is it\n{fenced(WRONG)}or so?\n</think>\n\n{BODY}"),
    Case("thought called reasoning", f"<reasoning>\n{WRONG}</reasoning>\n{BODY}"),
    Case("thought in brackets", f"[THINK]{WRONG}[/THINK]{BODY}"),
    Case(
        "thought that speaks of its mark", f"<think>\nthe <think> mark\n{WRONG}\n</think>\n{BODY}"
    ),
    Case(
        "mark of a thought in a docstring",
        'def add(a, b):\n    """\n    <think>\n    """\n    return a + b\n',
    ),
    Case("turn that ends behind a fence", f"{fenced(BODY).rstrip()}<|eot_id|>{fenced(WRONG)}"),
    Case("two thoughts", f"<think>{WRONG}</think>\n{fenced(WRONG)}<think>no</think>{fenced(BODY)}"),
    Case("thought with an open fence", f"<think>\n```python\n{WRONG}</think>\n{BODY}"),
    Case(
        "marks of thoughts in a program",
        'def f(s):\n    return s.replace("<think>", "").replace("</think>", "")\n',
        "f",
        [(("<think>x</think>",), "x")],
    ),
    Case(
        "channels",
        f"<|channel|>analysis<|message|>{WRONG}<|end|><|start|>assistant<|channel|>final"
        f"<|message|>{fenced(BODY)}<|return|>",
    ),
    Case("end of text", "def add(a, b):\n    return a + b<|endoftext|>"),
    Case("end of text, and on it goes", f"{BODY}<|endoftext|>\n{WRONG}"),
    Case("end of turn", f"{BODY}<end_of_turn>\n<start_of_turn>user\nthanks"),
    Case("end of sentence", "def add(a, b):\n    return a + b</s>"),
    Case(
        "end of sentence, wide",
        "def add(a, b):\n    return a + b<\uff5cend\u2581of\u2581sentence\uff5c>",
    ),
    Case("begun token", "def add(a, b):\n    return a + b <|end"),
    Case("begun token, barely", "def add(a, b):\n    return a + b<|"),
    Case("begun token, nearly whole", "def add(a, b):\n    return a + b<|im_end|"),
    Case("begun end of sentence", "def add(a, b):\n    return a + b</s"),
    Case(
        "chat template",
        f"<|im_start|>user\n{WRONG}<|im_end|>\n<|im_start|>assistant\n{BODY}<|im_end|>",
    ),
    Case(
        "chat template of headers",
        "<|start_header_id|>assistant<|end_header_id|>\n\n"
        + BODY
        + "<|eot_id|><|start_header_id|>user<|end_header_id|>\n"
        + WRONG,
    ),
    Case("chat template of instructions", f"<s>[INST] {WRONG} [/INST] {fenced(BODY)}</s>"),
    Case(
        "tokens in a program",
        'def f(s):\n    return s.split("<|endoftext|>")[0] + "a<|end|>b"\n',
        "f",
        [(("x<|endoftext|>y",), "xa<|end|>b")],
    ),
    Case(
        "bars in a program", "def f(a):\n    return a | 1 if a <3|4> 2 else a\n", "f", [((2,), 3)]
    ),
    Case("carriage returns", BODY.replace("\n", "\r\n")),
    Case("carriage returns alone", BODY.replace("\n", "\r")),
    Case("byte order mark", "\ufeff" + BODY),
    Case("no-break spaces", "def add(a, b):\n\u00a0\u00a0\u00a0\u00a0return a\u00a0+ b\n"),
    Case(
        "no-break space in a string",
        'def f(x):\u00a0\n    return "\u00a0" * x\n',
        "f",
        [((2,), "\u00a0\u00a0")],
    ),
    Case("zero-width spaces", "def add(a, b):\n    \u200breturn a + b\u200b\n"),
    Case(
        "curly quotes",
        "def f(x):\n    return \u201cit\u2019s\u201d + \u2018x\u2019 * x\n",
        "f",
        [((2,), "it\u2019sxx")],
    ),
    Case(
        "curly quotes in a string and outside",
        "def f(x):\n    return '\u201c' + \u201ca\u201d\n",
        "f",
        [((0,), "\u201ca")],
    ),
    Case(
        "curly quotes in a string only",
        "def f(x):\n    return '\u201cq\u201d' * x\n",
        "f",
        [((2,), "\u201cq\u201d\u201cq\u201d")],
    ),
    Case("full-width signs", "def add\uff08a\uff0c b\uff09\uff1a\n    return a + b\n"),
    Case("minus sign", "def f(x):\n    return x \u2212 1\n", "f", [((3,), 2)]),
    Case(
        "interpreter session", ">>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n"
    ),
    Case(
        "interpreter session in a fence",
        "Try:\n"
        + fenced(
            ">>> import math\n>>> def add(a, b):\n...     c = a + b\n...\n"
            "...     return c\n>>> add(1, 2)\n3",
            "pycon",
        ),
    ),
    Case(
        "notebook session",
        "In [1]: def add(a, b):\n   ...:     return a + b\n   ...:\n\n"
        "In [2]: add(1, 2)\nOut[2]: 3\n",
    ),
]

# --- continuations of a prompt ----------------------------------------------------------------

CONTINUED = [
    Case("body", "    return a + b\n", prompt=PROMPT, holds=[">>> add(1, 2)"]),
    Case(
        "body that runs on",
        f"    return a + b\n\n\n{WRONG}\nprint(add(1, 2))\n",
        prompt=PROMPT,
        lacks=["print"],
    ),
    Case("body and a closing fence", "    return a + b\n```\nIt adds.\n", prompt=PROMPT),
    Case("body in a fence", fenced("    c = a\n    return c + b"), prompt=PROMPT),
    Case("body in a fence, at the margin", fenced("c = a\nreturn c + b"), prompt=PROMPT),
    Case("body with its first line stripped", "c = a\n    return c + b\n", prompt=PROMPT),
    Case("body, one line, stripped", "return a + b", prompt=PROMPT),
    Case("body indented by two", "  if a:\n    return a + b\n  return b\n", prompt=PROMPT),
    Case("body indented by tabs", "\tif a:\n\t\treturn a + b\n\treturn b\n", prompt=PROMPT),
    Case("body behind prose", "The body is:\n\n    return a + b\n", prompt=PROMPT),
    Case("body and prose", "    return a + b\n\nThis isn't hard (really.\n", prompt=PROMPT),
    Case(
        "body and a helper",
        "    return plus(a, b)\n\n\ndef plus(a, b):\n    return a + b\n",
        prompt=PROMPT,
    ),
    Case("body that ends in a token", "    return a + b<|endoftext|>", prompt=PROMPT),
    Case(
        "body with a string at the margin",
        '    s = """x\ny"""\n    return a + b + len(s) - 3\n',
        prompt=PROMPT,
    ),
    Case(
        "body at the margin with a string",
        's = """x\ny"""\nreturn a + b + len(s) - 3\n',
        prompt=PROMPT,
    ),
    Case(
        "body with a function of its own",
        "    def plus():\n        return a + b\n    return plus()\n",
        prompt=PROMPT,
    ),
    Case("body after a bare signature", "    return a + b\n", prompt="def add(a, b):\n"),
    Case(
        "body uses the prompt's import",
        "    return sum([a, b])\n",
        prompt=PROMPT.replace("int,", "List,"),
        holds=["from typing import List"],
    ),
    Case(
        "body uses the prompt's helper",
        "    return half(half(x))\n",
        "quarter",
        [((9,), 2)],
        HELPED,
        lacks=["math"],
    ),
    Case(
        "whole function, helper in the prompt",
        "def quarter(x):\n    return half(half(x))\n",
        "quarter",
        [((9,), 2)],
        HELPED,
    ),
    Case(
        "whole function, import in the prompt",
        "def add(a: List, b: int) -> int:\n    return a + b\n",
        prompt=PROMPT,
    ),
    Case("prompt repeated", PROMPT + "    return a + b\n", prompt=PROMPT),
    Case("prompt repeated, and the signature", PROMPT + "\n" + BODY, prompt=PROMPT),
    Case("signature repeated, indented", indented(BODY, 4), prompt=PROMPT),
    Case(
        "prompt repeated, body in another block",
        fenced(PROMPT) + "goes on\n" + fenced("    return a + b"),
        prompt=PROMPT,
    ),
    Case(
        "prompt is a chat message",
        "    return a + b\n",
        prompt=f"Complete this:\n{fenced(PROMPT)}Go on.\n",
    ),
    Case("body that goes on within a line", " a + b\n", prompt=PROMPT + "    return"),
    Case(
        "body with try, stripped",
        "try:\n        return a + b\n    except TypeError:\n        return 0\n",
        prompt=PROMPT,
    ),
    Case(
        "body with a variable named like the function",
        fenced("    add = abs(a)\n    return a + b + add * 0"),
        prompt=PROMPT,
    ),
    Case(
        "method instead of a body",
        "class Solution:\n    def add(self, a, b):\n        return a + b\n",
        prompt=PROMPT,
    ),
]

CASES = [*PLACES, *MARKS, *CONTINUED]

FAILING = [
    Failing("nothing", "", "empty", "no answer"),
    Failing("blanks", " \n\t\n", "empty", "no answer"),
    Failing("thought only", "<think>done</think>\n", "empty", "no answer"),
    Failing("token only", "<|endoftext|>", "empty", "no answer"),
    Failing(
        "thought without an end",
        f"<think>Let me see\n{fenced(BODY)}",
        "truncated",
        "more tokens",
        code="",
    ),
    Failing(
        "channel without an answer",
        f"<|channel|>analysis<|message|>{BODY}",
        "truncated",
        "more tokens",
        code="",
    ),
    Failing(
        "fence without an end, code broken",
        "```python\ndef add(a, b):\n    return (a +",
        "truncated",
        "more tokens",
    ),
    Failing("prose", "I'm sorry, I can't (yet.", "no_code", "prose only", code=""),
    Failing("words that parse", "Nothing", "no_code", "prose only"),
    Failing("broken function", "def add(a, b):\n    return (a + b\n", "does_not_compile", "line 2"),
    Failing("old Python", "def add(a, b):\n    print a + b\n", "does_not_compile", "line 2"),
    Failing("broken fence", fenced("for x in:\n  y"), "does_not_compile", "line 1"),
    Failing("return outside a function", "add = lambda a, b: a\nreturn 3\n", "ok", ""),
    Failing("other name", "def plus(a, b):\n    return a + b\n", "no_entry_point", "defines plus"),
    Failing(
        "several other names",
        "def p(a):\n    return a\n\ndef q(a):\n    return a\n",
        "no_entry_point",
        "nowhere",
    ),
    Failing("usage only", fenced("result = add(1, 2)\nprint(result)"), "no_entry_point", "nowhere"),
    Failing(
        "import only", "from solution import add\nprint(add(1, 2))\n", "no_entry_point", "nowhere"
    ),
    Failing("body, prompt unknown", "    return a + b\n", "no_entry_point", "no prompt"),
    Failing(
        "longer name", "def add_all(a, b):\n    return a + b\n", "no_entry_point", "defines add_all"
    ),
    Failing(
        "method of objects that need arguments",
        "class C:\n    def __init__(self, k):\n        self.k = k\n\n"
        "    def add(self, a, b):\n        return a\n",
        "no_entry_point",
        "need arguments",
    ),
    Failing(
        "inner function",
        "def outer():\n    def add(a, b):\n        return a + b\n",
        "no_entry_point",
        "defines outer",
    ),
]
