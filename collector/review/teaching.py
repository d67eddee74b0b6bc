"""How much a person's word on a trajectory would teach, and why: the order of active labelling.

Of each subject, the task and its essential states, that people have not decided

- *disagreement* is twice the share of judges that do not say what most say, 1 at most,
- *doubt* is the mean over all judges of 1 for an undecided verdict, else of 1 less its confidence,
- *rarity* of a state that a judge saw reached is 1 less ten times the share of the task's judged trajectories
  in which it was reached, 0 at least.

The score is the sum over subjects of the larger of disagreement and doubt, and of rarity. Where people are
split a subject counts 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from collector.model.essential_state import EssentialState
from collector.model.i18n import _, in_words, ngettext
from collector.model.verdicts.judgement import TASK, UNDECIDED
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.open_subjects import OpenSubject, OpenTrajectory

RARE_SHARE = 0.1
"""A state that is reached in this share of trajectories, or in more, is not rare."""
_UNSURE = 0.8
"""A confidence below this is a reason to name."""


class Teaching:
    """The scores of all trajectories of a project, as its catalogue was when this was made."""

    def __init__(self, catalogue: Catalogue, states: Mapping[str, EssentialState]) -> None:
        self._open = catalogue.open_trajectories()
        self._counts = catalogue.state_counts()
        self._states = states
        self._rarity: dict[str, dict[str, float]] = {}
        """Task -> state -> its rarity, of states that are rare."""
        for (task, state), counts in self._counts.items():
            if (rarity := 1 - counts.reached / (RARE_SHARE * counts.judged)) > 0:
                self._rarity.setdefault(task, {})[state] = rarity

    def score(self, folder: str, *, with_people: bool = True) -> float:
        """The score of a trajectory; 0 where a person's word would teach nothing.

        ``folder`` is relative to the project. Without ``with_people`` subjects on which people are split are
        left out.
        """
        known = self._open.get(folder)
        if known is None:
            return 0.0
        openness = known.openness if with_people else known.openness_of_judges
        rarity = self._rarity.get(known.task)
        return openness + sum(rarity.get(state, 0.0) for state in known.seen) if rarity else openness

    def reasons(self, folder: str, *, with_people: bool = True) -> tuple[str, ...]:
        """Why a trajectory has its score, each in a sentence without a full stop."""
        known = self._open.get(folder)
        if known is None:
            return ()
        subjects = known.subjects
        judged = [item for item in subjects if not item.is_split]
        return (
            *(_splits(*_places([item for item in subjects if item.is_split])) if with_people else ()),
            *_disagreements(judged),
            *self._rare_states(known),
            *_undecided(judged),
            *_unsure(judged),
        )

    def _rare_states(self, known: OpenTrajectory) -> list[str]:
        reasons = []
        for state in known.seen:
            if state in self._rarity.get(known.task, {}):
                counts, defined = self._counts[known.task, state], self._states.get(state)
                reasons.append(
                    _("The state {state} was reached in {reached} of {judged} trajectories",
                      state=defined.label if defined is not None else state,
                      reached=counts.reached, judged=counts.judged)
                )  # fmt: skip
        return reasons


# -- sentences ---------------------------------------------------------------
def _places(subjects: Iterable[OpenSubject]) -> tuple[bool, int]:
    """Whether the task is among subjects, and how many states are."""
    kinds = [item.kind for item in subjects]
    return TASK in kinds, len(kinds) - kinds.count(TASK)


def _splits(on_task: bool, states: int) -> Iterator[str]:
    if on_task:
        yield _("People differ on the task")
    if states:
        yield ngettext("People differ on {count} state", "People differ on {count} states", states)


def _disagreements(subjects: Iterable[OpenSubject]) -> Iterator[str]:
    disputed = [(tuple(sorted(item.decided)), item) for item in subjects if item.disagreement]
    return _told(
        disputed,
        lambda judges: _("{judges} disagree on the task", judges=judges),
        lambda judges, count: ngettext(
            "{judges} disagree on {count} state", "{judges} disagree on {count} states", count, judges=judges
        ),
    )


def _undecided(subjects: Iterable[OpenSubject]) -> Iterator[str]:
    undecided = [
        ((judge,), item)
        for item in subjects
        for judge, verdict in item.verdicts.items()
        if verdict == UNDECIDED
    ]
    return _told(
        undecided,
        lambda judge: _("{judge} could not decide the task", judge=judge),
        lambda judge, count: ngettext(
            "{judge} could not decide {count} state", "{judge} could not decide {count} states", count,
            judge=judge,
        ),
    )  # fmt: skip


def _unsure(subjects: Iterable[OpenSubject]) -> Iterator[str]:
    unsure = [
        ((judge,), item)
        for item in subjects
        for judge, confidence in item.confidence.items()
        if confidence < _UNSURE and item.verdicts.get(judge) != UNDECIDED
    ]
    return _told(
        unsure,
        lambda judge: _("{judge} is unsure of the task", judge=judge),
        lambda judge, count: ngettext(
            "{judge} is unsure of {count} state", "{judge} is unsure of {count} states", count, judge=judge
        ),
    )


def _told(
    pairs: Iterable[tuple[tuple[str, ...], OpenSubject]], of_task: Callable[[str], str],
    of_states: Callable[[str, int], str],
) -> Iterator[str]:  # fmt: skip
    """What is said of the task, and of how many states, by each group of judges."""
    for judges, among in _grouped(pairs):
        names = in_words(judges)
        on_task, states = _places(among)
        if on_task:
            yield of_task(names)
        if states:
            yield of_states(names, states)


def _grouped(
    pairs: Iterable[tuple[tuple[str, ...], OpenSubject]],
) -> list[tuple[tuple[str, ...], list[OpenSubject]]]:
    """Subjects by the judges that they are about, most subjects first."""
    groups: dict[tuple[str, ...], list[OpenSubject]] = {}
    for judges, subject in pairs:
        groups.setdefault(judges, []).append(subject)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
