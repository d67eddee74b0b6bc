"""Exports and imports are asked for in the window: what is lost, how much it is and a sample come first."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from collector.exchange import registry
from collector.exchange.exchange_reports import ExchangeReport
from collector.exchange.exports.exporting import export_project
from collector.exchange.format import TASKS, Format
from collector.model.action import Tap, Type
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, TrajectoryHeader
from collector.plugins.options import PluginOption
from collector.plugins.registry import LoadedKinds
from collector.store.project.project import Project
from studio.bridge import desktop
from studio.views.exchange.exchange_report_dialog import ExchangeReportDialog
from studio.views.exchange.export_dialog import ExportDialog
from studio.views.exchange.finding_table import outlook_of
from studio.views.exchange.import_dialog import ImportDialog
from studio.views.exchange.progress_dialog import ProgressDialog
from studio.views.exchange.selection_fields import FOUND, FRONT
from studio.views.exchange.selection_fields import TASKS as SELECTED
from studio.widgets.controls import Label
from tests.helpers.steps import png, step, xml

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
LOGIN = (
    b'<hierarchy rotation="0"><node class="android.widget.EditText" focused="true" password="true"'
    b' bounds="[0,0][4,8]" text="" /></hierarchy>'
)


def _write_options(part, path: Path, _log) -> None:
    path.write_text(json.dumps(dict(part.options)), "utf-8")


CHOOSY = Format(
    id="choosy", title="Choosy", holds=(TASKS,), files="One file", ending=".json", write=_write_options,
    licence="Nobody's.", options=(PluginOption("size", int, 8, "Longest side, in pixels", least=1),),
)  # fmt: skip
LACKING = replace(CHOOSY, id="lacking", title="Lacking", package="no_such_package")


@pytest.fixture
def opened(studio, qtbot, tmp_path, monkeypatch):
    """A studio with a project of two golden trajectories, of which the second types a password."""
    project = Project.create(tmp_path / "mine")
    project.save_tasks([Task("a", "Do a", note="n"), Task("b", "Do b")])
    for task, action in (("a", Tap(2, 3)), ("b", Type("hunter22", 8))):
        with project.new_trajectory(TrajectoryHeader("g", task, GOLDEN)) as writer:
            writer.append(step(0, Tap(2, 3)), png(10, 20), xml("Home"))
            writer.append(step(1, action, target=None), png(10, 20, 9), LOGIN)
            writer.finish()
    known = registry.formats()
    kinds = {**known.kinds, "choosy": CHOOSY, "lacking": LACKING}
    monkeypatch.setattr(registry, "formats", lambda: LoadedKinds(kinds, ()))
    with qtbot.waitSignal(studio.project_library.opened):
        studio.answer({"run": "project.open", "arguments": {"path": str(project.folder)}})
    return studio


def shown(studio, qtbot, kind):
    qtbot.waitUntil(lambda: any(each.isVisible() for each in studio.window.findChildren(kind)))
    return next(each for each in studio.window.findChildren(kind) if each.isVisible())


def asked(studio, qtbot, **arguments) -> ExportDialog:
    studio.answer({"run": "project.export", "arguments": arguments})
    return shown(studio, qtbot, ExportDialog)


def looked(dialog, qtbot, words: str) -> None:
    qtbot.waitUntil(lambda: words in dialog.look.count.text())


def test_an_export_shows_what_is_lost_and_its_first_sample_before_anything_is_written(
    opened, qtbot, tmp_path
):
    dialog = asked(opened, qtbot)
    dialog.formats.choose("aitk")
    looked(dialog, qtbot, "2 trajectories, 2 tasks, about")
    assert dialog.title.text() == "AITK tasks, human annotations and agent runs"
    assert "AITK is under Apache 2.0" in dialog.about.text()
    assert "cannot be kept" in dialog.look.outcome.text()
    assert dialog.look.table.topLevelItemCount() > 0
    assert outlook_of([], is_all=False) == "Nothing of these is lost"  # "Nothing is lost" only of all
    texts = [label.text() for label in dialog.look.sample.findChildren(Label)]
    assert "Do a" in texts
    assert dialog.look.sample.view.frame is not None
    assert dialog.look.sample.view.screen_size.width == 10
    # The password of the second trajectory leaves only when the person says so.
    assert not dialog.yes.isEnabled()
    assert dialog.passwords.isVisible()
    QTest.mouseClick(dialog.passwords, Qt.MouseButton.LeftButton)
    assert dialog.yes.isEnabled()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("mine")) == ["mine"]
    with qtbot.waitSignal(opened.exchange.exported):
        QTest.mouseClick(dialog.yes, Qt.MouseButton.LeftButton)
    report = shown(opened, qtbot, ExchangeReportDialog)
    assert (tmp_path / "mine-aitk/tasks.jsonl").is_file()
    report.close()


def test_a_part_of_the_project_is_exported_by_search_by_tasks_or_the_trajectory_in_front(
    opened, qtbot, tmp_path
):
    dialog = asked(opened, qtbot, where="task:a")
    assert dialog.selection.what.current == FOUND
    dialog.formats.choose("aitk")
    looked(dialog, qtbot, "1 trajectory, 1 task")
    dialog.selection.query.setText("task:nothing")
    looked(dialog, qtbot, "No trajectory fits")
    dialog.reject()
    opened.selection.selected_tasks = ("b",)
    opened.selection.front_folder = tmp_path / "mine/trajectories/a/g"
    dialog = asked(opened, qtbot)
    dialog.formats.choose("aitk")
    dialog.selection.what.set_current(SELECTED)
    assert dialog.choice.selection.tasks == ("b",)
    dialog.selection.what.set_current(FRONT)
    assert dialog.choice.selection.trajectories == ("trajectories/a/g",)
    dialog.selection.changed.emit()
    looked(dialog, qtbot, "1 trajectory, 1 task")
    dialog.selection.shares.setCurrentIndex(1)
    assert (dialog.choice.split.shares, dialog.choice.split.by) == ({"train": 0.8, "test": 0.2}, "task")
    dialog.reject()
    only = asked(opened, qtbot, trajectory="trajectories/b/g")
    assert only.choice.selection.trajectories == ("trajectories/b/g",)
    only.reject()


def test_options_come_from_the_descriptor_and_a_missing_package_is_named(opened, qtbot, tmp_path):
    dialog = asked(opened, qtbot)
    dialog.formats.choose("lacking")
    assert "needs the package no_such_package" in dialog.missing.text()
    assert not dialog.yes.isEnabled()
    dialog.formats.choose("choosy")
    assert "Nobody's." in dialog.about.text()
    QTest.keyClicks(dialog.options["size"], "0")
    assert dialog.choice is None
    assert dialog.option_problem.text() == "size is at least 1"
    dialog.options["size"].clear()
    QTest.keyClicks(dialog.options["size"], "4")
    looked(dialog, qtbot, "2 tasks")
    with qtbot.waitSignal(opened.exchange.exported):
        QTest.keyClick(dialog.target, Qt.Key.Key_Return)
    assert json.loads((tmp_path / "mine-choosy.json").read_text("utf-8")) == {"size": 4}
    shown(opened, qtbot, ExchangeReportDialog).close()


def test_each_option_has_a_title_a_field_and_what_it_means_once(opened, qtbot):
    dialog = asked(opened, qtbot)
    for chosen in ("hf-datasets", "coco"):
        dialog.formats.choose(chosen)
        qtbot.waitUntil(lambda: all(field.isVisibleTo(dialog) for field in dialog.options.values()))
        for option in registry.formats().kinds[chosen].options:
            field = dialog.options[option.name]
            texts = [each.text() for each in dialog.findChildren(Label) if not each.isHidden()]
            boxes = [each.text() for each in dialog.findChildren(QCheckBox)]
            assert [*texts, *boxes].count(option.title) == 1
            assert option.description in texts
            assert field.accessibleName() == option.title
            assert option.description not in getattr(field, "placeholderText", str)()
    dialog.formats.choose("hf-datasets")
    boxes = dialog.options["content"].boxes
    assert [box.text() for box in boxes.values() if box.isChecked()] == ["single steps"]
    boxes["grounding"].click()
    dialog.options["pictures"].setCurrentText("as recorded")
    assert dialog.choice.options == {"content": ["steps", "grounding"], "pictures": "recorded"}
    dialog.reject()


def test_formats_are_in_groups_whose_titles_cannot_be_chosen(opened, qtbot):
    dialog = asked(opened, qtbot)
    tree = dialog.formats.tree
    texts = [tree.topLevelItem(row).text(0) for row in range(tree.topLevelItemCount())]
    heads = [text for row, text in enumerate(texts) if not tree.topLevelItem(row).flags()]
    assert heads == ["Training", "Benchmarks", "Test scripts", "Viewing and evaluation", "Boxes", "Others"]
    assert texts[:2] == ["Training", "LLaMA-Factory conversations"]
    assert dialog.formats.current == "llama-factory"
    last = texts[texts.index("Benchmarks") - 1]
    while tree.currentItem().text(0) != last:
        QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Down)
    assert tree.currentItem().text(0) == texts[texts.index("Benchmarks") + 1]
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton,
        pos=tree.visualItemRect(tree.topLevelItem(texts.index("Benchmarks"))).center(),
    )  # fmt: skip
    assert dialog.formats.current != ""
    dialog.reject()


def test_the_filter_of_formats_keeps_those_that_say_all_words(opened, qtbot):
    dialog = asked(opened, qtbot)
    QTest.keyClicks(dialog.formats.field, "d-gara list")
    tree = dialog.formats.tree
    items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    assert [item.text(0) for item in items if not item.isHidden()] == ["Benchmarks", "D-GARA task list"]
    assert dialog.title.text() == "D-GARA task list"
    QTest.keyClicks(dialog.formats.field, "xyz")
    assert dialog.formats.current == "dgara-tasks"
    dialog.reject()


def test_an_import_of_another_format_says_why_it_cannot_be(opened, qtbot, tmp_path):
    source = export_project(opened.project_library.project, "aitk-tasks", tmp_path / "tasks.jsonl").path
    opened.projects.open_or_import([source])
    dialog = shown(opened, qtbot, ImportDialog)
    looked(dialog, qtbot, "2 tasks")
    assert dialog.recognised.text() == "AITK tasks.jsonl"
    dialog.formats.choose("dgara")
    qtbot.waitUntil(lambda: dialog.look.job is None)
    assert "holds nothing that can be imported" in dialog.look.count.text()
    dialog.reject()
    (tmp_path / "odd.bin").write_bytes(b"odd")
    opened.projects.open_or_import([tmp_path / "odd.bin", source])
    both = shown(opened, qtbot, ImportDialog)
    looked(both, qtbot, "is not known")
    assert both.recognised.text() == "Not recognised"
    both.reject()


def test_progress_has_speed_and_time_left_and_can_be_stopped(opened, qtbot):
    job = opened.tasks.run(lambda job: job.cancel_event.wait(5), title="Export to x")
    moments = iter((0.0, 1.0, 11.0))
    dialog = ProgressDialog(job, opened.window, lambda: next(moments))
    dialog.open()
    job.report(100, 400)
    job.report(150, 400)
    qtbot.waitUntil(lambda: "150" in dialog.said.text())
    assert dialog.said.text() == "150 / 400, 5.0 a second, about 50 s left"
    with qtbot.waitSignal(job.stopped):
        QTest.mouseClick(dialog.no, Qt.MouseButton.LeftButton)


def test_the_report_of_an_export_shows_its_folder(opened, qtbot, tmp_path, monkeypatch):
    opened_places: list[Path] = []
    monkeypatch.setattr(desktop.QDesktopServices, "openUrl", lambda url: opened_places.append(url) or True)
    arguments = {"path": str(tmp_path / "out.json"), "format": "choosy"}
    with qtbot.waitSignal(opened.exchange.exported):
        opened.answer({"run": "project.export", "arguments": arguments})
    report = shown(opened, qtbot, ExchangeReportDialog)
    QTest.mouseClick(report.show_folder, Qt.MouseButton.LeftButton)
    assert [url.toLocalFile() for url in opened_places] == [str(tmp_path)]
    report.close()
    assert opened.window is not None
    names = ("trajectories/a/one", "trajectories/a/two", "trajectories/ab/three")
    for count, place in ((1, names[0]), (2, "trajectories/a"), (3, "trajectories"), (0, "")):
        imported = ExchangeReport("", "", "source", "Format", names[:count])
        report = ExchangeReportDialog("The import is done", [imported], opened.window)
        assert (report.folder, report.show_folder.isHidden()) == (place, not place)
