"""What of a project is exported, and how it is divided: fields of the export dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.exchange.exports.screens_elsewhere import ONCE, TOGETHER
from collector.model.dataset.split import AT_RANDOM, BY_APP, BY_TASK, BY_TIME, Split, shares_of
from collector.model.i18n import _, ngettext
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.field_names import add_clear_button, name_field
from studio.views.project.search_completion import SearchCompletion, search_help
from studio.widgets.controls import Label, SegmentedControl
from studio.widgets.wrapped_text import tooltip_text

if TYPE_CHECKING:
    from collector.exchange.exports.selection import Selection

WHOLE, FOUND, TASKS, FRONT = "whole", "found", "tasks", "front"
_SHARES = ("0.8/0.2", "0.9/0.1", "0.8/0.1/0.1")


class SelectionFields(QWidget):
    """Emits ``changed`` when anything else is chosen."""

    changed = Signal()

    def __init__(
        self, query: str, tasks: tuple[str, ...], front: str, *, begins_in_front: bool = False
    ) -> None:
        """``tasks`` are the ids of the selected ones.

        ``front`` is the folder of the trajectory in front, relative to the project; empty for none.
        """
        super().__init__()
        self._tasks, self._front = tasks, front
        choices = [(WHOLE, _("Whole project"), ""), (FOUND, _("Search"), "")]
        if tasks:
            choices.append((TASKS, ngettext("{count} task", "{count} tasks", len(tasks)), ""))
        if front:
            choices.append((FRONT, _("In front"), ""))
        self.what = SegmentedControl(choices, shrinks=True)
        self.what.set_current(FRONT if begins_in_front else FOUND if query else WHOLE)
        self.query = QLineEdit(query)
        self.query.setPlaceholderText(_("kind:golden verdict:success, task:shop-14, -review:none"))
        self.query.setToolTip(tooltip_text(search_help()))
        name_field(self.query, _("Search"))
        add_clear_button(self.query)
        self.completion = SearchCompletion(self.query)
        self.name = Label("", "caption", "text-2", cut=True)
        self.shares, self.by = ComboBox(), ComboBox()
        self.shares.addItem(_("Not divided"), "")
        for text in _SHARES:
            names = " / ".join(shares_of(text))
            self.shares.addItem(f"{text}  {names}", text)
        for way, title in (
            (BY_TASK, _("by task")), (BY_APP, _("by app")), (AT_RANDOM, _("at random")),
            (BY_TIME, _("newest apart")),
        ):  # fmt: skip
            self.by.addItem(title, way)
        for combo, letters in ((self.shares, 12), (self.by, 6)):  # both go into one narrow row
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(letters)
        self.once = QCheckBox(_("Screens that sides share on one side alone"))
        self.once.setToolTip(tooltip_text(_(
            "Else trajectories that show one screen, as a home screen, stay on one side together. A screen "
            "is written on the first side that shows it, and left out of the others."
        )))  # fmt: skip
        self.said = Label("", "caption", "text-2", wrap=True)
        self._may_share = False
        name_field(self.shares, _("Split"))
        name_field(self.by, _("What stays together"))
        self._lay_out()
        self.what.chosen.connect(self._chosen)
        self.query.textChanged.connect(self.changed)
        self.shares.currentIndexChanged.connect(self._chosen)
        self.by.currentIndexChanged.connect(self.changed)
        self.once.toggled.connect(self.changed)
        self._show_fields()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(Label(_("Trajectories"), "caption", "text-2"))
        column.addWidget(self.what)
        column.addWidget(self.query)
        column.addWidget(self.name)
        column.addWidget(Label(_("Split"), "caption", "text-2"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.shares, 1)
        row.addWidget(self.by)
        column.addLayout(row)
        column.addWidget(self.once)
        column.addWidget(self.said)

    def let_screens_be_shared(self, *, may_share: bool) -> None:
        """Offer to write screens that sides share once, where the format can leave out a screen."""
        self._may_share = may_share
        self._show_fields()

    def say_of_split(self, text: str) -> None:
        """Say how many trajectories each side gets; empty while that is not known."""
        self.said.setText(text)
        self.said.setVisible(bool(text))

    @property
    def selection(self) -> Selection:
        """What is chosen."""
        from collector.exchange.exports.selection import Selection

        if self.what.current == TASKS:
            return Selection(tasks=self._tasks)
        if self.what.current == FRONT:
            return Selection(trajectories=(self._front,))
        return Selection(where=self.query.text().strip()) if self.what.current == FOUND else Selection()

    @property
    def split(self) -> Split | None:
        """How it is divided; None for one export."""
        shares = self.shares.currentData()
        return Split(shares_of(shares), self.by.currentData()) if shares else None

    @property
    def shared_screens(self) -> str:
        """What becomes of trajectories that show one screen."""
        return ONCE if self.split is not None and self._may_share and self.once.isChecked() else TOGETHER

    @Slot()
    def _chosen(self) -> None:
        self._show_fields()
        self.changed.emit()

    def _show_fields(self) -> None:
        self.query.setVisible(self.what.current == FOUND)
        names = {TASKS: ", ".join(self._tasks), FRONT: self._front.removeprefix("trajectories/")}
        self.name.setText(names.get(self.what.current, ""))
        self.name.setVisible(bool(self.name.text()))
        is_split = bool(self.shares.currentData())
        self.by.setVisible(is_split)
        self.once.setVisible(is_split and self._may_share)
        self.say_of_split("")
