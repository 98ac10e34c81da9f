"""Reading Python source as a syntax tree: definitions, parameters, prompts, examples.

Nothing here imports or runs what it reads.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from plusforge.oracle.errors import TaskError
from plusforge.oracle.task import Param

Function = ast.FunctionDef


def parse_module(text: str, where: str) -> ast.Module:
    """Return the syntax tree of a module.

    Args:
        text: The source.
        where: File name, for the message.

    Raises:
        TaskError: The text does not compile; the message reads ``file.py:12: ...``.
    """
    try:
        with warnings.catch_warnings():
            # Invalid escapes in somebody's string are theirs; the program still means something.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as exc:
        raise TaskError(f"{where}:{exc.lineno or 1}: {exc.msg}; correct the Python source") from exc
    except (ValueError, RecursionError, MemoryError) as exc:
        raise TaskError(f"{where}:1: cannot be parsed ({exc}); correct the Python source") from exc


def functions(tree: ast.Module) -> dict[str, Function]:
    """Return the top-level functions by name; of two with one name, the later one, as in Python."""
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def find_function(tree: ast.Module, name: str, where: str) -> Function:
    """Return a top-level function.

    Raises:
        TaskError: It is not there, or is async.
    """
    found = functions(tree).get(name)
    if found is not None:
        return found
    if any(isinstance(node, ast.AsyncFunctionDef) and node.name == name for node in tree.body):
        raise TaskError(f"{where}: {name} is an async function; write it as a plain function")
    raise TaskError(
        f"{where}: no top-level function {name!r} (found: {', '.join(functions(tree)) or 'none'}); "
        "define it, or correct the entry point"
    )


def params_of(func: Function, where: str) -> tuple[Param, ...]:
    """Return the positional parameters of a function.

    Raises:
        TaskError: It takes ``*args``, ``**kwargs`` or keyword-only parameters: an input is a fixed
            row of positional arguments.
    """
    args = func.args
    odd = [f"*{arg.arg}" for arg in (args.vararg,) if arg]
    odd += [f"{arg.arg} (keyword-only)" for arg in args.kwonlyargs]
    odd += [f"**{arg.arg}" for arg in (args.kwarg,) if arg]
    if odd:
        raise TaskError(
            f"{where}:{func.lineno}: {func.name} takes {', '.join(odd)}; "
            "an entry point takes positional parameters only: give each argument a name of its own"
        )
    plain = [*args.posonlyargs, *args.args]
    first_default = len(plain) - len(args.defaults)
    return tuple(
        Param(
            name=arg.arg,
            annotation=ast.unparse(arg.annotation) if arg.annotation else None,
            optional=index >= first_default,
        )
        for index, arg in enumerate(plain)
    )


def bare_signature(func: Function, *, first: str | None = None) -> str:
    """Return a parameter list without annotations, for a function written beside ``func``.

    Args:
        func: The function whose parameters are taken over, defaults included.
        first: Name of a parameter to put in front.
    """
    args = func.args
    plain = [*args.posonlyargs, *args.args]
    first_default = len(plain) - len(args.defaults)
    parts = [first] if first else []
    for index, arg in enumerate(plain):
        default = args.defaults[index - first_default] if index >= first_default else None
        parts.append(arg.arg if default is None else f"{arg.arg}={ast.unparse(default)}")
    return ", ".join(parts)


def first_line(node: ast.stmt) -> int:
    """Return the line a statement begins on, decorators included (1-based)."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def segment(text: str, tree: ast.Module, node: ast.stmt) -> str:
    """Return a top-level statement's own text, with the comment lines directly above it."""
    lines = text.split("\n")
    start, end = first_line(node), node.end_lineno or node.lineno
    for other in tree.body:
        if other is not node and first_line(other) <= end and (other.end_lineno or 0) >= start:
            # Two statements share a line ("a = 1; b = 2").
            return ast.get_source_segment(text, node) or ast.unparse(node)
    floor = max((o.end_lineno or 0 for o in tree.body if (o.end_lineno or 0) < start), default=0)
    while start - 1 > floor and lines[start - 2].startswith("#"):
        start -= 1
    return "\n".join(lines[start - 1 : end]).rstrip()


def join_segments(parts: Iterable[str]) -> str:
    """Return a module made of top-level pieces, spaced as people space them."""
    result = before = ""
    for part in (part.strip("\n") for part in parts):
        if not part.strip():
            continue
        if _is_block(part) or _is_block(before):
            gap = "\n\n\n"
        else:
            gap = "\n" if _is_import(part) == _is_import(before) else "\n\n"
        result += (gap if result else "") + part
        before = part
    return result + "\n" if result else ""


