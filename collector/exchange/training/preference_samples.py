"""Samples of a better and a worse action: a golden trajectory and a run, where they part on the same screen.

They part where the alignment sees another action first, and where a person called the step of a run wrong.
Where a person named the better action, that is the better answer, and no golden trajectory is needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from collector.agents.agent import TREE
from collector.agents.translators.errors import NotExpressible
from collector.comparison.alignment.aligned import AlignedTrajectories, align_stored
from collector.comparison.alignment.differences import DifferenceKind
from collector.comparison.alignment.reading import ScreenCache
from collector.exchange.exchange_log import NOTE
from collector.exchange.plain_actions import is_plain
from collector.exchange.training.action_samples import step_sample
from collector.exchange.training.sample_options import CORRECTIONS, NOTHING, PREFERENCES
from collector.exchange.training.taught_steps import TaughtStep, TaughtTrajectory
from collector.exchange.training.written_answers import WrittenAnswer, write_answer
from collector.model.action import Action, OpenApp, action_from_dict
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import PERSON, RIGHT, STEP, STEP_ERRORS, SUCCESS, UNDECIDED
from collector.model.verdicts.judgement import TASK as TASK_SUBJECT
from collector.replay.counterpart import counterpart_action
from collector.store.trajectory.reader import StoredTrajectory
from collector.trainer_files.conversation import TrainingConversation


def preference_samples(
    golden: StoredTrajectory, taught: TaughtTrajectory, cache: ScreenCache
) -> Iterator[TrainingConversation]:
    """The samples of a run beside a golden trajectory of its task."""
    run, log = taught.stored, taught.log
    aligned = align_stored((golden, run), cache)
    slots = _slots(aligned, run)
    wanted = {aligned.slots[slot][1]: slot for slot in slots if None not in aligned.slots[slot]}
    if not wanted:
        text = _("A run parts from its golden trajectory on no screen of both: no preference")
        log.add("no-parting", text, severity=NOTE)
        return
    places = {step.index: number for number, step in enumerate(run.steps)}
    for step in taught.steps({run.steps[place].index for place in wanted if place is not None}):
        slot = wanted.get(places[step.step.index])
        is_shown = step.picture is not None and not step.is_elsewhere
        if slot is not None and step.written is not None and is_shown:
            other = golden.steps[aligned.slots[slot][0] or 0]
            if (sample := _sample(taught, step, step.written, golden, other, aligned, slot)) is not None:
                yield sample


def is_failed(run: StoredTrajectory) -> bool:
    """Whether a run did not do its task: by a person's verdict, else by its outcome, else by any judge."""
    newest = run.judgements().newest().values()
    verdicts = [each for each in newest if each.subject.kind == TASK_SUBJECT and each.verdict != UNDECIDED]
    people = [each.verdict for each in verdicts if each.kind == PERSON]
    outcome = run.header.outcome
    status = people[-1] if people else outcome.status if outcome is not None else ""
    if not status and verdicts:
        status = verdicts[-1].verdict
    return bool(status) and status != SUCCESS


def corrected_samples(taught: TaughtTrajectory) -> Iterator[TrainingConversation]:
    """The samples of the steps of a run for which a person named a better action."""
    better = corrections_of(taught.stored)
    for step in taught.steps(better.keys()):
        if step.written is None or step.picture is None:
            continue
        for action in better.get(step.step.index, ()):
            if (sample := _pair(taught, step, step.written, action, "")) is not None:
                yield sample


def correction_samples(taught: TaughtTrajectory) -> Iterator[TrainingConversation]:
    """A sample of each step of a run for which a person named a better action, which is its answer."""
    if not taught.stored.header.is_run or not (better := corrections_of(taught.stored)):
        return
    dialect = taught.options.shown.dialect
    for step in taught.steps(better.keys()):
        if step.is_elsewhere or (step.picture is None and taught.options.sees != TREE):
            continue
        for action in better[step.step.index]:
            corrected = replace(step, action=action, step=replace(step.step, action=action, target=None))
            try:
                answer = write_answer(dialect, action, step.screen)
            except NotExpressible:
                _say_unsaid(taught, step)
            else:
                yield step_sample(taught, corrected, answer, content=CORRECTIONS)


