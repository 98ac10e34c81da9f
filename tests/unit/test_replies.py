"""What is read from replies of language models, form by form."""

import math

import pytest
from plusforge.generator.replies import (
    ParsedInput,
    Unread,
    parse_contract,
    parse_inputs,
    parse_programs,
    read_structured,
)
from plusforge.generator.reply_blocks import MAX_CHARACTERS
from plusforge.oracle.task import Param
from plusforge.oracle.values import Args, key_of

NUMS_K = [Param(name="nums", annotation="list[int]"), Param(name="k", annotation="int")]
UNTYPED = [Param(name="nums"), Param(name="k")]
OPTIONAL = [Param(name="nums"), Param(name="k", optional=True)]
TEXT_K = [Param(name="s", annotation="str"), Param(name="k", annotation="int")]
LIST = [Param(name="nums", annotation="List[int]")]
TEXT = [Param(name="s", annotation="str")]
INT = [Param(name="n", annotation="int")]
ANY = [Param(name="x")]
PAIR = [Param(name="p", annotation="tuple[int, int]"), Param(name="s", annotation="set[int]")]

ONE_TWO = [([1], 2), ([3], 4)]

TWO_INPUTS = {
    "calls": "f([1], 2)\nf([3], 4)",
    "a fence": "Sure, it's easy:\n\n```python\nf([1], 2)\nf([3], 4)\n```\nThat's all.",
    "two fences": "```python\nf([1], 2)\n```\nand\n~~~\nf([3], 4)\n~~~",
    "a fence in a list": "1. First:\n   ```python\n   f([1], 2)\n   ```\n"
    "2. Second:\n   ```\n   f([3], 4)\n   ```",
    "a fence that never ends": "```python\nf([1], 2)\nf([3], 4)",
    "a fence in a fence": "````markdown\n```python\nf([1], 2)\nf([3], 4)\n```\n````",
    "numbered": "1. f([1], 2)\n2) f([3], 4)",
    "bulleted with prose": "- f([1], 2): one item\n* f([3], 4) because it isn't short",
    "inline code": "1. `f([1], 2)` - one\n2. `f([3], 4)` - three",
    "inline tuples": "- `([1], 2)`: one\n- `([3], 4)`: three",
    "inline arguments": "- `[1]`, `2`\n- `[3]`, `4`",
    "a sentence": "You may try f([1], 2), then f([3], 4).",
    "keywords": "f(nums=[1], k=2)\nf(k=4, nums=[3])",
    "unpacked": "f(*([1], 2))\nf(**{'nums': [3], 'k': 4})",
    "print": "print(f([1], 2))\nprint('x', f([3], 4))",
    "asserts": "assert f([1], 2) == 3\nassert not f([3], 4), 'message'",
    "arrows": "f([1], 2) -> True\nf([3], 4) => 3",
    "other arrows": "f([1], 2) → True\nf([3], 4) returns 3",
    "comparisons": "f([1], 2) == 3\nmath.isclose(f([3], 4), 0.5)",
    "comments": "f([1], 2)  # f([9], 9)\nf([3], 4)  // three",
    "a trailing comma": "f([1], 2),\nf([3], 4);",
    "unittest": "class T(TestCase):\n    def test(self):\n        self.assertEqual(f([1], 2), 3)\n"
    "        self.assertTrue(f([3], 4))",
    "pytest": "@pytest.mark.parametrize('nums, k, expected', [\n"
    "    ([1], 2, 3),\n    ([3], 4, 5),\n])\n"
    "def test_f(nums, k, expected):\n    assert f(nums, k) == expected",
    "a method": "Solution().f([1], 2)\nsolution.f([3], 4)",
    "candidate": "assert candidate([1], 2) == 3\nassert candidate([3], 4) == 3",
    "results": "a = f([1], 2)\nb = f([3], 4)\nassert a == b",
    "variables": "x = [1]\ny = 2\nf(x, y)\nx = [3]\nf(x, y + 2)",
    "blocks of parameters": "nums = [1]\nk = 2\n\nnums = [3]\nk = 4",
    "blocks in a list": "1.\n   nums = [1]\n   k = 2\n2.\n   nums = [3]\n   k = 4",
    "blocks in Markdown": "Case 1\n- nums: `[1]`\n- k: `2`\n\nCase 2\n- **nums**: [3]\n- **k**: 4",
    "a list": "inputs = [([1], 2), ([3], 4)]",
    "a long list": "test_inputs = [\n    ([1], 2),  # it's one\n    # more\n    ([3],\n     4),\n]",
    "a list of dicts": "cases = [{'nums': [1], 'k': 2}, dict(nums=[3], k=4)]",
    "a list of names": "a = ([1], 2)\nb = ([3], 4)\ninputs = [a, b]",
    "inputs by number": "input_1 = ([1], 2)\ninput_2 = [3], 4",
    "pairs": "test_cases = [(([1], 2), True), (([3], 4), False)]",
    "rows with outcomes": "test_cases = [([1], 2, 5), ([3], 4, 6)]",
    "a dict of cases": "inputs = {'one': ([1], 2), 'two': ([3], 4)}",
    "append": "inputs = []\ninputs.append(([1], 2))\ninputs += [([3], 4)]",
    "return": "def inputs():\n    return [([1], 2), ([3], 4)]",
    "a loop": "for a, b in [([1], 2), ([3], 4)]:\n    print(f(a, b))",
    "a loop over a name": "cases = [([1], 2), ([3], 4)]\nfor args in cases:\n    f(*args)",
    "bare tuples": "([1], 2)\n([3], 4),",
    "bare tuples in a fence": "```\n([1],\n 2)\n([3], 4)\n```",
    "bare arguments": "[1], 2\n[\n3\n], 4",
    "bare tuples with remarks": "([1], 2) - one\n([3], 4): three -> 5",
    "a bare list": "[([1], 2), ([3], 4)]",
    "a doctest": ">>> f([1], 2)\n([9], 9)\n>>> f([3],\n...   4)\n[5]\n",
    "JSON": '{"inputs": [[[1], 2], [[3], 4]]}',
    "JSON of texts": '{"inputs": ["([1], 2)", "f([3], 4)"]}',
    "JSON of arguments": '{"inputs": ["[1], 2", "nums=[3], k=4"]}',
    "a JSON list": "```json\n[[[1], 2], [[3], 4]]\n```",
    "JSON by name": 'Here:\n[{"nums": [1], "k": 2}, {"nums": [3], "k": 4}]\nDone.',
    "JSON Lines": '{"nums": [1], "k": 2}\n{"args": [[3], 4], "expected": [[9], 9]}',
    "JSON cases": '{"test_cases": [{"input": {"nums": [1], "k": 2}, '
    '"output": 3}, {"input": [[3], 4]}]}',
    "JSON with comments": "```json\n[\n  // one\n  [[1], 2],\n  [[3], 4],\n]\n```",
    "JavaScript": "const inputs = [[[1], 2], [[3], 4]];",
    "a table": "| # | Input | Output |\n|---|---|---|\n"
    "| 1 | `f([1], 2)` | ([9], 9) |\n| 2 | `([3], 4)` | 1 |",
    "a table by name": "| nums | k | Expected |\n|:--|--:|---|\n"
    "| [1] | 2 | 3 |\n| `[3]` | `4` | 5 |",
    "labels": "Input: nums = [1], k = 2\nOutput: [9], 9\nInput: [3], 4\nExplanation: [9], 9",
    "labels on lines of their own": "Input:\n([1], 2)\nExpected output:\n"
    "([9], 9)\nInput:\n([3], 4)",
    "YAML": "nums: [1], k: 2\nnums: [3]\nk: 4",
    "test cases by number": "Test 1: nums=[1], k=2 -> 5\n**Test 2**: nums=[3], k=4",
    "thinking": "<think>\nf([9], 9)\n</think>\nf([1], 2)\nf([3], 4)",
    "the end of thinking": "perhaps f([9], 9)\n</think>\n\nf([1], 2)\nf([3], 4)<|im_end|>",
    "quoted": "> f([1], 2)\n> f([3], 4)",
    "escaped": "f\\([1], 2\\)\nf(\\[3\\], 4)",
    "a tool call": '<tool_call>{"name": "f", "arguments": {"nums": [1], "k": 2}}</tool_call>\n'
    '{"name": "f", "arguments": "{\\"nums\\": [3], \\"k\\": 4}"}',
    "loops side by side": "for i, (a, b) in enumerate(zip([[1], [3]], [2, 4])):\n    f(a, b)",
    "a loop that is not followed": "cases = [{'input': ([1], 2), 'why': 1}, {'input': ([3], 4)}]\n"
    "for case in cases:\n    f(*case['input'])",
    "docstrings": 'def test():\n    """([9], 9)"""\n    assert f([1], 2)\n    assert f([3], 4)',
    "colons": "f(nums: [1], k: 2)\nf([3], k: 4)",
    "no commas": "nums=[1] k=2\nnums = [3] and k = 4",
    "a key alone": '"inputs": [\n  [[1], 2],\n  [[3], 4]\n]',
    "one line of statements": "f([1], 2); f([3], 4)",
    "HTML": "f([len(&quot;a&quot;)], 2)\nf([3], 4)",
    "carriage returns": "f([1], 2)\r\nf([3], 4)\r\n",
}  # fmt: skip


