"""The verdicts on the open trajectory: their lanes, and those of a step."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.i18n import _
from collector.model.verdicts.judgement import PERSON, STATE, TASK, UNNAMED, Judgement
from collector.review.reviewing import Reviewing
from collector.review.trajectory_reviews import read_reviews
from studio.views.record.session import RecordSession
from studio.views.record.trajectory_judgements import ReviewReader, TrajectoryJudgements
from studio.views.services import WindowServices
from studio.widgets.timeline.lanes import MarkLane
from studio.widgets.timeline.verdicts import judgement_slot, verdict_lanes


class VerdictController(QObject):
    """Follows the session."""

    changed = Signal()
    """The judgements changed."""

    def __init__(self, session: RecordSession, services: WindowServices, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._services = session, services
        self.judgements = TrajectoryJudgements(services.tasks, self, self._reader)
        self.judgements.failed.connect(services.toasts.show_error)
        self.judgements.changed.connect(self._show)
        session.trajectory_changed.connect(self._open)

    @property
    def _who(self) -> str:
        return self._session.author or UNNAMED

    def _reader(self) -> ReviewReader:
        project, who = self._services.project_library.project, self._who
        if project is None:
            return read_reviews
        return lambda folder: Reviewing(project, who).of(folder)

    @Slot()
    def _open(self) -> None:
        session = self._session
        self.judgements.open(session.folder if session.editor is not None else None)

    @Slot()
    def _show(self) -> None:
        if self.judgements.problems:
            self._services.toasts.show(
                "warn", _("Not all verdicts could be read"), self.judgements.problems[0]
            )
        self.changed.emit()

    # -- what is shown -----------------------------------------------------------
    @property
    def shown(self) -> tuple[Judgement, ...]:
        """The judgements to show. One's own labels have the lane of states."""
        own = (self._who, PERSON, STATE)
        return tuple(
            item for item in self.judgements.judgements if (item.judge, item.kind, item.subject.kind) != own
        )

    def lanes(self) -> tuple[MarkLane, ...]:
        """The lanes of all judges."""
        return verdict_lanes(self.shown, len(self._session.steps), self.sentences)

    @property
    def sentences(self) -> dict[str, str]:
        """What the essential states of the project say, by their ids."""
        return {name: state.label for name, state in self._services.project_library.edits.states.items()}

    def of_step(self) -> list[Judgement]:
        """The judgements that are shown at the current step, those on the task first."""
        count, current = len(self._session.steps), self._session.current
        here = [judgement for judgement in self.shown if judgement_slot(judgement, count) == current]
        return sorted(here, key=lambda judgement: judgement.subject.kind != TASK)
