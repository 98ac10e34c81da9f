"""Fitting proposed arguments to a task's types: any value goes through, right ones unchanged."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator import fitting
from plusforge.generator.fitting import Fitting
from plusforge.generator.prompting import literal, messages_for, schema_for
from plusforge.generator.replay import hear
from plusforge.oracle.conformity import conforms
from plusforge.oracle.task import BaseTest, Param
from plusforge.oracle.typespec import Spec
from plusforge.oracle.values import key_of

from tests.property.strategies import specs, values, values_of
from tests.seeding import make_proposal, make_task


@settings(max_examples=60)
@given(specs, values)
def test_any_value_goes_through(spec: Spec, value: Any) -> None:
    for fitted in (fitting._meant(value, spec), fitting._floats(value, spec),
                   fitting._unquoted(value, spec)):  # fmt: skip
        key_of(fitted)


@settings(max_examples=60)
@given(specs, st.data())
def test_what_fits_stays(spec: Spec, data: st.DataObject) -> None:
    value = data.draw(values_of(spec))
    assert conforms(value, spec) is None
    assert fitting._meant(value, spec) is value
    assert key_of(fitting._floats(value, spec)) == key_of(value)


@settings(max_examples=60)
@given(st.lists(values, min_size=1, max_size=3), st.lists(values, max_size=3))
def test_tasks_of_any_values(shown: list[Any], proposed: list[Any]) -> None:
    """Prompt, schema and replay work whatever the inputs are, and base inputs come back."""
    params = (Param(name="a"), Param(name="b", annotation="List[Tuple[str, float]]"))
    base = tuple(BaseTest(args=(value, [])) for value in shown)
    task = make_task(params=params, base=base)
    assert messages_for(task, "inputs") == messages_for(task, "inputs")
    schema_for(task, "inputs")
    texts = tuple(literal((value, value)) for value in proposed)
    heard = hear(task, make_proposal(task, inputs=texts, near_invalid=texts))
    assert len(heard.inputs) == len(heard.near_invalid) == len(proposed)
    assert heard.unread == []
    for value in shown:
        assert key_of(Fitting(task).valid((value, []))) == key_of((value, []))
