"""Recovery moves for a replay that left its path: wait, BACK, reopen the app. Each move is counted."""

from __future__ import annotations

from dataclasses import dataclass, field

from collector.device.errors import DeviceError
from collector.model.action import Key, OpenApp
from collector.replay.guard import ReadyStep
from collector.replay.outcomes import RecoveryMove, ReplayStatus, StepOutcome
from collector.replay.replay import Replay

MOST_BACKS = 3
"""Most BACK presses to leave pages and dialogs, before the app is opened again."""
MOST_WAYS = 4
"""Most recoveries of one replay; more would mean that the problem comes back each time."""
LOOK_S = 1.0
"""So long a look after BACK waits for the screen of the next step."""
_OPEN_S = 5.0


@dataclass(slots=True)
class ReplayRecovery:
    """Brings one replay back to a known screen; ``ways`` are the moves that took, in order."""

    replay: Replay
    ways: list[RecoveryMove] = field(default_factory=list)
    _used: int = 0

    def find(self, failed: StepOutcome) -> ReadyStep | StepOutcome:
        """Try each :class:`RecoveryMove` in order; return the next step's screen, or ``failed``."""
        if failed.status is not ReplayStatus.DIVERGED or self._used >= MOST_WAYS:
            return failed
        self._used += 1
        known, number = list(self.ways), self.replay.next
        try:
            self.ways += [RecoveryMove.ANSWERED] * self.replay.leave_dialogs()
            before = list(self.ways)
            for way in (self._by_back, self._by_opening):
                sight = way()
                if isinstance(sight, ReadyStep) or sight.status is not ReplayStatus.DIVERGED:
                    return sight
                if way == self._by_back:
                    self.ways[:] = before  # moves that led nowhere do not count
            again = self._by_repeating()
        except DeviceError:
            again = self.replay.look(0)  # its outcome says what is wrong with the phone
        if isinstance(again, ReadyStep) or again.status is not ReplayStatus.DIVERGED:
            return again
        self.ways[:], self.replay.next = known, number
        return failed

    def _by_back(self) -> ReadyStep | StepOutcome:
        """Press BACK until the screen is known, or a BACK changes nothing."""
        screen = self.replay.observer.look()
        sight: ReadyStep | StepOutcome = self.replay.look(0)
        for _press in range(MOST_BACKS):
            if isinstance(sight, ReadyStep):
                break
            self.replay.do(Key("back"), screen)
            after = self.replay.observer.look()
            if after.is_same(screen):
                break
            screen = after
            self.ways.append(RecoveryMove.BACK)
            sight = self.replay.look(LOOK_S)
        return sight

    def _by_opening(self) -> ReadyStep | StepOutcome:
        """Open the app of the step, or the home screen."""
        package = self.replay.step.state.package
        screen = self.replay.last_screen or self.replay.observer.look()
        if self.replay.app and package in ("", self.replay.app):
            self.replay.do(OpenApp(self.replay.app), screen)
        else:
            self.replay.do(Key("home"), screen)
        self.ways.append(RecoveryMove.REOPENED)
        return self.replay.look(min(_OPEN_S, self.replay.options.patience_s))

    def _by_repeating(self) -> ReadyStep | StepOutcome:
        """Go back to the first step recorded on this screen: a restarted app has lost the steps since."""
        for number in range(self.replay.next):
            if isinstance(self.replay.sight_of(number), ReadyStep):
                self.replay.next = number
                self.ways.append(RecoveryMove.REPEATED)
                break
        return self.replay.look(0)
