"""``waymark run`` on a hostile phone: an episode ends with an outcome or a sentence, without a traceback."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from collector.adb.smart_socket import OKAY
from collector.cli.main import main
from collector.hierarchy.tree_builder import MAX_NODES
from collector.model.task import Task
from collector.run.phones import connected_phones
from collector.store.project.project import Project
from tests.helpers import hostile_phone as phone
from tests.helpers.hostile_adb import SERIAL, Answer, drip, endless, hostile_adb, reset, shell

pytestmark = pytest.mark.attack
EXPERIMENT = "tasks: [t1]\nagents: [monkey]\nbudget: 10\nretries: 0\nreset: app-data\n"
FINISHED, ENDED_EARLY = 0, 1
WELL = "1 of 1 episodes are finished"
CROWD = f"<hierarchy>{phone.NODE * (MAX_NODES + 1)}</hierarchy>".encode()
BILLIONS = phone.TREE.replace(b"[10,10][110,110]", b"[-999999999,-999999999][999999999,999999999]")
EVIL_WINDOW = b"mCurrentFocus=Window{1 u0 $(id)/../x\x1b[2J}\nmFocusedApp=x\n"
ATTACKS: Mapping[str, tuple[Mapping[str, Answer], int, str]] = {
    "nothing at all": ({}, FINISHED, WELL),
    "too many nodes": ({"exec:cat": OKAY + CROWD}, ENDED_EARLY, "too many nodes to read"),
    "a tree without an end": ({"exec:cat": endless(b"x" * 65_536)}, ENDED_EARLY, "has no end"),
    "a tree in drops": ({"exec:cat": drip(OKAY + phone.TREE, 0.3)}, ENDED_EARLY, "not answer within 20 s"),
    "a tree that is cut": ({"exec:cat": reset(OKAY + b"<hier")}, ENDED_EARLY, "is offline"),
    "bounds of a billion": ({"exec:cat": OKAY + BILLIONS}, FINISHED, WELL),
    "a display of a billion pixels": (
        {"shell,v2,raw:wm size": shell(b"Physical size: 1000000000x1000000000\n")}, FINISHED, WELL,
    ),
    "input that fails in colours": (
        {"shell,v2,raw:input": shell(b"x" * 200_000, b"\x1b[2Jno", 255)}, ENDED_EARLY, "took no input. [2Jno",
    ),
    "input that breaks off": ({"shell,v2,raw:input": reset(OKAY)}, ENDED_EARLY, "is offline"),
    "a server that answers lengths that are none": (
        {"host:transport:": b"FAIL-001"}, ENDED_EARLY, "answered what cannot be read",
    ),
    "a window with the name of a command": (
        {"shell,v2,raw:dumpsys window": shell(EVIL_WINDOW)}, FINISHED, WELL,
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_run_ends_with_an_outcome_or_a_sentence(attack, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("collector.replay.phone.is_installed", lambda: False)
    monkeypatch.setattr(connected_phones, "_COMES_BACK_S", 1.0)
    project = Project.create(tmp_path / "project")
    project.save_tasks([Task("t1", "Buy it", "Shop", phone.APP)])
    experiments = project.folder / "experiments"
    experiments.mkdir(exist_ok=True)
    (experiments / "e.yaml").write_text(EXPERIMENT)
    answers, status, words = ATTACKS[attack]
    # Another phone for each worker of pytest: leases are for the whole account.
    own = {"shell,v2,raw:getprop ro.serialno": shell(f"P{os.getpid()}\n\nboot-1\n".encode())}
    with hostile_adb({**phone.WELL, **own, **answers}) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        ended = main(["run", "e", "--project", str(project.folder), "--devices", SERIAL])
    printed = "".join(capsys.readouterr())
    assert (ended, words in printed, "Traceback" in printed) == (status, True, False), printed
    assert printed.replace("\n", "").isprintable()
