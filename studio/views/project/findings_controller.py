"""Walk through all findings with F8: of the check, of rules while they are edited, and of trajectories."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from studio.views.project.problem_list import ProblemList, ProblemRow
from studio.views.services import WindowServices
from studio.widgets.window_frame.toasts import Toast


class FindingsController(QObject):
    """Handles ``findings.next``, ``.previous`` and ``.show``; a click on a finding goes to it, too."""

    def __init__(
        self,
        services: WindowServices,
        problems: ProblemList,
        show_list: Callable[[], None],
        select_task: Callable[[str], None],
        parent: QObject,
    ) -> None:
        """``show_list`` brings the list to the front, ``select_task`` shows a task in the table."""
        super().__init__(parent)
        self._services, self._problems = services, problems
        self._show_list, self._select_task = show_list, select_task
        self._step_after_check = 0
        self._toast: Toast | None = None
        handle = services.commander.handle
        handle("findings.next", lambda: self.step(1))
        handle("findings.previous", lambda: self.step(-1))
        handle("findings.show", show_list)
        problems.place_asked.connect(self.go_to)
        services.findings.checked.connect(self._checked)

    def step(self, by: int) -> None:
        """Go to the next finding, or the one before; without any, check the project first."""
        rows = self._problems.entries
        if not rows:
            self._step_after_check = by
            self._services.findings.check()
            return
        current = self._problems.currentIndex().row()
        start = current if current >= 0 else (-1 if by > 0 else 0)
        number = (start + by) % len(rows)
        self._problems.choose(number)
        self.go_to(rows[number])

    @Slot(object)
    def _checked(self, _findings: object) -> None:
        by, self._step_after_check = self._step_after_check, 0
        if by and self._problems.entries:
            self.step(by)

    @Slot(object)
    def go_to(self, row: ProblemRow) -> None:
        """Show the place of a finding, and say what it is."""
        if row.act in ("open", "recover"):
            self._services.run_command(
                "review.open", folder=row.target, step=str(row.step) if row.step >= 0 else ""
            )
        elif row.act == "rules":
            self._services.run_command("view.rules")
            self._services.run_command("rules.show-line", place=row.target)
        else:
            self._show_list()
            if row.act in ("edit-task", "list"):
                self._select_task(row.target)
        self._say(row)

    def _say(self, row: ProblemRow) -> None:
        toasts, rows = self._services.toasts, self._problems.entries
        if self._toast is not None and self._toast in toasts.shown:
            self._toast.close_toast()
        number = rows.index(row) + 1 if row in rows else 0
        what = _("Finding {number} of {count}: {name}", number=number, count=len(rows), name=row.name)
        self._toast = toasts.show(
            "warn", what, row.text, action=_("Next"), act=lambda: self.step(1), for_now=True
        )
