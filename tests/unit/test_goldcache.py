"""The cached pre-flight: the same task comes back, and a damaged file is as good as none."""

import dataclasses
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from plusforge.oracle import protocol, wire
from plusforge.oracle.gold import Gold, frame_of
from plusforge.oracle.goldcache import gold_of, read_gold, write_gold
from plusforge.oracle.runner import DIGEST_ABOVE, Sandbox
from plusforge.oracle.suitefile import SuiteRecord, read_suite
from plusforge.oracle.task import Comparison, Reference
from plusforge.oracle.values import Raised

from tests.judging import MINUS, case, jsonl, record, released

GOLD = Gold(
    task_id="t/add",
    entry_point="add",
    references=(Reference(source="def add(): ...\n# \u00e9\u2028", name="one"),),
    comparison=Comparison(kind="close", atol=1e-6, rtol=math.inf, raises=("ValueError", "E")),
    memory_mib=99,
    atol=1e-4,
    n_base=1,
    args=[wire.dumps((1, "\n")), wire.dumps(()), b""],
    frames=[frame_of(3), frame_of(Raised("ValueError")), frame_of("x" * (DIGEST_ABOVE + 1))],
    longest=7,
    cpu_s={0: 0.25, 2: 1e-3},
    total_cpu_s=1.5,
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def record_of(tmp_path: Path, **fields: object) -> SuiteRecord:
    path = jsonl(tmp_path / "suite.jsonl", [record(**fields)])  # type: ignore[arg-type]
    return read_suite(path).records["t/add"]


def told(gold: Gold) -> Gold:
    """Return what does not depend on the clock."""
    return dataclasses.replace(gold, cpu_s={}, total_cpu_s=0.0)


def cached(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.gold"))


# ---------------------------------------------------------------- the file


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "x.gold"
    write_gold(path, GOLD)
    assert read_gold(path) == GOLD


def test_no_file(tmp_path: Path) -> None:
    assert read_gold(tmp_path / "absent.gold") is None
    assert read_gold(tmp_path) is None


def test_a_file_cut_short_anywhere_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x.gold"
    write_gold(path, GOLD)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert read_gold(path) is None, length


def test_a_changed_byte_of_inputs_or_outcomes_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x.gold"
    write_gold(path, GOLD)
    whole = path.read_bytes()
    for at in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert read_gold(path) is None, at


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"[]\n", b"null\n", b"\xff\n", b'{"sha256": 1}\n', b"{" * 9999]
)
def test_no_gold_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.gold"
    path.write_bytes(content)
    assert read_gold(path) is None


def test_a_changed_byte_of_the_head_is_found(tmp_path: Path) -> None:
    path = tmp_path / "x.gold"
    write_gold(path, GOLD)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"kind": "close"', b'"kind": "truth"', 1))
    assert read_gold(path) is None


# ---------------------------------------------------------------- made or kept


def test_the_second_time_it_comes_from_the_cache(tmp_path: Path, sandbox: Sandbox) -> None:
    one = record_of(tmp_path)
    made = gold_of(one, sandbox, rules="task", folder=tmp_path)
    assert made.problem == ""
    assert made.frames == [frame_of(3), frame_of(11), frame_of(0)]
    assert (made.n_base, made.n_plus) == (1, 2)
    write_gold(*cached(tmp_path), dataclasses.replace(made, longest=made.longest + 1))
    kept = gold_of(one, sandbox, rules="task", folder=tmp_path)
    assert kept == dataclasses.replace(made, longest=made.longest + 1)
    assert told(gold_of(one, sandbox, rules="task", folder=None)) == told(made)


def test_a_damaged_file_is_made_anew(tmp_path: Path, sandbox: Sandbox) -> None:
    one = record_of(tmp_path)
    made = gold_of(one, sandbox, rules="task", folder=tmp_path)
    (path,) = cached(tmp_path)
    whole = path.read_bytes()
    for damaged in (whole[:-3], whole[:20], b"", b"\x00" * len(whole)):
        path.write_bytes(damaged)
        found = gold_of(one, sandbox, rules="task", folder=tmp_path)
        assert told(found) == told(made)
        assert read_gold(path) == found


