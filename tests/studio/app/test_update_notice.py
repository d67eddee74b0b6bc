"""No window asks for newer versions by itself, unless the settings say so, and then once a day."""

from __future__ import annotations

import pytest

from collector import __version__
from collector.releases.newest_release import VARIABLE
from tests.collector.releases.test_newest_release import names
from tests.helpers.chat_server import ChatServer

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def test_it_asks_once_a_day_where_the_settings_say_so_and_always_when_a_person_does(make, qtbot, monkeypatch):
    def said():
        return [toast.accessibleName() for toast in studio.window.toasts.shown]

    with ChatServer(names("99.0.0"), names("99.0.0"), names(__version__)) as server:
        monkeypatch.setenv(VARIABLE, server.address)
        studio = make()
        studio.updates.start()
        qtbot.waitUntil(lambda: not studio.tasks.jobs)
        assert (server.requests, said()) == ([], [])
        studio.settings.set("privacy.update-notice", True)
        studio.updates.start()
        qtbot.waitUntil(lambda: len(said()) == 1)
        assert "99.0.0 is published" in said()[0]
        studio.updates.start()
        qtbot.waitUntil(lambda: not studio.tasks.jobs)
        assert len(server.requests) == 1
        studio.commander.run("help.updates")
        qtbot.waitUntil(lambda: len(said()) == 2)
        studio.commander.run("help.updates")
        qtbot.waitUntil(lambda: "no newer version is published" in said()[-1])


def test_without_a_network_the_daily_question_says_nothing_and_a_persons_says_why(make, qtbot, monkeypatch):
    with ChatServer() as closed:
        address = closed.address
    monkeypatch.setenv(VARIABLE, address)
    studio = make()
    studio.settings.set("privacy.update-notice", True)
    studio.updates.start()
    qtbot.waitUntil(lambda: not studio.tasks.jobs)
    assert not studio.window.toasts.shown
    studio.commander.run("help.updates")
    qtbot.waitUntil(lambda: bool(studio.window.toasts.shown))
    assert "nothing listens" in studio.window.toasts.shown[0].accessibleName()
