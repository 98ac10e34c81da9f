"""The judge against programs that cheat, attack, break down or are merely odd."""

import os
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from plusforge.oracle import keeper, wire
from plusforge.oracle.gold import Gold, frame_of
from plusforge.oracle.judge import judge
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.launcher import Child, Death
from plusforge.oracle.runner import Sandbox

from tests.hostile.cases import OWN, RIGHT, Case, manifest_cases
from tests.support import ROOT

SETTINGS = JudgeSettings(min_cpu_s=1.0, memory_mib=256)
SECRET = "sk-hostile-test-0123456789"
MANIFEST = ROOT.parent / "shared" / "hostile" / "manifest.json"
GIVEN = manifest_cases(MANIFEST) if MANIFEST.exists() else []


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    # A key of the kind that attacks look for, in place before the sandbox starts.
    os.environ["OPENAI_API_KEY"] = SECRET
    try:
        with Sandbox() as shared:
            if shared.report.level != "strong":
                pytest.skip("this machine cannot isolate fully: " + shared.report.line())
            yield shared
    finally:
        del os.environ["OPENAI_API_KEY"]


def check(case: Case, sandbox: Sandbox) -> None:
    judged = judge(case.code, case.gold(), sandbox, SETTINGS)
    detail = judged.failure.error if judged.failure else ""
    if "3.12" in case.policy and sys.version_info >= (3, 12) and judged.base != "judge_error":
        return  # this Python has another limit, and the case says so
    assert case.is_right(judged.base), f"{judged.base}, expected {case.verdict}: {detail}"
    assert judged.failure is None or SECRET not in repr(judged.failure)
    assert judge(RIGHT, OWN[0].gold(), sandbox, SETTINGS).base == "pass"


@pytest.mark.parametrize("case", OWN, ids=[case.name for case in OWN])
def test_own_case(case: Case, sandbox: Sandbox) -> None:
    check(case, sandbox)


@pytest.mark.skipif(not GIVEN, reason="needs hostile/manifest.json beside the clone")
@pytest.mark.parametrize("case", GIVEN, ids=[case.name for case in GIVEN])
def test_given_case(case: Case, sandbox: Sandbox) -> None:
    check(case, sandbox)


def test_no_case_leaves_a_trace(sandbox: Sandbox, tmp_path: Path) -> None:
    watched = [tmp_path, Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.home(), Path.cwd()]
    canary = tmp_path / "canary"
    canary.write_text("alive")
    code = "import os, pathlib\ndef f(x):\n" + "".join(
        f"    try: pathlib.Path({str(folder)!r}, 'left_behind').write_text('x')\n"
        "    except OSError: pass\n"
        for folder in watched
    )
    code += f"    try: os.unlink({str(canary)!r})\n    except OSError: pass\n    return x * x\n"
    assert judge(code, OWN[0].gold(), sandbox, SETTINGS).base == "pass"
    assert canary.read_text() == "alive"
    assert not [folder for folder in watched if (folder / "left_behind").exists()]


def test_memory_and_descriptors_of_the_judge_stay_flat(sandbox: Sandbox) -> None:
    by_name = {case.name: case for case in OWN}
    hogs = [by_name[n] for n in ("long_text", "long_exception", "forges_huge_length", "many_items")]
    for case in hogs:
        check(case, sandbox)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        for case in hogs:
            check(case, sandbox)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # KiB
    assert len(os.listdir("/proc/self/fd")) == descriptors


LOADS_SLOWLY = """
import os
for _ in range(2_000_000): pass
def f(x):
    if x >= 2: os._exit(1)
    return x
"""


def test_base_tests_that_passed_stay_passed_when_time_runs_out_at_loading_again(
    sandbox: Sandbox,
) -> None:
    inputs = range(42)
    gold = Gold(
        task_id="t", entry_point="f", n_base=2,
        args=[wire.dumps((n,)) for n in inputs], frames=[frame_of(n) for n in inputs],
    )  # fmt: skip
    settings = JudgeSettings(all_tests=True, total_cpu_s=1.0)
    judged = judge(LOADS_SLOWLY, gold, sandbox, settings)
    assert (judged.base, judged.plus) == ("pass", "crash")
    assert judged.failed is not None
    assert [(part, index) for part, index, _ in judged.failed] == [("plus", n) for n in range(40)]
    assert {str(verdict) for _, _, verdict in judged.failed} == {"crash", "timeout"}


def verdicts_of_all(code: str, sandbox: Sandbox, n_tests: int) -> list[str]:
    inputs = range(n_tests)
    gold = Gold(
        task_id="t", entry_point="f", n_base=1,
        args=[wire.dumps((n,)) for n in inputs], frames=[frame_of(n) for n in inputs],
    )  # fmt: skip
    judged = judge(code, gold, sandbox, JudgeSettings(all_tests=True))
    assert judged.failed is not None
    return [str(verdict) for _, _, verdict in judged.failed]


def test_dying_slowly_is_time_asleep(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "IDLE_TOTAL_S", 1.2)
    code = "import os, time\ndef f(x):\n    os.close(4)\n    time.sleep(60)\n"
    found = verdicts_of_all(code, sandbox, 100)
    assert found == ["crash"] * 3 + ["timeout"] * 97  # half a second each


def test_waiting_for_word_of_a_death_is_no_time_asleep(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "IDLE_TOTAL_S", 0.3)
    end = Child.end

    def end_on_a_busy_machine(child: Child, *, grace: float = 0.0) -> Death:
        time.sleep(keeper.GRACE_SECONDS * 1.2)
        return end(child, grace=grace)

    monkeypatch.setattr(Child, "end", end_on_a_busy_machine)
    assert verdicts_of_all("import os\ndef f(x): os._exit(1)\n", sandbox, 3) == ["crash"] * 3


SINGLE_LAYERS = (
    "landlock",
    "mounts",
    "seccomp",
    "namespace",
    "capabilities",
    "undumpable",
    "rlimits",
)
GETS_THROUGH = {
    "seccomp": {"int80_legacy_abi", "datagrams_to_the_machine"},
    "rlimits": {"grows_a_list", "memory_error_then_other_shapes"},
    "namespace": {"threads_of_small_stacks"},
}
"""What each layer alone keeps out (docs/judging.md); the clock stops what grows without limit. A
thread that finds no memory to begin with is waited for by the one that started it."""


@pytest.mark.slow
@pytest.mark.parametrize("layer", SINGLE_LAYERS)
def test_any_one_layer_may_be_missing(layer: str) -> None:
    wrong = set()
    with Sandbox(disable=frozenset({layer}), allow_weak=True) as sandbox:
        for case in [*OWN, *GIVEN]:
            if "3.12" in case.policy and sys.version_info >= (3, 12):
                continue
            if not case.is_right(judge(case.code, case.gold(), sandbox, SETTINGS).base):
                wrong.add(case.name)
    assert wrong <= GETS_THROUGH.get(layer, set())
