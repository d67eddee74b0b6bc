"""A pair of moments as JSON holds it: data of a phone, or states of OpenApps. It is seen which they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from collector.model.app_data.document import app_data_of
from collector.model.app_data.target import OPENAPPS, TaskTarget
from collector.model.i18n import _
from collector.targets.openapps.decision import decide
from collector.targets.openapps.states import is_state
from collector.targets.outcome import TargetOutcome, lacking_text, outcome_of, outcome_of_states


def outcome_of_pair(before: Any, after: Any, target: TaskTarget, *, front: str = "") -> TargetOutcome:
    """What two loaded values come to. Raises ValueError when they are neither data nor states, or differ in
    that. ``front`` is the app in front on a phone; a state of OpenApps says it by its ``_url``."""
    if _are_states(before, after):
        with _shallow():
            return outcome_of_states(before, after, target)
    return outcome_of(app_data_of(before), app_data_of(after), target, front=front)


def reward_of_pair(before: Any, after: Any, target: TaskTarget, *, front: str = "") -> tuple[int, str]:
    """The reward of two loaded values, and why it is 0; empty when it is 1. Raises as above.

    Of states of OpenApps nothing else is computed, so that thousands are decided in a second.
    """
    if target.semantics == OPENAPPS and _are_states(before, after):
        with _shallow():
            decision = decide(before, after, target)
        return decision.reward, decision.why
    outcome = outcome_of_pair(before, after, target, front=front)
    return outcome.reward, "" if outcome.reward else lacking_text(target, outcome)


def _are_states(before: Any, after: Any) -> bool:
    states = [is_state(value) for value in (before, after)]
    if any(states) and not all(states) and before and after:
        raise ValueError(_("one is data of a phone and the other a state of OpenApps"))
    return all(states)


@contextmanager
def _shallow() -> Iterator[None]:
    """Values that are nested too deeply to be compared become one sentence."""
    try:
        yield
    except RecursionError:
        raise ValueError(_("it is nested too deeply")) from None
