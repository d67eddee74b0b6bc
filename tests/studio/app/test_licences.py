"""The licences are opened as a file."""

from __future__ import annotations

from pathlib import Path


def test_the_licences_are_opened_by_a_program_of_the_desktop(make, qtbot, monkeypatch):
    opened: list[Path] = []
    monkeypatch.setattr(
        "studio.views.desktop_toast.open_on_desktop", lambda path: opened.append(path) or True
    )
    monkeypatch.setattr("collector.host.licences.licences_text", lambda: "all of it")
    make().commander.run("help.licences")
    qtbot.waitUntil(lambda: bool(opened))
    assert opened[0].read_text("utf-8") == "all of it"
