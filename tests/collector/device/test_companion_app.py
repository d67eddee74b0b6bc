"""The companion app on a phone: which it is, what it may do, removed and installed again."""

from __future__ import annotations

import shutil

import pytest

from collector.device.apps.companion_app import CompanionApp, shipped_app
from collector.device.health import doctor
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.companion.activities import NOTIFICATIONS, OVERLAY
from collector.model.companion.contract import CONTRACT_VERSION, VERSION_NAME
from collector.model.companion.status import CompanionStatus
from collector.model.errors import UserError
from collector.model.resources import assets_folder
from tests.helpers.shell_device import shell_device
from tests.helpers.virtual import adb_server, virtual_device


def _finding(device) -> tuple[str, str]:
    found = [each for each in doctor.examine_ready(device) if each.code in ("companion", "no_companion")]
    assert len(found) == 1
    return found[0].code, found[0].what


@pytest.mark.timeout(60)
def test_the_app_is_removed_and_installed_again_on_a_phone_over_adb() -> None:
    with virtual_device("todo", "companion") as phone, adb_server() as adb:
        adb.connect(phone.address)
        device = AdbDevice(phone.address, AdbServer(adb.port))
        app = CompanionApp(device)
        first = app.status()
        assert (first.version, first.contract, first.is_current) == (VERSION_NAME, CONTRACT_VERSION, True)
        assert _finding(device) == (
            "companion",
            f"The companion app is on this phone, version {VERSION_NAME}",
        )
        app.remove()
        assert app.status() == CompanionStatus()
        assert _finding(device) == ("no_companion", "The companion app is not on this phone")
        app.remove()  # which is no fault: it is not there
        again = app.install()
        assert again.is_current
        assert OVERLAY not in again.allowed
        assert app.allow(NOTIFICATIONS, allowed=False).allowed == frozenset()
        assert app.allow(OVERLAY, allowed=True).allowed == {OVERLAY}
        assert app.allow(NOTIFICATIONS, allowed=True).allowed == {OVERLAY, NOTIFICATIONS}
        assert app.allow(OVERLAY, allowed=False).allowed == {NOTIFICATIONS}
        assert app.install().is_current  # over itself, which keeps what it may do
        assert app.status().allowed == {NOTIFICATIONS}


def test_what_the_phone_does_not_do_is_said() -> None:
    with shell_device("todo") as device:
        app = CompanionApp(device)
        assert app.status().sentence == "The companion app is not on this phone"
        with pytest.raises(UserError, match="did not change what the companion app may do"):
            app.allow(OVERLAY, allowed=True)


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (CompanionStatus("1.0"), "D-GARA's companion app is on this phone, version 1.0"),
        (CompanionStatus("1.9", 1), "An older companion app is on this phone, version 1.9"),
    ],
)
def test_an_app_of_others_or_of_before_is_not_current(status, sentence) -> None:
    assert not status.is_current
    assert status.sentence == sentence


def test_a_damaged_app_is_not_installed(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "assets" / "companion"
    shutil.copytree(
        assets_folder() / "companion", folder, ignore=shutil.ignore_patterns("java", "res", "*.xml")
    )
    monkeypatch.setenv("WAYMARK_ASSETS", str(folder.parent))
    assert shipped_app() == folder / "companion.apk"
    with (folder / "companion.apk").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(UserError, match="its checksum is another one"):
        shipped_app()
    (folder / "companion.apk.sha256").unlink()
    with pytest.raises(UserError, match=r"cannot be used\. No such file or directory"):
        shipped_app()
