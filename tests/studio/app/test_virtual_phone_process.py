"""A virtual phone started from the window says where it answers, or why it does not."""

from __future__ import annotations

import socket

import pytest

from collector.virtual.fleet.phone_process import PhoneProcess
from studio.app.phone_controller import VirtualPhoneProcess
from studio.settings import Settings


@pytest.fixture
def phone(qapp):
    phone = VirtualPhoneProcess()
    yield phone
    phone.close()


def test_a_phone_starts_answers_and_stops(phone, qtbot, tmp_path):
    with qtbot.waitSignal(phone.ready, timeout=30_000) as emitted:
        phone.start(Settings(tmp_path / "settings.yaml"))
    host, port = emitted.args[0].split(":")
    with socket.create_connection((host, int(port)), timeout=5):
        pass
    phone.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((host, int(port)), timeout=5)


def test_further_phones_of_one_seed_have_names_of_their_own(phone, monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(PhoneProcess, "start", lambda process: started.append(process.options.name))
    for number in (1, 2, 3):
        phone.start(Settings(tmp_path / "settings.yaml"), number)
    assert started == ["", "WAYMARK0001-2", "WAYMARK0001-3"]


def test_apps_of_a_phone_ask_for_their_permissions_where_the_settings_say_so(phone, monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(PhoneProcess, "start", lambda process: started.append(process.options.arguments()))
    settings = Settings(tmp_path / "settings.yaml")
    for asks in (False, True):
        settings.set("virtual.ask-permissions", asks)
        phone.start(settings)
    assert ["--ask-permissions" in words for words in started] == [False, True]


def test_a_size_that_is_none_is_told_in_a_sentence(phone, qtbot, tmp_path):
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("virtual.size", "huge")
    with qtbot.waitSignal(phone.failed, timeout=30_000) as emitted:
        phone.start(settings)
    assert "huge" in emitted.args[0]


def test_a_phone_plays_the_trajectory_that_it_is_started_with(phone, monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(PhoneProcess, "start", lambda process: started.append(process.options.arguments()))
    phone.start(Settings(tmp_path / "settings.yaml"), 1, ("/project/trajectories/task/golden",))
    (words,) = started
    assert words[-2:] == ["--from", "/project/trajectories/task/golden"]
    assert not {"--size", "--density", "--variation"} & set(words), "the recording decides them"
