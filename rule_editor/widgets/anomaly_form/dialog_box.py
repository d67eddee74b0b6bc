"""The dialog section of the anomaly form: activity, texts, buttons and their follow-ups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.anomalies.model import Anomaly
from collector.located_yaml.diagnostics import Diagnostic
from collector.model.anomaly_terms import DISMISS
from collector.model.companion.activities import ACTIVITIES, STYLE, CompanionActivity
from collector.model.i18n import N_, _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.widgets.anomaly_form.answer_box import AnswerBox
from rule_editor.widgets.anomaly_form.diagnostic_list import DiagnosticList
from rule_editor.widgets.anomaly_form.parameter_list import ParameterList
from rule_editor.widgets.form_inputs import ChoiceInput, LineInput, TextInput, add_row, grid
from rule_editor.widgets.toolkit import Toolkit

TITLE, MESSAGE = "param_title", "param_message"
ACTIVITY_TITLES = {
    "LocationPermissionActivity": N_("Two buttons"),
    "LowBatteryActivity": N_("One button"),
    "CookieConsentActivity": N_("Cookies, three buttons"),
    "ProgressActivity": N_("Progress, one button"),
    "LoginActivity": N_("Sign in"),
    "MockAdActivity": N_("Advertisement"),
    "RedirectActivity": N_("Leads to another page"),
    "UpdateActivity": N_("Update of an app"),
    "RatingActivity": N_("Rating with stars"),
    "PermissionActivity": N_("Looks like a permission, three buttons"),
    "CrashActivity": N_("Looks like a crash"),
    "NotRespondingActivity": N_("Looks like an app that does not respond"),
    "BatteryWarningActivity": N_("Looks like a warning of the battery"),
    "StorageWarningActivity": N_("Looks like a warning of the storage"),
    "NotificationReceiver": N_("Notification"),
    "ToastReceiver": N_("Toast"),
    "OverlayReceiver": N_("Window over other apps"),
}
_EXPECTED = {
    "": N_("automatic: the last button without commands"),
    "accept": N_("accept"),
    "deny": N_("refuse"),
    "manage": N_("manage"),
    DISMISS: N_("close the dialog"),
}


class DialogBox(QWidget):
    """Emits ``edit_wanted(patch)``, ``activity_wanted(name)``, and ``draft_changed`` while typing."""

    edit_wanted = Signal(object)
    activity_wanted = Signal(str)
    draft_changed = Signal()
    fix_chosen = Signal(object)

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self._toolkit = toolkit
        self._anomaly = Anomaly("")
        self.answers: dict[str, AnswerBox] = {}
        activities = [(name, f"{_(title)}  ({name})") for name, title in ACTIVITY_TITLES.items()]
        self.activity = ChoiceInput(_("Dialog"), activities)
        self.title = LineInput(_("Title"))
        self.message = TextInput(_("Message"), 2)
        self.expected = ChoiceInput(_("Expected answer"), [])
        self.diagnostics = DiagnosticList(toolkit)
        self.parameters = ParameterList(toolkit)
        self._texts: dict[str, list[QWidget]] = {}
        self._boxes = QVBoxLayout()
        self._lay_out()
        self.activity.picked.connect(self.activity_wanted)
        self.title.edited.connect(partial(self._text_edited, TITLE))
        self.title.textEdited.connect(self.draft_changed)
        self.message.edited.connect(partial(self._text_edited, MESSAGE))
        self.message.textChanged.connect(self._message_changed)
        self.expected.picked.connect(self._expected_picked)
        self.parameters.edit_wanted.connect(self.edit_wanted)
        self.diagnostics.fix_chosen.connect(self.fix_chosen)
        self.parameters.draft_changed.connect(self.draft_changed)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        fields = grid()
        add_row(self._toolkit, fields, _("Dialog"), self.activity)
        fields.addWidget(self.diagnostics, fields.rowCount(), 1)
        self._texts[TITLE] = add_row(self._toolkit, fields, _("Title"), self.title)
        self._texts[MESSAGE] = add_row(self._toolkit, fields, _("Message"), self.message)
        self._asked = add_row(self._toolkit, fields, _("Expected"), self.expected)
        self.expected.setToolTip(_("The answer that is given where no person is asked"))
        column.addLayout(fields)
        self._boxes.setSpacing(12)
        column.addLayout(self._boxes)
        column.addWidget(self.parameters)

    # -- what is shown -------------------------------------------------------
    def show_anomaly(self, anomaly: Anomaly) -> None:
        """Show the dialog; the answer boxes stay while it has the same buttons."""
        self._anomaly = anomaly
        known = ACTIVITIES.get(anomaly.activity, CompanionActivity())
        self.activity.show_choice(anomaly.activity)
        self.title.show_text(anomaly.value(TITLE))
        self.message.show_text(anomaly.value(MESSAGE))
        for name, widgets in self._texts.items():
            for widget in widgets:
                widget.setVisible(name in known.known or anomaly.activity not in ACTIVITIES)
        if [answer.button for answer in self.answers.values()] != list(known.buttons):
            self._rebuild(known)
        for answer in anomaly.answers:
            self.answers[answer.name].show_answer(answer)
        shown = {answer.name for answer in anomaly.answers}
        for name, box in self.answers.items():
            box.setVisible(name in shown or not _is_forced(anomaly, name))
        self._show_expected(anomaly)
        own = {TITLE, MESSAGE, *(name for button in known.buttons for name in (button.text, button.event))}
        rest = [parameter for parameter in anomaly.parameters if parameter.name not in own]
        fixed = [parameter for parameter in known.parameters if parameter[0] not in own]
        fixed += [(name, kind) for name, (kind, _meaning) in STYLE.items()] if known.known else []
        self.parameters.show_parameters(rest, fixed)

    @property
    def tab_stops(self) -> list[QWidget]:
        """The widgets in tab order."""
        boxes = [stop for box in self.answers.values() for stop in box.tab_stops]
        return [self.activity, self.title, self.message, self.expected, *boxes, *self.parameters.tab_stops]

    def _rebuild(self, known: CompanionActivity) -> None:
        for box in self.answers.values():
            box.hide()
            box.deleteLater()
        self.answers = {button.answer: AnswerBox(self._toolkit, button) for button in known.buttons}
        for box in self.answers.values():
            box.edit_wanted.connect(self.edit_wanted)
            box.draft_changed.connect(self.draft_changed)
            box.diagnostics.fix_chosen.connect(self.fix_chosen)
            self._boxes.addWidget(box)

    def _show_expected(self, anomaly: Anomaly) -> None:
        offered = ["", *self.answers, DISMISS]
        if [self.expected.itemData(at) for at in range(self.expected.count())] != offered:
            self.expected.clear()
            for answer in offered:
                self.expected.addItem(_(_EXPECTED[answer]), answer)
        self.expected.show_choice(anomaly.answer)
        for widget in self._asked:
            widget.setVisible(len(self.answers) > 1)

    def show_diagnostics(self, by_answer: Mapping[str, Sequence[Diagnostic]]) -> None:
        """Show the diagnostics of each answer; the empty key is for the dialog itself."""
        self.diagnostics.show_diagnostics(by_answer.get("", ()))
        for answer, box in self.answers.items():
            box.show_diagnostics(by_answer.get(answer, ()))

    @property
    def draft(self) -> dict[str, object]:
        """The values of the parameters in the fields, including what is being typed."""
        typed: dict[str, object] = {TITLE: self.title.text(), MESSAGE: self.message.toPlainText()}
        typed |= {box.button.text: box.text.text() for box in self.answers.values()}
        own = {parameter.name for parameter in self._anomaly.parameters}
        return {name: value for name, value in typed.items() if name in own or value} | dict(
            row.typed_value for row in self.parameters.rows
        )

    # -- input --------------------------------------------------------
    def _text_edited(self, name: str, text: str) -> None:
        self.edit_wanted.emit(lambda patch: edits.set_parameter(patch, name, text))

    def _message_changed(self) -> None:
        if self.message.busy:
            self.draft_changed.emit()

    def _expected_picked(self, answer: str) -> None:
        self.edit_wanted.emit(lambda patch: edits.set_field(patch, "answer", answer))


def _is_forced(anomaly: Anomaly, answer: str) -> bool:
    """Whether a forced update leaves the button out."""
    return answer == "deny" and anomaly.value("param_forced").lower() == "true"