def _say_unsaid(taught: TaughtTrajectory, step: TaughtStep) -> None:
    title = taught.options.shown.dialect.title
    text = _("{title} has no word for the better action, so it is left out", title=title)
    taught.log.add("better-unsaid", text, step=step.number)


def corrections_of(run: StoredTrajectory) -> dict[int, list[Action]]:
    """By the number of a step, from 0, the actions that people named as better; each once.

    A step that was settled as right needs none.
    """
    found: dict[int, list[Action]] = defaultdict(list)
    stored = run.judgements()
    right = {subject for subject, item in stored.settled().items() if item.verdict == RIGHT}
    for (_who, subject), each in stored.newest().items():
        if each.kind != PERSON or subject.kind != STEP or not each.better or subject.first is None:
            continue
        if subject in right:
            continue
        try:
            action = action_from_dict(dict(each.better))
        except (ValueError, TypeError, KeyError):
            continue
        if is_plain(action) and action not in found[subject.first]:
            found[subject.first].append(action)
    return found


def is_called_wrong(run: StoredTrajectory) -> bool:
    """Whether a person called a step of the run wrong without a word of what would have been right."""
    return bool(_wrong_steps(run) - set(corrections_of(run)))


def _wrong_steps(run: StoredTrajectory) -> set[int]:
    """Numbers of the steps, from 0, that were settled as wrong, or that a person called wrong."""
    stored = run.judgements()
    given = [(subject, each) for (_who, subject), each in stored.newest().items() if each.kind == PERSON]
    said = {subject: False for subject, _each in given}
    for subject, each in given:
        said[subject] = said[subject] or each.verdict in STEP_ERRORS
    said |= {subject: each.verdict in STEP_ERRORS for subject, each in stored.settled().items()}
    return {
        subject.first
        for subject, is_wrong in said.items()
        if is_wrong and subject.kind == STEP and subject.first is not None
    }


def _slots(aligned: AlignedTrajectories, run: StoredTrajectory) -> Sequence[int]:
    """Where the run does something else on a screen that the golden trajectory has."""
    differences = aligned.differences[1]
    others = [each.first for each in differences if each.kind is DifferenceKind.OTHER_ACTION]
    corrected = corrections_of(run)  # what a person named is better than what another trajectory did
    others = [slot for slot in others if aligned.slots[slot][1] not in corrected]
    parting = others[:1] if differences and is_failed(run) and differences[0].first in others else []
    wrong = _wrong_steps(run)
    return sorted({*parting, *(slot for slot in others if aligned.slots[slot][1] in wrong)})


def _sample(
    taught: TaughtTrajectory, step: TaughtStep, rejected: WrittenAnswer, golden: StoredTrajectory,
    other: Step, aligned: AlignedTrajectories, slot: int,
) -> TrainingConversation | None:  # fmt: skip
    """The run's screen with the golden action on it as the better answer."""
    similarity = aligned.alignment.similarity[slot]
    action = counterpart_action(golden, other, step.tree, step.screen.size, similarity)
    if action is None:
        text = _("What the golden trajectory touches was not found on the screen of a run")
        taught.log.add("target-not-found", text, step=step.number, severity=NOTE)
        return None
    thought = "" if taught.options.thoughts == NOTHING else other.intention.strip()
    return _pair(taught, step, rejected, action, thought)


def _pair(
    taught: TaughtTrajectory, step: TaughtStep, rejected: WrittenAnswer, action: Action, thought: str
) -> TrainingConversation | None:
    """The sample of a step with ``action`` as the better answer; None when both are the same."""
    dialect = taught.options.shown.dialect
    try:
        # A thought that one of both has alone would be what is learnt.
        has_both = bool(thought and step.thought)
        chosen = write_answer(dialect, action, step.screen, thought if has_both else "")
        worse = rejected if has_both else write_answer(dialect, rejected.action, step.screen)
    except NotExpressible:
        _say_unsaid(taught, step)
        return None
    if chosen.text == worse.text or _open_the_same(action, rejected.action):
        return None
    return step_sample(taught, replace(step, action=action), chosen, worse.text, PREFERENCES)


def _open_the_same(action: Action, other: Action) -> bool:
    """Whether two actions open one app, whatever they call it."""
    if not (isinstance(action, OpenApp) and isinstance(other, OpenApp)):
        return False
    return bool(action.package) and action.package == other.package
