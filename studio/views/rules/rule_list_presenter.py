"""Fill the rule list with rules and anomalies, and the toolbar with the number of errors and warnings."""

from __future__ import annotations

from collections import defaultdict

from PySide6.QtCore import QObject, Slot

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.widgets.broken_entry_view import BrokenEntry
from rule_editor.widgets.rule_list import RuleList, RuleListEntry
from studio.bridge.rules.rule_backtests import RuleKey
from studio.bridge.rules.rule_names import rule_group
from studio.views.rules.anomalies.anomaly_choices import uses_of
from studio.views.rules.diagnostic_badges import DiagnosticTally
from studio.views.rules.list_entries import (
    anomaly_entry,
    anomaly_group,
    anomaly_groups,
    broken_entry,
    rule_entry,
    written_category,
)
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
            session.corpus_changed,
        ):  # fmt: skip
            signal.connect(self.fill)

    @Slot()
    def fill(self) -> None:
        """Fill the list again."""
        session, diagnostics = self._session, self._session.diagnostics
        of_anomalies = self.anomaly_entries()
        every: list[Diagnostic] = []
        groups: list[tuple[str, str]] = []
        entries: list[RuleListEntry] = []
        for document in session.documents.rule_files:
            every += diagnostics.of(document)
            of_document = self._rule_entries(document)
            entries += of_document
            if of_document or (session.file_name(document) and document.text):
                groups.append((rule_group(document.kind, document.path), self._title(document)))
        groups += anomaly_groups({entry.group for entry in of_anomalies})
        entries += of_anomalies
        self._list.set_entries(groups, entries)
        group = next(
            (entry.group for entry in of_anomalies if entry.id == session.anomaly_id),
            rule_group(session.kind, session.file),
        )
        self._list.set_current(group, session.rule_id)
        if session.anomaly_document is not None:
            every += diagnostics.of(session.anomaly_document)
        self._tally.set_counts(*count_errors_and_warnings(every))
        self._tally.setToolTip(worst_sentences(every))

    def _title(self, document: RuleDocument) -> str:
        """Return the title of the group of a file; it names the file when its kind has several."""
        kinds = {
            INJECTION: _("Injection rules"), SUCCESS: _("Success rules"), STATE: _("Essential states"),
            SAFETY: _("Safety rules"),
        }  # fmt: skip
        name = self._session.file_name(document)
        return f"{kinds[document.kind]} \u00b7 {name}" if name else kinds[document.kind]

    def _rule_entries(self, document: RuleDocument) -> list[RuleListEntry]:
        """Return an entry for every rule of a file, broken ones too, in the order of the file."""
        session, group = self._session, rule_group(document.kind, document.path)
        of_document = session.diagnostics.of(document)
        by_rule: defaultdict[str, list[Diagnostic]] = defaultdict(list)
        for diagnostic in of_document:  # once, as a file of hundreds of rules may have thousands
            by_rule[diagnostic.rule_id].append(diagnostic)
        return [
            broken_entry(BrokenEntry.of(entry, document.text, of_document), group)
            if entry.rule is None
            else rule_entry(
                entry.rule, by_rule[entry.rule.id],
                session.count_of(RuleKey(document.path, entry.key), entry.rule), entry.key, group,
            )
            for entry in document.parsed.entries
        ]  # fmt: skip

    def anomaly_entries(self) -> list[RuleListEntry]:
        """Return an entry for every anomaly of the library, broken ones too, in the order of the file."""
        document, diagnostics = self._session.anomaly_document, self._session.diagnostics
        if document is None:
            return []
        by_anomaly, of_library = diagnostics.by_anomaly(document), diagnostics.of(document)
        uses = uses_of(self._session.documents.rules)
        placed = [
            (anomaly.place.start, anomaly_entry(anomaly, by_anomaly.get(anomaly.id, ()), uses))
            for anomaly in document.library.anomalies
            if anomaly.id
        ]
        for entry in document.parsed.entries:
            if document.anomaly(entry.key) is None:
                broken = BrokenEntry.of(entry, document.text, of_library)
                placed.append(
                    (entry.start, broken_entry(broken, anomaly_group(written_category(broken.text))))
                )
        return [entry for _start, entry in sorted(placed, key=lambda each: each[0])]