def read(reply: str | None, params: list[Param]) -> list[str]:
    result = parse_inputs(reply, "f", params)
    assert result.unread == ()
    return [key_of(item.args) for item in result.inputs]


def keys(inputs: list[Args]) -> list[str]:
    return [key_of(args) for args in inputs]


@pytest.mark.parametrize("reply", TWO_INPUTS.values(), ids=list(TWO_INPUTS))
@pytest.mark.parametrize("params", [NUMS_K, UNTYPED], ids=["typed", "untyped"])
def test_two_inputs_in_every_form(reply: str, params: list[Param]) -> None:
    assert read(reply, params) == keys(ONE_TWO)


ONE_PARAMETER: list[tuple[str, list[Param], list[Args]]] = [
    ("[1, 2]\n[3]", LIST, [([1, 2],), ([3],)]),
    ("([1, 2],)\n([3],)", LIST, [([1, 2],), ([3],)]),
    ("1. [1, 2]\n2. [3] - short", LIST, [([1, 2],), ([3],)]),
    ("f([1, 2])\nf([])", LIST, [([1, 2],), ([],)]),
    ("inputs = [[1, 2], [3]]", LIST, [([1, 2],), ([3],)]),
    ("inputs = [[1, 2], [3]]", ANY, [([1, 2],), ([3],)]),
    ("inputs = [[1], [3]]", ANY, [([1],), ([3],)]),
    ("inputs = [([1],), ([3],)]", ANY, [([1],), ([3],)]),
    ("inputs = [1, 2, 3]", LIST, [([1, 2, 3],)]),
    ("inputs = [1, 2, 3]", INT, [(1,), (2,), (3,)]),
    ("1, 2, 3", INT, [(1,), (2,), (3,)]),
    ("nums = [1, 2]\nnums = []", LIST, [([1, 2],), ([],)]),
    ("```json\n[[1, 2], [3]]\n```", LIST, [([1, 2],), ([3],)]),
    ("```json\n[[[1, 2]], [[3]]]\n```", LIST, [([1, 2],), ([3],)]),
    ("test_cases = [([1, 2], 3), ([], 0)]", LIST, [([1, 2],), ([],)]),
    ("test_cases = [([1, 2], 3), ([], 0)]", ANY, [([1, 2],), ([],)]),
    ("5\n-3\n- 4\n1. 7\n1.\n", INT, [(5,), (-3,), (4,), (7,)]),
    ("```\n- 4\n```", INT, [(-4,)]),
    ("2**64\n10**6\n1_000", INT, [(2**64,), (10**6,), (1000,)]),
    ('"racecar"\n"a # b"\n\'->\' -> True', TEXT, [("racecar",), ("a # b",), ("->",)]),
    ("“smart”\nf(\u2018x\u2019)", TEXT, [("smart",), ("x",)]),
    ("f('```')\nf('f(1)')\nf('''a\nb''')", TEXT, [("```",), ("f(1)",), ("a\nb",)]),
    ("| s |\n|---|\n| 'a\\|b' |\n| '|' |", TEXT, [("a|b",), ("|",)]),
    ('{"inputs": ["hello", "\'hi\'", "[1]", "f(\'x\')", "12"]}', TEXT,
     [("hello",), ("hi",), ("[1]",), ("x",), ("12",)]),
    ("'a' * 3 + 'b'", TEXT, [("aaab",)]),
    ("f({1: 'a'})\n{2: 'b'}", [Param(name="d", annotation="dict[int, str]")],
     [({1: "a"},), ({2: "b"},)]),
    ("f(set())\nf(frozenset({1}))\nf((1, 2))", ANY, [(set(),), (frozenset({1}),), ((1, 2),)]),
    ("f(float('inf'))\nf(-float('nan'))\nf(1e5)\nf(-math.inf)", ANY,
     [(math.inf,), (math.nan,), (1e5,), (-math.inf,)]),
    ("f([true, null, NaN])", ANY, [([True, None, math.nan],)]),
    ("f([1]*1000)\nf(list(range(10)))", LIST, [([1] * 1000,), (list(range(10)),)]),
    ("f()", [], [()]),
    ("Input: abc\nOutput: cba\nInput: `q`\nInput: 12", TEXT, [("abc",), ("q",), ("12",)]),
    ("inputs = ['f(1)', 'f(\"z\")']", TEXT, [("f(1)",), ("z",)]),
    ("[(1, 2)]\n[]", [Param(name="ps", annotation="list[tuple[int, int]]")], [([(1, 2)],), ([],)]),
    ('{"inputs": [{"nums": "[1]", "k": "2"}]}', NUMS_K, [([1], 2)]),
    ('[{"a": 1}, {}]', [Param(name="d", annotation="dict[str, int]")], [({"a": 1},), ({},)]),
    ("{1, 2}\nset()", [Param(name="x", annotation="set[int]")], [({1, 2},), (set(),)]),
    ("(1, 2)\n(3, 4)", [Param(name="p", annotation="tuple[int, int]")], [((1, 2),), ((3, 4),)]),
    ("f(')(')\nf(\"]\")", TEXT, [(")(",), ("]",)]),
    ("([1], 2), ([3], 4)", NUMS_K, ONE_TWO),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "params", "inputs"), ONE_PARAMETER)
