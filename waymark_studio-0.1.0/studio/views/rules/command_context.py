"""Tell the commands what they can work on in the Rules workspace."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from rule_editor.document.anomalies.anomaly_templates import is_form
from studio.commands.commander import Commander
from studio.views.rules.session import RulesSession


class RulesCommandContext(QObject):
    """Sets the context of the commands whenever the session changes."""

    def __init__(self, session: RulesSession, commander: Commander, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._commander = session, commander
        for signal in (
            session.opened, session.selected, session.entries_changed, session.history_changed,
            session.corpus_changed,
        ):  # fmt: skip
            signal.connect(self.update)
        commander.handle("rules.switch-semantics", session.switch_semantics)

    @Slot()
    def update(self) -> None:
        """Set the context anew."""
        session, documents, anomaly = self._session, self._session.documents, self._session.anomaly
        self._commander.set_context(
            rules__open=bool(documents.rule_files),
            rule__selected=session.rule is not None,
            rules__recorded=session.has_recordings,
            rule__listed=session.rule is not None
            or (session.broken_entry is not None and not session.shows_anomaly),
            anomaly__listed=anomaly is not None
            or (session.broken_entry is not None and session.shows_anomaly),
            anomalies__open=session.anomaly_document is not None,
            anomaly__selected=anomaly is not None,
            anomaly__dialog=anomaly is not None and bool(anomaly.activity),
            anomaly__form=anomaly is not None and is_form(anomaly),
        )
