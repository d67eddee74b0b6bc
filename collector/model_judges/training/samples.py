"""The samples of a data set: which windows of which trajectories, with what answer, and on which side.

As A3 made them (section 4.1): windows of golden trajectories are positive where people saw a state reached
and negative elsewhere; of runs, the windows that a judge with high recall took for reached and people did
not. No trajectory is on both sides of the split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from collector.judge.evaluation.trajectory_end import last_judged
from collector.judge.votes.project_votes import read_votes
from collector.judge.windows import Window, is_reached_in, step_of_people, training_windows
from collector.model.dataset.split import SIDES, TEST, TRAIN, Split, sides_of
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import REACHED, STATE, WINDOW, Judgement
from collector.model.verdicts.voted_subject import VotedSubject
from collector.model_judges.default_prompts import ALL
from collector.model_judges.methods.windows_judge import WindowsJudge
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import open_trajectory

PEOPLE, MINED = "people", "mined"
POSITIVES = 4
"""How often A3 repeats a positive sample in each epoch."""


@dataclass(frozen=True, slots=True)
class SampleChoice:
    """Which samples are made."""

    split: Split = field(default_factory=lambda: Split({TRAIN: 0.8, TEST: 0.2}))
    """The shares are about so, because groups are not divided."""
    repeat: int = POSITIVES
    """How often a positive sample stands among those to train with."""
    negatives_of: str = ""
    """A judge whose wrong yes in runs becomes negative samples; empty takes all windows of runs."""


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """One window and one essential state."""

    folder: Path
    trajectory: str
    task: str
    app: str
    started: str
    is_run: bool
    state: str
    window: Window
    is_positive: bool
    people: tuple[str, ...]
    screen: int | None = None
    """The screen of a positive window that reaches the state, from 1."""
    source: str = PEOPLE
    """people, or mined: a judge said yes and people no."""
    side: str = TRAIN


@dataclass
class SampleCounts:
    """What a data set holds."""

    samples: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By side, and positive, negative or mined; without repetitions."""
    tasks: dict[str, int] = field(default_factory=dict)
    """Tasks by side."""
    trajectories: dict[str, int] = field(default_factory=dict)
    """Trajectories by side."""
    apps: Counter[str] = field(default_factory=Counter)
    """Samples by app."""
    split_people: int = 0
    """States of trajectories that people are split on; they give no sample."""


