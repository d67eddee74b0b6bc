"""``waymark rules edit FILE``: a window of the Rules workspace alone, over files that may lie anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from collector.cli.main import waymark
from collector.rules.grammar.model import INJECTION, SUCCESS
from studio.app import main as program
from studio.app.main import Options
from studio.app.studio import Studio
from studio.settings import Settings
from tests.helpers.rule_room import INJECTION_TEXT, SUCCESS_TEXT, make_project
from tests.helpers.studios import end_studio

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


@pytest.fixture
def studio(dressed, qtbot, tmp_path):
    studio_app = Studio(Settings(tmp_path / "settings.yaml"), only="rules")
    studio_app.show()
    yield studio_app
    end_studio(studio_app, qtbot)


def test_files_are_edited_and_saved_where_they_lie(studio, qtbot, tmp_path) -> None:
    injection, success = tmp_path / "rules.yaml", tmp_path / "success.yaml"
    injection.write_text(INJECTION_TEXT, encoding="utf-8")
    success.write_text(SUCCESS_TEXT, encoding="utf-8")
    rules = studio.window.workspace("rules")
    assert studio.window.current is rules
    studio.commander.run("rules.open-file", path=str(injection))
    studio.commander.run("rules.open-file", path=str(success))
    session = rules.session
    qtbot.waitUntil(lambda: set(session.documents.documents) == {INJECTION, SUCCESS})
    qtbot.waitUntil(lambda: session.rule is not None)
    rules.rule_edits.set_field("priority", 7)
    qtbot.waitUntil(lambda: not session.documents.dirty)
    assert "priority: 7" in injection.read_text("utf-8")
    assert success.read_text("utf-8") == SUCCESS_TEXT


def test_the_verbs_name_the_project_or_find_it_around_their_files(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "project"
    make_project(folder)
    asked: list[Options] = []
    monkeypatch.setattr(program, "open_studio", lambda options: asked.append(options) or 0)
    file = folder / "rules" / "injection.yaml"
    loose = tmp_path / "loose.yaml"
    loose.write_text(INJECTION_TEXT, encoding="utf-8")
    for path in (file, loose):
        assert CliRunner().invoke(waymark, ["rules", "edit", str(path)]).exit_code == 0
    assert [
        (Path(request.project) if request.project else None, request.rule_files, request.alone)
        for request in asked
    ] == [
        (folder, (str(file),), True),
        (None, (str(loose),), True),
    ]
    asked.clear()
    for words in (["--project", str(folder)], [str(folder)], []):
        assert CliRunner().invoke(waymark, ["studio", *words]).exit_code == 0
    assert [request.project for request in asked] == [str(folder), str(folder), ""]
    assert CliRunner().invoke(waymark, ["studio", str(folder), "--project", str(folder)]).exit_code == 2
