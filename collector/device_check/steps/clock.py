"""The phone's clock, compared with this computer's."""

from __future__ import annotations

import time

from collector.device_check.step import CheckStep, CheckStepRun
from collector.model.i18n import _

_ROUNDS = 5
_MOST_S = 60.0
"""Times of steps and of the phone's log are then hard to bring together."""


class ClockStep(CheckStep):
    """Measures the difference by the quickest of some questions."""

    id = "clock"

    @property
    def title(self) -> str:
        return _("Clock")

    def run(self, run: CheckStepRun) -> None:
        best: tuple[float, float] | None = None
        for _round in range(_ROUNDS):
            before = time.time()
            text = run.device.shell("date +%s.%N").text.strip()
            after = time.time()
            said = _seconds(text)
            if said is not None and (best is None or after - before < best[0]):
                best = after - before, said - (before + after) / 2
        if best is None:
            run.lacks("clock.read", _("The phone does not tell its time"))
            return
        run.measure("skew", round(best[1] * 1000), "ms")
        # A virtual phone has a time of its own, so that its runs can be repeated.
        if abs(best[1]) > _MOST_S and not run.info.is_virtual:
            run.lacks("clock.right", _("The phone's clock is wrong: let it take the time from the network"))
        else:
            run.works("clock.right")


def _seconds(text: str) -> float | None:
    """Old phones print no fraction, but ``N``."""
    try:
        return float(text.removesuffix("N").rstrip("."))
    except ValueError:
        return None