def make_samples(
    project: Project, judge: WindowsJudge, choice: SampleChoice,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[list[TrainingSample], SampleCounts]:  # fmt: skip
    """The samples of a project as ``judge`` would be asked about them. Reads no picture.

    Raises UserError when people labelled nothing, when the judge whose negatives are wanted looked at nothing
    that they labelled, and when the samples cannot be split.
    """
    if judge.questions == ALL:
        raise UserError(
            _("{judge} asks about all states at once", judge=judge.name),
            _("a sample is one question about one state"), _("Use a judge with `questions: each`"),
        )  # fmt: skip
    by_folder: dict[Path, list[VotedSubject]] = {}
    for subject in read_votes(project).subjects:
        if subject.folder is not None and subject.people:
            by_folder.setdefault(subject.folder, []).append(subject)
    if choice.negatives_of and by_folder:
        _require_windows(choice.negatives_of, by_folder)
    samples, split_people = list[TrainingSample](), 0
    for number, (folder, subjects) in enumerate(by_folder.items()):
        progress(number, len(by_folder))
        found, split = _of_trajectory(project, judge, choice, folder, subjects)
        samples += found
        split_people += split
    progress(len(by_folder), len(by_folder))
    if not samples:
        raise UserError(
            _("There is nothing to train with"), _("no person labelled essential states of this project"),
            _("Label trajectories in Review, or with `waymark trajectory label`"),
        )  # fmt: skip
    divided = list(_divided(samples, choice))
    counts = count_samples(divided)
    counts.split_people = split_people
    return divided, counts


def _require_windows(judge: str, folders: Iterable[Path]) -> None:
    """Raise UserError when a judge looked at no window of these trajectories: its name may be misspelt."""
    if not any(_windows_of(folder, judge) for folder in folders):
        raise UserError(
            _("{judge} gives no negatives", judge=judge),
            _("it judged no windows of the trajectories whose states people labelled"),
            _("Judge them first: `waymark judge run --judge {judge}`", judge=judge),
        )


def times(sample: TrainingSample, repeat: int) -> int:
    """How often a sample is written: positives to train with several times."""
    return repeat if sample.is_positive and sample.side == TRAIN else 1


def _of_trajectory(
    project: Project,
    judge: WindowsJudge,
    choice: SampleChoice,
    folder: Path,
    subjects: Sequence[VotedSubject],
) -> tuple[list[TrainingSample], int]:
    stored = open_trajectory(folder)
    header = stored.header
    # What was recorded after the completion signal no judge is asked about.
    screens = last_judged(stored.steps) + 1
    windows, split = training_windows(subjects, screens, judge.size, judge.interval)
    wrong = _wrong_yes_of(folder, choice.negatives_of, subjects) if choice.negatives_of else ()
    samples = []
    for item in windows:
        is_mined = not item.is_positive and any(
            yes.state == item.state and yes.takes_in(item.window) for yes in wrong
        )
        if choice.negatives_of and header.is_run and not (is_mined or item.is_positive):
            continue
        sample = _sample(project, folder, header, item.state, item.window, item.people)
        source = MINED if is_mined else PEOPLE
        samples.append(replace(sample, is_positive=item.is_positive, screen=item.screen, source=source))
    return samples, len(split)


@dataclass(frozen=True, slots=True)
class _WrongYes:
    """A window in which a judge saw a state reached and people did not."""

    state: str
    window: Window
    screen: int | None
    """The step of the screen that the judge named; None when it named none."""

    def takes_in(self, other: Window) -> bool:
        """Whether the judge would have said yes of another window.

        Judges have windows of their own sizes: of a smaller one it must show the screen that was named, of a
        wider one all that the judge saw.
        """
        own = self.window
        if own.first <= other.first and other.last <= own.last and own != other:
            return self.screen is None or other.first <= self.screen <= other.last
        return other.first <= own.first and own.last <= other.last


def _wrong_yes_of(folder: Path, judge: str, subjects: Sequence[VotedSubject]) -> list[_WrongYes]:
    """Where a judge took states for reached in windows that do not show it, as people say."""
    reached_at = {item.state: step_of_people(item) for item in subjects if item.kind == STATE}
    found = []
    for item in _windows_of(folder, judge):
        state, window = item.subject.state, Window(item.subject.first or 0, item.subject.last or 0)
        if item.verdict != REACHED or is_reached_in(window, reached_at.get(state)):
            continue
        screen = item.proof.get("screen")
        named = window.first + screen - 1 if isinstance(screen, int) else None
        found.append(_WrongYes(state, window, named))
    return found


def _windows_of(folder: Path, judge: str) -> list[Judgement]:
    """The newest verdicts of a judge on windows of a trajectory."""
    newest = read_judgements(folder).newest().items()
    return [item for (who, subject), item in newest if who == judge and subject.kind == WINDOW]


def _sample(
    project: Project, folder: Path, header: TrajectoryHeader, state: str, window: Window,
    people: tuple[str, ...],
) -> TrainingSample:  # fmt: skip
    task = project.task(header.task_id)
    app = (task.package or task.app) if task is not None else ""
    return TrainingSample(
        folder, header.id, header.task_id, app, header.started, header.is_run, state, window, False, people
    )  # fmt: skip


# -- the split ---------------------------------------------------------------
def _divided(samples: Sequence[TrainingSample], choice: SampleChoice) -> Iterator[TrainingSample]:
    """The samples with their sides; those of a group are on one side."""
    if choice.split.is_none:
        yield from samples
        return
    sides = sides_of(choice.split, Counter(_group(sample, choice.split) for sample in samples))
    for sample in samples:
        yield replace(sample, side=sides[_group(sample, choice.split)])


def _group(sample: TrainingSample, split: Split) -> str:
    return split.group_of(
        task=sample.task, app=sample.app, started=sample.started, trajectory=sample.trajectory
    )


def count_samples(samples: Sequence[TrainingSample]) -> SampleCounts:
    """What a data set of these samples holds, each once."""
    counts = SampleCounts()
    for sample in samples:
        kind = "positive" if sample.is_positive else MINED if sample.source == MINED else "negative"
        counts.samples[sample.side, kind] += 1
        counts.apps[sample.app or "-"] += 1
    for side in SIDES:
        own = [sample for sample in samples if sample.side == side]
        counts.tasks[side] = len({sample.task for sample in own})
        counts.trajectories[side] = len({sample.folder for sample in own})
    return counts
