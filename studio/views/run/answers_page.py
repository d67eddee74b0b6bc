"""How many golden steps the agents of an offline experiment answered right, as a table by what is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Slot
from PySide6.QtGui import QAction

from collector.metrics.step_accuracy import STEP_DIMENSIONS, StepAccuracy, StepCounts, step_accuracy
from collector.model.i18n import N_, _, ngettext
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.jobs import Job, JobQueue
from studio.views.run.experiment_page import ExperimentPage
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.controls import Button
from studio.widgets.tables.cell_table import CellTable, TableCell, TableColumn

_PAUSE_MS = 400
_BY = {
    ("agent",): N_("agent"),
    ("agent", "action"): N_("agent and action"),
    ("agent", "app"): N_("agent and app"),
    ("agent", "length"): N_("agent and length"),
    ("agent", "step"): N_("agent and step"),
    ("agent", "why"): N_("agent and reason"),
}


_WORDS = {
    "tap": N_("tap"), "double_tap": N_("double tap"), "long_press": N_("long press"), "swipe": N_("swipe"),
    "drag": N_("drag"), "scroll": N_("scroll"), "pinch": N_("pinch"), "type": N_("type"), "key": N_("key"),
    "open_app": N_("open app"), "wait": N_("wait"), "answer": N_("answer"), "complete": N_("complete"),
    "impossible": N_("impossible"), "ask_user": N_("ask the user"),
    "same": N_("right: the same"), "equivalent": N_("right: equivalent"),
    "other golden": N_("right: another golden trajectory"), "alternative": N_("right: allowed"),
    "other element": N_("another element"), "other text": N_("another text"),
    "other direction": N_("another direction"), "other value": N_("another key or app"),
    "other action": N_("another action"), "no action": N_("no action"),
}  # fmt: skip
"""Actions and reasons for people; other values are shown as they are."""


class AnswersPage(ExperimentPage):
    """Reads the answers behind the window while it is on show."""

    def __init__(self, session: RunSession, services: WindowServices) -> None:
        super().__init__(session, _PAUSE_MS)
        self._services = services
        self._by: tuple[str, ...] = ("agent", "action")
        self.choice = Button(opens=True)
        self.table = CellTable(_("Golden steps that were answered right"), _columns(self._by))
        self._lay_out(self.choice, 0, 1, self.table)
        self.choice.clicked.connect(self._offer)
        self._show_choice()

    @Slot()
    def _read(self) -> None:
        name, project = self._session.name, self._services.project_library.project
        if not name or project is None:
            self.table.show_rows(())
            return
        self._begin()
        by = self._by

        def work(_job: Job) -> StepAccuracy:
            return step_accuracy(project, by, f'experiment:"={name}"')

        self._job = self._services.tasks.run(
            work, success=self._show, failure=self._fail, queue=JobQueue.STORE
        )

    def _show(self, counted: StepAccuracy) -> None:
        if counted.by != self._by:
            return
        self._say(_note(counted))
        self.table.set_columns(_columns(counted.by))
        before, rows = "", []
        for group in counted.groups:
            rows.append(_cells(group, is_first=group.key[0] != before))
            before = group.key[0]
        self.table.show_rows(rows)

    def _fail(self, error: Exception) -> None:
        self._say_failure(error, _("The answers cannot be read"))

    @Slot()
    def _offer(self) -> None:
        menu = PopupMenu(self)
        for by, words in _BY.items():
            action = menu.addAction(_(words))
            action.setCheckable(True)
            action.setChecked(by == self._by)
            action.setData(by)
        menu.triggered.connect(self._choose)
        menu.popup(self.choice.mapToGlobal(QPoint(0, self.choice.height())))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.show_by(tuple(action.data()))

    def show_by(self, by: Sequence[str]) -> None:
        """Group the answers by other dimensions."""
        self._by = tuple(by)
        self._show_choice()
        self._read()

    def _show_choice(self) -> None:
        self.choice.set_face(_("By {dimension}", dimension=_(_BY[self._by])))


def _columns(by: Sequence[str]) -> tuple[TableColumn, ...]:
    return (
        *(TableColumn(_(STEP_DIMENSIONS[name].title), 150) for name in by),
        TableColumn(_("Steps"), 70, at_right=True),
        TableColumn(_("Step accuracy"), 110, at_right=True),
        TableColumn(_("95 % interval"), 110, at_right=True),
        TableColumn(_("Exact match"), 100, at_right=True),
        TableColumn(_("Type match"), 100, at_right=True),
        TableColumn(_("Grounding accuracy"), 140, at_right=True),
        TableColumn(""),
    )


def _cells(group: StepCounts, *, is_first: bool) -> list[TableCell]:
    first, *others = group.key
    low, high = group.interval or (None, None)
    interval = f"{100 * low:.0f} – {100 * high:.0f}" if low is not None and high is not None else ""
    return [
        TableCell(first if is_first else "", role="name"),
        *(TableCell(_(_WORDS[value]) if value in _WORDS else value) for value in others),
        TableCell(str(group.steps), at_right=True),
        TableCell(_percent(group.step_accuracy), role="name", at_right=True,
                  tip=_("{right} of {count}", right=group.right, count=group.steps)),
        TableCell(interval, "text-2", at_right=True),
        TableCell(_percent(group.exact_match), at_right=True),
        TableCell(_percent(group.type_match), at_right=True),
        TableCell(_percent(group.grounding), at_right=True,
                  tip=_("{right} of {count}", right=group.right_touches, count=group.touches)),
        TableCell(),
    ]  # fmt: skip


def _percent(share: float | None) -> str:
    return "–" if share is None else _("{percent} %", percent=f"{100 * share:.1f}")


def _note(counted: StepAccuracy) -> str:
    """What the answers took, and how many cannot be counted."""
    parts = [ngettext("{count} golden trajectory", "{count} golden trajectories", counted.episodes)]
    if counted.cost:
        parts.append(f"{counted.cost:.2f} {counted.currency}".strip())
    if hidden := sum(group.hidden for group in counted.groups):
        parts.append(
            ngettext(
                "{count} answer to a hidden text is not counted",
                "{count} answers to hidden texts are not counted",
                hidden,
            )
        )
    return " · ".join(parts)
