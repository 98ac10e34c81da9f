"""Our own task format: one plain Python module a task, read as a syntax tree and never imported.

The first public function is the entry point and its body the canonical solution. ``reference_*``,
``contract``, ``check``, ``test_*`` and ``wrong_*`` stand beside it, and so do a few constants
(``COMPARE``, ``ATOL``, ``RTOL``, ``RAISES``, ``OBSERVE``, ``MUTATES``, ``LIMITS``). Everything else
at the top level (imports, private helpers, constants) is part of every program.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from plusforge.oracle.asserts import (
    COMPUTED,
    Check,
    Reading,
    merge_tests,
    read_asserts,
    read_examples,
)
from plusforge.oracle.comparisons import FLOAT_TOLERANCE, infer_comparison
from plusforge.oracle.errors import LiteralError, TaskError
from plusforge.oracle.files import read_jsonl, read_text
from plusforge.oracle.literals import fold, fold_text
from plusforge.oracle.source import (
    Function,
    bare_signature,
    first_line,
    join_segments,
    names_bound,
    names_read,
    needed,
    params_of,
    parse_module,
    prompt_of,
    rename_function,
    segment,
)
from plusforge.oracle.task import (
    COMPARISON_KINDS,
    Comparison,
    Contract,
    Limits,
    Reference,
    Seed,
    Task,
    TestScript,
    WrongProgram,
)
from plusforge.oracle.values import Raised, Value

CONSTANTS = ("COMPARE", "ATOL", "RTOL", "RAISES", "OBSERVE", "MUTATES", "LIMITS")
"""Top-level names that describe the task and are part of no program."""

OBSERVED = ("result", "arguments")


def read_task_file(path: Path, benchmark: str) -> Task:
    """Return the task of a file, with the seeds recorded beside it.

    Args:
        path: The task file; its stem is the entry point's name.
        benchmark: Name of the benchmark, the first half of the task id.

    Raises:
        TaskError: The file is no task; the message names file, line and remedy.
        DataError: The file cannot be read.
    """
    task = parse_task(read_text(path), path.name, f"{benchmark}/{path.stem}")
    if task.entry_point != path.stem:
        raise TaskError(
            f"{path.name}: the entry point is {task.entry_point!r}; "
            f"name the file {task.entry_point}.py, or the function {path.stem}"
        )
    return replace(task, seeds=read_seeds(path.with_name(f"{path.stem}.seeds.jsonl"), task))


def read_seeds(path: Path, task: Task) -> tuple[Seed, ...]:
    """Return recorded seeds; none when there is no such file.

    Args:
        path: JSONL of ``{"args": "([1, 2], 3)", "origin": "llm"}``.
        task: The task they are for.

    Raises:
        TaskError: A line is not an argument tuple of this task.
    """
    if not path.exists():
        return ()
    seeds = []
    for number, record in read_jsonl(path):
        where = f"{path.name}:{number}"
        try:
            args = fold_text(str(record["args"]))
            origin = str(record["origin"])
        except KeyError as exc:
            raise TaskError(f"{where}: {exc} is missing; a seed has 'args' and 'origin'") from exc
        except LiteralError as exc:
            raise TaskError(f"{where}: {exc}; write the arguments as a Python tuple") from exc
        if not isinstance(args, tuple) or not task.required <= len(args) <= len(task.params):
            raise TaskError(
                f"{where}: got {record['args']!r}, expected a tuple of {len(task.params)} "
                "arguments; one argument is written with a comma: '([1, 2],)'"
            )
        seeds.append(Seed(args=args, origin=origin))
    return tuple(seeds)


def parse_task(text: str, where: str, task_id: str) -> Task:
    """Return the task that a module's text describes.

    Args:
        text: The module.
        where: File name, for messages.
        task_id: Its id.

    Raises:
        TaskError: The text is no task; the message names file, line and remedy.
    """
    return _TaskFile(text, where).task(task_id)


def is_reserved(name: str) -> bool:
    """Tell whether a function of this name has a role other than the entry point."""
    return name.startswith(("_", "reference", "wrong_", "test_")) or name in ("contract", "check")


class _TaskFile:
    """One parsed module and the answers to questions about it."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.tree = parse_module(text, where)
        self.functions = self._functions()
        self.constants = self._constants()
        self.entry = self._entry_point()
        self.params = params_of(self.entry, where)

    def fail(self, node: ast.stmt | None, message: str) -> TaskError:
        """Return the error for a place in the file."""
        line = f":{first_line(node)}" if node is not None else ""
        return TaskError(f"{self.where}{line}: {message}")

    # Reading the parts

    def _functions(self) -> dict[str, Function]:
        found: dict[str, Function] = {}
        for node in self.tree.body:
            if isinstance(node, ast.AsyncFunctionDef):
                raise self.fail(node, f"{node.name} is async; write it as a plain function")
            if isinstance(node, ast.FunctionDef):
                if node.name in found:
                    raise self.fail(node, f"{node.name} is defined twice; remove one of them")
                found[node.name] = node
        return found

    def _entry_point(self) -> Function:
        public = [node for name, node in self.functions.items() if not is_reserved(name)]
        if len(public) == 1:
            return public[0]
        if not public:
            raise self.fail(
                None,
                "no entry point; define one function whose name has no leading underscore and is "
                "not reference*, wrong_*, test_*, contract or check",
            )
        raise self.fail(
            public[1],
            f"two entry points, {public[0].name} and {public[1].name}; "
            "give helpers a leading underscore and other programs their prefix",
        )

    def _constants(self) -> dict[str, tuple[Value, ast.stmt]]:
        found: dict[str, tuple[Value, ast.stmt]] = {}
        for node in self.tree.body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            for name in sorted(names_bound(node) & set(CONSTANTS)):
                try:
                    found[name] = (fold(node.value), node)
                except LiteralError as exc:
                    raise self.fail(node, f"{name}: {exc}; write a plain constant") from exc
        return found

    def constant(self, name: str, default: Value, *kinds: type) -> Value:
        """Return a constant that describes the task; it must have one of the given types."""
        if name not in self.constants:
            return default
        value, node = self.constants[name]
        if type(value) not in kinds:
            names = " or ".join(kind.__name__ for kind in kinds)
            raise self.fail(node, f"{name} = {value!r}: expected {names}")
        return value

    def word(self, name: str, default: str, known: Sequence[str]) -> str:
        """Return a constant that is one of a few words."""
        value: str = self.constant(name, default, str)
        if value not in known:
            raise self.fail(
                self.constants[name][1], f"{name} = {value!r} {unknown_word(value, known)}"
            )
        return value

    def roles(self, prefix: str) -> list[Function]:
        """Return the functions whose names begin with a prefix, in file order."""
        return [node for name, node in self.functions.items() if name.startswith(prefix)]

    # Programs

    def program(self, func: Function, name: str) -> str:
        """Return the complete module of one function under a new name."""
        others = {other for other in self.functions if not other.startswith("_")}
        used = sorted((names_read(func) & others) - {func.name})
        if used:
            raise self.fail(
                func,
                f"{func.name} uses {', '.join(used)}, which is not part of its program; "
                "move what they share into a helper with a leading underscore",
            )
        parts = []
        for node in self.tree.body:
            if node is func:
                source = segment(self.text, self.tree, func)
                parts.append(rename_function(source, func.name, name))
            elif self.is_shared(node):
                parts.append(segment(self.text, self.tree, node))
        return join_segments(parts)

    def is_shared(self, node: ast.stmt) -> bool:
        """Tell whether a top-level statement belongs to every program."""
        if isinstance(node, ast.FunctionDef):
            return node.name.startswith("_")
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return False
        return not names_bound(node) & set(CONSTANTS)

    def references(self) -> tuple[Reference, ...]:
        """Return the entry point's own body and the further references."""
        name = self.entry.name
        found = [Reference(source=self.program(self.entry, name))]
        for node in self.roles("reference"):
            self.same_params(node)
            found.append(Reference(source=self.program(node, name), name=node.name))
        return tuple(found)

    def wrong_programs(self) -> tuple[WrongProgram, ...]:
        """Return the known-wrong programs."""
        found = []
        for node in self.roles("wrong_"):
            self.same_params(node)
            source = self.program(node, self.entry.name)
            found.append(WrongProgram(name=node.name, source=source))
        return tuple(found)

    def same_params(self, func: Function, *, first: str | None = None) -> None:
        """Refuse a function that cannot be called with the entry point's arguments."""
        params = params_of(func, self.where)
        wanted = len(self.params) + (first is not None)
        if len(params) != wanted:
            shown = bare_signature(self.entry, first=first)
            raise self.fail(
                func,
                f"{func.name} takes {len(params)} parameters, expected {wanted}; "
                f"write def {func.name}({shown})",
            )

    def contract(self) -> Contract | None:
        """Return the contract, or None when the file states none."""
        node = self.functions.get("contract")
        if node is None:
            return None
        self.same_params(node)
        return Contract(source=self.program(node, "contract"), declared=True)

    def checker(self) -> str | None:
        """Return the module of the task's own checker, or None."""
        node = self.functions.get("check")
        if node is None:
            return None
        self.same_params(node, first="output")
        return self.program(node, "check")

    # Tests

    def reading(self, *, in_place: bool) -> Reading:
        """Return what the test functions say, as far as it is literal."""
        whole = Reading()
        for node in self.roles("test_"):
            if node.args.args or node.args.posonlyargs or node.args.kwonlyargs:
                raise self.fail(node, f"{node.name} takes parameters; tests are called without any")
            names = frozenset({self.entry.name})
            part = read_asserts(node.body, names, self.params, self.where, in_place=in_place)
            whole.checks += part.checks
            whole.computed += part.computed
        return whole

    def script(self) -> TestScript | None:
        """Return a module that calls every test function, or None when there is none."""
        tests = self.roles("test_")
        if not tests:
            return None
        shared = needed(self.tree, tests, skip={self.entry.name, *CONSTANTS})
        parts = [segment(self.text, self.tree, node) for node in shared if self.is_shared(node)]
        parts += [segment(self.text, self.tree, node) for node in tests]
        parts.append("\n".join(f"{node.name}()" for node in tests))
        return TestScript(source=join_segments(parts))

    # The record

    def comparison(self, checks: Sequence[Check], raises: tuple[str, ...]) -> Comparison:
        """Return the declared comparison, or the one that the stated outcomes ask for."""
        kind = self.word("COMPARE", "", ("", *COMPARISON_KINDS))
        observe = self.word("OBSERVE", "result", OBSERVED)
        checker = self.checker()
        if checker is not None:
            if kind not in ("", "checker"):
                raise self.fail(
                    self.functions["check"], f"a check function beside COMPARE = {kind!r}; keep one"
                )
            return Comparison(kind="checker", checker=checker, observe=observe, raises=raises)
        if kind == "checker":
            raise self.fail(
                self.constants["COMPARE"][1],
                "COMPARE = 'checker' without a checker; "
                f"write def check({bare_signature(self.entry, first='output')}) -> bool",
            )
        for name in ("ATOL", "RTOL"):
            if name in self.constants and kind != "close":
                raise self.fail(
                    self.constants[name][1], f"{name} has a meaning only with COMPARE = 'close'"
                )
        if kind == "close":
            return Comparison(
                kind="close",
                atol=float(self.constant("ATOL", FLOAT_TOLERANCE, float, int)),
                rtol=float(self.constant("RTOL", FLOAT_TOLERANCE, float, int)),
                observe=observe,
                raises=raises,
            )
        if kind:
            return Comparison(kind=kind, observe=observe, raises=raises)
        # The format's default is exact; only what cannot be exact is loosened.
        found = infer_comparison(checks, returns=self.entry.returns, raises=raises)
        exact = found.kind in ("truthy", "not_none") or observe == "arguments"
        return (
            Comparison(observe=observe, raises=raises) if exact else replace(found, observe=observe)
        )

    def raises(self) -> tuple[str, ...]:
        """Return the promised exceptions."""
        names = self.constant("RAISES", [], list, tuple)
        for name in names:
            if not isinstance(name, str) or not name.isidentifier():
                raise self.fail(
                    self.constants["RAISES"][1],
                    f"RAISES holds {name!r}; list names of exception classes: ['ValueError']",
                )
        return tuple(names)

    def limits(self) -> Limits:
        """Return the default limits with the declared ones put in."""
        given = self.constant("LIMITS", {}, dict)
        kinds: dict[str, Any] = {
            field.name: float if field.name == "cpu_s" else int for field in fields(Limits)
        }
        for name, value in given.items():
            node = self.constants["LIMITS"][1]
            if name not in kinds:
                raise self.fail(node, f"LIMITS key {name!r} {unknown_word(str(name), list(kinds))}")
            if type(value) not in (int, kinds[name]) or value <= 0:
                raise self.fail(
                    node,
                    f"LIMITS[{name!r}] = {value!r}: expected a positive {kinds[name].__name__}",
                )
        return replace(Limits(), **{name: kinds[name](value) for name, value in given.items()})

    def task(self, task_id: str) -> Task:
        """Return the record of the task."""
        name, where = self.entry.name, f"{self.where}:{first_line(self.entry)}"
        raises = self.raises()
        in_place = self.word("OBSERVE", "result", OBSERVED) == "arguments"
        reading = self.reading(in_place=in_place)
        docstring = ast.get_docstring(self.entry) or ""
        examples = read_examples(docstring, frozenset({name}), self.params, self.where)
        if in_place:
            # What a doctest shows is the returned value, not the arguments afterwards.
            examples = [unstated(check) for check in examples]
        tests = merge_tests(check.test for check in [*reading.checks, *examples])
        for test in tests:
            if isinstance(test.expected, Raised) and test.expected.name not in raises:
                raise TaskError(
                    f"{test.where}: the test expects {test.expected.name}, which RAISES does not "
                    f"promise; add RAISES = ['{test.expected.name}'] or drop the test"
                )
        if not tests and not reading.computed:
            raise self.fail(
                self.entry, f"no base test of {name}; write one: def test_examples(): assert ..."
            )
        return Task(
            task_id=task_id,
            entry_point=name,
            prompt=prompt_of(self.text, self.tree, self.entry, self.where),
            params=self.params,
            references=self.references(),
            contract=self.contract(),
            base=tests,
            script=self.script(),
            comparison=self.comparison([*reading.checks, *examples], raises),
            limits=self.limits(),
            mutates=in_place or self.constant("MUTATES", False, bool),  # noqa: FBT003
            wrong=self.wrong_programs(),
            source=where,
            notes=(COMPUTED,) if reading.computed else (),
        )


def unstated(check: Check) -> Check:
    """Return a check of which only the input is kept."""
    return replace(check, test=replace(check.test, expected=None, stated=False))


def unknown_word(word: str, known: Sequence[str]) -> str:
    """Return ``is unknown; ...`` with the nearest known word and the list of all."""
    near = difflib.get_close_matches(word, [k for k in known if k], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"is unknown; {hint}(known: {', '.join(k for k in known if k)})"
