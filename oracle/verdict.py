"""The words for what happened to a candidate (rejection), a task (stop), a call (outcome)."""

from __future__ import annotations

from enum import StrEnum


class Rejection(StrEnum):
    """Why a candidate was dropped. Every drop is counted under one of these."""

    DUPLICATE = "duplicate"
    ARITY = "arity"
    TYPE = "type"
    CONTRACT = "contract"
    REFERENCE_CRASH = "reference_crash"
    REFERENCE_TIMEOUT = "reference_timeout"
    TOO_COSTLY = "too_costly"
    TOO_LARGE = "too_large"
    UNENCODABLE = "unencodable"
    NOT_FINITE = "not_finite"
    ARGUMENT_MUTATED = "argument_mutated"
    DISAGREEMENT = "disagreement"
    NONDETERMINISTIC = "nondeterministic"
    CHECKER = "checker"
    SURPLUS = "surplus"


class Stop(StrEnum):
    """Why the search for a task's plus inputs ended."""

    BUDGET = "budget"
    SATURATED = "saturated"
    EXHAUSTED = "exhausted"
    TRUNCATED = "truncated"
    FAILED = "failed"


class OutcomeKind(StrEnum):
    """What one call in the sandbox came to."""

    VALUE = "value"
    RAISED = "raised"
    CONTRACT = "contract"
    STEPS = "steps"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    UNENCODABLE = "unencodable"
    CRASH = "crash"
    LOAD_ERROR = "load_error"
    PROTOCOL = "protocol"
    DIGEST = "digest"


class Verdict(StrEnum):
    """What a sample comes to on an input, or on all of them."""

    PASS = "pass"
    WRONG = "wrong"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output_limit"
    CRASH = "crash"
    LOAD_ERROR = "load_error"
    PROTOCOL = "protocol"
    JUDGE_ERROR = "judge_error"
