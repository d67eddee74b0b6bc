"""Where a trajectory ends for judges, and what rules see after its last action."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from collector.model.action import COMPLETION_SIGNALS, Action, Answer, Complete, Impossible, Invalid
from collector.model.trajectory import Step, Target, TrajectoryHeader
from collector.rules.evaluation.state_view import StateView

_LEAVES_SCREEN = (*COMPLETION_SIGNALS, Invalid)
_FINISHED = ("finished", "imported")


def signal_of(steps: Sequence[Step]) -> int | None:
    """Index of the step that says that the task is done, or cannot be; None when none does.

    An answer ends a task when no other signal follows it.
    """
    ends = (at for at, step in enumerate(steps) if isinstance(step.action, (Complete, Impossible)))
    answers = (at for at, step in enumerate(steps) if isinstance(step.action, Answer))
    return next(ends, max(answers, default=None))


def last_judged(steps: Sequence[Step]) -> int:
    """Index of the last step that is judged, that of the signal; -1 without a step."""
    signal = signal_of(steps)
    return len(steps) - 1 if signal is None else signal


def is_claimed(header: TrajectoryHeader, steps: Sequence[Step]) -> bool:
    """Whether the task was said to be done: by a signal, or by a person who finished the recording."""
    finished = header.status in _FINISHED and not header.is_run
    return finished or signal_of(steps) is not None


def view_after(before: StateView, action: Action, target: Target | None = None) -> StateView:
    """The moment after an action on the screen ``before``, of which no screen was recorded.

    A signal and an invalid action leave the screen as it was. After another action it was not captured.
    """
    number = before.step + 1
    if not isinstance(action, _LEAVES_SCREEN):
        return StateView(step=number, action=action, target=target, previous=before, follows_last=True)
    return StateView(
        before.tree, before.xml, before.package, before.activity, number, action, target, before,
        apps=before.apps, follows_last=True, picture=before.picture, app_data=before.app_data,
    )  # fmt: skip


def judged_views(views: Iterable[StateView], steps: Sequence[Step]) -> Iterator[StateView]:
    """What a judge sees of a trajectory: the screens up to its signal, and the moment after the last one."""
    last = last_judged(steps)
    for index, view in enumerate(views):
        yield view
        if index == last:
            if (action := steps[index].action) is not None:
                yield view_after(view, action, steps[index].target)
            return