def test_one_parameter(reply: str, params: list[Param], inputs: list[Args]) -> None:
    assert read(reply, params) == keys(inputs)


def test_values_of_other_counts() -> None:
    assert read("f('a # b', 1) # c\nf('a -> b', 2) -> 3", TEXT_K) == keys(
        [("a # b", 1), ("a -> b", 2)]
    )
    assert read("f([1])\nf([1], 2)\n([3],)", OPTIONAL) == keys([([1],), ([1], 2), ([3],)])


def test_json_takes_types_from_annotations() -> None:
    reply = '{"inputs": [{"args": [[1, 2], [3]]}, {"p": [4, 5], "s": []}]}'
    assert read(reply, PAIR) == keys([((1, 2), {3}), ((4, 5), set())])


UNREAD = [
    ("f([1], 2, 3)", "3 arguments where the function takes 2 (nums, k)"),
    ("f([1])", "1 argument where the function takes 2 (nums, k)"),
    ("([1], 2, 3)", "3 arguments where the function takes 2 (nums, k)"),
    ("f([1], z=1)", "'z' is no parameter (nums, k)"),
    ("f([1], nums=[1])", "'nums' is given twice"),
    ("f([i for i in range(3)], 2)", "ListComp is not folded"),
    ("f([1, ...], 2)", "an ellipsis stands for something left out"),
    ("f([0] * 10**9, 2)", "it would hold more than 200000 items"),
    ("f([2], 9**9**9)", "it would have more than 100000 bits"),
    ("f(x, 2)", "the name has no known value"),
    ("f([1, 2)", "brackets"),
    ("f([1], 2", "cut off"),
    ("```\ng([1], 2)\n```", "it calls g, not f"),
    ("nums = [1]", "no value for 'k'"),
    ("def f(nums, k):\n    return f(nums[1:], k)", "a definition of the function, not an input"),
    ("", "the reply is empty"),
    ("I am sorry, I cannot.", "there is no input in the reply"),
    ("<think>\nf([1], 2)", "cut off before its answer"),
    ("x" * (MAX_CHARACTERS + 1), "at most 8000000 are read"),
]


