"""What protects this machine from the programs that are run, told honestly."""

from __future__ import annotations

from dataclasses import dataclass

from plusforge.oracle.launcher import ZygoteProcess

_NAMESPACES = ("user", "net", "ipc", "uts", "pid")

LAYERS = frozenset(f"{name} namespace" for name in _NAMESPACES) | frozenset(
    {"landlock", "mounts", "seccomp", "capabilities", "undumpable", "rlimits"}
)
"""Names of the layers that can be switched off; ``namespace`` stands for all five of those."""


NOT_NEEDED = "off: not needed"
"""Status of a layer that was left off because another one does its work."""

_VERDICTS = {
    "strong": "everything needed is in force",
    "medium": "programs are run, with files hidden but system calls not filtered",
    "weak": "nothing is run here: files cannot be hidden from programs",
}
"""What each level means for whoever wants to run something."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """The layers of confinement that are in force.

    Attributes:
        level: ``strong`` (files hidden, system calls filtered), ``medium`` (files hidden only) or
            ``weak`` (files are open to programs).
        layers: Name of each layer and its status: ``on...`` or ``off: reason``.
        python: Version of the interpreter that runs programs.
    """

    level: str
    layers: dict[str, str]
    python: str

    def active(self, layer: str) -> bool:
        """Tell whether a layer is in force."""
        return self.layers.get(layer, "off").startswith("on")

    def line(self) -> str:
        """Return one line for reports and result files."""
        files = "landlock" if self.active("landlock") else "mounts"
        spaces = [name for name in _NAMESPACES if self.active(f"{name} namespace")]
        filtered = self.active("seccomp")
        parts = {
            "level": self.level,
            "files": files if self.level != "weak" else "OPEN",
            "syscalls": "seccomp" if filtered else "OPEN",
            "net": "+".join(
                name
                for name, on in (("seccomp", filtered), ("namespace", "net" in spaces))
                if on
            ) or "OPEN",
            "namespaces": "+".join(spaces) or "none",
            "memory": "rlimit" if self.active("rlimits") else "OPEN",
            "secrets": "environment scrubbed",
            "python": self.python,
        }  # fmt: skip
        return "isolation: " + " ".join(f"{key}={value}" for key, value in parts.items())

    def report(self) -> list[str]:
        """Return lines for people: each layer, what to do, and last what it comes to."""
        hiding = "landlock" if self.active("landlock") else "mounts"
        spare = f"not needed: {hiding} hides the files"
        lines = [f"isolation: {self.level} (programs run on Python {self.python})"]
        for name, status in self.layers.items():
            lines.append(f"  {name:<15} {spare if status == NOT_NEEDED else status}")
        lines += [f"  -> {advice}" for advice in self.advice]
        return [*lines, _VERDICTS[self.level]]

    @property
    def advice(self) -> list[str]:
        """What to do to make it stronger; empty when nothing need be done."""
        advice = []
        if self.level == "weak":
            advice.append(
                "programs can read your files: use a kernel with Landlock (Linux 5.13 or later, "
                "RHEL 9.6), allow user namespaces (sysctl user.max_user_namespaces), or run "
                "everything inside a container that holds nothing of value and pass "
                "--allow-weak-isolation"
            )
        if not self.active("seccomp"):
            advice.append(
                "system calls are not filtered "
                f"({self.layers.get('seccomp', 'unknown')}): use x86_64 or aarch64 Linux with "
                "seccomp; programs can start processes and open sockets"
            )
        if not self.active("user namespace") and self.level == "strong":
            advice.append(
                "namespaces are off, which Landlock and seccomp make up for; on Ubuntu 24.04 "
                "`sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` turns them on"
            )
        return advice


def judge_layers(layers: dict[str, str], python: str) -> Isolation:
    """Return the isolation that a set of layers amounts to.

    Args:
        layers: Name of each layer and its status.
        python: Version of the interpreter.
    """
    found = Isolation("weak", dict(sorted(layers.items())), python)
    hidden = found.active("landlock") or found.active("mounts")
    if not hidden:
        return found
    level = "strong" if found.active("seccomp") else "medium"
    return Isolation(level, found.layers, python)


def check_layers(names: frozenset[str]) -> None:
    """Refuse names that are no layers.

    Raises:
        ValueError: A name is unknown.
    """
    unknown = sorted(names - LAYERS - {"namespace"})
    if unknown:
        raise ValueError(f"no such layers: {unknown}; there are {sorted(LAYERS)} and 'namespace'")


def probe(*, disable: frozenset[str] = frozenset()) -> Isolation:
    """Start a sandbox and tell which isolation is in force on this machine.

    Args:
        disable: Layers to switch off.

    Raises:
        SandboxError: No sandbox can be started at all.
        ValueError: A layer is unknown.
    """
    check_layers(disable)
    zygote = ZygoteProcess(hash_seed=0, disable=disable)
    zygote.close()
    return judge_layers(zygote.report["layers"], zygote.report["python"])
