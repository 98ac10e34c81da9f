"""Programs that know nothing of the task; every suite must tell them from the reference."""

from collections.abc import Iterator
from typing import Any

from plusforge.oracle.compare import agree
from plusforge.oracle.runner import Sandbox
from plusforge.oracle.values import Raised, decode_args, decode_outcome, key_of

from tests.suites import comparison_of, killed_by

CONSTANTS = ("[]", "0", '""', "None", "True", "False")


def trivial_programs(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and source of each trivial program for a task."""
    seen: dict[str, None] = dict.fromkeys(CONSTANTS)
    for test in [*record["base"], *record["plus"][:200]]:
        outcome = decode_outcome(test["expected"])
        if isinstance(outcome, Raised) or len(key_of(outcome)) > 80:
            continue
        text = repr(outcome)
        if "nan" not in text and "inf" not in text:
            seen.setdefault(text)
    names = [f"a{i}" for i in range(len(record["params"]))]
    header = f"def {record['entry_point']}({', '.join(n + '=None' for n in names)}):\n    return "
    for text in list(seen)[:14]:
        yield f"constant {text}", header + text
    if names:
        yield "first argument", header + names[0]
        yield "last argument", header + names[-1]


def survivors(sandbox: Sandbox, record: dict[str, Any]) -> list[str]:
    """Return the trivial programs that no plus input kills although they are wrong somewhere."""
    found = []
    for name, source in trivial_programs(record):
        if next(iter(killed_by(sandbox, record, source, record["plus"])), None) is None:
            found.append(name)
    return found


def one_answer(record: dict[str, Any]) -> bool:
    """Tell whether all plus inputs of a task have the same answer."""
    comparison = comparison_of(record)
    answers = [decode_outcome(test["expected"]) for test in record["plus"]]
    return bool(answers) and all(agree(comparison, answers[0], other) for other in answers)


def inputs(record: dict[str, Any]) -> list[Any]:
    """Return the plus inputs of a record."""
    return [decode_args(test["args"]) for test in record["plus"]]
