"""What a run prints in the end."""

from io import StringIO

import pytest
from plusforge.generator.console import say
from plusforge.generator.publish import TaskResult, failed_result
from plusforge.generator.report import closing_table, strength, warnings
from plusforge.oracle.wording import plural
from rich.console import Console


def shown(*results: TaskResult) -> list[str]:
    console = Console(width=120, record=True, file=StringIO())
    console.print(closing_table(results))
    return console.export_text().splitlines()


@pytest.mark.parametrize(("number", "text"), [(0, "tasks"), (1, "task"), (2, "tasks")])
def test_plurals(number: int, text: str) -> None:
    assert plural(number, "task") == text


def test_the_last_row_counts_the_tasks() -> None:
    one, other = failed_result("t/1", "why"), failed_result("t/2", "why")
    assert shown(one)[-1].startswith("1 task ")
    assert shown(one, other)[-1].startswith("2 tasks ")


def test_a_failed_task_shows_the_base_inputs_it_has() -> None:
    assert shown(failed_result("t/1", "why", 3))[1].split() == ["t/1", "3", "0", "0", "failed"]


def result(task_id: str, **entry: object) -> TaskResult:
    return TaskResult(task_id=task_id, line="{}", entry={"rejections": {}, **entry}, rejected={})


def test_contracts_that_were_guessed_are_counted() -> None:
    guessed = result("t/1", notes=["other", "contract inferred from types and base inputs"])
    (line,) = warnings([guessed, result("t/2"), result("t/3", notes=["other"])])
    assert line.startswith("1 of 3 tasks with no contract: one was inferred from types and base")
    assert warnings([result("t/2")]) == []


def test_a_wrong_program_of_the_task_that_nothing_tells_apart_is_named() -> None:
    alive = {"wrong": {"n": 3, "killed": 1, "alive": ["wrong_same", "recorded 1"]}}
    (line,) = warnings([result("t/1", targets=alive), result("t/2", targets={})])
    assert line.startswith("t/1: wrong_same answers every input as the references do: either it")


@pytest.mark.parametrize(("nano", "words"), [(1, "1 plus input tells"), (2, "2 plus inputs tell")])
def test_one_input_tells_and_two_tell(nano: int, words: str) -> None:
    one = result("t/1", tiers={"nano": nano}, targets={"mutant": {"n": 3, "killed": 2}})
    assert f"; {words} as many apart" in str(strength([one]))


def test_a_line_cannot_steer_the_terminal() -> None:
    console = Console(width=10, record=True, file=StringIO())
    say(console, "[red]a name\x1b[2J\nof any length \u202e\u00e9[/red]", "red")
    assert console.export_text() == "[red]a name?[2J of any length ?\u00e9[/red]\n"
