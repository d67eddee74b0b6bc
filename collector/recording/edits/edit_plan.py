"""What an edit of trajectories comes to, before it is made: steps before and after, what stands on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from collector.model.i18n import _, ngettext
from collector.model.message import in_language
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import MODEL
from collector.recording.edits.taken_steps import SOURCE_TREE
from collector.store.trajectory.achieved_states import AchievedState, move_with_screen, screens_of
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.reviews.person_reviews import works_in


class StepFate(StrEnum):
    """What becomes of a step in an edit."""

    STAYS = "stays"
    GOES = "goes"
    COMES = "comes"


@dataclass(frozen=True, slots=True)
class EditedStep:
    """A step before or after an edit; its picture is read from ``folder``."""

    step: Step
    folder: Path
    fate: StepFate = StepFate.STAYS
    picture: bytes = b""
    """The screenshot of a state that no file holds yet."""

    @property
    def caption(self) -> str:
        """What the step is called; of a final state that it is one."""
        if self.step.action is None:
            return _("Final state")
        return in_language(self.step.description) or self.step.action.kind


@dataclass(frozen=True, slots=True)
class EditedTrajectory:
    """A trajectory before or after an edit."""

    id: str
    task_id: str
    steps: tuple[EditedStep, ...]


@dataclass(frozen=True, slots=True)
class EditPlan:
    """What an edit comes to."""

    title: str
    """As in ``split at step 5``."""
    before: tuple[EditedTrajectory, ...]
    after: tuple[EditedTrajectory, ...]
    notes: tuple[str, ...] = ()
    """A sentence for each thing that stands on the trajectory, and for what looks wrong."""


def planned(stored: StoredTrajectory, *, goes: Collection[int] = ()) -> EditedTrajectory:
    """A stored trajectory before an edit that takes the steps ``goes`` away, by index."""
    steps = (
        EditedStep(step, stored.folder, StepFate.GOES if at in goes else StepFate.STAYS)
        for at, step in enumerate(stored.steps)
    )
    return EditedTrajectory(stored.header.id, stored.header.task_id, tuple(steps))


def without_action(step: Step) -> Step:
    """The state of a step as the end of a trajectory: nothing is done there, and nothing said of it."""
    return replace(
        step, action=None, target=None, description="", note="", intention="", agent=None,
        redacted=step.redacted and bool(step.state.screenshot or step.state.tree),
        extra={key: value for key, value in step.extra.items() if key == SOURCE_TREE},
    )  # fmt: skip


def labels_that_lose_their_step(stored: StoredTrajectory, after: Sequence[Step]) -> tuple[str, ...]:
    """A sentence on labels, comments and bookmarks whose screen is no step of ``after`` any more."""
    screens = screens_of(after)
    before = screens_of(stored.steps)
    lost = sum(
        _is_there(step, screen, before) and not _is_there(step, screen, screens)
        for step, screen in _anchors(stored.folder)
    )
    if not lost:
        return ()
    return (
        ngettext(
            "{count} label, comment or bookmark loses its step; undo brings it back",
            "{count} labels, comments and bookmarks lose their steps; undo brings them back",
            lost,
        ),
    )


def own_reviews(reviewers: Collection[str]) -> tuple[str, ...]:
    """A sentence on the reviews that stand on the steps as they were."""
    if not reviewers:
        return ()
    people = ", ".join(reviewers)
    return (_("The review of {people} is of the steps before: look at it again", people=people),)


def model_verdicts(stored: StoredTrajectory) -> tuple[str, ...]:
    """A sentence on what models said of the steps as they were."""
    judges = sorted({item.judge for item in stored.judgements().judgements if item.kind == MODEL})
    if not judges:
        return ()
    return (_("What {judges} said is of the steps before: judge again", judges=", ".join(judges)),)


def _anchors(folder: Path) -> Iterator[tuple[int, str]]:
    """Step and screen of everything that people pinned to steps."""
    for work in works_in(folder):
        for mark in work.labels.reached:
            yield mark.step, mark.screen
        for comment in work.labels.comments:
            if comment.step is not None:
                yield comment.step, comment.screen
        for bookmark in work.record.bookmarks:
            yield bookmark.step, bookmark.screen


def _is_there(step: int, screen: str, screens: Sequence[str]) -> bool:
    if not screen:
        return 0 <= step < len(screens)
    return move_with_screen(AchievedState(step, "", screen), screens, ()).has_step
