"""Rows of a long measurement, kept in a file as they come: a run that was broken off goes on.

Each row carries the digest of the code that it was measured with; rows of other code do not count.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from plusforge import generator, oracle
from plusforge.oracle.workers import spread

Row = dict[str, Any]


class Keyed(Protocol):
    """A piece of work that knows what its row is told by."""

    @property
    def key(self) -> str:
        """Return what tells its row from others."""


Piece = TypeVar("Piece", bound=Keyed)


def rows_of(
    work: Callable[[Piece], Row],
    pieces: Sequence[Piece],
    file: Path,
    jobs: int,
    *,
    lost: Callable[[Piece], Row],
) -> Iterator[Row]:
    """Yield the row of each piece: those that the file holds, then the new ones as they come.

    Args:
        work: A function of a module; measures one piece.
        pieces: With different keys.
        file: Is appended to.
        jobs: Number of processes.
        lost: Makes the row of a piece whose worker died twice.
    """
    code = code_digest()
    known: dict[str, Row] = {}
    if file.exists():
        for line in file.read_text().splitlines():
            row: Row = json.loads(line)
            if row.get("code") == code:
                known[row["key"]] = row
    yield from (known[piece.key] for piece in pieces if piece.key in known)
    missing = [piece for piece in pieces if piece.key not in known]
    if not missing:
        return
    with file.open("a") as out:
        for row in spread(work, missing, jobs, lost=lost):
            out.write(json.dumps(row | {"code": code}) + "\n")
            out.flush()
            yield row


def code_digest() -> str:
    """Return the digest of the packages that are measured."""
    digest = hashlib.sha256()
    for module in (oracle, generator):
        for path in sorted(Path(str(module.__file__)).parent.glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
