"""The hosts that a person has allowed: kept with the person, whole, and never widened by a project."""

from __future__ import annotations

import json
import threading

import pytest

from collector.cli.main import main
from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.host.user_folders import state_folder
from collector.store.files.errors import Damaged

HOST, OTHER = "https://models.example", "https://other.example"


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))


def test_a_host_is_allowed_with_its_keys_until_it_is_forgotten():
    hosts = AllowedHosts()
    asked = Transfer(HOST, ("gpu",))
    assert hosts.missing([asked, asked]) == [asked]
    hosts.allow([Transfer(HOST)])
    assert hosts.missing([Transfer(HOST)]) == []
    assert hosts.missing([asked]) == [asked]
    hosts.allow([asked, Transfer(OTHER, ("$TOKEN",))])
    assert hosts.missing([asked]) == []
    assert hosts.missing([Transfer(HOST, ("$TOKEN",))]) != []  # it belongs to the other host
    assert AllowedHosts().hosts() == {HOST: ("gpu",), OTHER: ("$TOKEN",)}
    assert (hosts.forget(HOST), hosts.forget(HOST)) == (True, False)
    assert hosts.missing([asked]) == [asked]


def test_what_is_allowed_for_a_copy_holds_there_alone(tmp_path):
    copy = AllowedHosts(tmp_path / "copy")
    AllowedHosts().allow([Transfer(OTHER)])
    copy.replace({HOST: ["gpu"]})
    assert copy.hosts() == {HOST: ("gpu",), OTHER: ()}
    assert AllowedHosts().hosts() == {OTHER: ()}
    assert AllowedHosts(tmp_path / "another").missing([Transfer(HOST)]) != []
    copy.replace({})
    assert json.loads((state_folder() / "allowed-hosts.json").read_text())["copies"] == {}


def test_two_who_allow_at_the_same_time_lose_nothing():
    threads = [
        threading.Thread(target=lambda number=number: AllowedHosts().allow([Transfer(f"https://h{number}")]))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(AllowedHosts().hosts()) == 8


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 1}', '{"version": 1, "hosts": [], "copies": {}}', "[" * 100_000,
     '{"version": 1, "hosts": {"x": "all"}, "copies": {}}', '{"version": 2, "hosts": {}, "copies": {}}'],
)  # fmt: skip
def test_a_damaged_file_allows_nothing_and_is_not_overwritten(text):
    path = state_folder() / "allowed-hosts.json"
    path.parent.mkdir()
    path.write_text(text)
    for use in (lambda: AllowedHosts().hosts(), lambda: AllowedHosts().allow([Transfer(HOST)])):
        with pytest.raises(Damaged, match=r"allowed-hosts.json cannot be read.*Correct or remove it"):
            use()
    assert path.read_text() == text


@pytest.mark.parametrize(("origin", "note"), [
    ("https://models.example", ""),
    ("http://models.example", " (not encrypted: anybody on the way can read it)"),
    ("http://127.0.0.1:8000", " (a program on this computer)"),
    ("https://[::1]", " (a program on this computer)"),
])  # fmt: skip
def test_a_person_reads_what_is_sent_and_over_what(origin, note):
    assert Transfer(origin, ("gpu", "$TOKEN")).sentences() == (
        f"send pictures, UI trees and texts of the phone to {origin}{note}",
        f"send the key gpu to {origin}",
        f"send the environment variable TOKEN to {origin}",
    )


def test_hosts_are_listed_allowed_and_forgotten_on_the_command_line(capsys):
    assert main(["agent", "host", "list"]) == 0
    assert "No host is allowed" in capsys.readouterr().out
    words = ["agent", "host", "allow", f"{HOST}/v1", "--key", "gpu", "--key-env", "TOKEN"]
    assert main(words) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Allowed: send pictures, UI trees and texts of the phone to {HOST}",
        f"Allowed: send the key gpu to {HOST}",
        f"Allowed: send the environment variable TOKEN to {HOST}",
    ]
    assert main(["agent", "host", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"hosts": [{"host": HOST, "keys": ["$TOKEN", "gpu"]}]}
    assert main(["agent", "host", "forget", HOST]) == 0
    assert main(["agent", "host", "forget", HOST]) == 1
    assert "is not allowed" in capsys.readouterr().err
    assert main(["agent", "host", "allow", "models.example"]) == 1
    assert main(["agent", "host", "allow", HOST, "--key", "sk-secret"]) == 1
    assert "sk-secret" not in capsys.readouterr().err
    assert AllowedHosts().hosts() == {}
