"""Quick fixes by key: those of the cursor's line, or the first that the entry has."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from rule_editor.widgets.yaml_view.editor import YamlEditor
from studio.commands.commander import Commander
from studio.views.rules.anomalies.anomaly_pane import AnomalyPane
from studio.views.rules.anomalies.anomaly_presenter import AnomalyPresenter
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession
from studio.widgets.window_frame.toasts import Toasts


class QuickFixController(QObject):
    """Handles ``rules.fix`` for the pane that is on show."""

    def __init__(
        self, session: RulesSession, rule_pane: RulePane, anomaly_pane: AnomalyPane,
        anomalies: AnomalyPresenter, commander: Commander, toasts: Toasts, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._anomalies, self._toasts = session, anomalies, toasts
        self._rule_pane, self._anomaly_pane = rule_pane, anomaly_pane
        commander.handle("rules.fix", self.offer)

    def offer(self) -> None:
        """Open the fixes for the selected rule or anomaly."""
        session, document = self._session, self._session.document
        if session.shows_anomaly:
            offer_quick_fixes(self._anomaly_pane.yaml, self._anomalies.diagnostics, self._toasts)
            return
        diagnostics = session.diagnostics.of(document) if document is not None else ()
        of_rule = [diagnostic for diagnostic in diagnostics if diagnostic.rule_id == session.rule_id]
        offer_quick_fixes(self._rule_pane.yaml, of_rule, self._toasts)


def offer_quick_fixes(yaml: YamlEditor, diagnostics: Sequence[Diagnostic], toasts: Toasts) -> None:
    """Open the menu of fixes at the cursor, or at the first of ``diagnostics`` that has fixes."""
    if yaml.fixes_here():
        yaml.offer_fixes()
        return
    fixable = next((diagnostic for diagnostic in diagnostics if diagnostic.fixes), None)
    if fixable is not None:
        yaml.go_to(fixable.place.start)
        yaml.offer_fixes()
    else:
        toasts.show("info", _("Nothing here has a quick fix"))
