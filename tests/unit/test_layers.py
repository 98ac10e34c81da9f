"""Imports go one way: a module imports only from rows above its own on the ladder."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "plusforge."
LADDER = [
    "oracle.arenas oracle.clock oracle.errors oracle.instrument oracle.jail oracle.meter",
    "oracle.protocol",
    "oracle.about oracle.libraries oracle.printing oracle.solver oracle.wording",
    "oracle.passk oracle.verdict oracle.wire_reader oracle.workers",
    "oracle.files oracle.landlock oracle.launcher oracle.mounts oracle.outcome oracle.seccomp",
    "oracle.values oracle.wire",
    "oracle.child oracle.costguard oracle.isolation oracle.link oracle.literals oracle.task",
    "oracle.typespec",
    "oracle.compare oracle.conditions oracle.crew oracle.keeper",
    "oracle.recording",
    "oracle.basetests oracle.linelog oracle.source oracle.typecheck oracle.unordered",
    "oracle.conformity oracle.ways oracle.writing",
    "oracle.doubts oracle.driver oracle.evalplus_rules oracle.jobspec oracle.scoring",
    "oracle.verdictlog",
    "oracle.asserts oracle.contracts oracle.examples oracle.jobs oracle.retype oracle.session",
    "oracle.explorer oracle.mutation oracle.symbolic oracle.targets oracle.testscript",
    "oracle.mutation_arithmetic oracle.mutation_calls oracle.mutation_compare",
    "oracle.mutation_constants oracle.mutation_logic oracle.mutation_methods",
    "oracle.mutation_subscripts oracle.mutation_text",
    "oracle.mutation_statements",
    "oracle.mutants",
    "oracle.comparisons oracle.complaints oracle.runner oracle.taskmodule oracle.zygote",
    "oracle.answers oracle.load_humaneval oracle.taskfile",
    "oracle.footprint oracle.load_mbpp oracle.load_evalplus oracle.proposals oracle.referee",
    "oracle.reference",
    "oracle.forms",
    "oracle.benchmarks oracle.sieve oracle.suiteheads",
    "oracle.suiterecord",
    "oracle.suite oracle.suitefile",
    "oracle.gold oracle.samples",
    "oracle.goldcache oracle.judged",
    "oracle.expectation",
    "oracle.judge",
    "oracle.courtroom",
    "oracle.evaluate",
    "oracle.results",
    "generator.literals generator.rng generator.config generator.streams generator.traits",
    "generator.choose generator.material generator.publish generator.fetch generator.recordings",
    "generator.differences generator.outputs",
    "generator.cli_options generator.console generator.recordfile generator.stdout",
    "generator.effects generator.fences generator.pieces generator.replytext generator.typography",
    "generator.continuation generator.parts",
    "generator.pools",
    "generator.reach",
    "generator.program",
    "generator.reading",
    "generator.extract",
    "generator.reply_record generator.reply_scan",
    "generator.reply_blocks generator.reply_args generator.reply_syntax",
    "generator.reply_expressions generator.reply_program_text",
    "generator.reply_values",
    "generator.reply_lines generator.reply_statements",
    "generator.reply_contract generator.reply_snippets",
    "generator.reply_forms",
    "generator.reply_programs",
    "generator.replies",
    "generator.modelcall generator.rawsamples generator.scoreboard generator.templates",
    "generator.address generator.cli_evaluate generator.cli_extract",
    "generator.prompting",
    "generator.spending",
    "generator.completion",
    "generator.dialect",
    "generator.transport",
    "generator.llm",
    "generator.asking generator.cli_model",
    "generator.sampling",
    "generator.samplereport",
    "generator.cli_sample",
    "generator.fitting generator.seedrun",
    "generator.replay",
    "generator.cli_import",
    "generator.localmodel generator.modelserver",
    "generator.cli_doctor generator.cli_fetch generator.cli_live generator.cli_local",
    "generator.fresh generator.operation generator.report",
    "generator.op_brackets generator.op_characters",
    "generator.bounds generator.op_fields generator.op_numbers generator.op_text",
    "generator.smallscope",
    "generator.corners generator.nearmiss",
    "generator.op_dicts generator.op_items generator.op_sequences generator.op_strings",
    "generator.reductions",
    "generator.op_likeness generator.op_nesting generator.op_relations generator.op_rows",
    "generator.op_calls",
    "generator.tables",
    "generator.typed_tables",
    "generator.operators",
    "generator.cover generator.squads",
    "generator.killmatrix generator.tiers",
    "generator.kills",
    "generator.opening generator.shrink generator.suitetargets",
    "generator.search",
    "generator.minimizing",
    "generator.minimized",
    "generator.cli_minimize",
    "generator.pipeline",
    "generator.cli_regenerate generator.closing generator.seedreport",
    "generator.closed",
    "generator.cli_close",
    "generator.cli_seed generator.cli_verify",
    "generator.cli",
]
ONLY = {
    "typeguard": {"oracle.conformity"},
    "astor": {"oracle.printing"},
    "crosshair": {"oracle.solver", "oracle.symbolic"},
    "rich": {
        "generator.cli_close",
        "generator.cli_minimize",
        "generator.cli_sample",
        "generator.console",
        "generator.report",
        "generator.samplereport",
        "generator.scoreboard",
        "generator.seedreport",
    },
    "click": {
        "generator.cli",
        "generator.cli_close",
        "generator.cli_doctor",
        "generator.cli_evaluate",
        "generator.cli_extract",
        "generator.cli_fetch",
        "generator.cli_import",
        "generator.cli_live",
        "generator.cli_local",
        "generator.cli_minimize",
        "generator.cli_model",
        "generator.cli_options",
        "generator.cli_regenerate",
        "generator.cli_sample",
        "generator.cli_seed",
        "generator.cli_verify",
        "generator.stdout",
    },
    "highspy": {"generator.cover"},
    "hypothesis": set[str](),
    "markdown_it": {"generator.fences", "generator.reply_blocks"},
    "tree_sitter": {"generator.pieces"},
    "tree_sitter_python": {"generator.pieces"},
    "openai": {"generator.transport"},
    "xllamacpp": {"generator.modelserver"},
    "z3": set[str](),
    "random": {"generator.rng", "oracle.jobs", "oracle.recording"},
    "pickle": set[str](),
}
LONGEST = 300
"""Lines of a module, at most."""

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


def test_every_module_stands_on_the_ladder() -> None:
    found = {name for name, _ in modules()}
    assert found == set(RANK), f"missing {found - set(RANK)}, gone {set(RANK) - found}"


def test_imports_point_upwards() -> None:
    bad = []
    for module, path in modules():
        for name in sorted(imports(path)):
            other = name.removeprefix(PACKAGE)
            if name.startswith(PACKAGE) and other in RANK and RANK[other] >= RANK[module]:
                bad.append(f"{module} (row {RANK[module]}) imports {other} (row {RANK[other]})")
    assert not bad, "\n".join(bad)


def test_heavy_libraries_have_one_home() -> None:
    bad = [
        f"{module} imports {name}, which only {sorted(ONLY[top]) or 'tests'} may"
        for module, path in modules()
        for name in imports(path)
        if (top := name.split(".")[0]) in ONLY and module not in ONLY[top]
    ]
    assert not bad, "\n".join(bad)


def test_homes_of_heavy_libraries_exist() -> None:
    homes = {home for names in ONLY.values() for home in names}
    assert homes <= set(RANK), f"no such modules: {sorted(homes - set(RANK))}"


def test_no_import_hides_in_a_function() -> None:
    bad = [
        f"{path.name}:{node.lineno}"
        for _, path in modules()
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not bad, bad


def test_the_architecture_names_every_module() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    families = ("load_", "mutation_", "op_", "reply_", "cli")  # written `load_*` and so on
    names = [name.split(".")[1] for name, _ in modules()]
    missing = [n for n in names if not n.startswith(families) and f"`{n}`" not in text]
    assert not missing, f"ARCHITECTURE.md says nothing of {missing}"


def test_no_module_is_too_long() -> None:
    lines = {name: len(path.read_text().splitlines()) for name, path in modules()}
    assert {name: n for name, n in lines.items() if n > LONGEST} == {}


def test_who_judges_waits_for_no_library_of_others() -> None:
    script = "import sys, plusforge.generator.cli_evaluate; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "plusforge.oracle.judge" in loaded
    assert not loaded & {"typeguard", "asyncio", "hypothesis", "openai", "highspy", "numpy"}
