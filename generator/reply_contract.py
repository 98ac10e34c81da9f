"""Replies that propose a contract: a function, asserts, or conditions in a list."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator, Sequence

from plusforge.generator.reply_blocks import MAX_CHARACTERS, blocks, clean
from plusforge.generator.reply_lines import start_of
from plusforge.generator.reply_record import SHOWN, Unread
from plusforge.generator.reply_syntax import module
from plusforge.oracle.errors import TaskError
from plusforge.oracle.source import join_segments, names_bound, names_read, rename_function, segment
from plusforge.oracle.task import Param

IMPORTS = frozenset(
    {"collections", "functools", "itertools", "math", "numbers", "re", "string", "typing"}
)
"""Modules a contract may import: nothing that reads the world outside of the arguments."""

MAX_LINES = 200
"""Lines of a proposed contract."""

_BUILTINS = frozenset(
    "abs all any ascii bin bool bytes callable chr complex dict divmod enumerate filter float "
    "format frozenset hasattr hex int isinstance issubclass iter len list map max min next "
    "object oct ord pow range repr reversed round set sorted str sum tuple type zip "
    "Exception AssertionError AttributeError IndexError KeyError OverflowError TypeError "
    "ValueError ZeroDivisionError".split()
)
_SPAN = re.compile(r"(`+)(.+?)\1")
_KEYS = ("contract", "code", "preconditions", "conditions", "assertions", "asserts")


def parse_contract(text: str | None, entry_point: str, params: Sequence[Param]) -> str | Unread:
    """Return the source of the contract that a reply proposes.

    Args:
        text: The reply; None where the server sent none.
        entry_point: The function whose inputs it is about.
        params: Its parameters.

    Returns:
        A module that defines ``contract`` with the entry point's parameters and imports nothing
        but ``IMPORTS``; or why there is none. Whether it holds for the benchmark's own inputs is
        for the pre-flight to see.
    """
    if text is None or not text.strip():
        return Unread("", "the reply is empty", 1)
    if len(text) > MAX_CHARACTERS:
        reason = f"the reply has {len(text)} characters; at most {MAX_CHARACTERS} are read"
        return Unread(text[:SHOWN], reason, 1)
    answer, problem = clean(text)
    refused = problem and Unread(text[:SHOWN], problem, 1)
    for source, line in _proposals(answer):
        try:
            contract = _contract_in(source, entry_point, params)
            why = _objection(contract, params) if contract else ""
        except (TaskError, RecursionError, ValueError) as exc:
            # Syntax that compiles and cannot be written out again: nested too deeply, mostly.
            contract, why = None, str(exc)
        if contract and not why:
            return contract
        if why and not refused:
            refused = Unread(source.strip()[:SHOWN], why, line)
    nothing = "there is neither a function contract nor an assert nor a condition in the reply"
    return refused or Unread(answer.strip()[:SHOWN], nothing, 1)


def _proposals(text: str) -> Iterator[tuple[str, int]]:
    """Yield texts that may be a contract, the likeliest first, each with its line."""
    parts = list(blocks(text))
    for part in parts:
        listed = _json_lines(part.text)
        if listed is not None:
            yield listed, part.line
    fenced = [part for part in parts if part.language is not None]
    yield from ((part.text, part.line) for part in fenced)
    if len(fenced) > 1:
        yield "\n".join(part.text for part in fenced), fenced[0].line
    for part in parts:
        if part.language is None:
            yield part.text, part.line
            yield "\n".join(_listed(part.text)), part.line


def _json_lines(text: str) -> str | None:
    """Return the code or the conditions in a JSON text as lines of Python, or None."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict):
        value = next((value[key] for key in _KEYS if key in value), None)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    if not isinstance(value, str):
        return None
    fenced = [block.text for block in blocks(value) if block.language is not None]
    return fenced[0] if fenced else value


def _listed(text: str) -> Iterator[str]:
    """Yield the conditions in a list or in sentences: whole lines, or inline code in them."""
    for line in text.split("\n"):
        rest = line[start_of(line, code=False, names=[]).at :].strip()
        for piece in [match[2] for match in _SPAN.finditer(rest)] or [rest]:
            body = module(piece)
            if body is not None and len(body.body) == 1 and _is_condition(body.body[0]):
                yield piece


def _is_condition(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assert):
        return True
    return isinstance(node, ast.Expr | ast.Return) and isinstance(
        node.value, ast.Compare | ast.BoolOp | ast.Call | ast.UnaryOp
    )


