"""Imports go one way: a module imports only from rows above its own on the ladder."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "plusforge."
LADDER = [
    "oracle.errors oracle.instrument oracle.meter",
    "oracle.values oracle.verdict",
    "oracle.task oracle.typespec oracle.wire oracle.protocol",
    "oracle.files oracle.literals oracle.compare oracle.typecheck",
    "oracle.source oracle.seccomp oracle.landlock",
    "oracle.asserts oracle.jail oracle.comparisons oracle.contracts",
    "oracle.child oracle.zygote oracle.isolation oracle.taskfile oracle.evalplus",
    "oracle.runner oracle.load_humaneval oracle.load_mbpp oracle.load_evalplus",
    "oracle.answers oracle.benchmarks",
    "oracle.reference",
    "oracle.sieve",
    "oracle.suite",
    "generator.rng generator.config generator.traits generator.literals generator.fetch",
    "generator.material generator.choose",
    "generator.operators generator.seeding",
]  # replaced below once every module has landed
ONLY = {
    "typeguard": {"oracle.typecheck"},
    "rich": {"generator.report", "generator.cli"},
    "click": {"generator.cli"},
    "hypothesis": {"generator.drawing"},
}
RANK = {module: rank for rank, row in enumerate(LADDER) for module in row.split()}


def modules() -> list[tuple[str, Path]]:
    return sorted(
        (f"{folder}.{path.stem}", path)
        for folder in ("oracle", "generator")
        for path in (ROOT / folder).glob("*.py")
        if path.stem not in ("__init__", "__main__")
    )


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: absolute imports only"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found
