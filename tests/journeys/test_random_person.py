"""Whatever a person does at random in any workspace: no error, no message of Qt, no torn message.

``--person 900 --person-seed 7`` lets the walk last 900 seconds, and be another one.
"""

from __future__ import annotations

import shutil

import pytest
from PySide6.QtGui import QDesktopServices

from collector.model.resources import asset
from collector.store.files.layout import CACHE
from tests.helpers.random_person import RandomPerson

OF_THE_PLATFORM = ("This plugin does not support", "propagateSizeHints")
pytestmark = [pytest.mark.qt_log_ignore(*OF_THE_PLATFORM, extend=True), pytest.mark.timeout(0)]


def test_nothing_that_is_done_at_random_breaks_the_window(
    person, qtbot, tmp_path, monkeypatch, request
) -> None:
    monkeypatch.chdir(tmp_path)  # a path that is typed leads nowhere else
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    folder = shutil.copytree(
        asset("sample"), tmp_path / "sample", ignore=shutil.ignore_patterns(".gitkeep", CACHE)
    )
    studio = person.studio
    with qtbot.waitSignal(studio.project_library.opened, timeout=60_000):
        studio.project_library.open(folder)
    person.take_phone()
    walker = RandomPerson(studio, qtbot, request.config.getoption("--person-seed"), OF_THE_PLATFORM)
    walker.walk(request.config.getoption("--person"))
    assert not walker.offences, "\n\n".join(walker.offences)
