"""What a person does with judges: write, check, try, and run on many, after the hosts were allowed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from collector.model.i18n import _
from studio.bridge.judges.judge_library import JudgeLibrary
from studio.bridge.judges.judging_job import JudgingJob, JudgingRequest, JudgingTally
from studio.views.judge_consent import JudgeConsent
from studio.views.services import WindowServices
from studio.views.states.judges.judge_form_dialog import JudgeFormDialog
from studio.views.states.judges.judge_list import JudgeList
from studio.views.states.judges.judge_texts import check_text
from studio.views.states.judges.run_many_dialog import RunManyDialog
from studio.views.states.session import StatesSession
from studio.widgets.controls import Button

if TYPE_CHECKING:
    from collector.model_judges.listed_judges import ListedJudge
    from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class JudgeParts:
    """What the actions need of the tab."""

    library: JudgeLibrary
    judging: JudgingJob
    list: JudgeList
    try_it: Button
    keep: QCheckBox
    many: Button
    choose: Callable[[str], None]
    """Choose the judge of that name once it is read."""
    window: Callable[[], QWidget]


class JudgeActions(QObject):
    """Connects the buttons of the tab."""

    def __init__(
        self, tab: JudgeParts, session: StatesSession, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._tab, self._session, self._services = tab, session, services
        self._consent = JudgeConsent(tab.library, services.project_library, tab.window, self)
        tab.list.new.clicked.connect(self._new)
        tab.list.edit.clicked.connect(self._edit)
        tab.list.check.clicked.connect(self._check)
        tab.try_it.clicked.connect(self._try)
        tab.many.clicked.connect(self._offer_many)
        tab.library.checked.connect(self._show_check)
        tab.library.failed.connect(self._show_failure)
        tab.judging.ended.connect(self._show_end)

    @property
    def _project(self) -> Project | None:
        return self._session.project_library.project

    # -- files ---------------------------------------------------------------
    @Slot()
    def _new(self) -> None:
        judge = self._tab.list.judge
        if judge is not None:
            taken = {known.name for known in self._tab.library.judges}
            self._show_form(judge, _free_name(judge.name, taken))

    @Slot()
    def _edit(self) -> None:
        judge = self._tab.list.judge
        if judge is not None and judge.is_own:
            self._show_form(judge, "")

    def _show_form(self, judge: ListedJudge, name: str) -> None:
        if self._project is None or judge.kind is None:
            return
        taken = {known.name for known in self._tab.library.judges if known.is_own or known.is_method}
        dialog = JudgeFormDialog(self._tab.window(), self._tab.library, self._project, judge, taken, name)
        dialog.saved.connect(self._tab.choose)
        dialog.open()

    # -- asking --------------------------------------------------------------
    @Slot()
    def _check(self) -> None:
        self._when_allowed(self._begin_check)

    def _begin_check(self, project: Project, judge: ListedJudge) -> None:
        self._tab.list.say(_("{judge} is asked...", judge=judge.name))
        self._tab.library.check(project, judge.name)

    @Slot(str, object)
    def _show_check(self, name: str, checks: object) -> None:
        judge = self._tab.list.judge
        if judge is not None and judge.name == name:
            sees = all(check.sees for check in checks)  # type: ignore[attr-defined]
            self._tab.list.say(check_text(checks), "ok" if sees else "err")  # type: ignore[arg-type]

    @Slot(object)
    def _show_failure(self, error: Exception) -> None:
        self._tab.list.say(str(error), "err")

    @Slot()
    def _try(self) -> None:
        self._when_allowed(self._begin_try)

    def _begin_try(self, project: Project, judge: ListedJudge) -> None:
        item = self._session.trajectory
        if item is not None:
            request = JudgingRequest(
                judge.name, self._session.author, item.folder, keep=self._tab.keep.isChecked()
            )
            self._tab.judging.start(project, request)

    @Slot()
    def _offer_many(self) -> None:
        project, judge = self._project, self._tab.list.judge
        if project is None or judge is None:
            return
        request = JudgingRequest(judge.name, self._session.author, task=self._session.task_id)
        dialog = RunManyDialog(self._tab.window(), self._tab.judging, project, request)
        dialog.chosen.connect(self._run_many)
        dialog.open()

    @Slot(object)
    def _run_many(self, request: JudgingRequest) -> None:
        self._when_allowed(partial(self._begin_many, request))

    def _begin_many(self, request: JudgingRequest, project: Project, _judge: ListedJudge) -> None:
        title = _("Judge by {judge}", judge=request.judge)
        self._tab.judging.start(project, request, title)

    # -- hosts ---------------------------------------------------------------
    def _when_allowed(self, then: Callable[[Project, ListedJudge], None]) -> None:
        """Do something with the chosen judge once a person has allowed what it sends."""
        project, judge = self._project, self._tab.list.judge
        if project is not None and judge is not None and judge.can_judge:
            self._consent.when_allowed(project, [judge.name], partial(then, project, judge))

    # -- the end -------------------------------------------------------------
    @Slot(object)
    def _show_end(self, tally: JudgingTally) -> None:
        if tally.request.keep and tally.judged:
            self._services.stored_labels.changed.emit()
            self._services.project_library.refresh()
        if tally.error is not None:
            self._session.failed.emit(tally.error)
        elif tally.failed:
            title = _("{judge} could not judge everything", judge=tally.request.judge)
            self._services.toasts.show("err", title, tally.problems[0])


def _free_name(name: str, taken: set[str]) -> str:
    """A name for a copy that no judge has."""
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    return f"{name}-{number}"
