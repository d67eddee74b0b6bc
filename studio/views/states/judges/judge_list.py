"""The list of judges, with what can be done with the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from collector.model.i18n import _
from studio.views.states.judges.judge_texts import judge_cells, judge_columns
from studio.widgets.controls import Button, Label, header_row
from studio.widgets.icon_button import IconButton
from studio.widgets.tables.cell_table import CellTable

if TYPE_CHECKING:
    from collector.model_judges.listed_judges import ListedJudge

_LEAST = 296


class JudgeList(QFrame):
    """Shows what it is given; the tab connects its buttons."""

    chosen = Signal(str)
    """The name of the judge that was chosen; empty for none."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self.setMinimumWidth(_LEAST)
        self._judges: tuple[ListedJudge, ...] = ()
        self._can_write = False
        self.table = CellTable(_("Judges"), judge_columns())
        self.about = Label("", "caption", "text-2", wrap=True)
        self.new = Button(_("New from this..."), "plus", small=True)
        self.edit = IconButton("edit", _("Edit the options of a judge of the project"), size=24)
        self.check = Button(_("Check"), small=True)
        self.new.setToolTip(_("Write a judge of the project that begins as this one"))
        self.check.setToolTip(_("Ask its models once, with a small picture: do they see it?"))
        self._lay_out()
        self.table.chosen.connect(self._choose)

    def _lay_out(self) -> None:
        head, row = header_row("section_header", left=8, spacing=4)
        for button in (self.new, self.edit, self.check):
            row.addWidget(button)
        row.addStretch(1)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 6, 12, 8)
        foot.addWidget(self.about)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.table, 1)
        column.addLayout(foot)

    @property
    def judge(self) -> ListedJudge | None:
        """The chosen judge."""
        place = self.table.current
        return self._judges[place] if 0 <= place < len(self._judges) else None

    def show_judges(self, judges: Sequence[ListedJudge], current: str, *, can_write: bool) -> None:
        """List judges, and choose the one called ``current`` if it is there."""
        self._judges, self._can_write = tuple(judges), can_write
        names = [judge.name for judge in judges]
        place = names.index(current) if current in names else 0 if names else -1
        self.table.show_rows(list(map(judge_cells, judges)), current=place)
        self._show_judge()

    def say(self, words: str, tone: str = "text-2") -> None:
        """Say something of the chosen judge under the list."""
        self.about.set_tone(tone)
        self.about.setText(words)

    @Slot()
    def _choose(self) -> None:
        self._show_judge()
        judge = self.judge
        self.chosen.emit(judge.name if judge is not None else "")

    def _show_judge(self) -> None:
        judge = self.judge
        has_kind = judge is not None and judge.kind is not None
        self.new.setEnabled(self._can_write and has_kind)
        self.edit.setEnabled(self._can_write and has_kind and judge is not None and judge.is_own)
        self.check.setEnabled(judge is not None and judge.can_judge)
        if judge is None:
            self.say("")
        elif judge.problem:
            self.say(judge.problem, "err")
        else:
            self.say(judge.description)
