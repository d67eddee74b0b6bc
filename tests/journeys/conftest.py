"""A window, a phone and the adb between them, all real, for journeys a person would make."""

from __future__ import annotations

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from tests.helpers.journey import Person
from tests.helpers.virtual import adb_server, virtual_process


@pytest.fixture
def phone_address(monkeypatch, tmp_path):
    """A virtual phone as a process of its own, connected to an adb server of its own."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with (
        adb_server() as server,
        virtual_process("--size", "720x1600", "--density", "320") as (_process, address),
    ):
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        server.connect(address)
        yield address


@pytest.fixture
def person(qapp, qtbot, phone_address, tmp_path):
    """Somebody in front of a window at 1600 x 1000, with the phone in use."""
    theme.install(qapp, "dark", motion=False)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.window.show()
    studio.devices.start()
    yield Person(studio, qtbot, phone_address)
    # As the program ends: the window closes, what runs behind ends, and only then is it taken apart.
    studio.window.close()
    studio.close()
    studio.window.deleteLater()
    studio.deleteLater()
    qtbot.wait(0)
