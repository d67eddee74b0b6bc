"""``waymark anomaly fire``, ``undo`` and ``rehearse``, ``waymark project trust``, through real adb."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collector.anomalies.injector import Injector
from collector.cli.main import main
from collector.device.transport.adb_server import AdbServer
from collector.store.project.project import Project
from collector.virtual.device import VirtualDevice
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")

LIBRARY = """interference_library:
  - id: own
    target_activity: LowBatteryActivity
    params: {param_title: Our own, param_button_text: Go, param_log_event: OWN_GO}
    post_actions: {"EVENT:OWN_GO": [{type: adb, command: settings put global waymark_x 1}]}
"""
RULES = """rules:
  - id: in-shop
    conditions: {all: [{type: current_package_is, value: com.waymark.shop}]}
    actions: [{type: inject_interference, interference_id: wifi_off}]
"""


@pytest.fixture(scope="module")
def connected() -> Iterator[VirtualDevice]:
    with virtual_device("shop", "settings", "companion") as phone:
        AdbServer().connect(phone.address)
        yield phone
        AdbServer().disconnect(phone.address)


@pytest.fixture
def phone(connected: VirtualDevice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> VirtualDevice:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    connected.phone.launch("com.waymark.shop")
    return connected


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "p")
    (project.folder / "anomalies").mkdir()
    (project.folder / "anomalies" / "library.yaml").write_text(LIBRARY, "utf-8")
    (project.folder / "rules").mkdir()
    (project.folder / "rules" / "injection.yaml").write_text(RULES, "utf-8")
    return project


class Printed:
    """Runs the command; what it printed, and its exit status."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.err = ""

    def __call__(self, *words: str) -> tuple[int, str]:
        status = main(words)
        out, self.err = self._capsys.readouterr()
        return status, out

    def json(self, *words: str) -> Any:
        return json.loads(self(*words, "--json")[1])


@pytest.fixture
def waymark(capsys: pytest.CaptureFixture[str]) -> Printed:
    return Printed(capsys)


def test_a_native_change_stays_until_it_is_undone(phone: VirtualDevice, waymark: Printed) -> None:
    status, printed = waymark(
        "anomaly", "fire", "battery_level", "--device", phone.address, "--set", "level=5"
    )
    assert status == 0
    assert "battery_level is injected" in printed
    assert "1 change stays on the phone" in printed
    assert phone.phone.battery.level == 5
    listed = waymark.json("anomaly", "undo", "--device", phone.address)["pending"]
    (change,) = listed
    assert (change["anomaly"], change["kept"]) == ("battery_level", True)
    assert change["undo"][0] == "if [ '' ]; then dumpsys battery unplug; else dumpsys battery reset; fi"
    assert waymark("anomaly", "undo", listed[0]["injection"], "--device", phone.address) == (
        0, "battery_level is undone\n",
    )  # fmt: skip
    assert phone.phone.battery.level != 5
    assert waymark("anomaly", "undo", "--all", "--device", phone.address) == (
        0, "Nothing is changed on this phone\n",
    )  # fmt: skip


def test_a_change_is_held_for_its_time_and_taken_back(phone: VirtualDevice, waymark: Printed) -> None:
    document = waymark.json("anomaly", "fire", "wifi_off", "--device", phone.address, "--undo-after", "0")
    assert [event["transition"] for event in document["events"]] == ["injected", "undone"]
    assert (document["stage"], document["pending"]) == ("undone", [])
    assert phone.phone.settings.get("global", "wifi_on") == "1"


