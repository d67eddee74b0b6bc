"""The back-test panel: summary, legend, matrix and the explanation of one cell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.model.i18n import _, ngettext
from collector.rules.backtest.backtest import BackTestResult, OutcomeDifference
from collector.rules.evaluation.proof import ProofOutcome
from rule_editor.widgets.field_names import add_clear_button
from rule_editor.widgets.matrix.explanation_panel import ExplanationPanel
from rule_editor.widgets.matrix.rows import MatrixOrder, MatrixRows
from rule_editor.widgets.matrix.side_column import side_column
from rule_editor.widgets.matrix.view import MatrixView, summary_of
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon

_HEADER = 36


class BackTestPanel(QWidget):
    """Emits ``cell_chosen`` and ``cell_opened`` (position of the corpus), ``exported`` for a CSV file."""

    cell_chosen = Signal(int)
    cell_opened = Signal(int)
    exported = Signal()

    def __init__(
        self, toolkit: Toolkit, parent: QWidget | None = None, *, lead: QWidget | None = None
    ) -> None:
        """``lead`` replaces the heading."""
        super().__init__(parent)
        self._toolkit = toolkit
        self._rows = MatrixRows()
        self._order = 0
        self.view = MatrixView(toolkit, self._rows)
        self.explain = ExplanationPanel(toolkit)
        self.explain.setProperty("surface", "panel")
        self.explain.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(_("Filter trajectories"))
        self.filter.setAccessibleName(_("Filter trajectories"))
        self.filter.setProperty("small", True)
        self.filter.setFixedWidth(180)
        add_clear_button(self.filter)
        self._summary = toolkit.label("", "body", "text-2", cut=True)
        self._compared = toolkit.label("", "body", "text-2")
        self._sort = toolkit.button(_("First fire"), "sort", small=True)
        self._export = toolkit.button("", "down", small=True)
        self._export.setToolTip(_("Save the matrix as CSV..."))
        self._export.setAccessibleName(_("Save the matrix as CSV..."))
        self._lay_out(lead or toolkit.label(_("Back-test"), "heading"))
        self.filter.textChanged.connect(self._filtered)
        self._sort.clicked.connect(self._next_order)
        self._export.clicked.connect(self.exported)
        self.view.chosen.connect(self.cell_chosen)
        self.view.opened.connect(self.cell_opened)
        self.explain.go.connect(self.cell_opened)
        self._update_order_title()

    def _lay_out(self, lead: QWidget) -> None:
        head = self._toolkit.surface("bar", "bottom")
        head.setFixedHeight(_HEADER)
        row = QHBoxLayout(head)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(12)
        row.addWidget(lead)
        row.addWidget(self._summary, 1)
        row.addWidget(self._compared)
        row.addLayout(self._legend("state-fire", _("fires")))
        row.addLayout(self._legend("state-near", _("near miss")))
        row.addLayout(self._legend("state-err", _("should not fire here")))
        row.addWidget(self.filter)
        row.addWidget(self._sort)
        row.addWidget(self._export)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.view, 5)
        body.addWidget(side_column(self.explain), 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(body, 1)

    def _legend(self, icon: str, words: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(ToolkitIcon(self._toolkit, icon, 12))
        row.addWidget(self._toolkit.label(words, "body", "text-2"))
        return row

    # -- what is shown -------------------------------------------------------
    def set_result(self, result: BackTestResult | None, why: str = "") -> None:
        """Show a result; for None, empty the matrix and show the reason ``why``."""
        self._rows.set_result(result)
        if result is None:
            self._summary.setText(why or _("Nothing is recorded yet to test rules on"))
            self.explain.clear()
        else:
            self._summary.setText(summary_of(result.states, len(result.rows), result.seconds))
        self.set_differences(())
        self.view.refresh()

    def set_differences(self, differences: Sequence[OutcomeDifference]) -> None:
        """Mark where the outcome differs from the compared version of the rule."""
        self.view.set_differences({difference.position: difference for difference in differences})
        gained = sum(difference.after is ProofOutcome.FIRES for difference in differences)
        lost = sum(difference.before is ProofOutcome.FIRES for difference in differences)
        parts = [
            ngettext("fires in 1 more state", "fires in {count} more states", gained) if gained else "",
            ngettext("no longer fires in 1 state", "no longer fires in {count} states", lost) if lost else "",
        ]
        self._compared.setText(", ".join(part for part in parts if part))

    def set_current(self, position: int | None) -> None:
        """Make the position of the current screen the current one."""
        self.view.set_current(position)

    @property
    def rows(self) -> MatrixRows:
        """The rows as filtered and sorted."""
        return self._rows

    def _filtered(self, text: str) -> None:
        self._rows.set_filter(text)
        self.view.refresh()

    def _next_order(self) -> None:
        orders = list(MatrixOrder)
        self._order = (self._order + 1) % len(orders)
        self._rows.set_order(orders[self._order])
        self._update_order_title()
        self.view.refresh()

    def _update_order_title(self) -> None:
        words = {
            MatrixOrder.RECORDED: _("As recorded"), MatrixOrder.FIRST_FIRE: _("First fire"),
            MatrixOrder.MOST_FIRES: _("Most fires"), MatrixOrder.WRONG: _("Most errors"),
        }[self._rows.order]  # fmt: skip
        self._sort.setText(words)
        self._sort.setAccessibleName(_("Sorted by: {order}", order=words))
        self._sort.updateGeometry()
