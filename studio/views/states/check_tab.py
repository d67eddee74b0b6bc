"""What the rules say of the golden trajectories: which reach every state, and what is lacking where."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import UNDECIDED
from collector.states.golden_check import CheckedGolden
from studio.bridge.golden_checks import GoldenChecks
from studio.views.services import WindowServices
from studio.views.states.session import StatesSession
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.commands.command_button import CommandFace
from studio.widgets.controls import Button, Label
from studio.widgets.tables.cell_table import CellTable, TableCell, TableColumn


class CheckTab(QWidget):
    """Asks for checks, and lists their results; a row leads to its trajectory."""

    count_changed = Signal(object)
    """How many goldens have something against them; None for none."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session = session
        self._checks = GoldenChecks(services.tasks, self)
        self._wanted: tuple[str, int] | None = None
        self._about = Label("", "body", "text-2", cut=True)
        self.run = Button(_("Check all goldens"), "refresh", "outlined", small=True)
        CommandFace(self.run, services.commander, "states.check")
        self._run_command = services.run_command
        self.run.clicked.connect(self._ask)
        self._goldens: list[CheckedGolden] = []
        columns = (
            TableColumn(_("Verdict"), 120), TableColumn(_("Task"), 110), TableColumn(_("Trajectory"), 110),
            TableColumn(_("By"), 90), TableColumn(_("States"), 80), TableColumn(_("What is lacking")),
        )  # fmt: skip
        self.table = CellTable(_("Checked golden trajectories"), columns, "row_table")
        self._nothing = Label(
            _("Nothing is checked yet: F5 judges the golden trajectories of this task"), "body", "text-3"
        )
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._lay_out()
        self.table.opened.connect(self._open)
        self.table.clicked.connect(self._open_clicked)
        self._checks.checked.connect(self._show)
        self._checks.failed.connect(session.failed)
        session.project_opened.connect(self._clear)
        session.trajectories_changed.connect(self._go_on)

    @Slot()
    def _ask(self) -> None:
        self._run_command("states.check")

    @Slot(QModelIndex)
    def _open_clicked(self, index: QModelIndex) -> None:
        self._open(index.row())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 12, 6)
        head.addWidget(self._about, 1)
        head.addWidget(self.run)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._pages, 1)

    def check(self, task_id: str) -> None:
        """Check the goldens of a task, or of all tasks for an empty id."""
        project = self._session.project_library.project
        if project is None:
            return
        self._session.documents.save()
        self._about.setText(_("Judging..."))
        self._checks.check(project, self._session.author, task_id)

    @Slot()
    def _clear(self) -> None:
        self._checks.forget()
        self._show_goldens(())
        self._pages.setCurrentWidget(self._nothing)
        self._about.setText("")
        self.count_changed.emit(None)

    @Slot(object)
    def _show(self, checked: list[CheckedGolden]) -> None:
        self._show_goldens(sorted(checked, key=lambda golden: golden.is_good))
        self._pages.setCurrentWidget(self.table if checked else self._nothing)
        bad = sum(not golden.is_good for golden in checked)
        good = ngettext("one golden trajectory", "{count} golden trajectories", len(checked))
        self._about.setText(
            _("{goldens}, {count} with something lacking", goldens=good, count=bad)
            if bad
            else _("{goldens}, nothing is lacking", goldens=good)
        )
        if not checked:
            self._about.setText(_("There is no golden trajectory to check"))
        self.count_changed.emit(bad or None)

    def _show_goldens(self, goldens: Sequence[CheckedGolden]) -> None:
        self._goldens = list(goldens)
        self.table.show_rows([self._cells(golden) for golden in goldens], current=-1)

    def _cells(self, golden: CheckedGolden) -> list[TableCell]:
        lacking = "; ".join(
            f"{self._session.name_of(item.state)} {item.reason}"
            if golden.task == self._session.task_id
            else f"{item.state} {item.reason}"
            for item in golden.missed
        )
        verdict = verdict_text(golden.verdict) if golden.verdict else _("not judged")
        icon = verdict_icon(golden.verdict)
        if golden.missed:
            icon = "state-err"
        elif golden.verdict == UNDECIDED:
            icon, verdict = "user", _("people judge")
        states = _("{count} of {total}", count=golden.reached, total=golden.judged) if golden.judged else "-"
        why = lacking or ("" if golden.is_good and golden.verdict != UNDECIDED else golden.reason)
        tip = why or golden.reason
        texts = (golden.task, golden.title, golden.who, states, why)
        return [TableCell(verdict, icon=icon, tip=tip), *(TableCell(text, tip=tip) for text in texts)]

    @Slot(int)
    def _open(self, row: int) -> None:
        """Show the trajectory of a row, at the screen that came nearest to the first state it misses."""
        golden = self._goldens[row]
        missed = golden.missed[0] if golden.missed else None
        step = missed.step if missed is not None and missed.step is not None else 0
        self._wanted = golden.trajectory, step
        if golden.task != self._session.task_id:
            self._session.choose_task(golden.task)
        else:
            self._go_on()
        if missed is not None:
            self._session.select(missed.state)

    @Slot()
    def _go_on(self) -> None:
        """Go to the row that was chosen, once its task is read."""
        if self._wanted is not None and any(
            item.id == self._wanted[0] for item in self._session.trajectories
        ):
            (trajectory, step), self._wanted = self._wanted, None
            self._session.choose_trajectory(trajectory, step)
