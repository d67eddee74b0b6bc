"""The dialog that composes a study of windows: judges, windows and intervals, what it takes, and a limit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from collector.metrics.judge_studies.windows import A3_PAIRS, screen_counts
from collector.model.i18n import _, ngettext
from collector.store.project.project import Project
from studio.bridge.judges.window_studies import WindowStudies, WindowStudyCost, WindowStudyRequest
from studio.widgets.captions.judging_cost_text import judging_cost_parts
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.dialogs.limit_field import LimitField


class WindowStudyDialog(Dialog):
    """Emits ``chosen`` with a :class:`WindowStudyRequest` when it is accepted."""

    chosen = Signal(object)

    def __init__(
        self, parent: QWidget, studies: WindowStudies, project: Project, judges: Sequence[str], who: str
    ) -> None:
        """``judges`` are those whose method is ``windows``, at least one."""
        super().__init__(
            _("Study windows and intervals"), _("Study"), parent,
            sentence=_(
                "Judges judge the trajectories that people labelled, with each window and interval. Answers "
                "are kept, so that nothing is paid for twice; verdicts are not stored."
            ),
        )  # fmt: skip
        self._studies, self._project, self._who = studies, project, who
        self.judges = [QCheckBox(name) for name in judges]
        self.windows, self.intervals, self.limit = QLineEdit(), QLineEdit(), LimitField()
        self.cost = Label("", "body", "text-2", wrap=True)
        self.cost.setMinimumHeight(36)
        self._problems: dict[QLineEdit, Label] = {}
        self._lay_out()
        self._connect()
        self.judges[0].setChecked(True)
        self.judges[0].setFocus()

    def _lay_out(self) -> None:
        self.body.addWidget(Label(_("Judges"), "caption", "text-2"))
        for box in self.judges:
            self.body.addWidget(box)
        pairs = ", ".join(f"{window}/{interval}" for window, interval in A3_PAIRS)
        for field, title, hint in (
            (self.windows, _("Windows, in screens"), _("Those of A3: {pairs}", pairs=pairs)),
            (self.intervals, _("Intervals, in screens"), _("Those of A3")),
            (self.limit, _("Limit in USD"), _("No limit")),
        ):
            self._problems[field] = self.add_field(title, field, hint=hint)
        self.body.addWidget(self.cost)

    def _connect(self) -> None:
        for box in self.judges:
            box.toggled.connect(self._ask_cost)
        for field in (self.windows, self.intervals):
            field.textChanged.connect(self._ask_cost)
        self.limit.read.connect(self._show_limit)
        self._studies.pricing.connect(self._show_pricing)
        self._studies.cost_known.connect(self._show_cost)
        self._studies.failed.connect(self._show_failure)
        self.finished.connect(self._studies.forget_cost)

    @property
    def request(self) -> WindowStudyRequest | None:
        """What is chosen now; None while something is wrong."""
        judges = tuple(box.text() for box in self.judges if box.isChecked())
        counts = [self._counts(field) for field in (self.windows, self.intervals)]
        if not judges or None in counts or self._problems[self.limit].text():
            return None
        windows, intervals = (found or () for found in counts)
        return WindowStudyRequest(judges, windows, intervals, self._who, self.limit.usd)

    def _counts(self, field: QLineEdit) -> tuple[int, ...] | None:
        """The numbers of a field; None for those that cannot be read, which is said."""
        counts, wrong = None, ""
        try:
            counts = screen_counts(field.text())
        except ValueError as error:
            wrong = str(error)
        show_problem(self._problems[field], field, wrong)
        return counts

    @Slot(str)
    def _show_limit(self, wrong: str) -> None:
        show_problem(self._problems[self.limit], self.limit, wrong)
        self.yes.setEnabled(self.request is not None)

    @Slot()
    def _ask_cost(self) -> None:
        request = self.request
        self.yes.setEnabled(request is not None)
        self.cost.set_tone("text-2")
        if request is None:
            self._studies.forget_cost()
            self.cost.setText("" if any(box.isChecked() for box in self.judges) else _("Choose a judge"))
            return
        self.cost.setText(_("Working out what it costs..."))
        self._studies.ask_cost(self._project, request)

    @Slot(int, int)
    def _show_pricing(self, done: int, total: int) -> None:
        if self.request is not None:
            self.cost.setText(
                _("Working out what it costs... {done} of {total} trajectories", done=done, total=total)
            )

    @Slot(object)
    def _show_cost(self, cost: WindowStudyCost) -> None:
        settings = ngettext("one setting", "{count} settings", cost.settings)
        parts = [settings, *judging_cost_parts(cost.trajectories, cost.calls, cost.kept, cost.usd)]
        self.cost.setText(", ".join(parts))

    @Slot(object)
    def _show_failure(self, error: Exception) -> None:
        self.yes.setEnabled(False)
        self.cost.set_tone("err")
        self.cost.setText(str(error))

    @Slot()
    def accept(self) -> None:
        """Emit what is chosen."""
        request = self.request
        if request is not None and self.yes.isEnabled():
            self.chosen.emit(request)
            super().accept()