@pytest.mark.parametrize(("reply", "reason"), UNREAD, ids=[reason for _, reason in UNREAD])
def test_what_cannot_be_read_is_told(reply: str, reason: str) -> None:
    result = parse_inputs(reply, "f", NUMS_K)
    assert result.inputs == ()
    assert len(result.unread) == 1
    assert reason in result.unread[0].reason


def test_no_content_is_an_empty_reply() -> None:
    assert parse_inputs(None, "f", NUMS_K).unread == (Unread("", "the reply is empty", 1),)


def test_a_bad_item_costs_only_itself() -> None:
    reply = "inputs = [\n ([1], 2),\n ([x for x in y], 2),\n (1, 2, 3),\n ([3], 4)]"
    result = parse_inputs(reply, "f", NUMS_K)
    assert [item.args for item in result.inputs] == ONE_TWO
    assert [(item.text, item.line) for item in result.unread] == [
        ("([x for x in y], 2)", 3),
        ("(1, 2, 3)", 4),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        "inputs = [([1], 2), ([3], 4), ([5], ",
        "```python\ninputs = [\n    ([1], 2),\n    ([3], 4),\n    ([5",
        '{"inputs": [[[1], 2], [[3], 4], [[5, 6], ',
        '{"inputs": [{"args": ["[1]", "2"]}, {"args": ["[3]", "4"]}, {"args": ["[5',
        "f([1], 2)\nf([3], 4)\nf([5, 6",
        "1. `([1], 2)`\n2. `([3], 4)`\n3. `([5, 6",
    ],
)
def test_a_reply_is_read_up_to_where_it_was_cut(reply: str) -> None:
    result = parse_inputs(reply, "f", NUMS_K)
    assert [item.args for item in result.inputs] == ONE_TWO
    assert ["cut off" in item.reason for item in result.unread] == [True]


