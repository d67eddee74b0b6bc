"""Turn edits of the anomaly form and its YAML into edits of the project's anomaly library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Slot

from collector.located_yaml.diagnostics import QuickFix
from collector.located_yaml.yaml_patch.patch import YamlPatch
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.anomaly_document import AnomalyEdit
from rule_editor.document.anomalies.anomaly_edits import FORMS, ONE_BUTTON
from rule_editor.document.anomalies.anomaly_templates import CHANGE, template, words_in
from studio.commands.commander import Commander
from studio.views.rules.anomalies.anomaly_pane import AnomalyPane
from studio.views.rules.session import RulesSession

_TYPING = "typing"


class AnomalyEditController(QObject):
    """Changes the selected anomaly."""

    def __init__(
        self, session: RulesSession, pane: AnomalyPane, commander: Commander, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._two_button_entries: dict[str, Mapping[str, Any]] = {}
        """By id, entries as they were before they got one button: two buttons bring their words back."""
        pane.form.edit_wanted.connect(self.edit)
        pane.form.kind_wanted.connect(self.set_kind)
        pane.form.activity_wanted.connect(self.set_activity)
        pane.form.fix_chosen.connect(self.apply_fix)
        pane.yaml.typed.connect(self.type_text)
        pane.yaml.fix_chosen.connect(self.apply_fix)
        commander.handle("anomaly.toggle-buttons", self.toggle_buttons)

    @Slot(object)
    def edit(self, change: AnomalyEdit) -> None:
        """Change the entry of the selected anomaly."""
        anomaly_id = self._session.anomaly_id
        self._session.edit_anomalies(lambda document: document.change(anomaly_id, change))

    @Slot(int, int, str)
    def type_text(self, start: int, end: int, text: str) -> None:
        """Write what was typed into the YAML."""
        self._session.edit_anomalies(lambda document: document.replace(start, end, text, merge_key=_TYPING))

    @Slot(object)
    def apply_fix(self, fix: QuickFix) -> None:
        self._session.edit_anomalies(lambda document: document.apply_fix(fix))

    @Slot(str)
    def set_kind(self, kind: str) -> None:
        """Make the anomaly a dialog of the companion app, or a change of the phone."""
        anomaly = self._session.anomaly
        if anomaly is not None:
            words = words_in(anomaly.language)
            self.edit(lambda piece: edits.set_kind(piece, kind, template(CHANGE), words))

    @Slot(str)
    def set_activity(self, activity: str) -> None:
        """Show another dialog; a button that one button removed comes back with two."""
        anomaly, document = self._session.anomaly, self._session.anomaly_document
        if anomaly is None or document is None:
            return
        words = words_in(anomaly.language)
        if activity == ONE_BUTTON:
            self._two_button_entries[anomaly.id] = document.plain(anomaly.id)
        before = self._two_button_entries.get(anomaly.id, {}) if activity != ONE_BUTTON else {}

        def change(piece: YamlPatch) -> None:
            edits.set_activity(piece, activity, words)
            edits.restore(piece, before, "deny")

        self.edit(change)

    def toggle_buttons(self) -> None:
        """Make one button two, and two buttons one."""
        anomaly = self._session.anomaly
        if anomaly is not None:
            self.set_activity(FORMS[2] if anomaly.activity == FORMS[1] else FORMS[1])
