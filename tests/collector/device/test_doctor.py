"""The doctor names what is wrong and how to mend it, from what a phone and adb say."""

from __future__ import annotations

import pytest

from collector.device.errors import ServerGone
from collector.device.health import doctor
from collector.device.health.host_checks import check_scrcpy
from collector.device.transport.listed_devices import ListedDevice
from collector.device.transport.shell_result import ShellResult
from collector.model.finding import Finding

WELL = {
    "getprop": "[ro.product.model]: [Pixel 7]\n[ro.waymark.seed]: [1]\n",
    "settings get": "com.google.android.inputmethod.latin/.LatinIME\n",
    "df ": "Filesystem 1K-blocks Used Available Use% Mounted on\n/data 9000000 1000 8000000 1% /data\n",
}


class Phone:
    """Answers commands by how they begin."""

    serial = "PHONE1"

    def __init__(self, **answers: str) -> None:
        self.answers = WELL | {name.replace("_", " "): text for name, text in answers.items()}

    def shell(self, command, *, timeout=10.0, cancel=None):
        line = command if isinstance(command, str) else " ".join(command)
        text = next((output for start, output in self.answers.items() if line.startswith(start)), "")
        return ShellResult(text.encode(), b"", 0)


def problems(phone) -> dict[str, Finding]:
    return {finding.code: finding for finding in doctor.examine_ready(phone) if finding.severity != "ok"}


def test_a_well_phone_has_no_problem():
    findings = doctor.examine_ready(Phone())
    assert [(finding.code, finding.severity, finding.where) for finding in findings] == [
        ("device", "ok", "PHONE1"),
        ("scrcpy", "ok", "PHONE1"),
        ("no_companion", "notice", "PHONE1"),
    ]


def test_a_maker_that_forbids_input_is_told_with_the_switch_to_set():
    output = "java.lang.SecurityException: Injecting input events requires INJECT_EVENTS permission\n"
    assert "Security settings" in problems(Phone(input=output))["input_denied"].to_do


@pytest.mark.parametrize(
    ("method", "code"),
    [("null\n", "no_keyboard"), ("com.android.adbkeyboard/.AdbIME\n", "automation_keyboard")],
)
def test_a_keyboard_nobody_can_type_with_is_told(method, code):
    assert problems(Phone(settings_get=method))[code].to_do


def test_little_storage_is_told_with_how_little():
    full = "Filesystem 1K-blocks Used Available Use% Mounted on\n/data 90000 80000 10240 90% /data\n"
    assert problems(Phone(df_=full))["storage"].why == "10 MB are free"


def test_a_protected_window_is_told():
    output = (
        "  Window #3 Window{1a2b u0 org.bank/org.bank.Pin}:\n      fl=LAYOUT_IN_SCREEN SECURE\n"
        "  mCurrentFocus=Window{1a2b u0 org.bank/org.bank.Pin}\n"
    )
    assert problems(Phone(dumpsys_window=output))["secure"].severity == "notice"


def test_a_missing_scrcpy_server_is_told_with_how_to_get_one(monkeypatch):
    from collector.device.video import scrcpy_server_jar as server_jar

    monkeypatch.setattr(server_jar, "_candidates", lambda: iter(()))
    findings = problems(Phone(getprop="[ro.product.model]: [Pixel 7]\n"))
    assert "SCRCPY_SERVER_PATH" in findings["no_scrcpy"].to_do


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        ("unauthorized", "unauthorized", "Allow"),
        ("offline", "offline", "cable"),
        ("no permissions", "offline", "cable"),
    ],
)
def test_a_phone_that_does_not_answer_is_told_by_its_state(state, code, words):
    (finding,) = doctor.examine(ListedDevice("PHONE1", state))
    assert (finding.code, finding.severity, finding.where) == (code, "problem", "PHONE1")
    assert words in finding.to_do


class Server:
    """An adb server in any condition."""

    def __init__(self, version: int = 41, *devices: ListedDevice) -> None:
        self._version, self._devices = version, devices

    def ensure(self):
        if not self._version:
            raise ServerGone("it will not start")

    def version(self):
        return self._version

    def devices(self):
        return self._devices


@pytest.mark.parametrize(
    ("server", "codes"),
    [
        (Server(0), {"no_adb"}),
        (Server(32), {"adb", "server_clash", "no_device"}),
        (Server(41), {"adb", "no_device"}),
        (
            Server(41, ListedDevice("A", "offline"), ListedDevice("B", "unauthorized")),
            {"adb", "several", "offline", "unauthorized"},
        ),
    ],
)
def test_the_computers_side_is_looked_at_first(server, codes):
    of_scrcpy = set() if codes == {"no_adb"} else {check_scrcpy().code}  # a checkout may have no server of it
    assert {finding.code for finding in doctor.diagnose(server)} == codes | of_scrcpy


def test_what_is_known_of_such_phones_is_told_with_its_remedy_when_it_looks_closely(monkeypatch):
    monkeypatch.setattr(doctor, "probe_screenshot", lambda _device: None)
    monkeypatch.setattr(doctor, "probe_tree", lambda _device: None)
    phone = Phone(getprop="[ro.product.manufacturer]: [HUAWEI]\n[ro.product.model]: [ELE-L29]\n")
    known = [finding for finding in doctor.examine_ready(phone) if finding.code == "quirk"]
    assert [finding.severity for finding in known] == ["notice", "notice"]
    assert "no screen recorder" in known[0].what
    assert all(finding.to_do and finding.where == "PHONE1" for finding in known)
