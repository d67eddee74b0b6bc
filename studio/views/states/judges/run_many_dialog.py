"""The dialog that lets a judge judge many trajectories: which ones, what it costs at most, and a limit."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from collector.model.i18n import _
from collector.store.project.project import Project
from rule_editor.widgets.combo_box import ComboBox
from studio.bridge.judges.judging_job import JudgingJob, JudgingRequest
from studio.views.states.judges.judge_texts import cost_text
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.dialogs.limit_field import LimitField

_TASK, _ALL = "task", "all"


class RunManyDialog(Dialog):
    """Emits ``chosen`` with a :class:`JudgingRequest` when it is accepted."""

    chosen = Signal(object)

    def __init__(
        self, parent: QWidget, judging: JudgingJob, project: Project, request: JudgingRequest
    ) -> None:
        """``request`` names the judge, the person and the task in hand."""
        super().__init__(
            _("Judge many trajectories by {judge}", judge=request.judge), _("Begin judging"), parent,
            sentence=_(
                "Verdicts are stored as they come. What was asked before is not asked again; an answer that "
                "cannot be read is asked for once more."
            ),
        )  # fmt: skip
        self._judging, self._project, self._request = judging, project, request
        self.which = ComboBox()
        if request.task:
            self.which.addItem(_("This task: {task}", task=request.task), _TASK)
        self.which.addItem(_("All tasks"), _ALL)
        self.undecided = QCheckBox(_("Only those whose task no other judge has decided"))
        self.limit = LimitField()
        self.cost = Label("", "body", "text-2", wrap=True)
        self.cost.setMinimumHeight(36)
        self.add_field(_("Trajectories"), self.which)
        self.body.addWidget(self.undecided)
        self._problem = self.add_field(_("Limit in USD"), self.limit, hint=_("No limit"))
        self.body.addWidget(self.cost)
        self.which.currentIndexChanged.connect(self._ask_cost)
        self.undecided.toggled.connect(self._ask_cost)
        self.limit.read.connect(self._show_limit)
        judging.cost_known.connect(self._show_cost)
        judging.failed.connect(self._show_failure)
        self.finished.connect(judging.forget_cost)
        self._ask_cost()
        self.which.setFocus()

    @property
    def request(self) -> JudgingRequest:
        """What is chosen now."""
        task = self._request.task if self.which.currentData() == _TASK else ""
        return replace(
            self._request, task=task, only_undecided=self.undecided.isChecked(), limit_usd=self.limit.usd
        )

    @Slot(str)
    def _show_limit(self, wrong: str) -> None:
        show_problem(self._problem, self.limit, wrong)
        self.yes.setEnabled(not wrong)

    @Slot()
    def _ask_cost(self) -> None:
        self.cost.set_tone("text-2")
        self.cost.setText(_("Working out what it costs..."))
        self._judging.ask_cost(self._project, self.request)

    @Slot(object)
    def _show_cost(self, cost: object) -> None:
        self.cost.setText(cost_text(cost))  # type: ignore[arg-type]
        self.cost.setToolTip("\n".join(cost.problems))  # type: ignore[attr-defined]

    @Slot(object)
    def _show_failure(self, error: Exception) -> None:
        self.cost.set_tone("err")
        self.cost.setText(str(error))

    @Slot()
    def accept(self) -> None:
        """Emit what is chosen."""
        request = self.request
        if self.yes.isEnabled():
            self.chosen.emit(request)
            super().accept()
