"""The form shows an anomaly, asks for edits of its entry, and says what is wrong beside the field."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from collector.anomalies.builtin_library import builtin_library_text
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.anomalies.anomaly_edits import ONE_BUTTON, set_activity
from rule_editor.document.anomalies.follow_up_choices import PROGRESS, SHELL, STOP
from rule_editor.widgets import form_inputs
from rule_editor.widgets.anomaly_form.commands_box import lines_of, value_of_lines
from rule_editor.widgets.anomaly_form.form import AnomalyForm
from rule_editor.widgets.anomaly_form.form_sections import section_of
from rule_editor.widgets.anomaly_form.parameter_list import value_of

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)
DIALOG, NATIVE = "battery_low_double_en", "font_scale"


class _Bench:
    """A form over the studio's own library, whose edits are made as the window makes them."""

    def __init__(self, form: AnomalyForm) -> None:
        self.form, self.document = form, AnomalyDocument(builtin_library_text())
        self.shown = ""
        form.edit_wanted.connect(self._edit)

    def show(self, anomaly_id: str) -> None:
        self.shown = anomaly_id
        self.renew()

    def renew(self) -> None:
        anomaly = self.document.anomaly(self.shown)
        plain = self.document.plain(self.shown)
        self.form.show_anomaly(anomaly, plain, self.document.library.anomalies)
        self.form.show_diagnostics(
            [
                (section_of(anomaly, self.document.path_of(self.shown, diagnostic.place)), diagnostic)
                for diagnostic in self.document.diagnostics
                if diagnostic.rule_id == self.shown
            ]
        )

    def _edit(self, change) -> None:
        self.document.change(self.shown, change)
        self.renew()

    @property
    def anomaly(self):
        return self.document.anomaly(self.shown)


@pytest.fixture
def bench(toolkit, qtbot):
    form = AnomalyForm(toolkit)
    qtbot.addWidget(form)
    form.resize(404, 900)
    bench = _Bench(form)
    bench.show(DIALOG)
    form.show()
    qtbot.waitExposed(form)
    return bench


