"""What is shared of one to four trajectories: steps, verdicts, comments and differences, without secrets."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from collector.comparison.alignment.aligned import LETTERS, REFERENCE, AlignedTrajectories
from collector.comparison.state_difference.state_difference import StateDifference, state_difference
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.episode_text import agent_text
from collector.model.essential_state import EssentialState
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.verdicts.failure_reason import DEFAULT_REASONS, FailureReason
from collector.sharing.private_content import safe_step
from collector.sharing.shared_screens import SharedScreens
from collector.sharing.shared_verdicts import GivenVerdicts, SharedVerdicts, shared_verdicts, stored_verdicts
from collector.store.trajectory.interruptions import Interruption
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.recorded_moments import RecordedMoments, moments_of


@dataclass(frozen=True, slots=True)
class SharedTrajectory:
    """One column: a trajectory with everything that is shared of it."""

    letter: str
    name: str
    """Golden, baseline, interrupted or run."""
    about: str
    """Who recorded it, or which agent under which anomaly."""
    id: str
    is_run: bool
    steps: tuple[Step, ...]
    outcome: str
    """One of :data:`~collector.model.verdicts.judgement.VERDICTS`; empty when nobody judged."""
    reason: str
    """Why it ended so, in a sentence."""
    verdicts: SharedVerdicts
    anomalies: tuple[Interruption, ...]
    moments: RecordedMoments
    """Rule hits, and events of the phone and of who moved it."""
    problems: tuple[str, ...]


class SharedReview:
    """Aligned trajectories as they are shared. Every text is without secrets; screens are read on request."""

    def __init__(
        self,
        aligned: AlignedTrajectories,
        states: Mapping[str, EssentialState] | None = None,
        reasons: Sequence[FailureReason] = DEFAULT_REASONS,
        verdicts: Sequence[GivenVerdicts] | None = None,
    ) -> None:
        """Share ``aligned``; ``verdicts`` are what may be seen of each side, by default all of its files."""
        self.aligned = aligned
        self._verdicts = verdicts
        self.screens = SharedScreens(aligned.stored)
        self._states, self._reasons = states or {}, reasons

    def masked(self, text: str) -> str:
        """A text without secrets."""
        return str(self.screens.secrets.masked(text))

    @property
    def task_id(self) -> str:
        """The id of the reference's task."""
        return self.aligned.stored[REFERENCE].header.task_id

    @property
    def instruction(self) -> str:
        """The task in words, else its id."""
        words = (each.header.instruction for each in self.aligned.stored)
        return self.masked(next(filter(None, words), self.task_id))

    @property
    def about(self) -> str:
        """How many trajectories there are, in words."""
        return ngettext(
            "{count} trajectory aligned by screen and action",
            "{count} trajectories aligned by screen and action", len(self.aligned.stored),
        )  # fmt: skip

    @cached_property
    def sides(self) -> tuple[SharedTrajectory, ...]:
        """The columns, the reference first."""
        return tuple(self._side(number, stored) for number, stored in enumerate(self.aligned.stored))

    def step(self, slot: int, side: int) -> Step | None:
        """The step of a side at a slot; None for a gap."""
        number = self.aligned.slots[slot][side]
        return None if number is None else self.sides[side].steps[number]

    def dialogs(self, side: int, step: Step) -> list[Rect]:
        """Where a screen shows the dialog of an injected anomaly, in device pixels."""
        tree = self.screens.tree(side, step)
        roots = tree.roots if tree is not None else ()
        return [node.bounds for node in roots if node.package == COMPANION_PACKAGE and node.bounds]

    def state_difference(self, slot: int, side: int) -> StateDifference | None:
        """What differs between the states of the reference and of another side at a slot.

        None where one of them has a gap, and for equal files.
        """
        before, after = self.step(slot, REFERENCE), self.step(slot, side)
        if before is None or after is None or self.compared_states(slot, side) is None:
            return None
        return state_difference(self.screens.screen(REFERENCE, before), self.screens.screen(side, after))

    def compared_states(self, slot: int, side: int) -> Hashable:
        """Equal for slots with the same :meth:`state_difference`; None where it is None."""
        before, after = self.step(slot, REFERENCE), self.step(slot, side)
        if before is None or after is None:
            return None
        own, other = self._identity(REFERENCE, before), self._identity(side, after)
        return None if own == other else (own, other)

    def _identity(self, side: int, step: Step) -> Hashable:
        screens, state = self.screens, step.state
        files = screens.picture_key(side, step), screens.tree_key(side, step)
        return *files, state.package, state.activity, state.size

    def _side(self, number: int, stored: StoredTrajectory) -> SharedTrajectory:
        header, screens = stored.header, self.screens
        given = self._verdicts[number] if self._verdicts is not None else stored_verdicts(stored)
        verdicts = shared_verdicts(stored, given, self._states, self._reasons, self.masked)
        outcome = header.outcome if given.shows_outcome else None
        ended = [item.verdict for item in verdicts.task if item.settles]
        ended += [outcome.status] if outcome is not None and outcome.status else []
        ended += [item.verdict for item in verdicts.task]
        return SharedTrajectory(
            LETTERS[number],
            _name(header),
            self.masked(_about(header)),
            header.id,
            header.is_run,
            tuple(safe_step(step, screens.raw_tree(number, step), screens.secrets) for step in stored.steps),
            next(iter(ended), ""),
            self.masked(shown_reason(outcome.reason)) if outcome is not None else "",
            verdicts,
            tuple(self._interruption(each) for each in stored.interruptions()),
            self._moments(stored),
            (*map(self.masked, stored.problems), *verdicts.problems),
        )

    def _moments(self, stored: StoredTrajectory) -> RecordedMoments:
        found = moments_of(stored.events(), stored.steps)
        return RecordedMoments(
            tuple(
                replace(hit, rule=self.masked(hit.rule), reason=self.masked(hit.reason),
                        anomaly=self.masked(hit.anomaly))
                for hit in found.rule_hits
            ),
            tuple(replace(event, detail=self.masked(event.detail)) for event in found.device_events),
        )  # fmt: skip

    def _interruption(self, item: Interruption) -> Interruption:
        follow_ups = tuple(
            replace(each, output=self.masked(each.output), message=self.masked(each.message),
                    command=self.masked(each.command), problem=self.masked(each.problem))
            for each in item.follow_ups
        )  # fmt: skip
        problems = tuple(map(self.masked, item.problems))
        return replace(item, follow_ups=follow_ups, problems=problems, command=self.masked(item.command))


def _name(header: TrajectoryHeader) -> str:
    if not header.is_run:
        return _("Golden")
    if header.episode is None:
        return _("Run")
    return _("Interrupted") if header.episode.condition else _("Baseline")


def _about(header: TrajectoryHeader) -> str:
    episode = header.episode
    if episode is None:
        return header.who or header.id
    seed = _("seed {seed}", seed=episode.seed) if episode.seed is not None else ""
    return " · ".join(filter(None, (agent_text(episode), episode.condition, seed))) or header.id
