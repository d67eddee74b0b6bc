"""Show the selected rule in its pane: form, YAML, diagnostics and head."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.text_document import TextDocument
from rule_editor.widgets.rule_list import RuleState
from studio.bridge.rules.rule_backtests import RuleKey
from studio.views.rules.anomalies.anomaly_choices import anomaly_choices
from studio.views.rules.list_entries import rule_entry
from studio.views.rules.rule_diagnostics import count_of_rule
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession


class RulePresenter(QObject):
    """Fills the pane from the session, and selects what the YAML cursor points at."""

    def __init__(self, session: RulesSession, pane: RulePane, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._pane = session, pane
        session.selected.connect(self._selected)
        session.text_changed.connect(self._text_changed)
        session.rule_changed.connect(self.show_rule)
        session.edit_refused.connect(self._show_document_again)
        session.condition_chosen.connect(self._condition_chosen)
        session.results_changed.connect(self._show_head)
        session.diagnostics.changed.connect(self._show_diagnostics)
        pane.form.condition_chosen.connect(session.choose_condition)
        pane.yaml.moved.connect(self._cursor_moved)

    @Slot(bool)
    def _selected(self, follow: bool) -> None:
        if self._session.shows_anomaly:
            return
        document, rule_id = self._session.document, self._session.rule_id
        self._pane.show_content(any_rule=document is not None and bool(document.text.strip()))
        if document is not None:
            self._pane.yaml.set_text(document.text)
            broken = self._session.broken_entry
            place = document.place_of(rule_id) if rule_id else None
            if follow and place is not None:
                self._pane.yaml.go_to(place.start if broken is None else broken.place)
        self.show_rule()

    @Slot(object)
    def _text_changed(self, document: TextDocument) -> None:
        if isinstance(document, RuleDocument) and document is self._session.document:
            self._pane.yaml.set_text(document.text)
            self._session.keep_selection(document, self._pane.yaml.offset)

    @Slot()
    def _show_document_again(self) -> None:
        """Show the rule as it is in its document, instead of what was typed into the form."""
        document = self._session.document
        if document is not None:
            self._pane.yaml.set_text(document.text)
            self.show_rule()

    @Slot()
    def show_rule(self) -> None:
        """Show the values of the selected rule."""
        session, document = self._session, self._session.document
        self._pane.form.show_rule(session.rule, anomaly_choices(session.documents.offered))
        self._pane.form.set_chosen(session.condition)
        if document is not None:
            self._pane.yaml.set_diagnostics(session.diagnostics.of(document))
        self._show_head()

    @Slot()
    def _show_head(self) -> None:
        session = self._session
        rule, document, broken = session.rule, session.document, session.broken_entry
        self._pane.show_fact(session.file_name(document) if document is not None else "")
        self._pane.show_broken(broken)
        if broken is not None:
            return
        if rule is None or document is None:
            self._pane.show_head("", RuleState.CLEAN, 0, 0)
            return
        diagnostics = session.diagnostics.of(document)
        count = session.count_of(RuleKey(session.file, session.rule_id), rule)
        state = rule_entry(rule, diagnostics, count).state
        self._pane.show_head(rule.id, state, *count_of_rule(diagnostics, rule.id))

    @Slot()
    def _show_diagnostics(self) -> None:
        document = self._session.document
        if document is not None:
            self._pane.yaml.set_diagnostics(self._session.diagnostics.of(document))
        self._show_head()

    # -- conditions and the cursor -------------------------------------------
    @Slot()
    def _condition_chosen(self) -> None:
        document, path = self._session.document, self._session.condition
        self._pane.form.set_chosen(path)
        if document is not None and path is not None and not self._pane.yaml.hasFocus():
            place = document.place_of(self._session.rule_id, path)
            if place is not None:
                self._pane.yaml.go_to(place.start)

    @Slot(int)
    def _cursor_moved(self, offset: int) -> None:
        document = self._session.document
        if document is None or not self._pane.yaml.hasFocus():
            return
        rule_id, path = document.condition_at(offset) or (document.rule_at(offset), ())
        if rule_id and rule_id != self._session.rule_id:
            self._session.select(self._session.kind, rule_id, self._session.file, follow=False)
        self._session.choose_condition(path or None)
