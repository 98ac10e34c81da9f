"""The same programs, judged by an ordinary user: no layer may need root."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import click
import pytest
from plusforge.oracle import wire
from plusforge.oracle.about import VERSION

from tests.support import ROOT

NOBODY = 65534
SCRIPT = """
import sys
from pathlib import Path
from plusforge.oracle.judge import judge
from plusforge.oracle.judged import JudgeSettings
from plusforge.oracle.runner import Sandbox
from tests.hostile.cases import OWN, manifest_cases
manifest = Path(sys.argv[1])
cases = [*OWN, *(manifest_cases(manifest) if manifest.exists() else [])]
with Sandbox() as sandbox:
    print(sandbox.report.level)
    for case in cases:
        if "3.12" in case.policy and sys.version_info >= (3, 12):
            continue
        verdict = judge(case.code, case.gold(), sandbox, JudgeSettings(memory_mib=512)).base
        if not case.is_right(verdict):
            print(case.name, verdict, "expected", case.verdict)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="we are one: the other tests show it")
def test_an_ordinary_user_judges_alike() -> None:
    manifest = ROOT.parent / "shared" / "hostile" / "manifest.json"
    found = (Path(f"/usr/bin/python3.{minor}") for minor in (13, 12, 11))
    python = next((path for path in found if path.exists()), None)
    if python is None:
        pytest.skip("no system Python that an ordinary user could run")
    # Our packages, without an installation that such a user may not read.
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        folder.chmod(0o755)
        shutil.copytree(Path(wire.__file__).parent, folder / "plusforge" / "oracle")
        shutil.copytree(Path(__file__).parent, folder / "tests" / "hostile")
        about = folder / f"plusforge-{VERSION}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Name: plusforge\nVersion: {VERSION}\n")
        packages = Path(click.__file__).parents[1]
        for name in ("typeguard", "typing_extensions.py"):
            source = packages / name
            target = folder / name
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
        given = shutil.copy(manifest, folder) if manifest.exists() else "/nowhere"
        done = subprocess.run(
            [python, "-B", "-c", SCRIPT, str(given)],
            user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, text=True,
            check=False, cwd=folder,
            env={"PYTHONPATH": str(folder), "HOME": "/", "OPENAI_API_KEY": "sk-hostile"},
        )  # fmt: skip
    finally:
        shutil.rmtree(folder)
    assert done.stdout.split("\n") == ["strong", ""], done.stdout + done.stderr