def test_a_dialog_is_watched_until_it_is_answered(
    phone: VirtualDevice, waymark: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = Injector.look

    def look_and_press(self: Injector, cancel: threading.Event | None = None) -> Any:
        """The person answers between two looks."""
        injection = looked(self, cancel)
        if injection is not None and not injection.is_over:
            phone.phone.key(4)
        return injection

    monkeypatch.setattr(Injector, "look", look_and_press)
    status, printed = waymark("anomaly", "fire", "battery_low_double_en", "--device", phone.address)
    assert status == 0
    assert printed.splitlines()[-1] == "closed by Back"


def test_commands_of_a_project_are_shown_and_run_only_when_trusted(
    phone: VirtualDevice, project: Project, waymark: Printed
) -> None:
    folder = str(project.folder)
    fire = ("anomaly", "fire", "own", "--project", folder, "--device", phone.address, "--wait", "0")
    status, _said = waymark(*fire)
    assert status == 1
    assert "own\n  settings put global waymark_x 1\n      settings: global/waymark_x" in waymark.err
    assert "no terminal to ask on" in waymark.err
    document = waymark.json("project", "trust", folder)
    assert document["trusted"] is False
    assert document["commands"][0]["settings"] == ["global/waymark_x"]
    assert waymark.json("project", "trust", folder, "--yes")["trusted"] is True
    assert Project.open(project.folder).trusted
    assert waymark(*fire)[0] == 0
    waymark("anomaly", "undo", "--all", "--device", phone.address)
    assert waymark.json("project", "trust", folder, "--revoke")["trusted"] is False
    assert waymark(*fire)[0] == 1


def test_what_a_rule_lets_follow_is_shown_and_trusted_with_the_rest(
    phone: VirtualDevice, project: Project, waymark: Printed
) -> None:
    folder, rules = str(project.folder), project.folder / "rules" / "injection.yaml"
    follow_up = "interference_id: wifi_off, follow_up: {accept: settings put global waymark_y 1}"
    rules.write_text(RULES.replace("interference_id: wifi_off", follow_up), "utf-8")
    rehearse = ("anomaly", "rehearse", folder, "--device", phone.address, "--force", "--rule", "in-shop")
    assert waymark(*rehearse)[0] == 1
    assert "Rule in-shop\n  settings put global waymark_y 1\n" in waymark.err
    document = waymark.json("project", "trust", folder)
    assert [(entry.get("anomaly"), entry.get("rule")) for entry in document["commands"]] == [
        ("own", None), (None, "in-shop"),
    ]  # fmt: skip
    assert waymark("project", "trust", folder, "--yes")[0] == 0
    assert waymark(*rehearse)[0] == 0
    assert waymark("anomaly", "undo", "--all", "--device", phone.address)[0] == 0


def test_a_rule_is_rehearsed_dry_then_forced(
    phone: VirtualDevice, project: Project, waymark: Printed
) -> None:
    rehearse = ("anomaly", "rehearse", str(project.folder), "--device", phone.address)
    status, printed = waymark(*rehearse, "--dry-run")
    assert status == 0
    assert re.fullmatch(r"state 1: in-shop: would fire wifi_off: .*com\.waymark\.shop.*\n", printed)
    assert phone.phone.settings.get("global", "wifi_on") == "1"
    phone.phone.key(3)
    assert waymark(*rehearse, "--dry-run") == (0, "No rule fires here, or nearly does\n")
    assert waymark.json(*rehearse)["rules"][0]["shown"] in ("near", "silent")
    document = waymark.json(*rehearse, "--force", "--rule", "in-shop")
    assert (document["rules"][0]["shown"], document["rules"][0]["forced"]) == ("fired", True)
    assert phone.phone.settings.get("global", "wifi_on") == "0"
    assert waymark("anomaly", "undo", "--all", "--device", phone.address)[0] == 0
    assert phone.phone.settings.get("global", "wifi_on") == "1"


def test_a_dangerous_command_nobody_can_be_asked_about_is_refused_and_the_rest_follows(
    phone: VirtualDevice, project: Project, waymark: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, dangerous = project.folder / "anomalies" / "library.yaml", "{type: adb, command: reboot}"
    library.write_text(LIBRARY.replace("[{type", f"[{dangerous}, {{type"), "utf-8")
    looked = Injector.look

    def look_and_press(self: Injector, cancel: threading.Event | None = None) -> Any:
        if self.open is not None:
            answer = {"dialog": self.open.id, "answer": "accept", "how": "touch", "event": "OWN_GO"}
            self.device.shell(["log", "-t", "WaymarkCompanion", "-p", "i", json.dumps(answer)])
        return looked(self, cancel)

    monkeypatch.setattr(Injector, "look", look_and_press)
    document = waymark.json(
        "anomaly", "fire", "own", "--project", str(project.folder), "--yes", "--device", phone.address
    )
    phone.phone.key(4)
    assert [event["transition"] for event in document["events"]] == [
        "injected",
        "answered",
        "failed",
        "followed",
    ]
    assert "A person has to allow this command" in document["events"][2]["reason"]
    assert phone.phone.settings.get("global", "waymark_x") == "1"


def test_a_rehearsal_under_a_dialog_is_refused_at_once(
    phone: VirtualDevice, project: Project, waymark: Printed
) -> None:
    fire = ("anomaly", "fire", "battery_low_single_en", "--device", phone.address, "--wait", "0")
    assert waymark(*fire)[0] == 0
    rehearse = ("anomaly", "rehearse", str(project.folder), "--device", phone.address, "--dry-run")
    assert waymark(*rehearse)[0] == 1
    assert "A dialog of the companion app lies on top" in waymark.err
    assert waymark("anomaly", "undo", "--all", "--device", phone.address)[0] == 0
    assert waymark(*rehearse)[0] == 0


@pytest.mark.parametrize(
    ("words", "status", "printed"),
    [
        (("fire", "battry_level"), 1, "Name one of: battery_level"),
        (("fire", "battery_level", "--set", "level"), 2, "write it as NAME=VALUE"),
        (("fire", "battery_level", "--set", "level=x"), 1, "level cannot be x"),
        (("rehearse", "EMPTY"), 1, "The project has no injection rules"),
        (("undo", "nonsense"), 1, "Nothing on this phone has the id nonsense"),
        (("fire", "app_crash", "--package", "a b"), 1, "is no package"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    phone: VirtualDevice, waymark: Printed, tmp_path: Path, words: tuple[str, ...], status: int, printed: str
) -> None:
    Project.create(tmp_path / "empty")
    words = tuple(str(tmp_path / "empty") if word == "EMPTY" else word for word in words)
    assert waymark("anomaly", *words, "--device", phone.address)[0] == status
    assert printed in waymark.err


def test_a_phone_that_is_not_there_is_one_sentence(phone: VirtualDevice, waymark: Printed) -> None:
    assert phone
    assert waymark("anomaly", "fire", "wifi_off", "--device", "nowhere")[0] == 1
    assert "No device nowhere is connected" in waymark.err


@pytest.mark.parametrize(
    ("words", "printed"),
    [(("check", "nowhere.yaml"), "'nowhere.yaml' does not exist"), (("fire",), "Missing argument 'ID'")],
)
def test_wrong_usage_is_one_document_too(waymark: Printed, words: tuple[str, ...], printed: str) -> None:
    status, out = waymark("anomaly", *words, "--json")
    assert (status, json.loads(out)["error"]["to_do"]) == (2, "")
    assert printed in json.loads(out)["error"]["what"]
    assert printed in waymark.err
