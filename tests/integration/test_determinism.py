"""The same benchmark and seed give the same bytes: any workers, hash seed, folder or load."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

NAMES = ("plus.jsonl.gz", "manifest.json", "rejected.json")


def digest(
    folder: Path, *, jobs: int = 1, hash_seed: str = "0", seed: int = 0, cwd: Path | None = None
) -> str:
    subprocess.run(
        [sys.executable, "-m", "plusforge.generator", "regenerate", "starter", "--quiet",
         "--tasks", "starter/[cs]*", "--budget", "60", "--seed", str(seed), "--jobs", str(jobs),
         "--out", str(folder)],
        check=True, cwd=cwd, env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )  # fmt: skip
    return sha256(b"".join((folder / name).read_bytes() for name in NAMES)).hexdigest()


def test_same_bytes_everywhere_and_other_bytes_for_another_seed(tmp_path: Path) -> None:
    first = digest(tmp_path / "a")
    other = tmp_path / "elsewhere"
    other.mkdir()
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        assert digest(tmp_path / "b", jobs=2, hash_seed="1") == first
        assert digest(other / "c", jobs=2, hash_seed="random", cwd=other) == first
    finally:
        burner.kill()
        burner.wait()
    assert digest(tmp_path / "d", seed=1) != first
