"""Papers' tables, copies, exports and episodes of a built window, and a project without an episode."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from collector.store.project.project import Project
from studio.widgets.controls import EmptyState

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def show_view(room, view: str) -> None:
    room.session.lay_out(replace(room.session.layout, view=view))
    room.until_counted()


@pytest.mark.all_workspaces
def test_papers_are_laid_out_and_every_number_opens_its_episodes(room, tmp_path) -> None:
    papers, panel = room.workspace.table.papers, room.workspace.episodes
    for view, tables in (("dgara", 1), ("probench", 1), ("a3", 1), ("openapps", 3)):
        show_view(room, view)
        assert len(papers.views) >= tables
        assert room.workspace.choices.rows.isHidden()
        for place, table in enumerate(papers.views):
            assert table.content.row_count == len(room.session.tables[place].report.rows) > 0
            table.select_number(0, 0)
            behind = room.session.tables[place].report.rows[0].cells[0].behind
            assert panel.model.rowCount() == (0 if behind is None else len(behind))
            assert papers.titles[place].text()
    assert "as recorded" in panel.how.text()
    room.workspace.take_keyboard()
    show_view(room, "dgara")  # another number of tables: those before are gone
    QTest.keyClick(room.studio.window.focusWidget(), Qt.Key.Key_Down)
    assert papers.views[0].selected == (0, 0)
    show_view(room, "")
    assert panel.model.rowCount() == 4  # the first number of the own table

    room.run("metrics.copy-markdown")
    room.until(lambda: QGuiApplication.clipboard().text().startswith("| Agent | Anomaly category | SR % |"))
    room.run("metrics.copy-latex")
    room.until(lambda: r"\begin{tabular}" in QGuiApplication.clipboard().text())
    room.run("metrics.copy-csv")
    room.until(lambda: QGuiApplication.clipboard().text().startswith('"Agent","Anomaly category","sr"'))
    for name, beginning in (("n.csv", '"Agent"'), ("n.tex", "%"), ("n.md", "| Agent"), ("n.json", "{")):
        room.workspace.copies.write(str(tmp_path / name))
        room.until(lambda path=tmp_path / name: path.exists() and path.stat().st_size)
        assert (tmp_path / name).read_text("utf-8").startswith(beginning)
    room.until(lambda: len(room.toasts) > 0)
    assert json.loads((tmp_path / "n.json").read_text("utf-8"))["tables"]


@pytest.mark.all_workspaces
def test_an_episode_opens_in_review_and_a_project_without_episodes_says_so(room, tmp_path) -> None:
    panel = room.workspace.episodes
    room.workspace.table.view.select_number(1, 0)
    room.run("metrics.open-episode")
    room.until(lambda: room.studio.window.current.scope == "review")
    room.until(lambda: room.studio.window.current.session.is_aligned)
    room.studio.window.show_workspace("metrics")
    Project.create(tmp_path / "bare", "Bare")
    room.studio.project_library.open(tmp_path / "bare")
    room.until(lambda: room.session.loaded is not None and len(room.session.loaded.found) == 0)
    assert any(page.isVisible() for page in room.workspace.findChildren(EmptyState))
    assert not room.workspace.table.isVisible()
    assert room.workspace.choices.isHidden()
    assert panel.model.rowCount() == 0
    assert not room.studio.commander.enabled("metrics.copy-csv")
