"""Models and small views of the Project workspace."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from collector.device.apps.installed_app import InstalledApp
from collector.device.device_entry import DeviceEntry
from collector.model import i18n
from collector.model.essential_state import EssentialState, own_state_id
from collector.model.expected_answer import ExpectedAnswer
from collector.model.finding import Finding
from collector.model.resources import asset
from collector.model.task import Task
from collector.model.user_reply import TaskReply
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from collector.store.tasks.state_file import StateChange
from collector.targets.reader import read_target
from studio.bridge.rules.rule_names import RuleName
from studio.views.project.device_card import DeviceCard
from studio.views.project.new_project_dialog import NewProjectDialog
from studio.views.project.problem_list import ProblemList, problem_rows
from studio.views.project.recent_trajectories import RecentPanel
from studio.views.project.search_field import SearchField
from studio.views.project.tasks.target_field import TargetField
from studio.views.project.tasks.task_counts import TaskCounts
from studio.views.project.tasks.task_dialog import TaskDialog
from studio.views.project.tasks.task_filter import parse
from studio.views.project.tasks.task_model import COLUMNS, TaskModel
from studio.views.project.tasks.task_rows import task_rows
from studio.views.project.tasks.task_table import TaskTable
from studio.widgets.thumbnail_cache import ThumbnailCache
from tests.helpers.shown_texts import says, shown_texts

# The plugin without a screen says so of every dialog.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

TASKS = tuple(
    Task(f"shop-{number}", f"Do thing {number}", app="Shop", level=level)
    for number, level in enumerate(("hard", "easy", "medium", "hard"), 1)
)


def snapshot(tasks=TASKS):
    return ProjectSnapshot(Path("/p"), "Mine", False, tasks, {"shop-2": 2}, {"golden": 2}, ())


@pytest.fixture
def model(dressed):
    model = TaskModel()
    model.show_rows(task_rows(snapshot(), TASKS, ()))
    return model


@pytest.fixture
def table(model, qtbot):
    table = TaskTable(model)
    qtbot.addWidget(table)
    table.resize(1200, 300)
    table.show()
    return table


def test_the_models_keep_the_rules_of_qt(model, qtmodeltester, qtbot):
    qtmodeltester.check(model)
    problems = ProblemList()
    qtbot.addWidget(problems)
    findings = (Finding("task-empty", "warning", "Task shop-1 has no instruction", where="tasks.yaml"),)
    problems.show_entries(problem_rows(snapshot(), findings))
    qtmodeltester.check(problems.model())
    assert problems.entries[0].target == "shop-1"


def test_levels_sort_by_difficulty_and_selection_moves_along(table, model):
    table.select(["shop-1"])
    table.sortByColumn([column.key for column in COLUMNS].index("level"), Qt.SortOrder.AscendingOrder)
    assert [row.task.level for row in model.rows] == ["easy", "medium", "hard", "hard"]
    assert [task.id for task in table.selected] == ["shop-1"]


def test_check_boxes_add_to_the_selection(table, model, qtbot):
    for row in (0, 2):
        place = table.visualRect(model.index(row, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [task.id for task in table.selected] == ["shop-1", "shop-3"]


def test_a_search_keeps_the_selection_that_still_fits(table, model):
    table.select(["shop-1", "shop-2"])
    model.search(parse("level:hard"))
    assert [task.id for task in table.selected] == ["shop-1"]


def test_a_key_and_value_ended_by_a_space_becomes_a_chip(dressed, qtbot):
    field = SearchField()
    qtbot.addWidget(field)
    field.field.setCompleter(None)  # its list grabs the keyboard, which a screenless test has not
    QTest.keyClicks(field.field, "app:shop poster ")
    assert [term.text for term in field.terms] == ["app:shop", "poster"]
    assert field.field.text() == "poster "
    field.field.clear()
    QTest.keyClick(field.field, Qt.Key.Key_Backspace)
    assert field.terms == []


def test_rules_of_a_task_are_named_whole(dressed, qtbot, make_host):
    named = ("battery-low-in-results", "no-connection-at-product")
    editor = TaskDialog(Task("shop-1", "Buy", target_rule_ids=named), [], make_host(), new=False)
    editor.show()
    chips = editor.rules.injections.chips
    assert [chip.text() for chip in chips] == [*named]
    assert [chip.text() for chip in chips if chip.width() < chip.sizeHint().width()] == []


def test_categories_are_shown_in_words_and_stored_as_files_have_them(dressed, qtbot, make_host):
    assert i18n.use_language("zh_CN", asset("translations"))
    editor = TaskDialog(Task("shop-1", "Buy", category="operation"), [], make_host(), new=False)
    shown = [editor.category.itemText(place) for place in range(editor.category.count())]
    assert shown == ["", "操作", "信息检索"]
    assert (editor.category.currentText(), editor.task.category) == ("操作", "operation")
    editor.category.setCurrentText("信息检索")
    assert editor.task.category == "information retrieval"
    editor.category.setEditText("Navigation")  # another benchmark's
    assert editor.task.category == "Navigation"
    row = SimpleNamespace(task=Task("a", "b", category="operation", type="process"))
    texts = {column.key: column.text(row) for column in COLUMNS if column.key in ("category", "type")}
    assert texts == {"category": "操作", "type": "过程"}


@pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)
def test_the_editor_says_what_is_wrong_with_each_field_and_keeps_open(dressed, qtbot, make_host):
    editor = TaskDialog(Task("", ""), ["shop-1"], make_host(), new=True)
    edited = []
    editor.edited.connect(edited.append)
    editor.open()
    assert editor.instruction.isVisible()
    assert editor.app.isVisible()
    assert not editor.id.isVisible()  # nor any other field: they are folded
    required = [text for text in shown_texts(editor) if "required" in text]
    assert required == ["Instruction (required)"]  # what cannot be saved when it is empty
    editor.package.setText("no package")
    editor.accept()
    assert set(editor.problems()) == {editor.instruction, editor.package}
    assert editor.package.isVisible()  # what is wrong is shown
    assert "Task (required)" in shown_texts(editor)
    assert editor.height() <= 720  # the height of the smallest window that is supported
    editor.instruction.setPlainText("Shop 1")
    assert editor.id.text() == "shop-1-2"  # of the words of the instruction; the first one is taken
    editor.instruction.setPlainText("Buy a lamp")
    assert editor.id.text() == "buy-a-lamp"
    editor.id.setText("SHOP-1")
    assert "Another task" in editor.problems()[editor.id]
    editor.id.setText("shop-9")
    editor.instruction.setPlainText("Buy\na poster")
    editor.package.setText("com.example.shop")
    editor.states.add("Seen\n\n Bought ")
    editor.answer.setText("a dozen")
    editor.answer_rule.setCurrentText("number")
    editor.accept()
    assert set(editor.problems()) == {editor.answer}
    editor.answer.setText("12")
    editor.rewordings.setPlainText("casual: Get one\nKindly buy it")
    assert "Kindly buy it is no style and wording" in editor.problems()[editor.rewordings]
    editor.rewordings.setPlainText("casual: Get one\n\nformal: Kindly: buy\ncasual: Buy!")
    assert editor.task.rewordings == {"casual": ("Get one", "Buy!"), "formal": ("Kindly: buy",)}
    editor.replies.setPlainText("! which day -> On Friday\n(how -> Two")
    editor.accept()
    assert "is no regular expression" in editor.problems()[editor.replies]
    assert editor.replies.isVisible()  # its tab is in front
    editor.replies.setPlainText("! which day -> On Friday\nhow many -> Two")
    assert editor.task.replies == (
        TaskReply("which day", "On Friday", needed=True), TaskReply("how many", "Two"),
    )  # fmt: skip
    editor.target.setPlainText("done: {titel: Milk}")
    editor.accept()
    assert "no field titel. Did you mean title?" in editor.problems()[editor.target]
    editor.target.setPlainText("sent:\n  to: Ana\n  text: Bought")
    editor.rules.offer(
        [
            RuleName("success", "bought"), RuleName("injection", "on_cart"), RuleName("injection", "on_home"),
            RuleName("safety", "pays"),
        ]
    )  # fmt: skip
    editor.rules.success.setCurrentText("bought")
    for name in ("on_cart", "on_home"):
        QTest.mouseClick(editor.rules.injections.add, Qt.MouseButton.LeftButton)
        menu = QApplication.activePopupWidget()
        next(action for action in menu.actions() if action.text() == name).trigger()
        menu.close()
    QTest.mouseClick(editor.rules.injections.chips[0], Qt.MouseButton.LeftButton)
    QTest.mouseClick(editor.rules.forbidden.add, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions()] == ["pays"]
    menu.actions()[0].trigger()
    menu.close()
    editor.accept()
    assert edited[0].forbidden == ("pays",)
    assert (edited[0].rule_key, edited[0].target_rule_ids) == ("bought", ("on_home",))
    assert edited[0].instruction == "Buy a poster"
    assert edited[0].target == read_target({"sent": {"to": "Ana", "text": "Bought"}})
    seen, bought = (own_state_id("shop-9", sentence, ()) for sentence in ("Seen", "Bought"))
    assert edited[0].essential_states == (seen, bought)
    assert edited[0].expected_answer == ExpectedAnswer(("12",), "number")
    states = [change.after for change in editor.state_changes]
    assert states == [EssentialState(seen, "Seen"), EssentialState(bought, "Bought")]


def test_a_target_that_cannot_be_read_stays_until_somebody_types_another(dressed, qtbot):
    task = Task("a", "b", extra={"target": {"doen": "x"}, "theirs": 1})
    field = TargetField(task, 90)
    qtbot.addWidget(field)
    assert (field.toPlainText(), field.problem()) == ("doen: x", "")
    assert field.with_target(task) is task
    field.setPlainText("add: {todo.tasks: {title: Milk, due: 2026-12-01}}")
    target = field.with_target(task).target
    assert target.parts[0].values == {"title": "Milk", "due": "2026-12-01"}
    assert TargetField(Task("a", "b", target=target), 90).toPlainText() == (
        "add:\n  todo.tasks: {title: Milk, due: 2026-12-01}"
    )
    field.setPlainText(" ")
    assert field.with_target(task) == Task("a", "b", extra={"theirs": 1})


def test_the_package_of_a_task_follows_the_app_until_somebody_types_one(dressed, qtbot, make_host):
    known = [InstalledApp("com.example.shop", "Shop")]
    task = Task("shop-2", "Buy", "Shop", "com.example.shop")
    editor = TaskDialog(task, [], make_host(), new=True, apps=known)
    editor.open()
    editor.app.show_apps([InstalledApp("com.example.todo", "To-do"), InstalledApp("com.example.none")])
    listed = [editor.app.itemText(row) for row in range(editor.app.count())]
    assert listed == ["Shop (com.example.shop)", "To-do (com.example.todo)", "com.example.none"]
    assert editor.task == task
    editor.app.setCurrentIndex(1)
    assert (editor.task.app, editor.task.package) == ("To-do", "com.example.todo")
    editor.app.setEditText("Notes")  # an app that no phone here has
    assert (editor.task.app, editor.task.package) == ("Notes", "")
    editor.app.show_apps([InstalledApp("com.example.notes", "Notes")])  # until it has
    assert (editor.task.app, editor.task.package) == ("Notes", "com.example.notes")
    QTest.keyClicks(editor.package, ".pro")
    editor.app.setEditText("Shop")
    assert (editor.task.app, editor.task.package) == ("Shop", "com.example.notes.pro")


def test_states_are_typed_picked_changed_moved_and_removed_by_keys(dressed, qtbot, make_host):
    """The list of a task that has one state, in a project that has others."""
    project = {
        "shop-9-1": EssentialState("shop-9-1", "Cart open"),
        "cart": EssentialState("cart", "Cart empty", status="agreed"),
        "shop-9-3": EssentialState("shop-9-3", "Nobody's"),
    }
    answer = ExpectedAnswer(("a", "b"), "any of", {"unit": "x"})
    task = Task("shop-9", "Buy", essential_states=("shop-9-1", "lost"), expected_answer=answer)
    editor = TaskDialog(task, [], make_host(), new=False, states=project)
    edited = []
    editor.edited.connect(edited.append)
    editor.open()
    states = editor.states
    assert editor.task == task
    assert not editor.state_changes
    states.line.setCompleter(None)  # its list grabs the keyboard, which a screenless test has not
    QTest.keyClicks(states.line, "Paid")
    QTest.keyClick(states.line, Qt.Key.Key_Return)
    assert edited == []  # Enter belonged to the line
    QTest.keyClicks(states.line, "Cart empty  (cart)")
    QTest.keyClick(states.line, Qt.Key.Key_Return)
    paid = own_state_id("shop-9", "Paid", ())
    assert states.ids == ("shop-9-1", "lost", paid, "cart")
    states.tree.setCurrentItem(states.tree.topLevelItem(3))
    QTest.keyClick(states.tree, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert states.ids == ("shop-9-1", "lost", "cart", paid)
    states.tree.setCurrentItem(states.tree.topLevelItem(1))
    QTest.keyClick(states.tree, Qt.Key.Key_Delete)
    first = states.tree.topLevelItem(0)
    first.setText(0, "The cart is open")
    first.setText(0, "  ")  # a sentence is never emptied
    first.setText(0, "The cart is open")
    assert [states.tree.topLevelItem(at).text(1) for at in range(3)] == ["shop-9-1", "cart", paid]
    editor.id.setText("shop-10")
    paid = own_state_id("shop-10", "Paid", ())
    assert states.ids == ("shop-9-1", "cart", paid)
    QTest.keyClick(states.line, Qt.Key.Key_Return)
    assert edited[0].essential_states == ("shop-9-1", "cart", paid)
    assert editor.state_changes == (
        StateChange(project["shop-9-1"], EssentialState("shop-9-1", "The cart is open")),
        StateChange(None, EssentialState(paid, "Paid")),
    )


def test_a_project_is_not_made_in_a_folder_that_is_not_empty(dressed, qtbot, make_host, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    dialog = NewProjectDialog(tmp_path, make_host())
    accepted = []
    dialog.accepted_with.connect(lambda *arguments: accepted.append(arguments))
    dialog.open()
    dialog.name.setText("full")
    dialog.accept()
    assert accepted == []
    dialog.name.setText("My benchmark")
    dialog.accept()
    assert accepted == [(str(tmp_path / "My-benchmark"), "My benchmark")]


def test_a_card_numbers_what_the_doctor_wants_done(dressed, qtbot):
    fix = Finding(
        "unauthorized", "problem", "This computer is not trusted", "", "Unlock it; tap Allow", "one"
    )
    card = DeviceCard(DeviceEntry("one", "unauthorized", findings=(fix,)))
    qtbot.addWidget(card)
    texts = [label.text() for label in card.findChildren(QLabel)]
    assert "This computer is not trusted" in texts
    assert "waiting for Allow on its screen" in texts
    assert card.accessibleName() == "one, waiting for Allow on its screen"


def test_a_card_counts_what_is_known_of_such_phones_and_says_it_on_hovering(dressed, qtbot):
    quirks = [Finding("quirk", "notice", f"Known: {what}", "", "Do this", "one") for what in "ab"]
    card = DeviceCard(DeviceEntry("one", "device", findings=tuple(quirks)))
    qtbot.addWidget(card)
    label = next(label for label in card.findChildren(QLabel) if label.text() == "2 known")
    assert label.toolTip() == "Known: a: Do this\nKnown: b: Do this"
    card.show_entry(DeviceEntry("one", "device"), in_use=False)
    assert label.isHidden()


def test_a_card_names_what_is_injected_and_forgets_it(dressed, qtbot):
    card = DeviceCard(DeviceEntry("one", "device"))
    qtbot.addWidget(card)
    card.set_anomalies(["wifi_off", "font_scale"])
    label = next(label for label in card.findChildren(QLabel) if label.text() == "wifi_off, font_scale")
    assert not label.isHidden()
    card.set_anomalies(())
    assert label.isHidden()


@pytest.fixture
def make_host(qtbot):
    hosts = []

    def build():
        hosts.append(QWidget())
        qtbot.addWidget(hosts[-1])
        return hosts[-1]

    return build


def test_nothing_is_said_of_trajectories_that_were_not_read_yet(dressed):
    before = replace(snapshot(), golden={}, counts={}, is_read=False)
    shown = [(row.golden_words, row.review_words, row.problem) for row in task_rows(before, TASKS[:1], ())]
    assert shown == [("…", "", "")]
    counts, recent = TaskCounts(), RecentPanel(SimpleNamespace(thumbnails=ThumbnailCache()))
    counts.show_counts(4, None)
    assert counts.accessibleName() == "4 tasks"
    recent.show_rows((), {}, is_known=before.knows_trajectories)
    assert says(recent, "being read")
    assert not says(recent, "golden")
    # What the catalogue knew from the last time is said at once.
    assert task_rows(replace(snapshot(), is_read=False), TASKS[1:2], ())[0].golden_words == "2 / 2"
