"""What gets through when a layer of isolation is missing.

    python benchmarks/layers.py [--manifest FILE] [--user]

Runs the project's own hostile cases (and those of a manifest) against the judge with each layer
switched off, then with several, and prints which verdicts are wrong and what an attack left behind.
Broken isolation means that attacks work: run this in a throw-away container or machine. With
``--user`` everything runs as an ordinary user (uid 65534) when started by root.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from plusforge.oracle.errors import SandboxError
from plusforge.oracle.judge import JudgeSettings, judge
from plusforge.oracle.runner import Sandbox

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.hostile.cases import OWN, Case, manifest_cases

COMBINATIONS: tuple[tuple[str, ...], ...] = (
    (),
    ("landlock",),
    ("mounts",),
    ("seccomp",),
    ("namespace",),
    ("capabilities",),
    ("undumpable",),
    ("rlimits",),
    ("namespace", "landlock", "mounts"),
    ("landlock", "mounts"),
    ("namespace", "seccomp"),
    ("namespace", "landlock", "mounts", "seccomp"),
)
SETTINGS = JudgeSettings(min_cpu_s=1.0, memory_mib=256)
NOBODY = 65534


def failures(cases: list[Case], off: tuple[str, ...]) -> tuple[str, list[str]]:
    """Return the level of isolation, and the cases that got a wrong verdict."""
    wrong = []
    with Sandbox(disable=frozenset(off), allow_weak=True) as sandbox:
        try:
            level = sandbox.report.level
        except SandboxError as exc:
            return "none", [str(exc)]
        for case in cases:
            verdict = judge(case.code, case.gold(), sandbox, SETTINGS).base
            if not case.is_right(verdict):
                wrong.append(f"{case.name} ({verdict})")
    return level, wrong


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--manifest", type=Path)
    parser.add_argument("--user", action="store_true")
    options = parser.parse_args()
    if options.user:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    cases = [*OWN, *(manifest_cases(options.manifest) if options.manifest else [])]
    os.environ["OPENAI_API_KEY"] = "sk-layers-benchmark"
    print(f"uid {os.getuid()}, Python {sys.version.split()[0]}, {len(cases)} programs")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        canary = Path(folder) / "canary"
        for off in COMBINATIONS:
            canary.write_text("alive")
            victim = subprocess.Popen(["sleep", "600"])
            level, wrong = failures(cases, off)
            left = sorted(path.name for path in Path(folder).iterdir() if path != canary)
            if not canary.exists() or canary.read_text() != "alive":
                left.append("canary harmed")
            if victim.poll() is not None:
                left.append("another process killed")
            victim.kill()
            victim.wait()
            names = "+".join(off) or "nothing"
            print(f"{names:<40} {level:<7} {len(wrong)} wrong: {', '.join(wrong) or '-'}"
                  f"{'; left behind: ' + ', '.join(left) if left else ''}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
