"""The pane of one rule: its form and its YAML side by side."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot

from collector.model.i18n import _
from rule_editor.widgets.rule_form.form import RuleForm
from rule_editor.widgets.toolkit import Toolkit
from studio.views.rules.document_pane import DocumentPane
from studio.widgets.controls import EmptyState


class RulePane(DocumentPane):
    """A document pane with the form of a rule, and an empty state that offers proposals and a new rule."""

    propose_wanted = Signal()
    new_wanted = Signal()

    def __init__(self, toolkit: Toolkit) -> None:
        form = RuleForm(toolkit)
        none = self.empty = EmptyState(
            _("No rule yet"),
            "-",
            _("Propose rules"),
            icon="rules",
            button_icon="bulb",
            shows_enter=False,
            other=_("New rule..."),
        )
        super().__init__(toolkit, form, none)
        self.form = form
        self.show_nodes(False)
        self.propose = none.button
        none.pressed.connect(self.propose_wanted)
        none.other_pressed.connect(self.new_wanted)

    @Slot(bool)
    def show_nodes(self, shown: bool) -> None:
        """Say whether the screen beside the pane shows nodes that can be clicked."""
        self.form.show_nodes(shown)
        self.empty.set_words(
            _("No rule yet"),
            _("Click a node on the screen, or let what was recorded propose rules")
            if shown
            else _("Add one, or let what was recorded propose rules"),
        )
