"""The columns of numbers where nobody chose others."""

from __future__ import annotations

from collector.metrics.episode_columns import EpisodeColumns

USUAL_MEASURES = ("sr", "difference", "rsr", "esar", "steps-ratio", "loops", "invalid")
_OFFLINE = ("step-accuracy", "exact-match", "type-match", "grounding", "all-steps-right", "first-wrong")


def usual_measures(table: EpisodeColumns) -> tuple[str, ...]:
    """Ids of the measures; of offline steps where the selected episodes have no others.

    Nobody attempted a task there: success and what follows from it would be columns without a number.
    """
    selected = table.selected
    is_offline = selected.any() and not (selected & ~table.offline).any()
    return _OFFLINE if is_offline else USUAL_MEASURES
