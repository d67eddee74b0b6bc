"""Fill the rule list with rules and anomalies, and the toolbar with the number of errors and warnings."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION, STATE, SUCCESS
from collector.store.layout import LIBRARY_FILE
from rule_editor.widgets.rule_list import RuleList, RuleListEntry, RuleState
from studio.views.rules.anomaly_choices import uses_of
from studio.views.rules.diagnostic_badges import DiagnosticTally
from studio.views.rules.list_entries import anomaly_entry, anomaly_group, anomaly_groups, rule_entry
from studio.views.rules.rule_diagnostics import count_errors_and_warnings, worst_sentences
from studio.views.rules.session import RulesSession


class RuleListPresenter(QObject):
    """Shows entries and the selection, and fills them again whenever the session changes."""

    def __init__(
        self, session: RulesSession, rule_list: RuleList, tally: DiagnosticTally, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._list, self._tally = session, rule_list, tally
        for signal in (
            session.selected, session.entries_changed, session.results_changed, session.diagnostics.changed,
        ):  # fmt: skip
            signal.connect(self.fill)

    @Slot()
    def fill(self) -> None:
        """Fill the list again."""
        session, diagnostics = self._session, self._session.diagnostics
        groups = [
            (INJECTION, _("Injection rules")),
            (SUCCESS, _("Success rules")),
            (STATE, _("Essential states")),
            *self._anomaly_groups(),
        ]
        every: list[Diagnostic] = []
        entries: list[RuleListEntry] = []
        for document in session.documents.documents.values():
            of_document = diagnostics.of(document)
            every += of_document
            entries += [rule_entry(rule, of_document, session.results) for rule in document.rules]
        entries += self.anomaly_entries()
        used = {entry.group for entry in entries}
        self._list.set_entries([group for group in groups if group[0] in used], entries)
        anomaly = session.anomaly
        category = anomaly.category if anomaly is not None else ""
        group = anomaly_group(category) if session.shows_anomaly else session.kind
        self._list.set_current(group, session.rule_id)
        if session.anomaly_document is not None:
            every += diagnostics.of(session.anomaly_document)
        self._tally.set_counts(*count_errors_and_warnings(every))
        self._tally.setToolTip(worst_sentences(every))

    def _anomaly_groups(self) -> list[tuple[str, str]]:
        document = self._session.anomaly_document
        if self._session.diagnostics.unreadable_library(document):
            return [(anomaly_group(""), _("Anomalies"))]
        return anomaly_groups(document.library) if document is not None else []

    def anomaly_entries(self) -> list[RuleListEntry]:
        """Return an entry for every anomaly of the library; for its file when it cannot be read."""
        document, diagnostics = self._session.anomaly_document, self._session.diagnostics
        if document is None:
            return []
        if unreadable := diagnostics.unreadable_library(document):
            note = unreadable[0].sentence
            return [RuleListEntry(Path(LIBRARY_FILE).name, anomaly_group(""), RuleState.ERROR, "", note)]
        by_anomaly = diagnostics.by_anomaly(document)
        uses = uses_of(self._session.documents.rules)
        return [
            anomaly_entry(anomaly, by_anomaly.get(anomaly.id, ()), uses)
            for anomaly in document.library.anomalies
            if anomaly.id
        ]