def _contract_in(text: str, entry_point: str, params: Sequence[Param]) -> str | None:
    """Return the module of the contract in a piece of source, or None when there is none."""
    text = textwrap.dedent(text.expandtabs(4)).strip("\n")
    tree = module(text)
    if tree is None or text.count("\n") >= MAX_LINES:
        return None
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    beside = [node for node in tree.body if not isinstance(node, ast.Expr | ast.Assert | ast.If)]
    if "contract" in defined:
        return _module_of(text, tree, defined["contract"], beside, params)
    if entry_point in defined:
        return _from_solution(text, tree, defined[entry_point], beside, params)
    if defined:
        last = list(defined.values())[-1]
        return _module_of(text, tree, last, beside, params)
    conditions = [node for node in tree.body if _is_condition(node)]
    if not conditions:
        return None
    parts = [
        segment(text, tree, n) for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)
    ]
    rest = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    # Conditions on results are tests; they stay only if nothing else is there, to be refused.
    rest = [node for node in rest if entry_point not in names_read(node)] or rest
    lines = [_guarded(_as_assert(node), params) for node in rest]
    return join_segments([*parts, _function(lines, params)])


def _as_assert(node: ast.stmt) -> ast.stmt:
    """Return a condition as an assert; other statements stay."""
    if isinstance(node, ast.Expr | ast.Return) and _is_condition(node) and node.value is not None:
        return ast.copy_location(ast.Assert(test=node.value), node)
    return node


def _guarded(node: ast.stmt, params: Sequence[Param]) -> str:
    """Return a statement's text; one about a parameter with a default holds if that is given."""
    text = ast.unparse(node)
    left_out = [p.name for p in params if p.optional and p.name in names_read(node)]
    if not left_out or not isinstance(node, ast.Assert):
        return text
    given = " and ".join(f"{name} is not None" for name in left_out)
    return f"if {given}:\n    {text}"


def _function(lines: Sequence[str], params: Sequence[Param]) -> str:
    names = ", ".join(f"{p.name}=None" if p.optional else p.name for p in params)
    body = textwrap.indent("\n".join(lines), "    ")
    return f"def contract({names}):\n{body}\n    return True"


def _from_solution(
    text: str,
    tree: ast.Module,
    func: ast.FunctionDef,
    beside: list[ast.stmt],
    params: Sequence[Param],
) -> str | None:
    """Return the contract of a solution that begins with asserts."""
    own = [arg.arg for arg in (*func.args.posonlyargs, *func.args.args)]
    lines = [_guarded(node, params) for node in func.body if isinstance(node, ast.Assert)]
    if not lines or own != [param.name for param in params]:
        return None
    parts = [segment(text, tree, node) for node in beside if node is not func]
    return join_segments([*parts, _function(lines, params)])


def _module_of(
    text: str,
    tree: ast.Module,
    func: ast.FunctionDef,
    beside: list[ast.stmt],
    params: Sequence[Param],
) -> str:
    """Return a module with a function under the name ``contract``, and what stands beside it."""
    args = func.args
    plain = [*args.posonlyargs, *args.args]
    optional = sum(param.optional for param in params)
    main = segment(text, tree, func)
    if len(args.defaults) < optional == len(params) - (len(plain) - optional):
        missing = optional - len(args.defaults)
        args.defaults[:0] = [ast.Constant(value=None) for _ in range(missing)]
        main = ast.unparse(func)
    parts = [segment(text, tree, node) for node in beside if node is not func]
    return join_segments([*parts, rename_function(main, func.name, "contract")])


def _objection(source: str, params: Sequence[Param]) -> str:
    """Return why a module is no usable contract, or an empty string."""
    tree = module(source)
    if tree is None:
        return "it does not compile"
    func = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "contract")
    names = [arg.arg for arg in (*func.args.posonlyargs, *func.args.args)]
    if len(names) != len(params) or func.args.vararg or func.args.kwonlyargs or func.args.kwarg:
        expected = ", ".join(param.name for param in params)
        return f"contract({', '.join(names)}) has other parameters than ({expected})"
    known = set(_BUILTINS)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = (
                [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
            )
            strange = [name for name in modules if (name or "").split(".")[0] not in IMPORTS]
            if strange:
                return f"it imports {strange[0]}; allowed are {', '.join(sorted(IMPORTS))}"
        if isinstance(node, ast.stmt):
            known |= names_bound(node)
        if isinstance(node, ast.arg):
            known.add(node.arg)
        if isinstance(node, ast.ExceptHandler) and node.name:
            known.add(node.name)
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            return f"it reads the attribute {node.attr}"
    unknown = sorted(names_read(tree) - known)
    if unknown:
        return f"it uses {unknown[0]}, which is neither a parameter nor defined nor allowed"
    if not _tells(func):
        return "it states no condition"
    return ""


def _tells(func: ast.FunctionDef) -> bool:
    """Tell whether a function can refuse anything that its parameters hold."""
    names = {arg.arg for arg in (*func.args.posonlyargs, *func.args.args)}
    body = [
        node
        for node in ast.walk(func)
        if isinstance(node, ast.Assert | ast.Return | ast.Raise | ast.If)
    ]
    return any(names & names_read(node) for node in body)
