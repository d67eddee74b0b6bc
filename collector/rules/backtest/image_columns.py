"""Pictures on all recorded states: each is looked for once on every screen, whatever the threshold."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from collector.rules.backtest.verdict_columns import Verdicts, of_proofs
from collector.rules.backtest.waymark_columns import States
from collector.rules.evaluation.image_matching import NO_PICTURE, judged
from collector.rules.evaluation.proof import PictureFinder, Proof
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import ImageMatches

if TYPE_CHECKING:
    from collector.rules.evaluation.image_matching import Sighting

Asked = Callable[[], bool] | None
"""Whether the work is no longer wanted; None = it is."""
Seen = dict[Hashable, "Sighting | None"]
"""Picture and screen -> where it is seen."""


class Cancelled(Exception):  # noqa: N818 - what happened, not what went wrong
    """Whoever asked for the work wants it no longer."""


def picture_verdicts(
    condition: ImageMatches, states: States, pictures: PictureFinder, seen: Seen, cancelled: Asked
) -> Verdicts:
    """The verdicts of ``condition``; ``seen`` is added to, also when Cancelled is raised half-way."""
    picture = (condition.image, condition.region, condition.method, pictures.stamp(condition))
    proofs = []
    for position in range(len(states)):
        if cancelled is not None and cancelled():
            raise Cancelled
        key = (picture, _screen(states, position))
        if key not in seen:
            try:
                seen[key] = pictures.sighting(condition, states.corpus.view(position))
            except RuleError:
                return of_proofs([Proof(condition, False, note=NO_PICTURE, deficit=1)] * len(states))
        proofs.append(judged(condition, seen[key]))
    return of_proofs(proofs)


def _screen(states: States, position: int) -> Hashable:
    """What a screenshot is known by: its content, as recorded, else its place."""
    state = states.corpus.step(position).state
    return state.sha256.get(state.screenshot) or position
