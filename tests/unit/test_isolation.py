"""What a set of layers amounts to, said in one line."""

import pytest
from plusforge.oracle.isolation import judge_layers

ALL = {
    "user namespace": "on", "net namespace": "on", "ipc namespace": "on", "uts namespace": "on",
    "pid namespace": "on", "landlock": "on: version 7", "mounts": "off: not needed",
    "seccomp": "on: 195 instructions", "rlimits": "on", "capabilities": "on", "undumpable": "on",
}  # fmt: skip


def without(*names, **changes):
    layers = {**ALL, **dict.fromkeys(names, "off: Operation not permitted"), **changes}
    return judge_layers(layers, "3.11.7")


@pytest.mark.parametrize(
    ("found", "level"),
    [
        (without(), "strong"),
        (without("user namespace", "net namespace", "pid namespace"), "strong"),
        (without("landlock", mounts="on"), "strong"),
        (without("seccomp"), "medium"),
        (without("landlock", "seccomp", mounts="on"), "medium"),
        (without("landlock"), "weak"),
        (judge_layers({}, "3.11.7"), "weak"),
    ],
)
def test_level(found, level):
    assert found.level == level


def test_a_strong_machine_needs_no_advice():
    assert without().advice == []
    assert without().line() == (
        "isolation: level=strong files=landlock syscalls=seccomp net=seccomp+namespace "
        "namespaces=user+net+ipc+uts+pid memory=rlimit secrets=environment scrubbed python=3.11.7"
    )


def test_what_is_open_is_called_open():
    line = without("landlock", "seccomp", "net namespace", "rlimits").line()
    for part in ("level=weak", "files=OPEN", "syscalls=OPEN", "net=OPEN", "memory=OPEN"):
        assert part in line


def test_advice_names_the_remedy():
    assert "Landlock" in without("landlock").advice[0]
    assert "seccomp" in without("seccomp").advice[0]
    assert "apparmor_restrict_unprivileged_userns" in without("user namespace").advice[0]


def test_the_report_ends_with_a_plain_sentence():
    lines = without().report()
    assert lines[0] == "isolation: strong (programs run on Python 3.11.7)"
    assert "  mounts          not needed: landlock hides the files" in lines
    assert lines[-1] == "everything needed is in force"
    assert max(map(len, lines)) < 80
    weak = without("landlock").report()
    assert weak[-2].startswith("  -> programs can read your files")
    assert weak[-1] == "nothing is run here: files cannot be hidden from programs"
    assert "not filtered" in without("seccomp").report()[-1]
