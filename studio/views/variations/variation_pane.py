"""The pane of one variation: its form and its YAML side by side."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.i18n import _
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.variation_form.form import VariationForm
from studio.views.rules.document_pane import DocumentPane


class VariationPane(DocumentPane):
    """A document pane with the form of a variation."""

    def __init__(self, toolkit: Toolkit, apps: Sequence[str]) -> None:
        form = VariationForm(toolkit, apps)
        super().__init__(toolkit, form)
        self.form = form
        self.yaml.setAccessibleName(_("Variation as YAML"))
