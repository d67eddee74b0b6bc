"""The pane of one anomaly: its form and its YAML side by side."""

from __future__ import annotations

from collector.model.i18n import _
from rule_editor.widgets.anomaly_form.form import AnomalyForm
from rule_editor.widgets.toolkit import Toolkit
from studio.views.rules.document_pane import DocumentPane


class AnomalyPane(DocumentPane):
    """A document pane with the form of an anomaly."""

    def __init__(self, toolkit: Toolkit) -> None:
        form = AnomalyForm(toolkit)
        super().__init__(toolkit, form)
        self.form = form
        self.yaml.setAccessibleName(_("Anomalies as YAML"))
