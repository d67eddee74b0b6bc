"""A real window, virtual phone and adb server for tests that act as a person does."""

from __future__ import annotations

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from studio.theme import theme
from tests.helpers.journey import Person
from tests.helpers.phone_server import PhoneServer
from tests.helpers.studios import end_studio


@pytest.fixture(scope="session")
def phones():
    """A process of virtual phones and their adb server, for all journeys of a worker."""
    with PhoneServer() as server:
        yield server


@pytest.fixture
def phone_address(phones, monkeypatch, tmp_path):
    """The address of a new virtual phone, the only one that adb lists."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(phones.adb.port))
    with phones.phone() as address:
        yield address


@pytest.fixture
def person(qapp, qtbot, phone_address, tmp_path):
    """A person in front of a window of 1600 x 1000, with the phone connected."""
    theme.install(qapp, "dark", motion=False)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.window.show()
    studio.devices.start()
    yield Person(studio, qtbot, phone_address)
    end_studio(studio, qtbot)
