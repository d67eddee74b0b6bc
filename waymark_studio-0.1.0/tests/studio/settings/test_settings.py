"""Settings survive a round trip, refuse invalid values, and upgrade old files."""

from __future__ import annotations

import pytest
import yaml

from studio.settings import SETTINGS, Settings
from studio.settings.migrations import VERSION
from studio.settings.store import SettingError
from studio.settings.table import GROUPS
from tests.helpers.offenders import offenders


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "settings.yaml"


def test_what_is_set_is_read_back(path):
    settings = Settings(path)
    settings.set("appearance.theme", "light")
    settings.set("shortcuts.custom", {"app.quit": ["Ctrl+W"]})
    settings.save()
    again = Settings(path)
    assert again["appearance.theme"] == "light"
    assert again["shortcuts.custom"] == {"app.quit": ["Ctrl+W"]}
    assert again["appearance.scale"] == 1.0


def test_only_what_differs_is_written_and_reset_takes_it_away(path):
    settings = Settings(path)
    settings.set("appearance.theme", "dark")
    settings.reset("appearance.theme")
    settings.save()
    assert yaml.safe_load(path.read_text()) == {"version": VERSION}
    assert settings.is_default("appearance.theme")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("appearance.theme", "pink"),
        ("appearance.scale", 9.0),
        ("device.adb-port", "5037"),
        ("appearance.motion", 1),
        ("appearance.scale", True),
    ],
)
def test_values_that_are_not_allowed_are_refused(path, key, value):
    with pytest.raises(SettingError, match=key):
        Settings(path).set(key, value)


def test_a_file_of_version_1_is_upgraded(path):
    path.parent.mkdir()
    path.write_text("version: 1\ntheme: light\nlanguage: zh_CN\n")
    settings = Settings(path)
    assert (settings["appearance.theme"], settings["appearance.language"]) == ("light", "zh_CN")


VERSION_2_FILE = """\
device.addresses: ['10.0.0.2:5555']
inject.recent: [wifi_off]
keys.own:
  anomaly.buttons: [Ctrl+B]
  app.quit: []
  step.keep-from: [Ctrl+Up]
look.language: zh_CN
look.motion: false
look.scale: 1.5
look.theme: dark
recording.by-hand: false
recording.settle-ms: 300
version: 2
window.places: {left: 200}
window.recent: [/projects/shop]
window.reopen: false
"""
VERSION_2_VALUES = {
    "anomalies.recent": ["wifi_off"],
    "appearance.language": "zh_CN",
    "appearance.motion": False,
    "appearance.scale": 1.5,
    "appearance.theme": "dark",
    "device.recent-addresses": ["10.0.0.2:5555"],
    "recording.on-device-input": False,
    "recording.settle-ms": 300,
    "shortcuts.custom": {
        "anomaly.toggle-buttons": ["Ctrl+B"],
        "app.quit": [],
        "step.delete-before": ["Ctrl+Up"],
    },
    "window.layout": {"left": 200},
    "window.recent-projects": ["/projects/shop"],
    "window.reopen-project": False,
}


def test_a_file_of_version_2_keeps_every_value_under_its_new_key(path):
    path.parent.mkdir()
    path.write_text(VERSION_2_FILE)
    settings = Settings(path)
    assert {key: settings[key] for key in VERSION_2_VALUES} == VERSION_2_VALUES
    settings.save()
    assert yaml.safe_load(path.read_text()) == {"version": VERSION, **VERSION_2_VALUES}


@pytest.mark.expected_log("left at its default")
def test_custom_keys_of_the_wrong_type_are_dropped_by_the_upgrade(path):
    path.parent.mkdir()
    path.write_text("version: 2\nkeys.own: [Ctrl+B]\n")
    assert Settings(path)["shortcuts.custom"] == {}


@pytest.mark.expected_log("settings could not be read")
@pytest.mark.parametrize("text", ["version: 99\n", "{{{", "- a\n- list\n", "\x00"])
def test_a_broken_or_future_file_is_kept_aside_with_a_sentence(path, text):
    path.parent.mkdir()
    path.write_text(text)
    settings = Settings(path)
    assert "kept" in settings.problem
    assert path.with_suffix(".yaml.kept").read_text() == text
    assert settings["appearance.theme"] == "system"


@pytest.mark.expected_log("left at its default")
def test_keys_of_other_versions_stay_in_the_file(path):
    path.parent.mkdir()
    path.write_text(f"version: {VERSION}\nfuture.setting: 3\nlook.theme: 12\n")
    settings = Settings(path)
    settings.save()
    assert yaml.safe_load(path.read_text())["future.setting"] == 3
    assert settings["appearance.theme"] == "system"


def test_changed_emits_the_key_once_per_change(path):
    settings = Settings(path)
    changed_keys = []
    settings.changed.subscribe(changed_keys.append)
    settings.set("appearance.theme", "dark")
    settings.set("appearance.theme", "dark")
    assert changed_keys == ["appearance.theme"]


def test_a_value_of_the_command_line_holds_for_the_run_and_is_never_written(path):
    settings = Settings(path)
    changed_keys = []
    settings.changed.subscribe(changed_keys.append)
    settings.use_for_this_run("appearance.language", "zh_CN")
    assert settings["appearance.language"] == "zh_CN"
    assert not settings.is_default("appearance.language")
    settings.save()
    assert Settings(path)["appearance.language"] == "en"
    with pytest.raises(SettingError):
        settings.use_for_this_run("appearance.language", "tlh")
    settings.set("appearance.language", "en")  # the stored value, chosen again by the person
    assert (settings["appearance.language"], changed_keys) == ("en", ["appearance.language"])
    settings.use_for_this_run("appearance.theme", "dark")
    settings.set("appearance.theme", "dark")
    settings.save()
    assert Settings(path)["appearance.theme"] == "dark"


def test_changing_a_returned_value_does_not_change_the_settings(path):
    settings = Settings(path)
    settings["window.recent-projects"].append("x")
    assert settings["window.recent-projects"] == []


def check_row(setting):
    assert setting.problem(setting.default) == ""
    assert setting.title
    assert setting.doc
    assert setting.hidden or setting.group in GROUPS


def test_every_row_is_valid():
    assert offenders(check_row, SETTINGS, lambda setting: setting.key) == []


def test_a_delay_of_autosave_in_seconds_is_kept_in_milliseconds(path):
    path.parent.mkdir(parents=True)
    path.write_text("version: 4\nrecording.autosave-s: 5\n")
    assert Settings(path)["recording.autosave-ms"] == 5000
    path.write_text("version: 4\n")
    assert Settings(path)["recording.autosave-ms"] <= 200