def test_equal_inputs_are_counted() -> None:
    result = parse_inputs("f([1], 2)\nf(nums=[1], k=2)\nf([True], 2)", "f", NUMS_K)
    assert [item.args for item in result.inputs] == [([1], 2), ([True], 2)]
    assert result.repeated == 1


def test_headings_set_the_class() -> None:
    reply = (
        "f([0], 0)\n## Typical\n- f([1], 1)\n\n**Corner cases:**\n1. f([], 2)\n"
        "- Large: f([3], 3)\n- f([4], 4)\n### Invalid inputs\nf(None, 5)\n# Notes\nf([6], 6)"
    )
    result = parse_inputs(reply, "f", NUMS_K)
    kinds = [item.kind for item in result.inputs]
    expected = [None, "typical", "corner", "extreme", "corner", "near_valid", None]
    assert kinds == expected
    assert result.near_valid == ((None, 5),)
    assert len(result.valid) == 6


def test_comments_and_keys_set_the_class() -> None:
    reply = "inputs = [\n    # typical\n    ([1], 2),\n    # edge cases\n    ([3], 4),\n]"
    kinds = [item.kind for item in parse_inputs(reply, "f", NUMS_K).inputs]
    assert kinds == ["typical", "corner"]
    reply = '{"typical": [[[1], 2]], "near_valid": [[[3], 4]]}'
    kinds = [item.kind for item in parse_inputs(reply, "f", NUMS_K).inputs]
    assert kinds == ["typical", "near_valid"]


