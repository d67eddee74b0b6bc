"""``waymark device data`` and ``task reward``: data of a phone, and what they come to by a target."""

from __future__ import annotations

import json

import pytest

from collector.cli.main import main
from collector.device.apps.app_data import AppDataReader
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.app_data.collections import APP_NAMES, COLLECTIONS, CONTENT_ID
from collector.model.app_data.document import PACKAGES
from collector.store.project.project import Project
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd")


@pytest.fixture(scope="module")
def serial():
    with virtual_device(*APP_NAMES) as phone:
        AdbServer().connect(phone.address)
        yield phone.address
        AdbServer().disconnect(phone.address)


@pytest.fixture
def run(capfd):
    def run(*words: str, status: int = 0) -> str:
        assert main(words) == status
        out, err = capfd.readouterr()
        return out + err

    return run


def test_every_collection_has_the_fields_that_are_documented(serial, run):
    data = json.loads(run("device", "data", "--device", serial, "--json"))
    assert data.keys() == {collection.name for collection in COLLECTIONS}
    for collection in COLLECTIONS:
        known = {field.name for field in collection.fields}
        for record in data[collection.name]:
            assert known <= record.keys() <= known | {CONTENT_ID, "name"}, collection.name
    packages = AdbDevice(serial).shell("pm list packages").text
    assert all(f"package:{name}" in packages for name in PACKAGES.values())
    assert "  id milk, title Buy milk, list my, due 20" in run("device", "data", "--device", serial)


def test_data_that_did_not_change_are_not_sent_again(serial):
    device, reader = AdbDevice(serial), AppDataReader()
    first = reader.read(device)
    assert reader.read(device) is first
    device.shell("cmd waymark state set todo <<END\ntasks: []\nEND")
    assert reader.read(device) == {**first, "todo.tasks": []}
    device.shell("cmd waymark state reset todo")
    assert reader.read(device) == first


def test_data_before_and_after_are_compared_with_the_target(serial, tmp_path, run):
    project = Project.create(tmp_path / "p")
    project.paths.tasks.write_text(
        "format: waymark-tasks\nversion: 2\ntasks:\n"
        "- {id: t, instruction: Do, target: {removed: {todo.tasks: {content_id: milk}}}}\n"
        "- {id: u, instruction: Do}\n"
    )
    text = run("device", "data", "--device", serial, "--json")
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(text)
    data = json.loads(text)
    del data["todo.tasks"][0]
    after.write_text(json.dumps(data))
    files = ("--project", str(project.folder), str(before))
    assert run("task", "reward", "t", *files, str(after)).startswith(
        "Reward 1, 100% of the parts\n  holds: todo.tasks: id milk is removed\n"
    )
    data["maps.saved"] = []
    after.write_text(json.dumps(data))
    found = json.loads(run("task", "reward", "t", *files, str(after), "--json", status=1))
    assert (found["reward"], found["share"], found["parts"][0]["holds"]) == (0, 1.0, True)
    assert len(found["side_effects"]) == len(json.loads(text)["maps.saved"])
    after.write_text("[]")
    assert "cannot be compared: app data are no mapping" in run(
        "task", "reward", "t", *files, str(after), status=1
    )
    assert "The task u has no target" in run("task", "reward", "u", *files, str(before), status=1)
    assert "no task v" in run("task", "reward", "v", *files, str(before), status=1)


OPENAPPS_STATE = {
    "todo": [{"id": 1, "title": "Sweep", "done": 0}], "calendar": [], "map": [], "messenger": [],
}  # fmt: skip


def test_states_of_openapps_are_compared_one_pair_or_line_by_line(tmp_path, run):
    project = Project.create(tmp_path / "p")
    project.paths.tasks.write_text(
        "format: waymark-tasks\nversion: 2\ntasks:\n"
        "- {id: sweep, instruction: Sweep, target: {semantics: openapps, done: Sweep}}\n"
        "- {id: maps, instruction: Open maps, target: {semantics: openapps, open_app: maps}}\n"
    )
    done = {**OPENAPPS_STATE, "todo": [{"title": "sweep!", "done": "1"}]}
    before, after, pairs = tmp_path / "before.json", tmp_path / "after.json", tmp_path / "pairs.jsonl"
    before.write_text(json.dumps(OPENAPPS_STATE))
    after.write_text(json.dumps(done))
    where = ("--project", str(project.folder))
    assert run("task", "reward", "sweep", *where, str(before), str(after)).startswith("Reward 1, 100%")
    lines = [
        {"task": "sweep", "before": OPENAPPS_STATE, "after": done},
        {"after": OPENAPPS_STATE},
        {"task": "maps", "after": {"_url": "http://h/maps/"}},
        {"task": "maps", "before": {"todo.tasks": []}, "after": {"todo.tasks": []}, "front": "maps"},
        {"after": {"todo.tasks": [{"title": "Sweep"}]}, "front": "todo"},
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    answers = [json.loads(line) for line in run("task", "rewards", *where, str(pairs), "--json").splitlines()]
    assert [(answer["line"], answer["task"], answer["reward"]) for answer in answers] == [
        (1, "sweep", 1), (2, "sweep", 0), (3, "maps", 1), (4, "maps", 1), (5, "maps", 0),
    ]  # fmt: skip
    assert answers[1]["why"] == "The states differ at todo[0].done"
    assert answers[4]["why"] == "Not reached: maps is in front. Side effects: todo.tasks: 'Sweep' was added"
    assert "2  sweep  0  The states differ at todo[0].done\n" in run("task", "rewards", *where, str(pairs))
    wrong = [b"{", b"[]", b'{"task": "no", "after": {}}', b'{"task": "maps", "after": {}, "front": "x"}', b""]
    pairs.write_bytes(b"\n".join(wrong) + b'\n{"task": "maps", "before": {}, "after": {}}\n')
    text = run("task", "rewards", *where, str(pairs), "--json", status=1)
    answers = [json.loads(line) for line in text.splitlines()]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 6]
    assert [answer.get("reward", "error") for answer in answers] == ["error"] * 4 + [0]
    assert "no task no" in answers[2]["error"]
