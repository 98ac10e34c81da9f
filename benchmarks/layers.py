"""What gets through when a layer of isolation is missing.

    python benchmarks/layers.py [--manifest FILE]

Runs the project's own hostile cases (and those of a manifest) against the judge with each layer
switched off, then with several, and prints which verdicts are wrong and what an attack left behind.
Broken isolation means that attacks work, so the whole script moves into a process namespace of its
own first (by ``unshare``), and should run in a throw-away container or machine all the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from plusforge.oracle.errors import SandboxError
from plusforge.oracle.judge import judge
from plusforge.oracle.judged import JudgeSettings
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
    parser.add_argument("--off", help="one combination only, such as landlock,mounts")
    options = parser.parse_args()
    if os.getppid() != 0:  # 0 is the parent of a namespace's first process, as seen from inside
        namespace = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        root = [] if os.getuid() == 0 else ["--map-root-user"]
        sys.exit(
            subprocess.run([*namespace, *root, sys.executable, *sys.argv], check=False).returncode
        )
    cases = [*OWN, *(manifest_cases(options.manifest) if options.manifest else [])]
    os.environ["OPENAI_API_KEY"] = "sk-layers-benchmark"
    print(f"uid {os.getuid()}, Python {sys.version.split()[0]}, {len(cases)} programs")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        canary = Path(folder) / "canary"
        for off in COMBINATIONS if options.off is None else [tuple(options.off.split(","))]:
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