def test_an_entry_point_may_be_any_name() -> None:
    result = parse_inputs("has_it([1], 2)\nmy_has_it([5], 6)", "has_it", NUMS_K)
    assert [item.args for item in result.inputs] == [([1], 2)]


def test_operations_of_one_reply_are_bounded() -> None:
    result = parse_inputs("\n".join(f"f([0] * 90000, {i})" for i in range(60)), "f", NUMS_K)
    assert 0 < len(result.inputs) < 60
    assert result.unread[-1].reason.endswith("no more items may be made")


# Replies under a schema


def test_structured_inputs() -> None:
    reply = {
        "inputs": [
            {"class": "typical", "args": ["(1, 2)", "{3}"]},
            {"class": "near_valid", "args": ["None", "'x'"]},
            {"class": "corner", "args": ["(1, 2)"]},
        ]
    }
    inputs = read_structured(reply, "f", PAIR).inputs
    assert inputs.inputs == (
        ParsedInput(((1, 2), {3}), "typical"),
        ParsedInput((None, "x"), "near_valid"),
    )
    assert "1 argument where" in inputs.unread[0].reason


def test_structured_literals_keep_their_types() -> None:
    reply = {"inputs": [{"class": "typical", "args": [text]} for text in ("'1'", "1", "one")]}
    assert read_structured(reply, "f", TEXT).inputs.valid == (("1",), (1,), ("one",))


def test_structured_programs() -> None:
    code = "def f(nums, k):\n    return k"
    reply = {"programs": [{"mistake": "ignores nums", "code": code, "breaking_args": ["[1]", "2"]}]}
    (program,) = read_structured(reply, "f", NUMS_K).programs.programs
    assert (program.name, program.breaking) == ("ignores nums", ([1], 2))
    assert program.source == code + "\n"


@pytest.mark.parametrize("reply", [None, [], "x", {}, {"inputs": 3}, {"inputs": [{"args": {}}]}])
def test_structured_replies_of_another_shape(reply: object) -> None:
    result = read_structured(reply, "f", NUMS_K)
    assert result.inputs.inputs == ()
    assert result.inputs.unread


# Programs


def test_programs_in_fences() -> None:
    reply = """Here are two.

## Mistake 1: off by one
```python
import math

def f(a, b):
    return a + b + 1

print(f(0, 0))
```
It fails on `f(3, 4)`.

## Mistake 2: Wrong sign
Breaking input: f(5, 6)
```python
def h(x):
    return x

def f(a, b):
    return h(a) - b
```
"""
    result = parse_programs(reply, "f")
    assert result.unread == ()
    assert [(p.name, p.breaking) for p in result.programs] == [
        ("off by one", (0, 0)),
        ("Wrong sign", (5, 6)),
    ]
    assert result.programs[0].source == "import math\n\n\ndef f(a, b):\n    return a + b + 1\n"
    assert result.programs[1].source.startswith("def h(x):")


def test_programs_in_one_fence() -> None:
    reply = (
        "```python\n# ignores b\ndef f(a, b):\n    return a\n# fails on: f(1, 2)\n\n"
        "# ignores a\ndef f(a, b):\n    return b\nassert f(1, 5) == 6\n```"
    )
    programs = parse_programs(reply, "f").programs
    assert [(p.name, p.breaking) for p in programs] == [
        ("ignores b", (1, 2)),
        ("ignores a", (1, 5)),
    ]
    assert all(p.source.count("def f") == 1 and "assert" not in p.source for p in programs)


