"""A small benchmark to ask a model about, the model's answers, and records of them."""

import io
import json
import signal
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from plusforge.generator.cli import main
from plusforge.generator.prompting import messages_for, prompt_digest
from plusforge.generator.recordings import INPUTS, ProposalRecord, ReplyRecord, task_digest
from plusforge.oracle.task import BaseTest, Contract, Param, Reference, Task

from tests.fakemodel import Answer, Body, completion

ADD = "def add(a: int, b: int) -> int:\n    return a + b\n"


def make_task(number: int = 0, **changes: Any) -> Task:
    fields: dict[str, Any] = {
        "task_id": f"toy/{number}", "entry_point": "add", "prompt": "Add {two} numbers.",
        "params": (Param(name="a", annotation="int"), Param(name="b", annotation="int")),
        "references": (Reference(source=ADD),), "base": (BaseTest(args=(1, 2)),),
    }  # fmt: skip
    return Task(**(fields | changes))


def declared(source: str) -> Contract:
    return Contract(source=source, declared=True)


def make_reply(task: Task, text: str, purpose: str = INPUTS, **changes: Any) -> ReplyRecord:
    fields: dict[str, Any] = {
        "task_id": task.task_id, "task_sha256": task_digest(task), "purpose": purpose,
        "template": f"{purpose}/1", "prompt_sha256": "", "number": 0, "model": "m",
        "answered_by": "m-1", "server": "http://127.0.0.1:1/v1", "params": {"seed": 0},
        "form": "text", "text": text, "finish": "stop", "prompt_tokens": 3,
        "completion_tokens": 5, "date": "2026-01-31",
    }  # fmt: skip
    if purpose in ("inputs", "wrong", "contract"):
        fields["prompt_sha256"] = prompt_digest(messages_for(task, purpose))
    return ReplyRecord(**(fields | changes))


def make_proposal(task: Task, **changes: Any) -> ProposalRecord:
    fields = {
        "kind": "manual", "task_id": task.task_id, "task_sha256": task_digest(task), "origin": "me",
    }  # fmt: skip
    return ProposalRecord(**(fields | changes))


# --- a benchmark in files, and a model that answers well -----------------------------------------

NAMES = ("double", "halve", "spread")
SOURCES = {
    "double": '''
def double(n: int) -> int:
    """Return twice a number."""
    return 2 * n


def contract(n: int) -> None:
    assert n >= 0


def test_one() -> None:
    assert double(2) == 4
''',
    "halve": '''
def halve(n: float) -> float:
    """Return half a number."""
    return n / 2


def test_one() -> None:
    assert halve(3.0) == 1.5
''',
    "spread": '''
def spread(items: list[int]) -> int:
    """Return the largest less the smallest item, 0 for none."""
    return max(items) - min(items) if items else 0


def test_one() -> None:
    assert spread([1, 4]) == 3
''',
}
INPUTS_OF: dict[str, list[Any]] = {
    "double": [0, 3, 10**6], "halve": [1, -0.5, 1e300], "spread": [[], [5], [-3, 8, 8]],
}  # fmt: skip
BAD: dict[str, Any] = {"double": -1, "halve": "x", "spread": None}


def write_benchmark(folder: Path) -> Path:
    """Write the benchmark ``toy``: three tasks, of which two declare no contract."""
    toy = folder / "toy"
    toy.mkdir()
    for name, source in SOURCES.items():
        (toy / f"{name}.py").write_text(source.lstrip(), encoding="utf-8")
    return toy


def purpose_of(body: Body) -> str:
    text = body["messages"][-1]["content"]
    marks = {"inputs": "Propose inputs", "wrong": "Imagine the mistakes", "contract": "`contract("}
    return next(purpose for purpose, mark in marks.items() if mark in text)


def name_of(body: Body) -> str:
    text = body["messages"][-1]["content"]
    return next(name for name in NAMES if f"def {name}(" in text)


def good_reply(name: str, purpose: str) -> str:
    if purpose == "inputs":
        param = "items" if name == "spread" else "n"
        rows = [{"class": "corner", "args": {param: value}} for value in INPUTS_OF[name]]
        rows.append({"class": "near_valid", "args": {param: BAD[name]}})
        return json.dumps({"inputs": rows})
    if purpose == "wrong":
        program = {"mistake": "one too many", "code": f"def {name}(x):\n    return 7\n",
                   "breaking_args": [repr(INPUTS_OF[name][1])]}  # fmt: skip
        return json.dumps({"programs": [program]})
    body = {"halve": "assert isinstance(n, float)", "spread": "assert isinstance(items, list)"}
    param = "items" if name == "spread" else "n"
    return f"```python\ndef contract({param}):\n    {body[name]}\n```"


def good_model(body: Body, _number: int) -> Answer:
    """Answer whatever is asked, always the same to the same question."""
    return completion(good_reply(name_of(body), purpose_of(body)), usage=(100, 50))


# --- the command line ---------------------------------------------------------------------------


class Ran(NamedTuple):
    """What one run came to."""

    status: int
    stdout: str
    stderr: str

    @property
    def told(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.stdout)
        return document


def run(*arguments: object) -> Ran:
    """Run the command line here: a process of its own takes a second."""
    out, err, before = io.StringIO(), io.StringIO(), signal.getsignal(signal.SIGTERM)
    status = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([*map(str, arguments)])
        except SystemExit as exc:
            status = int(exc.code or 0)
        finally:
            signal.signal(signal.SIGTERM, before)
    return Ran(status, out.getvalue(), err.getvalue())
