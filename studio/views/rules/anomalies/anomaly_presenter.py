"""Show the selected anomaly in its pane and preview: form, YAML, diagnostics, head and image."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot

from collector.anomalies.model import NATIVE, Anomaly
from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _, ngettext
from rule_editor.document.text.text_document import TextDocument
from rule_editor.widgets.anomaly_form.form_sections import section_of
from rule_editor.widgets.rule_list import RuleState
from studio.bridge.rules.rule_names import ANOMALY_KIND
from studio.views.rules.anomalies.anomaly_choices import uses_of
from studio.views.rules.anomalies.anomaly_pane import AnomalyPane
from studio.views.rules.anomalies.anomaly_preview_pane import AnomalyPreviewPane
from studio.views.rules.list_entries import anomaly_entry
from studio.views.rules.rule_diagnostics import count_errors_and_warnings
from studio.views.rules.session import RulesSession


class AnomalyPresenter(QObject):
    """Fills pane and preview from the session, and selects what the YAML cursor points at."""

    def __init__(
        self, session: RulesSession, pane: AnomalyPane, preview: AnomalyPreviewPane, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._pane, self._preview = session, pane, preview
        session.selecting.connect(pane.form.finish_typing)
        session.selected.connect(self._selected)
        session.text_changed.connect(self._text_changed)
        session.edit_refused.connect(self._show_document_again)
        session.diagnostics.changed.connect(self._show_diagnostics)
        pane.form.shown_wanted.connect(self._select)
        pane.form.draft_changed.connect(self._show_draft)
        pane.yaml.moved.connect(self._cursor_moved)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the selected anomaly."""
        by_anomaly = self._session.diagnostics.by_anomaly(self._session.anomaly_document)
        return by_anomaly.get(self._session.anomaly_id, [])

    @Slot(bool)
    def _selected(self, follow: bool) -> None:
        document = self._session.anomaly_document
        if document is None or not self._session.shows_anomaly:
            return
        yaml = self._pane.yaml
        self._pane.show_content(any_rule=True)
        yaml.set_text(document.text)
        place, broken = document.place_of(self._session.anomaly_id), self._session.broken_entry
        if follow and place is not None:
            yaml.go_to(max(place.start, place.end - 1))  # shows the whole entry before its start
            yaml.go_to(place.start if broken is None else broken.place)
            yaml.horizontalScrollBar().setValue(0)
        self._show_anomaly()

    @Slot()
    def _show_document_again(self) -> None:
        self._selected(False)

    @Slot()
    def _show_anomaly(self) -> None:
        """Show the values of the selected anomaly, and its family."""
        session, document = self._session, self._session.anomaly_document
        if document is None:
            return
        anomaly = session.anomaly
        native = anomaly is not None and anomaly.kind == NATIVE
        fields = document.plain(session.anomaly_id) if native else {}  # the model has all fields of a dialog
        self._pane.form.show_anomaly(anomaly, fields, document.library.anomalies)
        self._preview.show_anomaly(anomaly)
        self._show_diagnostics()

    @Slot()
    def _show_diagnostics(self) -> None:
        """Show diagnostics in the YAML, beside the fields and in the head."""
        session, document = self._session, self._session.anomaly_document
        if document is None or not session.shows_anomaly:
            return
        self._pane.yaml.set_diagnostics(session.diagnostics.of(document))
        anomaly, broken = session.anomaly, session.broken_entry
        self._pane.show_broken(broken)
        if anomaly is None:
            self._pane.form.show_diagnostics([])
            if broken is None:
                self._pane.show_head("", RuleState.CLEAN, 0, 0)
            self._pane.show_fact("")
            return
        diagnostics = self.diagnostics
        self._pane.form.show_diagnostics(
            [
                (section_of(anomaly, document.path_of(anomaly.id, diagnostic.place)), diagnostic)
                for diagnostic in diagnostics
            ]
        )
        self._show_head(anomaly, diagnostics)

    def _show_head(self, anomaly: Anomaly, diagnostics: Sequence[Diagnostic]) -> None:
        uses = uses_of(self._session.documents.rules)
        state = anomaly_entry(anomaly, diagnostics, uses).state
        self._pane.show_head(anomaly.id, state, *count_errors_and_warnings(diagnostics))
        count = uses.get(anomaly.id, 0)
        self._pane.show_fact(ngettext("one rule", "{count} rules", count) if count else _("no rule"))

    @Slot(object)
    def _text_changed(self, changed: TextDocument) -> None:
        """Show another text; an anomaly that is gone is replaced by the one at the cursor."""
        session, document = self._session, self._session.anomaly_document
        if document is None or changed is not document or not session.shows_anomaly:
            return
        self._pane.yaml.set_text(document.text)
        entries = document.parsed.by_key
        if session.anomaly_id in entries:
            self._show_anomaly()
        elif at_cursor := document.anomaly_at(self._pane.yaml.offset) or next(iter(entries), ""):
            session.select(ANOMALY_KIND, at_cursor, follow=False)
        else:
            session.select_first()

    @Slot(str)
    def _select(self, anomaly_id: str) -> None:
        self._session.select(ANOMALY_KIND, anomaly_id)

    @Slot()
    def _show_draft(self) -> None:
        self._preview.show_draft(self._pane.form.draft)

    @Slot(int)
    def _cursor_moved(self, offset: int) -> None:
        document = self._session.anomaly_document
        if document is None or not self._pane.yaml.hasFocus():
            return
        anomaly_id = document.anomaly_at(offset)
        if anomaly_id and anomaly_id != self._session.anomaly_id:
            self._session.select(ANOMALY_KIND, anomaly_id, follow=False)
