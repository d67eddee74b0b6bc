"""The tab Health tells what is found, folds kinds, and its fixes are done, and undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.model.episode import Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.expected_answer import CONTAINS, ExpectedAnswer
from collector.model.task import Task
from collector.model.verdicts.judgement import RULE
from collector.project_health.health_finding import FixKind
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from studio.views.project.bottom_panel import HEALTH
from studio.views.project.health.health_entries import UNKNOWN
from studio.views.project.health.health_panel import HealthPanel
from tests.helpers.run_files import says, write_run
from tests.helpers.steps import xml

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints", "grabbing the keyboard", "raise", "This plugin does not support", extend=True
)


@pytest.fixture
def project(studio, qtbot, tmp_path):
    """A leaked answer, a state that every run reaches, and verdicts of other rules than those of now."""
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks(
        [
            Task("buy", "Buy a lamp"),
            Task("ask", "Is it oak?", expected_answer=ExpectedAnswer(("oak",), CONTAINS)),
        ],
        states=[StateChange(None, EssentialState("buy-1", "In the cart", "buy"))],
    )
    path = project.paths.rule_file("state")
    text = path.read_text(encoding="utf-8")
    held = "    conditions: [{type: element_exists, selector: \"text='OK'\"}]\n"
    path.write_text(text.rstrip() + "\n" + held, encoding="utf-8")
    for number in range(6):
        given = says("rules", RULE, "success", buy_1=0)
        folder = write_run(project, f"r{number}", Episode("e", agent="m"), Outcome("success"), task="buy",
                           judgements=given)  # fmt: skip
        (folder / "states").mkdir()
        (folder / "states/0000.xml").write_bytes(xml())
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    return project


def row_of(panel: HealthPanel, fix: FixKind) -> int:
    """The row of the first finding with a fix."""
    return next(
        at for at, entry in enumerate(panel.list.entries)
        if entry.fix is not None and entry.fix.kind == fix
    )  # fmt: skip


def test_findings_are_listed_by_kind_and_fixes_are_done_and_undone(studio, project, qtbot):
    workspace = studio.window.workspace("project")
    panel, health = workspace.bottom.health, studio.health
    studio.commander.run("project.health")
    qtbot.waitUntil(lambda: health.report is not None and not health.is_looking)
    assert workspace.bottom.tabs.current == HEALTH
    heads = [entry.kind for entry in panel.list.entries if entry.is_head]
    assert heads == [
        "always-done", "answer-given-away", "state-always-reached", "verdicts-outdated", UNKNOWN
    ]  # fmt: skip
    assert panel.summary.text() == "4 findings of 4 kinds"
    count = len(panel.list.entries)
    panel.list.choose(0)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert len(panel.list.entries) == count - 1
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert len(panel.list.entries) == count

    states = project.paths.rule_file("state")
    panel.list.choose(row_of(panel, FixKind.MAKE_OPTIONAL))
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "optional: true" in states.read_text(encoding="utf-8"))
    studio.rule_documents.history.undo()
    qtbot.waitUntil(lambda: "optional" not in states.read_text(encoding="utf-8"))

    panel.list.choose(row_of(panel, FixKind.JUDGE_AGAIN))
    with qtbot.waitSignal(health.judged) as judged:
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
    assert judged.args == [6]
    qtbot.waitUntil(lambda: "verdicts-outdated" not in health.report.counts and not health.is_looking)

    panel.list.choose(row_of(panel, FixKind.RECORD_RUNS))
    with qtbot.waitSignal(health.prepared) as prepared:
        QTest.keyClick(panel.list, Qt.Key.Key_Return)
    text = project.paths.experiment(prepared.args[0]).read_text(encoding="utf-8")
    assert "monkey" in text
    assert "buy" in text

    leak = panel.list.entries[row_of(panel, FixKind.EDIT_TASK)].found
    panel.list.place_asked.emit(leak)
    assert [task.id for task in workspace.table.selected] == ["ask"]