def _is_import(part: str) -> bool:
    return part.startswith(("import ", "from "))


def _is_block(part: str) -> bool:
    heads = ("def ", "class ", "@", "async ")
    return any(line.startswith(heads) for line in part.split("\n"))


def imports_of(text: str, tree: ast.Module, *, before: ast.stmt | None = None) -> list[str]:
    """Return the texts of the top-level imports, all of them or those above a statement."""
    limit = before.lineno if before else float("inf")
    return [
        ast.get_source_segment(text, node) or ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno < limit
    ]


def prompt_of(text: str, tree: ast.Module, func: Function, where: str) -> str:
    """Return what a model sees of a task file: imports above the function, signature, docstring.

    Raises:
        TaskError: The function has no docstring, so there would be nothing to go by.
    """
    first = func.body[0]
    if ast.get_docstring(func, clean=False) is None:
        raise TaskError(
            f"{where}:{func.lineno}: {func.name} has no docstring; "
            "describe the task in it: it is all a model is told"
        )
    lines = text.split("\n")
    head = "\n".join(lines[first_line(func) - 1 : first.end_lineno])
    imports = imports_of(text, tree, before=func)
    return ("\n".join(imports) + "\n\n\n" if imports else "") + head + "\n"


def names_read(node: ast.AST) -> set[str]:
    """Return the names that appear in a piece of source for reading."""
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }


def names_bound(node: ast.stmt) -> set[str]:
    """Return the names that one top-level statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def needed(tree: ast.Module, roots: Iterable[ast.AST], skip: Collection[str]) -> list[ast.stmt]:
    """Return the top-level statements that the roots use, directly or through one another.

    Args:
        tree: The module.
        roots: Pieces of source whose names are looked up.
        skip: Names that are not followed.
    """
    wanted = set().union(*(names_read(root) for root in roots))
    bound = [names_bound(node) for node in tree.body]
    usable = {index for index, names in enumerate(bound) if not names & set(skip)}
    chosen: set[int] = set()
    while True:
        new = [index for index in sorted(usable - chosen) if bound[index] & wanted]
        if not new:
            return [tree.body[index] for index in sorted(chosen)]
        chosen.update(new)
        for index in new:
            wanted |= names_read(tree.body[index])


def rename_function(text: str, old: str, new: str) -> str:
    """Return a function's source under a new name, its recursive calls renamed as well.

    Comments and layout stay. Where a name cannot be replaced in place (inside an f-string on
    Python 3.11, whose columns are not the file's) the function keeps its name and gets an alias.

    Args:
        text: Source of one top-level function, perhaps with comments above.
        old: Its name.
        new: The name it is to have.
    """
    if old == new:
        return text
    lines = [line.encode() for line in text.split("\n")]
    alias = f"{text}\n\n\n{new} = {old}"
    tree = parse_module(text, old)
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == old]
    spots = [(name.lineno, name.col_offset) for name in names]
    func = functions(tree)[old]
    spots.append((func.lineno, lines[func.lineno - 1].find(b" " + old.encode()) + 1))
    for row, column in sorted(spots, reverse=True):
        line = lines[row - 1]
        if not line[column:].startswith(old.encode()):
            return alias
        lines[row - 1] = line[:column] + new.encode() + line[column + len(old.encode()) :]
    renamed = b"\n".join(lines).decode()
    try:
        left = {n.id for n in ast.walk(parse_module(renamed, new)) if isinstance(n, ast.Name)}
    except TaskError:
        return alias
    return alias if old in left else renamed


@dataclass(frozen=True, slots=True)
class Example:
    """One ``>>>`` example of a docstring.

    Attributes:
        source: The expression or statements after the prompt marks.
        want: The lines below it, without indentation; empty when there are none.
        line: Line within the docstring, 1-based.
    """

    source: str
    want: str
    line: int


def doctest_examples(docstring: str) -> Iterator[Example]:
    """Yield the ``>>>`` examples of a docstring.

    Laxer than the doctest module, which refuses a whole docstring for one missing blank: prompts
    of benchmarks are written by hand.
    """
    lines = docstring.expandtabs().split("\n")
    at = 0
    while at < len(lines):
        stripped = lines[at].strip()
        if not stripped.startswith(">>>"):
            at += 1
            continue
        start = at + 1
        source = [stripped[3:].removeprefix(" ")]
        at += 1
        while at < len(lines) and lines[at].strip().startswith("..."):
            source.append(lines[at].strip()[3:].removeprefix(" "))
            at += 1
        want = []
        while at < len(lines) and lines[at].strip() and not lines[at].strip().startswith(">>>"):
            want.append(lines[at].strip())
            at += 1
        yield Example("\n".join(source), "\n".join(want), start)
