"""Where two recordings meet: whether the screen that one leaves is the one that the other begins on."""

from __future__ import annotations

from collector.comparison.alignment.reading import read_screen
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.replay.next_screen import differences
from collector.store.trajectory.reader import StoredTrajectory


def seam_note(left: StoredTrajectory, ends: Step, right: StoredTrajectory, begins: Step) -> tuple[str, ...]:
    """A sentence when the screens differ: a replay would stop there."""
    differing = differences(read_screen(left, ends), read_screen(right, begins))
    if not differing:
        return ()
    return (
        _(
            "The screens differ where the steps meet, and a replay would stop there: {why}",
            why="; ".join(differing),
        ),
    )