def _type(qtbot, field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_a_dialog_is_shown_with_its_words_answers_and_siblings(bench) -> None:
    form = bench.form
    assert (form.id_field.text(), form.category.choice) == (DIALOG, "System Resource")
    assert form.dialog.title.text() == "Battery almost empty"
    assert list(form.dialog.answers) == ["accept", "deny"]
    assert [row.kind.currentText() for row in form.dialog.answers["accept"].rows] == ["Open battery saver"]
    assert form.forms.isVisible()
    assert not form.parameters.isVisible()


def test_what_is_typed_changes_the_entry_and_the_draft_has_it_before(bench, qtbot) -> None:
    title = bench.form.dialog.title
    title.setFocus()
    title.selectAll()
    with qtbot.waitSignal(bench.form.draft_changed):
        qtbot.keyClicks(title, "Power")
    assert bench.form.draft["param_title"] == "Power"
    assert bench.anomaly.value("param_title") == "Battery almost empty"
    qtbot.keyClick(title, Qt.Key.Key_Return)
    assert bench.anomaly.value("param_title") == "Power"


def test_a_message_is_told_when_it_is_left(bench, qtbot) -> None:
    message = bench.form.dialog.message
    message.setFocus()
    message.selectAll()
    qtbot.keyClicks(message, "Two")
    bench.renew()
    assert message.toPlainText() == "Two", "what is being typed is not taken away"
    qtbot.keyClick(message, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bench.anomaly.value("param_message") == "Two"


def test_a_follow_up_is_chosen_from_the_menu(bench, qtbot) -> None:
    box = bench.form.dialog.answers["deny"]
    row = box.rows[0]
    row.kind.setCurrentIndex(row.kind.findData(STOP))
    row.kind.activated.emit(row.kind.currentIndex())
    (follow,) = bench.anomaly.answers[1].follow_ups
    assert follow.command.text == "am force-stop {package}"
    row.kind.setCurrentIndex(row.kind.findData(PROGRESS))
    row.kind.activated.emit(row.kind.currentIndex())
    row.seconds.setValue(12)
    (follow,) = bench.anomaly.answers[1].follow_ups
    assert follow.command.text.endswith("--ei param_duration_seconds 12")


def test_a_shell_command_begins_with_what_the_choice_ran_and_is_typed_over(bench, qtbot) -> None:
    row = bench.form.dialog.answers["accept"].rows[0]
    row.kind.setCurrentIndex(row.kind.findData(SHELL))
    row.kind.activated.emit(row.kind.currentIndex())
    assert row.text.text() == "am start -a android.settings.BATTERY_SAVER_SETTINGS"
    assert row.follow_up.choice == SHELL, "a choice of the menu stays chosen while it is edited"
    _type(qtbot, row.text, "input text hello")
    assert bench.anomaly.answers[0].follow_ups[0].command.text == "input text hello"


def test_follow_ups_are_added_and_removed(bench, qtbot) -> None:
    box = bench.form.dialog.answers["accept"]
    box.add()
    assert len(bench.anomaly.answers[0].follow_ups) == 2
    for row in list(box.rows):
        row.removed.emit()
    assert bench.anomaly.answers[0].follow_ups == ()
    assert box.rows == []


def test_what_is_added_comes_into_view(bench, qtbot) -> None:
    form = bench.form
    form.resize(404, 260)

    def is_in_view(widget) -> bool:
        place = widget.rect().translated(widget.mapTo(form.viewport(), QPoint()))
        return widget.isVisible() and form.viewport().rect().contains(place)

    box = form.dialog.answers["deny"]
    box.add()
    qtbot.waitUntil(lambda: is_in_view(box.rows[-1]))
    bench.show(NATIVE)
    form.verticalScrollBar().setValue(0)
    form.parameters.add_button.click()
    qtbot.waitUntil(lambda: is_in_view(form.parameters.rows[-1]))
    form.add_range.click()
    qtbot.waitUntil(lambda: is_in_view(form.ranges[-1].android))


def test_an_answer_without_an_event_is_told_beside_its_button(bench, qtbot) -> None:
    box = bench.form.dialog.answers["deny"]
    box.logged.setFocus()
    box.logged.selectAll()
    qtbot.keyClick(box.logged, Qt.Key.Key_Delete)
    qtbot.keyClick(box.logged, Qt.Key.Key_Return)
    assert [diagnostic.code for diagnostic in box.diagnostics.shown] == ["W502"]
    assert box.diagnostics.isVisible()
    assert not bench.form.dialog.answers["accept"].diagnostics.isVisible()


def test_an_unknown_activity_is_told_at_the_dialog_with_its_fix(bench, qtbot) -> None:
    text = bench.document.text.replace("LocationPermissionActivity", "LocationPermisionActivity", 1)
    bench.document.set_text(text)
    bench.renew()
    assert bench.form.dialog.activity.choice == "LocationPermisionActivity"
    (diagnostic,) = bench.form.dialog.diagnostics.shown
    assert diagnostic.code == "W501"
    with qtbot.waitSignal(bench.form.fix_chosen) as signal:
        bench.form.dialog.diagnostics.fix_chosen.emit(diagnostic.fixes[0])
    bench.document.apply_fix(signal.args[0])
    assert bench.anomaly.activity == "LocationPermissionActivity"


def test_one_button_instead_of_two_is_asked_for_with_the_switch(bench, qtbot) -> None:
    with qtbot.waitSignal(bench.form.activity_wanted) as signal:
        bench.form.forms.buttons_wanted.emit(ONE_BUTTON)
    assert signal.args == [ONE_BUTTON]


def test_a_native_anomaly_is_shown_with_parameters_and_commands(bench, qtbot) -> None:
    bench.show(NATIVE)
    form = bench.form
    assert not form.dialog.isVisible()
    (row,) = form.parameters.rows
    assert (row.name.text(), row.value.text(), row.highest.text()) == ("scale", "1.3", "2")
    _type(qtbot, row.value, "1.5")
    assert bench.anomaly.parameters[0].value == 1.5
    _type(qtbot, row.value, "large")
    assert bench.anomaly.parameters[0].value == 1.5
    assert row.value.text() == "1.5"
    _type(qtbot, row.name, "factor")
    assert bench.anomaly.native[0].apply[0].text == "settings put system font_scale {factor}"


def test_commands_are_a_line_each_and_a_range_is_added_and_removed(bench, qtbot) -> None:
    bench.show(NATIVE)
    (box,) = bench.form.ranges
    box.parts["apply"].setFocus()
    box.parts["apply"].setPlainText("one\n\ntwo")
    qtbot.keyClick(box.parts["apply"], Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [command.text for command in bench.anomaly.native[0].apply] == ["one", "two"]
    bench.form.add_range.click()
    assert [str(commands.versions) for commands in bench.anomaly.native] == ["5+", "12+"]
    buttons = bench.form.ranges[1].findChildren(QAbstractButton)
    words = "Remove the commands for these versions"
    next(button for button in buttons if button.accessibleName() == words).click()
    assert len(bench.form.ranges) == 1


def test_a_dangerous_command_is_told_beside_its_commands(bench) -> None:
    bench.show(NATIVE)
    bench.form.ranges[0].edit_wanted.emit(
        lambda patch: patch.set((0, "commands", 0, "apply"), ["rm -rf /sdcard"])
    )
    assert "W503" in [diagnostic.code for diagnostic in bench.form.ranges[0].diagnostics.shown]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("apply", ["a", "b: c"]),
        ("remember", {"before": "settings get x", "other": {"command": "cmd y", "pattern": "a (.+)"}}),
        ("verify", [{"command": "pidof a", "expect": "^(?!7$)", "once": True}]),
        ("verify", [{"command": "dumpsys battery", "expect": "level: {level}\\b"}]),
    ],
)
def test_lines_are_read_back_as_they_were_written(key, value) -> None:
    assert value_of_lines(key, lines_of(key, value)) == value


def test_lines_that_mean_nothing_are_no_value() -> None:
    assert value_of_lines("remember", ["no colon"]) is None
    assert value_of_lines("verify", ["no arrow"]) is None


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("integer", " 3 ", 3),
        ("integer", "3.5", None),
        ("number", "3.5", 3.5),
        ("flag", "TRUE", True),
        ("flag", "perhaps", None),
        ("text", " as it is ", " as it is "),
    ],
)
def test_a_typed_text_is_a_value_of_its_type_or_none(kind, text, value) -> None:
    assert value_of(kind, text) == value


