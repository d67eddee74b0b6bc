"""Settings survive a round trip, refuse nonsense, and upgrade old files."""

from __future__ import annotations

import pytest
import yaml

from studio.settings import SETTINGS, Settings
from studio.settings.migrations import VERSION
from studio.settings.store import SettingError
from studio.settings.table import GROUPS


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "settings.yaml"


def test_what_is_set_is_read_back(path):
    settings = Settings(path)
    settings.set("look.theme", "light")
    settings.set("keys.own", {"app.quit": ["Ctrl+W"]})
    settings.save()
    again = Settings(path)
    assert again["look.theme"] == "light"
    assert again["keys.own"] == {"app.quit": ["Ctrl+W"]}
    assert again["look.scale"] == 1.0


def test_only_what_differs_is_written_and_reset_takes_it_away(path):
    settings = Settings(path)
    settings.set("look.theme", "dark")
    settings.reset("look.theme")
    settings.save()
    assert yaml.safe_load(path.read_text()) == {"version": VERSION}
    assert settings.is_default("look.theme")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("look.theme", "pink"),
        ("look.scale", 9.0),
        ("device.adb-port", "5037"),
        ("look.motion", 1),
        ("look.scale", True),
    ],
)
def test_values_that_are_not_allowed_are_refused(path, key, value):
    with pytest.raises(SettingError, match=key):
        Settings(path).set(key, value)


def test_an_old_file_is_upgraded(path):
    path.parent.mkdir()
    path.write_text("version: 1\ntheme: light\nlanguage: zh_CN\n")
    settings = Settings(path)
    assert (settings["look.theme"], settings["look.language"]) == ("light", "zh_CN")


@pytest.mark.expected_log("settings could not be read")
@pytest.mark.parametrize("text", ["version: 99\n", "{{{", "- a\n- list\n", "\x00"])
def test_a_broken_or_future_file_is_kept_aside_with_a_sentence(path, text):
    path.parent.mkdir()
    path.write_text(text)
    settings = Settings(path)
    assert "kept" in settings.problem
    assert path.with_suffix(".yaml.kept").read_text() == text
    assert settings["look.theme"] == "system"


@pytest.mark.expected_log("left at its default")
def test_keys_of_other_versions_stay_in_the_file(path):
    path.parent.mkdir()
    path.write_text(f"version: {VERSION}\nfuture.thing: 3\nlook.theme: 12\n")
    settings = Settings(path)
    settings.save()
    assert yaml.safe_load(path.read_text())["future.thing"] == 3
    assert settings["look.theme"] == "system"


def test_listeners_hear_the_key_once_a_change(path):
    settings = Settings(path)
    heard = []
    settings.changed.subscribe(heard.append)
    settings.set("look.theme", "dark")
    settings.set("look.theme", "dark")
    assert heard == ["look.theme"]


def test_a_value_handed_out_cannot_change_the_settings(path):
    settings = Settings(path)
    settings["window.recent"].append("x")
    assert settings["window.recent"] == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.key)
def test_every_row_is_sound(setting):
    assert setting.problem(setting.default) == ""
    assert setting.title
    assert setting.doc
    assert setting.hidden or setting.group in GROUPS
