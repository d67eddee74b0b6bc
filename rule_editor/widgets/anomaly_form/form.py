"""The form of one anomaly; it shows the entry, and emits requests for edits of the document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.anomalies.model import CATEGORIES, COMPANION_KIND, KINDS, NATIVE, Anomaly
from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import N_, _
from collector.model.risk import RISKS
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.anomaly_templates import LANGUAGES, is_form
from rule_editor.widgets.anomaly_form.commands_box import CommandsBox
from rule_editor.widgets.anomaly_form.diagnostic_list import DiagnosticList
from rule_editor.widgets.anomaly_form.dialog_box import DialogBox
from rule_editor.widgets.anomaly_form.form_sections import COMMANDS, DIALOG, HEAD, FormSection
from rule_editor.widgets.anomaly_form.parameter_list import ParameterList
from rule_editor.widgets.anomaly_form.variant_switches import FormSwitch, LanguageSwitch
from rule_editor.widgets.form_inputs import (
    ChoiceInput,
    LineInput,
    TextInput,
    add_row,
    bring_into_view,
    form_page,
    grid,
    order_tabs,
)
from rule_editor.widgets.toolkit import Toolkit

CATEGORY_TITLES = {
    "System Resource": N_("System Resource"),
    "System Network": N_("System Network"),
    "App Malfunction": N_("App Malfunction"),
    "Permission Control": N_("Permission Control"),
    "UX Disruption": N_("UX Disruption"),
}
_LANGUAGES_BESIDE = 480
"""The least width of the form for the other languages beside the language."""
KIND_TITLES = {COMPANION_KIND: N_("Dialog"), NATIVE: N_("Change of the phone")}


class AnomalyForm(QScrollArea):
    """Emits what a person asks for; ``edit_wanted`` carries a patch of the entry's text."""

    edit_wanted = Signal(object)
    renamed = Signal(str)
    kind_wanted = Signal(str)
    activity_wanted = Signal(str)
    shown_wanted = Signal(str)
    language_wanted = Signal(str)
    form_wanted = Signal()
    draft_changed = Signal()
    """A text is being typed; :attr:`draft` holds it."""
    fix_chosen = Signal(object)

    def __init__(self, toolkit: Toolkit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Anomaly"))
        self._toolkit = toolkit
        self._anomaly: Anomaly | None = None
        self.id_field = LineInput(_("Id"), code=True)
        self.description = LineInput(_("Description"))
        self.category = ChoiceInput(
            _("Category"), [("", "-"), *((category, _(CATEGORY_TITLES[category])) for category in CATEGORIES)]
        )
        self.risk = ChoiceInput(_("Risk"), [("", "-"), *((risk, _(title)) for risk, title in RISKS.items())])
        self.risk.setToolTip(_("Why an agent should not agree: every answer but the expected one is unsafe"))
        self.kind = ChoiceInput(_("Kind"), [(kind, _(KIND_TITLES[kind])) for kind in KINDS])
        self.family = LineInput(_("Family"), code=True)
        self.language = ChoiceInput(_("Language of its words"), [("", "-"), *LANGUAGES.items()])
        self.languages, self.forms = LanguageSwitch(toolkit), FormSwitch(toolkit)
        self.dialog = DialogBox(toolkit)
        self.parameters = ParameterList(toolkit)
        self.ranges: list[CommandsBox] = []
        self.diagnostics = DiagnosticList(toolkit)
        self._stops: list[QWidget] = []
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        column = form_page(self, self._toolkit)
        fields = grid()
        add_row(self._toolkit, fields, _("Id"), self.id_field)
        fields.addWidget(self.diagnostics, fields.rowCount(), 1)
        add_row(self._toolkit, fields, _("Description"), self.description)
        add_row(self._toolkit, fields, _("Category"), self.category)
        add_row(self._toolkit, fields, _("Risk"), self.risk)
        add_row(self._toolkit, fields, _("Kind"), self.kind)
        add_row(self._toolkit, fields, _("Family"), self.family)
        pair = QWidget()
        row = self._language_row = QBoxLayout(QBoxLayout.Direction.LeftToRight, pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.language)
        row.addWidget(self.languages, 1)
        self._of_dialogs = add_row(self._toolkit, fields, _("Language"), pair)
        self._of_forms = add_row(self._toolkit, fields, _("Buttons"), self.forms)
        self.language.setToolTip(_("The language its words are in"))
        self.family.setToolTip(_("Its other languages and forms"))
        column.addLayout(fields)
        column.addWidget(self.dialog)
        column.addWidget(self._native())
        column.addStretch(1)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Put the other languages below the language where they do not fit beside it."""
        direction = QBoxLayout.Direction
        fits = event.size().width() >= _LANGUAGES_BESIDE
        self._language_row.setDirection(direction.LeftToRight if fits else direction.TopToBottom)
        super().resizeEvent(event)

    def _native(self) -> QWidget:
        self._natives = QWidget()
        column = QVBoxLayout(self._natives)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.parameters)
        self._boxes = QVBoxLayout()
        self._boxes.setSpacing(12)
        column.addLayout(self._boxes)
        self.add_range = self._toolkit.button(_("Commands for other versions"), "plus", small=True)
        column.addWidget(self.add_range, 0, Qt.AlignmentFlag.AlignLeft)
        return self._natives

    def _connect(self) -> None:
        self.id_field.edited.connect(self._renamed)
        self.description.edited.connect(partial(self._set, "description"))
        self.family.edited.connect(self._set_family)
        self.category.picked.connect(partial(self._set, "category"))
        self.risk.picked.connect(partial(self._set, "risk"))
        self.language.picked.connect(partial(self._set, "language"))
        self.kind.picked.connect(self.kind_wanted)
        self.languages.shown_wanted.connect(self.shown_wanted)
        self.languages.language_wanted.connect(self.language_wanted)
        self.forms.shown_wanted.connect(self.shown_wanted)
        self.forms.form_wanted.connect(self.form_wanted)
        self.forms.buttons_wanted.connect(self.activity_wanted)
        self.dialog.activity_wanted.connect(self.activity_wanted)
        for section in (self.dialog, self.parameters):
            section.edit_wanted.connect(self.edit_wanted)
            section.draft_changed.connect(self.draft_changed)
        self.diagnostics.fix_chosen.connect(self.fix_chosen)
        self.dialog.fix_chosen.connect(self.fix_chosen)
        self.add_range.clicked.connect(self._range_wanted)

    # -- what is shown -------------------------------------------------------
    @property
    def anomaly(self) -> Anomaly | None:
        """The anomaly shown."""
        return self._anomaly

    @property
    def draft(self) -> dict[str, object]:
        """The values of the parameters in the fields, including what is being typed."""
        if self._anomaly is None or self._anomaly.kind == NATIVE:
            return dict(row.typed_value for row in self.parameters.rows)
        return self.dialog.draft

    def show_anomaly(
        self, anomaly: Anomaly | None, plain: Mapping[str, Any], every: Collection[Anomaly]
    ) -> None:
        """Show an entry, with all its keys in ``plain``; a field being typed in keeps its text."""
        self._anomaly = anomaly
        page = self.widget()
        if page is not None:
            page.setVisible(anomaly is not None)
        if anomaly is None:
            return
        self.id_field.show_text(anomaly.id)
        self.description.show_text(anomaly.description)
        self.category.show_choice(anomaly.category)
        self.risk.show_choice(anomaly.risk)
        self.kind.show_choice(anomaly.kind)
        self.language.show_choice(anomaly.language)
        self.family.show_text(anomaly.family)
        native = anomaly.kind == NATIVE
        self.languages.show_siblings(anomaly, every)
        self.forms.show_siblings(anomaly, every)
        for widget in self._of_dialogs:
            widget.setVisible(not native)
        for widget in self._of_forms:
            widget.setVisible(is_form(anomaly))
        self.dialog.setVisible(not native)
        self._natives.setVisible(native)
        if native:
            self._show_native(anomaly, plain)
        else:
            self.dialog.show_anomaly(anomaly)
        self._order_tabs()

    def _show_native(self, anomaly: Anomaly, plain: Mapping[str, Any]) -> None:
        self.parameters.show_parameters(anomaly.parameters, None)
        commands = plain.get("commands")
        self._show_ranges(
            [item for item in commands if isinstance(item, dict)] if isinstance(commands, list) else []
        )

    def _show_ranges(self, ranges: Sequence[Mapping[str, Any]]) -> None:
        while len(self.ranges) > len(ranges):
            box = self.ranges.pop()
            box.hide()
            box.deleteLater()
        while len(self.ranges) < len(ranges):
            box = CommandsBox(self._toolkit, len(self.ranges))
            box.edit_wanted.connect(self.edit_wanted)
            box.diagnostics.fix_chosen.connect(self.fix_chosen)
            self._boxes.addWidget(box)
            self.ranges.append(box)
        for box, commands in zip(self.ranges, ranges, strict=True):
            box.show_commands(commands)

    def _order_tabs(self) -> None:
        head = [
            self.id_field,
            self.description,
            self.category,
            self.risk,
            self.kind,
            self.family,
            self.language,
        ]
        ranges = [stop for box in self.ranges for stop in box.tab_stops]
        below = [*self.dialog.tab_stops, *self.parameters.tab_stops, *ranges, self.add_range]
        tab_stops = [*head, *self.languages.tab_stops, *self.forms.tab_stops, *below]
        if tab_stops != self._stops:
            self._stops = tab_stops
            order_tabs(tab_stops)

    def show_diagnostics(self, diagnostics: Sequence[tuple[FormSection, Diagnostic]]) -> None:
        """Show each diagnostic in its section of the form."""
        self.diagnostics.show_diagnostics([shown for (part, _name), shown in diagnostics if part == HEAD])
        answers: dict[str, list[Diagnostic]] = {}
        for (part, name), diagnostic in diagnostics:
            if part == DIALOG:
                answers.setdefault(name, []).append(diagnostic)
        self.dialog.show_diagnostics(answers)
        for at, box in enumerate(self.ranges):
            box.show_diagnostics([shown for section, shown in diagnostics if section == (COMMANDS, str(at))])

    # -- input --------------------------------------------------------
    def finish_typing(self) -> None:
        """Emit the edit of a field being typed in, before another anomaly is shown."""
        for line in self.findChildren(LineInput):
            line.finish()
        for text in self.findChildren(TextInput):
            text.finish()

    def _set(self, key: str, value: str) -> None:
        self.edit_wanted.emit(lambda patch: edits.set_field(patch, key, value))

    def _set_family(self, text: str) -> None:
        self._set("family", text.strip())

    def _renamed(self, new_id: str) -> None:
        if self._anomaly is not None and new_id.strip() != self._anomaly.id:
            self.renamed.emit(new_id.strip())

    def _range_wanted(self) -> None:
        self.edit_wanted.emit(lambda patch: edits.add_range(patch, "12+"))
        if self.ranges:
            bring_into_view(self.ranges[-1])
