"""The pane of one anomaly: its form and its YAML side by side."""

from __future__ import annotations

from collector.model.i18n import _
from rule_editor.widgets.anomaly_form.form import AnomalyForm
from rule_editor.widgets.kit import Kit
from studio.views.rules.document_pane import DocumentPane


class AnomalyPane(DocumentPane):
    """A document pane with the form of an anomaly."""

    def __init__(self, kit: Kit) -> None:
        form = AnomalyForm(kit)
        super().__init__(kit, form)
        self.form = form
        self.yaml.setAccessibleName(_("Anomalies as YAML"))
