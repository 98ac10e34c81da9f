"""What one model behind one server takes, learnt from what it turns down.

Names of models say nothing: one server's ``temperature`` is another's error. So everything is
sent as asked for, and whatever the answer names is left out, renamed or weakened from then on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from plusforge.generator.completion import StatusError, complaint
from plusforge.generator.modelcall import Form, Request

FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")
"""From the strictest to the one that every server has."""

LENGTH, NEWER_LENGTH = "max_tokens", "max_completion_tokens"

_NAMES_THE_FORM = re.compile(
    r"response_format|json_schema|json_object|structured.?output|guided|grammar", re.IGNORECASE
)
_TURNS_DOWN = re.compile(
    r"not support|unsupported|unknown|unrecogni[sz]ed|unexpected|forbidden|not permitted"
    r"|not allowed|extra inputs|extra fields|deprecated|only the default|not available"
    r"|cannot be (?:used|set)|incompatible|not accept",
    re.IGNORECASE,
)
_MAY_TURN_DOWN = (400, 422, 500, 501)


@dataclass(frozen=True, slots=True)
class Call:
    """How one request is put to a server.

    Attributes:
        form: How the shape is asked for.
        params: The optional parameters, by the names the server knows.
        response_format: The parameter of that name, or None.
    """

    form: Form
    params: dict[str, Any]
    response_format: dict[str, Any] | None

    @property
    def fields(self) -> dict[str, Any]:
        """Everything to send beside model and messages."""
        if self.response_format is None:
            return self.params
        return {**self.params, "response_format": self.response_format}


class Dialect:
    """What is known of one model behind one server."""

    def __init__(self) -> None:
        """Begin with what the protocol says: everything is taken."""
        self._refused: set[str] = set()
        self._shape_proven = False
        self.remarks: list[str] = []

    def call(self, request: Request, form: Form | None = None) -> Call:
        """Return how to put a request.

        Args:
            request: What is asked.
            form: Ask for the shape this way, on trial; by default the best one known to work.
        """
        asked = {"temperature": request.temperature, "seed": request.seed}
        asked[self._length_name] = request.max_tokens
        params = {
            name: value
            for name, value in asked.items()
            if value is not None and name not in self._refused
        }
        form = self._form(request) if form is None else form
        return Call(form, params, _response_format(request, form))

    @property
    def _length_name(self) -> str:
        return NEWER_LENGTH if LENGTH in self._refused else LENGTH

    def _form(self, request: Request) -> Form:
        if request.schema is None:
            return "text"
        return next(form for form in FORMS if form == "text" or form not in self._refused)

    def trials(self, request: Request) -> list[Form]:
        """Return the weaker forms to try after an error 500 that explains nothing.

        Some servers fail like that on a form they do not know. Once a form has worked, such an
        error means what it says.
        """
        if request.schema is None or self._shape_proven:
            return []
        return list(FORMS[FORMS.index(self._form(request)) + 1 :])

    def worked(self, request: Request, call: Call) -> None:
        """Remember a call that got a reply."""
        if request.schema is None:
            return
        for form in FORMS[: FORMS.index(call.form)]:
            if form not in self._refused:
                self._refuse(form, f"{form} made the server fail; {call.form} is asked for instead")
        self._shape_proven = True

    def learn(self, request: Request, call: Call, error: StatusError) -> bool:
        """Take in what a server turned down.

        Returns:
            True when the request may now be put otherwise.
        """
        if error.status not in _MAY_TURN_DOWN:
            return False
        said = complaint(error.text)
        if call.response_format is not None and _NAMES_THE_FORM.search(said):
            if call.form not in self._refused:
                self._refuse(call.form, f"response_format {call.form} is not taken: {said}")
            return True
        if error.status == 500 or not _TURNS_DOWN.search(said):
            return False
        # The last resort is not to be left out: replies of any length may cost any amount.
        named = set(re.findall(r"\w+", said)) - {NEWER_LENGTH}
        for name in call.params:
            if name in named and name not in self._refused:
                self._refuse(name, f"{name} is not taken: {said}")
        return self.call(request, call.form).params != call.params

    def _refuse(self, name: str, remark: str) -> None:
        self._refused.add(name)
        self.remarks.append(remark)


def _response_format(request: Request, form: Form) -> dict[str, Any] | None:
    """Return the parameter; servers that know no ``json_schema`` may read the schema beside."""
    if request.schema is None or form == "text":
        return None
    if form == "json_object":
        return {"type": "json_object", "schema": request.schema}
    described = {"name": request.schema_name, "schema": request.schema, "strict": True}
    return {"type": "json_schema", "json_schema": described}
