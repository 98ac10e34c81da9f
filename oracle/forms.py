"""The registry of the forms of record that benchmarks come in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plusforge.oracle.load_evalplus import load_evalplus
from plusforge.oracle.load_humaneval import load_humaneval
from plusforge.oracle.load_mbpp import load_mbpp
from plusforge.oracle.task import Task

MBPP = "MBPP"
"""Name of the form whose records hold a number, or a bare name, where others hold an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form of record, told by its fields.

    Attributes:
        name: For messages.
        needs: Fields that a record of this form has.
        load: Makes a task of a record; takes file and line, and whether released plus inputs are
            wanted as seeds.
    """

    name: str
    needs: frozenset[str]
    load: Callable[[Mapping[str, Any], str, bool], Task]


FORMS: tuple[Form, ...] = (
    # The first whose fields are all there is taken: EvalPlus records also have HumanEval's.
    Form(
        name="EvalPlus",
        needs=frozenset({"task_id", "prompt", "entry_point", "canonical_solution", "base_input"}),
        load=lambda record, where, released: load_evalplus(record, where, released_inputs=released),
    ),
    Form(
        name="HumanEval",
        needs=frozenset({"task_id", "prompt", "entry_point", "canonical_solution", "test"}),
        load=lambda record, where, released: load_humaneval(record, where),
    ),
    Form(
        name=MBPP,
        needs=frozenset({"task_id", "code", "test_list"}),
        load=lambda record, where, released: load_mbpp(record, where),
    ),
)


def detect(record: Mapping[str, Any]) -> Form | None:
    """Return the form of a record, told by its fields, or None."""
    return next((form for form in FORMS if form.needs <= record.keys()), None)