def test_every_field_has_a_name_for_who_cannot_see_it(bench) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QSpinBox

    for shown in (DIALOG, NATIVE):
        bench.show(shown)
        for kind in (QLineEdit, QPlainTextEdit, QComboBox):
            for widget in bench.form.findChildren(kind):
                inner = isinstance(widget.parent(), QSpinBox | QComboBox)
                assert inner or widget.accessibleName(), widget
        for widget in bench.form.findChildren(QAbstractButton):
            assert widget.accessibleName() or widget.text(), widget


@pytest.mark.parametrize("shown", [DIALOG, NATIVE])
def test_tab_goes_through_the_fields_from_the_top_down(bench, qtbot, shown) -> None:
    form = bench.form
    for anomaly_id in ("cookie_consent_en", "wifi_off", shown):
        bench.show(anomaly_id)

    def tab_stops() -> list[int]:
        """Heights of the fields in the order of Tab."""
        heights, widget = [], form.id_field
        while widget is not form:
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                heights.append(widget.mapTo(form.widget(), widget.rect().topLeft()).y())
            widget = widget.nextInFocusChain()
        return heights

    qtbot.waitUntil(lambda: len(tab_stops()) > 12)  # what is new in a layout is shown by an event
    qtbot.wait(0)
    seen = tab_stops()
    assert all(later - sooner > -20 for sooner, later in pairwise(seen)), seen


def test_a_choice_with_too_little_room_ends_in_dots_and_tells_all(toolkit, qtbot, monkeypatch) -> None:
    tooltips = []
    monkeypatch.setattr(form_inputs.QToolTip, "showText", lambda _spot, text, _widget: tooltips.append(text))
    choice = form_inputs.ChoiceInput("Dialog", [("a", "Two buttons  (LocationPermissionActivity)")])
    qtbot.addWidget(choice)
    choice.show()
    pictures = []
    for title in ("Two buttons  (LocationPermissionActivity)", "Two buttons  (LocationPermissionBehaviour)"):
        choice.setItemText(0, title)
        choice.resize(140, choice.sizeHint().height())
        pictures.append(choice.grab().toImage())
    assert pictures[0] == pictures[1]  # what is cut off leaves no trace
    QApplication.sendEvent(choice, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), QPoint(5, 5)))
    assert tooltips == ["Two buttons  (LocationPermissionBehaviour)"]


def test_nothing_is_cut_off_in_the_narrowest_form(bench, qtbot):
    """Beside the YAML of a small window the form is 388 pixels wide, and has no horizontal scroll bar."""
    bench.form.resize(388, 700)
    entry = "  - {id: low_battery%s, target_activity: LocationPermissionActivity}\n"
    of_dgara = AnomalyDocument("interference_library:\n" + entry % "" + entry % "_en").library.anomalies
    for anomaly in (*of_dgara, bench.document.anomaly("rate_app_double_en")):
        bench.form.show_anomaly(anomaly, {}, of_dgara)  # it switches to English, and offers another language
        QApplication.processEvents()
        page, area = bench.form.widget(), bench.form.viewport()
        assert page.minimumSizeHint().width() <= area.width(), anomaly.id


# -- dialogs of our own companion app ----------------------------------------------
@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_the_looks_of_a_dialog_are_offered_with_their_meaning(bench) -> None:
    bench.show("star_rating_en")
    parameters = bench.form.dialog.parameters
    parameters.add_button.click()
    offered = {action.text().partition("\t")[0]: action for action in parameters.menu.actions()}
    assert {"param_app", "param_returns", "param_theme"} <= set(offered)
    assert "how often it comes back" in offered["param_returns"].text()
    offered["param_returns"].trigger()
    parameters.menu.close()
    (row,) = parameters.rows
    assert row.typed_value == ("param_returns", 0)
    assert "how often it comes back" in row.name.toolTip()
    assert not bench.document.diagnostics


def test_a_forced_update_has_no_refusing_button_and_a_toast_no_title(bench) -> None:
    bench.show("forced_update_en")
    dialog = bench.form.dialog
    assert [box.isVisible() for box in dialog.answers.values()] == [True, False]
    bench.show("connection_toast_en")
    assert (dialog.title.isVisible(), dialog.message.isVisible()) == (False, True)
    assert dialog.answers == {}


def test_another_dialog_keeps_the_looks(bench) -> None:
    bench.show("returning_offer_en")
    words = {"accept": "Yes", "deny": "No", "manage": "Manage"}
    bench.document.change(bench.shown, lambda patch: set_activity(patch, "UpdateActivity", words))
    bench.renew()
    assert bench.anomaly.value("param_returns") == "2"
    assert not bench.document.diagnostics