def test_another_record_or_other_rules_have_another_file(tmp_path: Path, sandbox: Sandbox) -> None:
    one = record_of(tmp_path)
    gold_of(one, sandbox, rules="task", folder=tmp_path)
    gold_of(one, sandbox, rules="evalplus", folder=tmp_path)
    other = record_of(tmp_path, plus=[case(11, 5, 6)])
    made = gold_of(other, sandbox, rules="task", folder=tmp_path)
    assert made.n_plus == 1
    assert len(cached(tmp_path)) == 3


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"references": [MINUS]}, r"reference 1 fails base test 0 .*add\(1, 2\) came to -1, exp"),
        ({"plus": [case(11, 5, 6), case(1, 4, 4)]}, r"fails plus test 1 .*came to 8, expected 1"),
        ({"plus": [case(0, "a", 4)]}, r"fails plus test 0 .*came to raised \(TypeError"),
        ({"references": ["def add(a, b:"]}, "SyntaxError"),
        ({"references": ["def other(): pass"]}, "add"),
        ({"base": [], "plus": []}, "it has no test at all"),
        ({"base": 5}, "field 'base' of t/add"),
    ],
)
def test_a_problem_is_looked_for_each_time(
    tmp_path: Path, sandbox: Sandbox, fields: dict[str, object], problem: str
) -> None:
    one = record_of(tmp_path, **fields)
    for _ in range(2):
        made = gold_of(one, sandbox, rules="task", folder=tmp_path)
        assert re.search(problem, made.problem)
    assert cached(tmp_path) == []


def test_every_reference_must_agree(tmp_path: Path, sandbox: Sandbox) -> None:
    both = record_of(tmp_path, references=[record()["references"][0], MINUS])
    made = gold_of(both, sandbox, rules="task", folder=None)
    assert made.problem.startswith("reference 2 fails base test 0")


REFUSES_7 = {"kind": "checker", "checker": "def check(output, x):\n    return output != 7\n"}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"base": [case(7, 3)]}, r"base test 0, add\(3\): .* says no to 7, which the suite"),
        (
            {"base": [case(3, 3)], "plus": [case(8, 7)]},
            r"plus test 0, .*no to 7, the answer of ref",
        ),
        ({"base": [case({"$raise": "E"}, 3)]}, "reference 1 fails base test 0 .* came to 3, exp"),
    ],
)
def test_a_checker_must_accept_what_is_stated_and_what_is_answered(
    tmp_path: Path, sandbox: Sandbox, fields: dict[str, object], problem: str
) -> None:
    shared = {"comparison": REFUSES_7, "references": ["def add(x):\n    return x\n"], "plus": []}
    one = record_of(tmp_path, **{**shared, **fields})
    assert re.search(problem, gold_of(one, sandbox, rules="task", folder=None).problem)
    fine = record_of(tmp_path, **shared, base=[case(6, 3)])
    assert gold_of(fine, sandbox, rules="task", folder=None).problem == ""


def test_a_pipe_in_place_of_a_kept_task_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.gold")
    assert read_gold(tmp_path / "x.gold") is None


def test_a_checker_that_fails_says_why(tmp_path: Path, sandbox: Sandbox) -> None:
    checker = "def check(output, x):\n    return len(output) == x\n"
    one = record_of(
        tmp_path, comparison={"kind": "checker", "checker": checker}, base=[case(3, 3)], plus=[],
        references=["def add(x):\n    return x\n"],
    )  # fmt: skip
    problem = gold_of(one, sandbox, rules="task", folder=None).problem
    assert "says no (TypeError: object of type 'int' has no len()) to 3, which the suite" in problem


def test_huge_numbers_in_a_message(tmp_path: Path, sandbox: Sandbox) -> None:
    one = record_of(tmp_path, base=[case(3, {"$int": hex(10**5000)}, 2)])
    made = gold_of(one, sandbox, rules="task", folder=None)
    assert made.problem.startswith("reference 1 fails base test 0")
    assert len(made.problem) < 1000


def test_a_released_record_takes_its_outcomes_from_the_reference(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    fields = released(
        canonical_solution="    return [a] * b\n", base_input=[[1, 2]], plus_input=[[0, 9999]],
        test="def check(candidate):\n    assert candidate(1, 2) == [1, 1]\n",
    )  # fmt: skip
    path = jsonl(tmp_path / "suite.jsonl", [fields])
    one = read_suite(path).records["HumanEval/900"]
    made = gold_of(one, sandbox, rules="task", folder=tmp_path)
    long = wire.dumps([0] * 9999)
    assert made.problem == ""
    assert made.frames == [
        frame_of([1, 1]), protocol.frame(protocol.DIGEST, protocol.digest(long))
    ]  # fmt: skip
    assert made.longest == len(long)
    assert gold_of(one, sandbox, rules="task", folder=tmp_path) == made  # read back


def test_a_stated_outcome_counts_with_its_length_and_not_its_digests(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    source = "def add(a, b):\n    return [a] * b\n"
    one = record_of(tmp_path, references=[source], base=[case([7] * 9999, 7, 9999)], plus=[])
    made = gold_of(one, sandbox, rules="task", folder=None)
    assert (made.problem, made.longest) == ("", len(wire.dumps([7] * 9999)))