def test_programs_without_fences() -> None:
    reply = "def f(x):\n    return x\n\nThis fails on f(3).\n\ndef f(y):\n    return -y\n"
    programs = parse_programs(reply, "f").programs
    assert [p.breaking for p in programs] == [(3,), None]


def test_programs_in_json() -> None:
    reply = (
        '```json\n{"programs": [{"mistake": "a", "code": "def f(x):\\n return 1", "input": "[1]"}, '
        '{"mistake": "b", "code": "```python\\ndef f(x):\\n    return 2\\n```", "input": "f(2)"}, '
        '{"mistake": "c", "code": "def f('
    )
    result = parse_programs(reply, "f")
    assert [(p.name, p.breaking) for p in result.programs] == [("a", ([1],)), ("b", (2,))]
    assert ["cut off" in item.reason for item in result.unread] == [True]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("```python\ndef g(x):\n    return x\n```", "no top-level function 'f'"),
        ("```python\ndef f(x:\n```", "never closed"),
        (
            "```python\nclass S:\n    def f(self, x):\n        return x\n```",
            "no top-level function",
        ),
        ("```python\ndef f(*xs):\n    return xs\n```", "f takes *xs"),
        ("Sorry.", "there is no program that defines f"),
        ('{"programs": [{"mistake": "a"}]}', "an object without code"),
        (None, "the reply is empty"),
    ],
)
def test_programs_that_cannot_be_used(reply: str | None, reason: str) -> None:
    result = parse_programs(reply, "f")
    assert result.programs == ()
    assert reason in result.unread[0].reason


# Contracts

CONTRACT = "def contract(nums, k):\n    assert isinstance(nums, list)\n    assert k > 0\n"


@pytest.mark.parametrize(
    ("reply", "source"),
    [
        (f"```python\n{CONTRACT}```", CONTRACT),
        ("assert isinstance(nums, list)\nassert k > 0", CONTRACT + "    return True\n"),
        ("- `isinstance(nums, list)`: a list\n- `k > 0`", CONTRACT + "    return True\n"),
        ("1. isinstance(nums, list)\n2. k > 0", CONTRACT + "    return True\n"),
        ('{"preconditions": ["isinstance(nums, list)", "k > 0"]}', CONTRACT + "    return True\n"),
        (
            f"```python\n{CONTRACT.replace('contract', 'f')}    return sum(nums)\n```",
            CONTRACT + "    return True\n",
        ),
        (
            "```python\nimport re\ndef is_valid(a, b):\n    return re.match('x', a) and b > 0\n```",
            "import re\n\n\ndef contract(a, b):\n    return re.match('x', a) and b > 0\n",
        ),
    ],
)
def test_contracts(reply: str, source: str) -> None:
    assert parse_contract(reply, "f", UNTYPED) == source


def test_a_contract_leaves_defaults_alone() -> None:
    source = parse_contract("assert len(nums) > 0\nassert k > 0", "f", OPTIONAL)
    assert source == (
        "def contract(nums, k=None):\n    assert len(nums) > 0\n    if k is not None:\n"
        "        assert k > 0\n    return True\n"
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            "```python\nimport os\ndef contract(nums, k):\n    assert os.listdir(k)\n```",
            "imports os",
        ),
        ("```python\ndef contract(nums):\n    assert nums\n```", "has other parameters"),
        ("```python\ndef contract(nums, k):\n    return True\n```", "states no condition"),
        ("```python\ndef contract(nums, k):\n    assert eval(k)\n```", "uses eval"),
        ("```python\ndef contract(nums, k):\n    assert k.__class__\n```", "attribute __class__"),
        ("assert f([1], 2) == 3", "uses f"),
        ("Sorry.", "neither a function contract nor"),
        (None, "the reply is empty"),
    ],
)
def test_contracts_that_cannot_be_used(reply: str | None, reason: str) -> None:
    result = parse_contract(reply, "f", UNTYPED)
    assert isinstance(result, Unread)
    assert reason in result.reason
