"""Edits of the steps of one trajectory, through its journal: trim, drop, insert, replace a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.message import Message
from collector.model.trajectory import Step
from collector.recorder.ruled_screen import RecordingRules, line_of
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import FrameHistory
from collector.recorder.step_builder import BuiltStep, CapturedAction, build_step
from collector.recording.edits.edit_plan import (
    EditedStep,
    EditedTrajectory,
    EditPlan,
    StepFate,
    labels_that_lose_their_step,
    model_verdicts,
    own_reviews,
    planned,
    without_action,
)
from collector.recording.edits.taken_steps import (
    PhoneAtStart,
    bare_state,
    step_with_files,
    without_original,
)
from collector.recording.edits.trajectory_edit import MadeEdit, judge_anew
from collector.redaction_rules.stored_redaction import hide_new_words
from collector.store.project.project import Project
from collector.store.trajectory.edit_journal import title_of
from collector.store.trajectory.editable_steps import require_unreviewed
from collector.store.trajectory.interruptions import interrupted_app
from collector.store.trajectory.read_only_runs import require_editable
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.reviews.person_reviews import reviewers_of
from collector.store.trajectory.step_lines import StepWithFiles
from collector.store.trajectory.trajectory_files import read_steps
from collector.store.trajectory.writer import TrajectoryWriter


@dataclass(frozen=True)
class _StepEdit:
    """An edit of the steps of the trajectory in ``folder``."""

    project: Project
    folder: Path
    who: str

    def _opened(self) -> StoredTrajectory:
        return open_editable(self.project, self.folder, self.who)

    def _plan(
        self, stored: StoredTrajectory, title: str, goes: Sequence[int], after: Sequence[EditedStep],
        notes: Sequence[str] = (),
    ) -> EditPlan:  # fmt: skip
        header = stored.header
        steps = [shown.step for shown in after]
        standing = (
            *labels_that_lose_their_step(stored, steps),
            *own_reviews(reviewers_of(self.folder)),
            *model_verdicts(stored),
        )
        return EditPlan(
            title,
            (planned(stored, goes=goes),),
            (EditedTrajectory(header.id, header.task_id, tuple(after)),),
            (*notes, *standing),
        )

    def _made(self, writer: TrajectoryWriter) -> MadeEdit:
        """What was made, once the folder is released."""
        title = writer.undo_title
        writer.close()
        judge_anew([self.folder])
        return MadeEdit(title, (self.folder,), read_steps(self.folder).history.undoable[-1].seq)


def step_to_replace(project: Project, folder: Path, who: str, index: int) -> tuple[StoredTrajectory, Step]:
    """A trajectory whose steps may be edited by ``who``, and one of them. Raises UserError."""
    stored = open_editable(project, folder, who)
    _require_steps(stored, (index,))
    return stored, stored.steps[index]


def open_editable(project: Project, folder: Path, who: str) -> StoredTrajectory:
    """A trajectory whose steps may be edited by ``who``. Raises UserError."""
    project.require_writable()
    stored = open_trajectory(folder)
    require_editable(stored.header)
    require_unreviewed(folder, stored.header, who)
    return stored


def _require_steps(stored: StoredTrajectory, indexes: Sequence[int]) -> None:
    """Raise UserError for a step that is not there."""
    count = len(stored.steps)
    wrong = next((index for index in indexes if not 0 <= index < count), None)
    if wrong is not None:
        raise UserError(
            _("There is no step {step}", step=wrong + 1), "",
            _("The trajectory has steps from 1 to {last}", last=count),
        )  # fmt: skip


def _require_action(kept: Iterable[Step]) -> None:
    """Raise UserError when nothing is done in the steps that are kept."""
    if all(step.action is None for step in kept):
        raise UserError(
            _("A trajectory keeps at least one action"), "", _("Delete the whole trajectory instead")
        )


@dataclass(frozen=True)
class DropSteps(_StepEdit):
    """Delete steps by index."""

    indexes: tuple[int, ...]

    def plan(self) -> EditPlan:
        stored = self._checked()
        gone = sorted(set(self.indexes))
        one = {"number": gone[0] + 1}
        title = title_of("delete", one) if len(gone) == 1 else title_of("delete_many", {"count": len(gone)})
        return self._plan(stored, title, gone, _without(stored, gone))

    def make(self) -> MadeEdit:
        self._checked()
        with TrajectoryWriter.open(self.folder, take_over=True, who=self.who) as writer:
            writer.delete(*self.indexes)
            return self._made(writer)

    def _checked(self) -> StoredTrajectory:
        stored = self._opened()
        _require_steps(stored, self.indexes)
        _require_action(step for step in stored.steps if step.index not in self.indexes)
        return stored


@dataclass(frozen=True)
class TrimSteps(_StepEdit):
    """Keep the steps from ``start`` up to, not including, ``stop``, whose screen becomes the final state."""

    start: int
    stop: int

    def plan(self) -> EditPlan:
        stored = self._checked()
        kept, end = range(self.start, self.stop), self._end(stored)
        gone = [at for at in range(len(stored.steps)) if at not in kept]
        after = _shown(stored, stored.steps[self.start : self.stop])
        if end is not None:
            after.append(EditedStep(end, self.folder, StepFate.COMES))
        return self._plan(stored, title_of("trim", {"count": len(kept)}), gone, after)

    def make(self) -> MadeEdit:
        stored = self._checked()
        with TrajectoryWriter.open(self.folder, take_over=True, who=self.who) as writer:
            writer.trim(self.start, self.stop, self._end(stored))
            return self._made(writer)

    def _end(self, stored: StoredTrajectory) -> Step | None:
        """The final state of what is kept; None when the last step that is kept has none after it."""
        is_final = stored.steps[self.stop - 1].action is None
        return None if is_final or self.stop == len(stored.steps) else without_action(stored.steps[self.stop])

    def _checked(self) -> StoredTrajectory:
        stored = self._opened()
        _require_steps(stored, (self.start, self.stop - 1))
        if self.start >= self.stop:
            raise UserError(_("The first step that is kept comes after the last one"))
        _require_action(stored.steps[self.start : self.stop])
        end = self._end(stored)
        if self.start == 0 and (end == stored.steps[-1] or self.stop == len(stored.steps)):
            raise UserError(_("Nothing is trimmed"), _("all steps are kept"))
        return stored


@dataclass(frozen=True)
class InsertSteps(_StepEdit):
    """Insert steps ``start`` up to ``stop`` of another trajectory before step ``at``, no final state."""

    at: int
    source: Path
    start: int = 0
    stop: int | None = None

    def plan(self) -> EditPlan:
        stored, source, taken = self._checked()
        after = [*_shown(stored, stored.steps[: self.at])]
        after += [EditedStep(step, source.folder, StepFate.COMES) for step in taken]
        after += _shown(stored, stored.steps[self.at :])
        title = title_of("insert_many", {"number": self.at + 1, "count": len(taken)})
        return self._plan(stored, title, (), after, _seams(stored, source, taken, self.at))

    def make(self) -> MadeEdit:
        stored, source, taken = self._checked()
        start, t_ms = PhoneAtStart.of(stored), stored.steps[self.at].t_ms
        whole = [step_with_files(source, step) for step in taken]
        new = [
            StepWithFiles(
                replace(
                    each.step, t_ms=t_ms, extra=without_original(each.step),
                    state=bare_state(start.state_of(source, each.step.state)),
                ),
                each.screenshot, each.tree,
            )
            for each in whole
        ]  # fmt: skip
        with TrajectoryWriter.open(self.folder, take_over=True, who=self.who) as writer:
            writer.insert_all(self.at, new)
            return self._made(writer)

    def _checked(self) -> tuple[StoredTrajectory, StoredTrajectory, tuple[Step, ...]]:
        stored, source = self._opened(), open_trajectory(self.source)
        require_editable(source.header)
        _require_steps(stored, (self.at,))
        stop = len(source.steps) if self.stop is None else self.stop
        _require_steps(source, (self.start, stop - 1))
        taken = tuple(step for step in source.steps[self.start : stop] if step.action is not None)
        if not taken:
            raise UserError(_("There is no step to insert"), _("a final state has no action"))
        under = next((step for step in taken if interrupted_app(step) is not None), None)
        if under is not None:
            raise UserError(
                _("Step {number} of {id} is not inserted", number=under.index + 1, id=source.header.id),
                _("it was taken under an injected dialog, whose events stay there"),
                _("Insert other steps"),
            )
        return stored, source, taken


@dataclass(frozen=True)
class ReplaceState(_StepEdit):
    """Replace the screen of step ``index`` by ``moment``, and with it the target and the caption."""

    index: int
    moment: ScreenMoment

    def plan(self) -> EditPlan:
        stored = self._checked()
        step, built, _rules, _words = self._built(stored)
        after = [*_shown(stored, stored.steps)]
        after[self.index] = EditedStep(step, self.folder, StepFate.COMES, built.png or b"")
        old, notes = stored.steps[self.index], []
        if old.target is not None and step.target is None:
            notes.append(_("The action of the step hits nothing on the new screen"))
        if built.step.state.package != old.state.package and old.state.package:
            packages = {"old": old.state.package, "new": built.step.state.package or "?"}
            notes.append(_("The new screen is of {new}, the old one was of {old}", **packages))
        return self._plan(stored, title_of("state", {"number": self.index + 1}), (self.index,), after, notes)

    def make(self) -> MadeEdit:
        step, built, rules, words = self._built(self._checked())
        with TrajectoryWriter.open(self.folder, take_over=True, who=self.who) as writer:
            if words:  # of the screen that comes: they may be said in the other steps
                hide_new_words(writer, rules.words, words)
            writer.replace_state(self.index, step, built.png, built.xml)
            return self._made(writer)

    def _checked(self) -> StoredTrajectory:
        return step_to_replace(self.project, self.folder, self.who, self.index)[0]

    def _built(self, stored: StoredTrajectory) -> tuple[Step, BuiltStep, RecordingRules, list[str]]:
        """The step with its new state, and the words that rules of redaction hide from now on.

        What a person wrote of the step, and when it was done, stay.
        """
        old = stored.steps[self.index]
        captured = CapturedAction(self.moment, old.action, extra=without_original(old), agent=old.agent)
        rules = RecordingRules(self.folder, stored.header.task_id)
        said = line_of(old.action, old.agent, dict(captured.extra))
        ruled, words = rules.look(self.moment, self.index + 1, said, old.action)
        built = build_step(captured, FrameHistory(), rules=ruled)
        is_own_words = bool(old.description) and not isinstance(old.description, Message)
        step = replace(
            built.step, t_ms=old.t_ms, wall_time=old.wall_time, note=old.note, intention=old.intention,
            description=old.description if is_own_words else built.step.description,
            redacted=built.step.redacted or old.redacted,
        )  # fmt: skip
        return rules.words.masked_step(step), built, rules, words


def _shown(stored: StoredTrajectory, steps: Sequence[Step]) -> list[EditedStep]:
    return [EditedStep(step, stored.folder) for step in steps]


def _without(stored: StoredTrajectory, gone: Sequence[int]) -> list[EditedStep]:
    return [shown for at, shown in enumerate(_shown(stored, stored.steps)) if at not in gone]


def _seams(
    stored: StoredTrajectory, source: StoredTrajectory, taken: Sequence[Step], at: int
) -> tuple[str, ...]:
    """Whether the inserted steps begin on the screen that is there."""
    from collector.recording.edits.seams import seam_note  # loads what compares screens

    return seam_note(stored, stored.steps[at], source, taken[0])
