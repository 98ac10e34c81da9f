"""A task file as a syntax tree: which function has which role, and the program each one makes.

Everything at the top level that has no role of its own (imports, private helpers, constants) is
part of every program.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Sequence

from plusforge.oracle.asserts import Reading, read_asserts
from plusforge.oracle.conditions import Check
from plusforge.oracle.errors import LiteralError, TaskError
from plusforge.oracle.examples import Session, read_session
from plusforge.oracle.literals import fold
from plusforge.oracle.source import (
    Function,
    bare_signature,
    first_line,
    join_segments,
    names_bound,
    names_read,
    params_of,
    parse_module,
    rename_function,
    segment,
)
from plusforge.oracle.task import Contract, Reference, TestScript, WrongProgram
from plusforge.oracle.testscript import build_script, judged
from plusforge.oracle.values import Value
from plusforge.oracle.wording import plural

CONSTANTS = ("COMPARE", "ATOL", "RTOL", "RAISES", "OBSERVE", "MUTATES", "LIMITS")
"""Top-level names that describe the task and are part of no program."""

WRONG_PREFIX = "wrong_"
"""Begins the name of a function that is known to be wrong."""


def _is_reserved(name: str) -> bool:
    """Tell whether a function of this name has a role other than the entry point."""
    prefixes = ("_", "reference", WRONG_PREFIX, "test_")
    return name.startswith(prefixes) or name in ("contract", "check")


class TaskModule:
    """One parsed module and the answers to questions about it.

    Every question may end in a ``TaskError``: what the file says there cannot be meant. Its message
    names file, line and remedy.
    """

    def __init__(self, text: str, where: str) -> None:
        """Parse a task file.

        Args:
            text: The module.
            where: File name, for messages.

        Raises:
            TaskError: It does not compile, or has no single entry point.
        """
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
        public = [node for name, node in self.functions.items() if not _is_reserved(name)]
        if len(public) == 1:
            return public[0]
        if not public:
            taken = ", ".join(self.functions)
            has = f" ({taken}: none can be it)" if taken else ""
            raise self.fail(
                None,
                f"no entry point{has}; define one function whose name has no leading underscore "
                "and is not reference*, wrong_*, test_*, contract or check",
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
            for name in sorted(names_bound(node) - set(CONSTANTS)):
                self._refuse_misspelt(name, node)
        return found

    def _refuse_misspelt(self, name: str, node: ast.stmt) -> None:
        """Refuse a constant that nothing reads and that is nearly one with a meaning."""
        near = difflib.get_close_matches(name.strip("_").upper(), CONSTANTS, n=1, cutoff=0.75)
        if near and name not in names_read(self.tree):
            raise self.fail(
                node,
                f"{name} is read nowhere; did you mean {near[0]}? correct it, or remove it "
                f"(constants with a meaning: {', '.join(CONSTANTS)})",
            )

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
        found = [Reference(source=self.program(self.entry, name), name=name)]
        for node in self.roles("reference"):
            self.same_params(node)
            found.append(Reference(source=self.program(node, name), name=node.name))
        return tuple(found)

    def wrong_programs(self) -> tuple[WrongProgram, ...]:
        """Return the known-wrong programs."""
        found = []
        for node in self.roles(WRONG_PREFIX):
            self.same_params(node)
            source = self.program(node, self.entry.name)
            found.append(WrongProgram(name=node.name, source=source))
        return tuple(found)

    def same_params(self, func: Function, *, first: str | None = None) -> None:
        """Refuse a function that does not take the entry point's arguments, after ``first``."""
        params = params_of(func, self.where)
        wanted = len(self.params) + (first is not None)
        shown = bare_signature(self.entry, first=first)
        if len(params) != wanted:
            raise self.fail(
                func,
                f"{func.name} takes {len(params)} {plural(len(params), 'parameter')}, "
                f"expected {wanted}; "
                f"write def {func.name}({shown})",
            )
        own = [param.name for param in params[first is not None :]]
        names = [param.name for param in self.params]
        if func.name in ("contract", "check") and own != names:
            raise self.fail(
                func,
                f"{func.name} calls its parameters {', '.join(own)}, {self.entry.name} calls them "
                f"{', '.join(names)}; write def {func.name}({shown})",
            )

    def contract(self) -> Contract | None:
        """Return the contract, or None when the file states none."""
        node = self.functions.get("contract")
        if node is None:
            return None
        self.same_params(node)
        where = f"{self.where}:{first_line(node)}"
        return Contract(source=self.program(node, "contract"), declared=True, where=where)

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
            part = self.statements(node.body, in_place=in_place)
            whole.checks += part.checks
            whole.computed += part.computed
        return whole

    def statements(self, body: Sequence[ast.stmt], *, in_place: bool) -> Reading:
        """Return what the statements of one test say."""
        names = frozenset({self.entry.name})
        return read_asserts(body, names, self.params, self.where, in_place=in_place)

    def session(self, *, in_place: bool) -> Session:
        """Return the examples of the entry point's docstring as a test."""
        first = self.entry.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            return read_session(first.value, self.entry.name, in_place=in_place)
        return Session()

    def script(
        self, checks: Sequence[Check], examples: Sequence[ast.stmt], *, in_place: bool
    ) -> TestScript | None:
        """Return a module that runs what the tests say beyond stated outcomes, or None.

        It runs in the names of a program, which has all that the tests share with it.

        Args:
            checks: What the test functions say; those are stated that the comparison judges.
            examples: Those of the docstring's examples that are to be run.
            in_place: As for ``reading``.
        """
        tests = self.roles("test_")
        mutates = "MUTATES" in self.constants
        left_out = [
            node
            for test in tests
            for node in judged(test.body, checks, self.where, in_place=in_place, mutates=mutates)
            if isinstance(node, ast.Assert)
        ]
        return build_script(
            self.text, self.tree, tests=tests, left_out=left_out, examples=examples,
            where=self.where,
        )  # fmt: skip


def unknown_word(word: str, known: Sequence[str]) -> str:
    """Return ``is unknown; ...`` with the nearest known word and the list of all."""
    near = difflib.get_close_matches(word, [k for k in known if k], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"is unknown; {hint}(known: {', '.join(k for k in known if k)})"
