"""What became other in the data of apps from one moment to another, record by record."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.model.app_data.target import EXACT_TEXT, TaskTarget, Tolerance
from collector.targets.outcome import SideEffect, outcome_of

_NOTHING_ASKED = TaskTarget(tolerance=Tolerance(EXACT_TEXT, within_km=0.0, replies=False))


def data_changes(before: AppData, now: AppData) -> tuple[SideEffect, ...]:
    """The records that were added, removed and changed; whatever else they are about, all count.

    Collections that the program does not know are passed over.
    """
    if before is now or before == now:
        return ()
    return outcome_of(before, now, _NOTHING_ASKED).side_effects
