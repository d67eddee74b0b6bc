"""The screens of a side that an earlier side writes, so that this one leaves them out."""

from __future__ import annotations

import contextlib
import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.store.trajectory.reader import StoredTrajectory

TOGETHER, ONCE = "together", "once"
SHARED_SCREENS = (TOGETHER, ONCE)
"""What becomes of trajectories that show one screen: they stay together, or one side has the screen."""


class ScreensElsewhere:
    """Eight bytes for each screen; empty where trajectories that share a screen stay together."""

    def __init__(self, digests: Iterable[bytes] = ()) -> None:
        self._digests = array("Q", sorted(map(_number, digests)))

    def has(self, stored: StoredTrajectory, step: Step) -> bool:
        """Whether an earlier side shows the picture of the step."""
        if not self._digests or not step.state.screenshot:
            return False
        number = _number(screen_digest(stored, step))
        at = bisect_left(self._digests, number)
        return at < len(self._digests) and self._digests[at] == number

    def leaves_out(self, stored: StoredTrajectory, step: Step, log: ExchangeLog) -> bool:
        """Whether the screen of the step is left out, which is noted."""
        if not self.has(stored, step):
            return False
        text = _("A screen that an earlier side shows was left out")
        log.add("screen-elsewhere", text, step=step.index + 1, severity=NOTE)
        return True


def screen_digest(stored: StoredTrajectory, step: Step) -> bytes:
    """The digest of a picture, as the step has it, else of its file, else of the name of that."""
    name = step.state.screenshot
    known = step.state.sha256.get(name)
    if not known:
        data = None
        with contextlib.suppress(UserError, OSError):
            data = stored.screenshot(step)
        known = hashlib.sha256(data or f"{stored.folder}/{name}".encode("utf-8", "replace")).hexdigest()
    return known.encode("utf-8", "replace")[:32]


def _number(digest: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(digest, digest_size=8).digest(), "big")
