"""What each step says of a phone on which something does not work. Where all works, the whole check tells."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from collector.anomalies.journal import UndoJournal, phone_key
from collector.device.device_info import DeviceInfo, Display
from collector.device_check import settings_app, test_screen
from collector.device_check.changes import CheckChanges
from collector.device_check.step import CheckStep, CheckStepRun, StepSkipped
from collector.device_check.steps.appearance import AppearanceStep
from collector.device_check.steps.broadcasts import BroadcastsStep
from collector.device_check.steps.clock import ClockStep
from collector.device_check.steps.lock import LockStep
from collector.device_check.steps.permissions import PermissionsStep
from collector.device_check.steps.pictures import PicturesStep
from collector.device_check.steps.reset import ResetStep
from collector.device_check.steps.secure import SecureStep
from collector.device_check.steps.storage import StorageStep
from collector.device_check.steps.touches import TouchesStep
from collector.model.errors import UserError
from collector.model.geometry import Size
from tests.helpers.checked_phone import CheckedShellDevice, checked_shell_device


@pytest.fixture(scope="module")
def phone() -> Iterator[CheckedShellDevice]:
    with checked_shell_device("settings", "maps") as device:
        yield device


def tried(phone: CheckedShellDevice, step: CheckStep, sdk: int = 35, **answers: str) -> CheckStepRun:
    """The run of a step on a real phone that answers some commands otherwise; what it changed is undone."""
    phone.answers = {pattern.replace("_", " "): text for pattern, text in answers.items()}
    changes = CheckChanges(phone, UndoJournal(phone_key(phone)), step.id)
    info = DeviceInfo(phone.serial, sdk=sdk, android=str(sdk - 20))
    run = CheckStepRun(
        phone, threading.Event(), changes, info, Display(Size(720, 1600)), say=lambda _text: None, observed={}
    )  # type: ignore[arg-type]
    try:
        step.run(run)
    finally:
        phone.answers = {}
        assert changes.restore(phone) == []
        changes.journal.close()
    return run


def lacking(run: CheckStepRun) -> dict[str, str]:
    return {ability.id: ability.reason for ability in run.abilities if not ability.works}


def test_little_storage_is_told(phone):
    full = "Filesystem 1K-blocks Used Available Use% Mounted on\n/data 90000 80000 10240 90% /data\n"
    assert "100 MB" in lacking(tried(phone, StorageStep(), df=full))["storage.free"]
    assert lacking(tried(phone, StorageStep(), df="df: no such file\n"))


@pytest.mark.parametrize(
    ("said", "ability"), [("1000000000.5\n", "clock.right"), ("date: what?\n", "clock.read")]
)
def test_a_clock_that_is_wrong_or_silent_is_told(phone, said, ability):
    assert list(lacking(tried(phone, ClockStep(), date=said))) == [ability]


def test_a_phone_that_hides_the_flags_of_its_windows_is_told(phone):
    assert "secure.known" in lacking(tried(phone, SecureStep(), **{"grep -c": "0\n"}))


def test_a_phone_that_does_not_say_that_a_screen_is_protected_is_told(monkeypatch):
    with checked_shell_device("settings", "companion") as phone:
        assert lacking(tried(phone, SecureStep())) == {}
        assert any(".TestScreenActivity --ez param_secure true" in line for line in phone.ran)
        monkeypatch.setattr(test_screen, "TEST_SECURE", "param_nothing")
        assert "does not say" in lacking(tried(phone, SecureStep()))["secure.known"]


def test_a_phone_without_a_touchscreen_reports_no_touches(phone):
    assert "touches.read" in lacking(
        tried(phone, TouchesStep(), getevent="add device 1: /dev/input/event0\n")
    )


def test_broadcasts_that_are_refused_are_named(phone):
    refusal = "java.lang.SecurityException: Permission Denial: not allowed to send broadcast\n"
    run = tried(phone, BroadcastsStep(), **{"am broadcast": refusal})
    assert set(lacking(run)) == {"broadcasts.send", "broadcasts.dialogs"}
    assert "CLOSE_SYSTEM_DIALOGS" in str(run.measurements)


def test_no_app_but_the_companion_is_reset(phone):
    with pytest.raises(StepSkipped, match="companion"):
        tried(phone, ResetStep())
    assert not any("pm clear" in command for command in phone.ran)


def test_a_lock_that_only_a_person_can_open_is_left_alone(phone):
    with pytest.raises(StepSkipped, match="lock"):
        tried(phone, LockStep(), locksettings="    secure=true\n")
    assert not any("keyevent 223" in command for command in phone.ran)


def test_what_an_old_android_does_not_have_is_no_fault_of_the_phone(phone):
    run = tried(phone, AppearanceStep(), sdk=28)
    assert lacking(run) == {}
    assert [ability.id for ability in run.abilities] == ["appearance.rotation", "appearance.font"]


def test_a_permission_that_cannot_be_revoked_is_told_without_the_name_of_the_app(phone):
    run = tried(phone, PermissionsStep(), **{"pm revoke": ""})
    assert "permissions.revoke" in lacking(run)
    assert "com.waymark.maps" not in str(lacking(run))


def test_a_phone_that_shows_no_settings_fails_in_words(phone, monkeypatch):
    monkeypatch.setattr(settings_app, "_OPENS_S", 0.0)
    with pytest.raises(UserError, match="settings"):
        tried(phone, PicturesStep(), **{"am start": "", "resolve-activity": "com.nobody/.Settings\n"})
