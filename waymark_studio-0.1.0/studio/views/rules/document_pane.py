"""The pane of one document entry: a head, its form and its YAML side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from rule_editor.widgets.broken_entry_view import BrokenEntry, BrokenEntryView
from rule_editor.widgets.rule_list import STATE_ICONS, RuleState
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon
from rule_editor.widgets.yaml_view.editor import YamlEditor
from studio.theme import theme
from studio.theme.tokens import tokens
from studio.views.rules.diagnostic_badges import DiagnosticBadge, errors_named, warnings_named
from studio.widgets.controls import Label, SegmentedControl, surface
from studio.widgets.window_frame.panel_splitter import PanelSplitter

FORM, BOTH, YAML = "form", "both", "yaml"
_VIEWS = (FORM, BOTH, YAML)
_FORM, _YAML = 388, 160
"""The smallest usable widths."""
_STRIPE = 40
"""A minimum below the usable width of the YAML, so that the pane can shrink and hide it."""


def next_view(view: str) -> str:
    """Return the view that follows ``view``."""
    return _VIEWS[(_VIEWS.index(view) + 1) % len(_VIEWS)]


class DocumentPane(QWidget):
    """Shows an entry; form and YAML emit what the person asks for."""

    def __init__(self, toolkit: Toolkit, form: QWidget, none: QWidget | None = None) -> None:
        """``none`` is the widget to show while there is no entry."""
        super().__init__()
        self._none = none
        self.broken = BrokenEntryView(toolkit)
        self._form = QStackedWidget()
        self._form.addWidget(form)
        self._form.addWidget(self.broken)
        self.yaml = YamlEditor(toolkit)
        self._icon = ToolkitIcon(toolkit, STATE_ICONS[RuleState.CLEAN], 16)
        self._name = Label("", "name", cut=True)
        self._fact = Label("", "body", "text-3")
        self.errors, self.warnings = DiagnosticBadge("err"), DiagnosticBadge("warn")
        self._views = SegmentedControl(
            [(FORM, _("Form"), "form"), (BOTH, _("Both"), "split"), (YAML, "YAML", "code")]
        )
        self._views.chosen.connect(self.set_view)
        self.broken.line_wanted.connect(self._go_to_yaml)
        self._parts = PanelSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self.set_view(BOTH)
        self.show_head("", RuleState.CLEAN, 0, 0)

    def set_read_only(self, read_only: bool) -> None:
        """Show entries of a project that cannot be changed."""
        self._form.setEnabled(not read_only)
        self.yaml.setReadOnly(read_only)

    def _lay_out(self) -> None:
        head = surface("bar", "bottom")
        head.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self._name, 1)
        row.addWidget(self._fact)
        row.addWidget(self.errors)
        row.addWidget(self.warnings)
        row.addWidget(self._views)
        self._parts.addWidget(self._form)
        self._parts.addWidget(self.yaml)
        width = tokens().panel("rule_form")["default"]
        self._form.setMinimumWidth(_FORM)
        self.yaml.setMinimumWidth(_STRIPE)
        self._parts.setStretchFactor(0, 1)
        self._parts.setStretchFactor(1, 1)
        self._parts.setSizes([width, width])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._parts, 1)
        if self._none is not None:
            column.addWidget(self._none, 1)

    def show_head(self, name: str, state: RuleState, errors: int, warnings: int) -> None:
        """Show name, state and counts of the entry; an empty name for none."""
        self._icon.set_name(STATE_ICONS[state])
        self._icon.setVisible(bool(name))
        self._name.setText(name)
        self._name.setToolTip(name)
        self.errors.set_text(errors_named(errors) if errors else "")
        self.warnings.set_text(warnings_named(warnings) if warnings else "")

    def show_fact(self, fact: str) -> None:
        """Show one more fact about the entry, such as the number of its users."""
        self._fact.setText(fact)

    def show_content(self, *, any_rule: bool) -> None:
        """Show form and YAML when there is a rule or a text; the empty state otherwise."""
        self._parts.setVisible(any_rule)
        if self._none is not None:
            self._none.setVisible(not any_rule)

    def show_broken(self, entry: BrokenEntry | None) -> None:
        """Show what is wrong with an entry in place of its form; the form again for None."""
        if entry is not None:
            self.broken.show_entry(entry)
            self.show_head(entry.name, RuleState.BROKEN, len(entry.reasons), 0)
        self._form.setCurrentIndex(int(entry is not None))

    def _go_to_yaml(self, offset: int) -> None:
        if not self.yaml.isVisible():
            self.set_view(YAML)
        self.yaml.go_to(offset)
        self.yaml.setFocus()

    def set_view(self, view: str) -> None:
        """Show the form, the YAML, or both."""
        self._views.set_current(view)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Hide the YAML when form and YAML do not fit side by side."""
        both = self.view == BOTH
        self._form.setVisible(both or self.view == FORM)
        self.yaml.setVisible(self.view == YAML or (both and self.width() >= _FORM + _YAML))

    @property
    def view(self) -> str:
        """What is shown: ``form``, ``both`` or ``yaml``."""
        return self._views.current
