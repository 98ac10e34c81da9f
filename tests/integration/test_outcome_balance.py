"""A promised exception does not crowd out the results, and near misses are among the inputs."""

import json
from pathlib import Path

from plusforge.generator.config import Config
from plusforge.generator.pipeline import Workbench, run_task
from plusforge.oracle.benchmarks import load_benchmark
from plusforge.oracle.values import decode_args

TASK = '''
RAISES = ["ValueError"]


def parse_pair(text: str) -> tuple[int, int]:
    """Return the two numbers of "1:2"; raise ValueError when text is anything else.

    >>> parse_pair("12:3")
    (12, 3)
    """
    left, colon, right = text.partition(":")
    for part in (left, right):
        if not part or any(char not in "0123456789" for char in part):
            raise ValueError(text)
    return int(left), int(right)


def contract(text: str) -> None:
    assert len(text) < 30


def test_bad() -> None:
    try:
        parse_pair("1-2")
    except ValueError:
        pass
    else:
        raise AssertionError("no ValueError")
'''


def test_at_most_half_of_the_inputs_raise_where_others_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "pairs"
    folder.mkdir()
    (folder / "parse_pair.py").write_text(TASK)
    task = load_benchmark(str(folder)).tasks[0]
    with Workbench() as bench:
        result = run_task(task, "pairs", Config(budget=400), bench)
    tests = json.loads(result.line)["plus"]
    raising = [test for test in tests if test["expected"] == {"$raise": "ValueError"}]
    assert len(tests) == 400
    assert len(raising) <= 200
    near = {decode_args(test["args"])[0] for test in tests if test["origin"] == "near"}
    assert {"12:3\n", "+12:3", "12::3"} <= near
