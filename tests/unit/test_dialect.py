"""What a server turns down is left out, renamed or weakened, and nothing else is."""

import json
from typing import Any

import pytest
from plusforge.generator.completion import StatusError
from plusforge.generator.dialect import Dialect
from plusforge.generator.modelcall import Form, Message, Request

SCHEMA = {"type": "object"}
PLAIN = Request(
    messages=(Message("user", "?"),), model="m", max_tokens=9, temperature=0.5, seed=3
)  # fmt: skip
SHAPED = Request(messages=(Message("user", "?"),), model="m", schema=SCHEMA, max_tokens=9)


def refusal(message: str, status: int = 400, **more: Any) -> StatusError:
    return StatusError(status, json.dumps({"error": {"message": message, **more}}))


def told(dialect: Dialect, request: Request, *errors: StatusError) -> list[bool]:
    return [dialect.learn(request, dialect.call(request), error) for error in errors]


def test_at_first_everything_is_sent_as_asked() -> None:
    call = Dialect().call(PLAIN)
    assert call.fields == {"temperature": 0.5, "seed": 3, "max_tokens": 9}
    shaped = Dialect().call(SHAPED)
    assert shaped.form == "json_schema"
    assert shaped.fields == {
        "max_tokens": 9,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
        },
    }


@pytest.mark.parametrize(
    ("error", "params"),
    [
        (
            refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                    "'max_completion_tokens' instead."),
            {"temperature": 0.5, "seed": 3, "max_completion_tokens": 9},
        ),
        (
            refusal("Unsupported value: 'temperature' does not support 0.5 with this model. Only "
                    "the default (1) value is supported."),
            {"seed": 3, "max_tokens": 9},
        ),
        (
            StatusError(422, json.dumps({"detail": [{
                "type": "extra_forbidden", "loc": ["body", "seed"],
                "msg": "Extra inputs are not permitted", "input": {"temperature": 0.5}}]})),
            {"temperature": 0.5, "max_tokens": 9},
        ),
        (
            refusal("unsupported_parameter", param="seed"),
            {"temperature": 0.5, "max_tokens": 9},
        ),
    ],
)  # fmt: skip
def test_a_parameter_that_is_not_taken(error: StatusError, params: dict[str, Any]) -> None:
    dialect = Dialect()
    assert told(dialect, PLAIN, error) == [True]
    assert dialect.call(PLAIN).params == params
    assert len(dialect.remarks) == 1


@pytest.mark.parametrize(
    "error",
    [
        refusal("max_tokens is too large: 9. This model supports at most 4 completion tokens"),
        refusal("temperature: Input should be less than or equal to 2"),
        refusal("This model's maximum context length is 8 tokens"),
        refusal("the weather is not supported"),
        refusal("temperature is not supported", 500),
        refusal("temperature is not supported", 429),
        refusal("response_format is not supported", 404),
    ],
)
def test_what_is_no_matter_of_parameters_changes_nothing(error: StatusError) -> None:
    dialect = Dialect()
    assert told(dialect, PLAIN, error) == [False]
    assert dialect.call(PLAIN).params == {"temperature": 0.5, "seed": 3, "max_tokens": 9}
    assert dialect.remarks == []


def test_the_limit_on_length_is_never_left_out() -> None:
    dialect = Dialect()
    both = [refusal(f"{name} is not supported") for name in ("max_tokens", "max_completion_tokens")]
    assert told(dialect, SHAPED, *both) == [True, False]
    assert dialect.call(SHAPED).params == {"max_completion_tokens": 9}


@pytest.mark.parametrize("status", [400, 422, 500])
def test_forms_are_weakened_step_by_step(status: int) -> None:
    dialect = Dialect()
    error = refusal("Invalid value for response_format", status)
    forms = []
    for _ in range(2):
        assert told(dialect, SHAPED, error) == [True]
        forms.append(dialect.call(SHAPED).form)
    assert forms == ["json_object", "text"]
    assert told(dialect, SHAPED, error) == [False]
    assert dialect.call(SHAPED).response_format is None


def test_the_schema_goes_beside_json_object() -> None:
    dialect = Dialect()
    told(dialect, SHAPED, refusal("no json_schema here"))
    assert dialect.call(SHAPED).response_format == {"type": "json_object", "schema": SCHEMA}


def test_an_answer_that_comes_late_is_heeded_all_the_same() -> None:
    """Two requests under way are turned down for one reason; both are to be put otherwise."""
    dialect = Dialect()
    call = dialect.call(PLAIN)
    error = refusal("temperature is not supported")
    assert [dialect.learn(PLAIN, call, error) for _ in range(2)] == [True, True]
    assert len(dialect.remarks) == 1


@pytest.mark.parametrize(("proven", "trials"), [(False, ["json_object", "text"]), (True, [])])
def test_forms_are_tried_only_until_one_has_worked(*, proven: bool, trials: list[Form]) -> None:
    dialect = Dialect()
    if proven:
        dialect.worked(SHAPED, dialect.call(SHAPED))
    assert dialect.trials(SHAPED) == trials
    assert dialect.trials(PLAIN) == []


def test_a_trial_that_works_is_remembered() -> None:
    dialect = Dialect()
    dialect.worked(SHAPED, dialect.call(SHAPED, "json_object"))
    assert dialect.call(SHAPED).form == "json_object"
    assert dialect.remarks == ["json_schema made the server fail; json_object is asked for instead"]


def test_free_text_proves_nothing_about_forms() -> None:
    dialect = Dialect()
    dialect.worked(PLAIN, dialect.call(PLAIN))
    assert dialect.trials(SHAPED) == ["json_object", "text"]
