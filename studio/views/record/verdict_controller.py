"""The verdicts on the open trajectory: their lanes and details, the band of a run, and the person's own."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.person_judge import UNNAMED
from collector.model.i18n import _
from collector.model.judgement import FAILURE, PERSON, STATE, SUCCESS, TASK, UNCOMPLETED, Judgement
from studio.views.record.session import RecordSession
from studio.views.record.trajectory_judgements import TrajectoryJudgements
from studio.views.services import WindowServices
from studio.views.undo_source import UndoSource
from studio.widgets.judge_dialog import JudgeDialog
from studio.widgets.run_band.run_band import RunBand
from studio.widgets.run_band.verdict_buttons import JUDGE_COMMANDS, REASON_COMMAND
from studio.widgets.timeline.lanes import MarkLane
from studio.widgets.timeline.verdicts import judgement_slot, verdict_lanes


class VerdictController(QObject):
    """Follows the session. Handles the commands that judge the open run."""

    changed = Signal()
    """The judgements changed."""

    def __init__(
        self, session: RecordSession, band: RunBand, services: WindowServices, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._band, self._services = session, band, services
        self.judgements = TrajectoryJudgements(services.tasks, self)
        self.judgements.failed.connect(services.toasts.show_error)
        self.judgements.changed.connect(self._show)
        self.judgements.saved.connect(services.project_library.refresh)  # lists and searches name verdicts
        session.trajectory_changed.connect(self._open)
        for command, handler in (
            (JUDGE_COMMANDS[SUCCESS], self.judge_success),
            (JUDGE_COMMANDS[FAILURE], self.judge_failure),
            (JUDGE_COMMANDS[UNCOMPLETED], self.judge_uncompleted),
            (REASON_COMMAND, self.ask_reason),
        ):
            services.commander.handle(command, handler)

    @property
    def _who(self) -> str:
        return self._session.author or UNNAMED

    @Slot()
    def _open(self) -> None:
        session = self._session
        self._band.show_run(session.header if session.is_run else None)
        self.judgements.open(session.folder if session.editor is not None else None)

    @Slot()
    def _show(self) -> None:
        self._band.show_verdict(self.judgements.verdict_of(self._who))
        if self.judgements.problems:
            self._services.toasts.show(
                "warn", _("Not all verdicts could be read"), self.judgements.problems[0]
            )
        self.changed.emit()

    # -- what is shown -----------------------------------------------------------
    @property
    def shown(self) -> tuple[Judgement, ...]:
        """The judgements to show. One's own labels have the lane of states.

        When labels are given blind, those of other people wait until one's own are submitted.
        """
        who = self._who
        is_open = not self._services.settings["labels.blind"] or who in self.judgements.submitted
        return tuple(
            item
            for item in self.judgements.judgements
            if (item.kind, item.subject.kind) != (PERSON, STATE) or (is_open and item.judge != who)
        )

    def lanes(self) -> tuple[MarkLane, ...]:
        """The lanes of all judges."""
        return verdict_lanes(self.shown, len(self._session.steps), self.sentences)

    @property
    def sentences(self) -> dict[str, str]:
        """What the essential states of the project say, by their ids."""
        return {name: state.label for name, state in self._services.project_library.states.items()}

    def of_step(self) -> list[Judgement]:
        """The judgements that are shown at the current step, those on the task first."""
        count, current = len(self._session.steps), self._session.current
        here = [judgement for judgement in self.shown if judgement_slot(judgement, count) == current]
        return sorted(here, key=lambda judgement: judgement.subject.kind != TASK)

    @property
    def history(self) -> UndoSource | None:
        """The verdicts given on the open run."""
        return self.judgements.history if self._session.is_run else None

    # -- commands ----------------------------------------------------------------
    def judge_success(self, reason: str = "") -> None:
        """Say that the run did its task."""
        self._judge(SUCCESS, reason)

    def judge_failure(self, reason: str = "") -> None:
        """Say that the run failed."""
        self._judge(FAILURE, reason)

    def judge_uncompleted(self, reason: str = "") -> None:
        """Say that the run ended before it came to an end of its own."""
        self._judge(UNCOMPLETED, reason)

    def _judge(self, verdict: str, reason: str) -> None:
        before = self.judgements.verdict_of(self._who)
        if before is None or (before.verdict, before.reason) != (verdict, reason):
            same = before is not None and before.verdict == verdict
            self.judgements.give(self._who, verdict, reason, before.reason_id if before and same else "")

    def ask_reason(self) -> None:
        """Open the dialog of verdict and reason."""
        before = self.judgements.verdict_of(self._who)
        header = self._session.header
        outcome = header.outcome.status if header is not None and header.outcome is not None else ""
        dialog = JudgeDialog(
            self._band.window(), before.verdict if before else outcome, before.reason if before else ""
        )
        dialog.judged.connect(self._judge)
        dialog.open()
