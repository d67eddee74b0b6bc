"""The setup dialog: what is ticked by itself, what a choice costs, and what is missing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLineEdit, QWidget

from collector.anomalies.anomaly_source import ListedAnomaly
from collector.replay.solvability.plan import SolvabilityInput
from studio.theme import theme
from studio.views.solvability.check_list import CheckItem, CheckList
from studio.views.solvability.setup_dialog import SolvabilitySetupDialog
from tests.helpers.shown_texts import says
from tests.helpers.solvability import LOW, QUIET, case, ground

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
SHELF = (ListedAnomaly(QUIET, False), ListedAnomaly(LOW, True))


def phone(*, live=True, virtual=True):
    return SimpleNamespace(serial="p1", is_live=live, name="Pixel", info=SimpleNamespace(is_virtual=virtual))


@pytest.fixture
def dialog(dressed, qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    qtbot.host = host  # which nobody else keeps
    setup_dialog = SolvabilitySetupDialog(host, lambda link: 1.0)
    setup_dialog.show_phone(phone())
    setup_dialog.open()
    return setup_dialog


def offered(dialog, *cases, tasks=(), anomaly=""):
    dialog.offer(ground(*cases), SHELF, tasks, anomaly)
    return dialog.plan


def test_the_tasks_of_the_table_and_the_anomalies_of_their_rules_are_ticked(dialog):
    plan = offered(dialog, case("one", "low"), case("two"), tasks=["one", "gone"])
    assert (plan.tasks, plan.anomalies) == (("one",), (LOW,))
    assert (plan.at, plan.answer, plan.fresh, plan.records) == ("auto", "declared", False, True)
    assert says(dialog, "2 runs, less than a minute")


def test_without_a_choice_all_tasks_and_the_project_s_own_anomalies_are(dialog):
    plan = offered(dialog, case("one"), case("two"))
    assert (plan.tasks, plan.anomalies) == (("one", "two"), (QUIET,))


def test_other_tasks_bring_their_rules_until_the_person_ticks_himself(dialog):
    offered(dialog, case("one", "low"), case("two"), tasks=["two"])
    assert dialog.anomalies.chosen == ["quiet"]
    dialog.tasks.tick("one", True)
    assert dialog.anomalies.chosen == ["low"]
    dialog.anomalies.tick("quiet", True)
    dialog.tasks.tick("one", False)
    assert sorted(dialog.anomalies.chosen) == ["low", "quiet"]


def test_only_the_anomaly_named_is_ticked(dialog):
    plan = offered(dialog, case("one", "low"), anomaly="quiet")
    assert plan.anomalies == (QUIET,)


def test_it_tells_what_it_was_asked_for_when_it_begins(dialog):
    offered(dialog, case("one", "low"))
    dialog.where.chosen.emit("each")
    dialog.where.set_current("each")
    dialog.answers.set_current("each")
    dialog.fresh.setChecked(True)
    dialog.records.setChecked(False)
    choices = []
    dialog.started.connect(choices.append)
    assert says(dialog, "Deletes all data of the task's app before every run")
    assert dialog.warning.property("tone") == "text-2"
    dialog.show_phone(phone(virtual=False))
    assert dialog.warning.property("tone") == "warn"
    assert says(dialog, "4 runs")
    dialog.yes.click()
    assert [(choice.at, choice.answer, choice.fresh) for choice in choices] == [("each", "each", True)]
    assert [choice.records for choice in choices] == [False]


def test_hidden_texts_are_asked_for_and_kept(dialog):
    offered(dialog, case("one", "low"), case("two", hidden=2), tasks=["one"])
    assert not dialog.hidden.isVisible()
    dialog.tasks.tick("two", True)
    assert dialog.hidden.isVisible()
    assert says(dialog, "1 task cannot be replayed without its hidden text")
    first, second = dialog.hidden.findChildren(QLineEdit)
    assert first.echoMode() is QLineEdit.EchoMode.Password
    first.setText("secret")
    assert dialog.lack.isVisible()
    second.setText("again")
    assert not dialog.lack.isVisible()
    assert dialog.plan.texts == {"two": ("secret", "again")}
    assert "secret" not in repr(dialog.plan)
    dialog.tasks.tick("two", False)
    assert (dialog.hidden.isVisible(), dialog.plan.texts) == (False, {})
    dialog.tasks.tick("two", True)
    assert dialog.plan.texts == {"two": ("secret", "again")}


def test_what_was_typed_the_last_time_is_there_again(dialog):
    dialog.offer(ground(case("two", hidden=1)), SHELF, (), "", {"two": ("secret",), "gone": ("x",)})
    assert dialog.plan.texts == {"two": ("secret",)}


@pytest.mark.parametrize("link", [None, phone(live=False)])
def test_without_a_phone_it_cannot_begin(dialog, link):
    offered(dialog, case("one", "low"))
    assert dialog.yes.isEnabled()
    dialog.show_phone(link)
    assert not dialog.yes.isEnabled()
    assert says(dialog, "No phone is in use")


def test_a_phone_that_is_not_free_is_told_before_it_begins(dialog):
    offered(dialog, case("one", "low"))
    dialog.show_phone(phone(), "Something is injected already. Answer or undo it first")
    assert not dialog.yes.isEnabled()
    assert says(dialog, "Something is injected already. Answer or undo it first")
    dialog.show_phone(phone())
    assert dialog.yes.isEnabled()


def test_what_is_missing_is_said_in_its_place(dialog):
    dialog.offer(SolvabilityInput(), (), [])
    assert says(dialog.tasks, "No task has a golden trajectory yet: record one first")
    assert says(dialog.anomalies, "There is no anomaly to inject")
    assert says(dialog, "No task is chosen")
    assert not dialog.yes.isEnabled()


def test_a_list_is_searched_and_all_means_all_that_it_shows(dressed, qtbot):
    listed = CheckList("Things", "Filter", 100)
    qtbot.addWidget(listed)
    listed.show_items(
        [CheckItem("a", "apple", "red", "Fruit", "zap"), CheckItem("p", "pear", "green", "Fruit", "zap"),
         CheckItem("s", "steel", "grey", "Metal", "zap")], {"s"}, "",
    )  # fmt: skip
    listed.field.setText("green")
    assert [listed.tree.topLevelItem(at).isHidden() for at in (0, 1)] == [False, True]
    listed.all.click()
    assert listed.chosen == ["p", "s"]
    listed.field.clear()
    assert says(listed, "2 of 3")
    listed.nothing.click()
    assert listed.chosen == []
    theme.use("light")
    row = listed.tree.topLevelItem(0).child(0)
    assert row.foreground(1).color() == theme.color("text-2")


def test_it_is_no_larger_than_its_window_and_names_what_is_lacking(dressed, qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(960, 600)
    setup_dialog = SolvabilitySetupDialog(host, lambda link: 1.0)
    assert (setup_dialog.width(), setup_dialog.height()) == (912, 552)
    setup_dialog.offer(ground(case("one")), SHELF[1:], ())
    assert says(setup_dialog, "No anomaly is chosen")
