"""The screens of an episode: what fails is read again, and a picture that stands still is noticed."""

from __future__ import annotations

import time
from dataclasses import dataclass

from collector.device.errors import CaptureFailed, DumpFailed
from collector.device.frame import Frame
from collector.hierarchy.errors import HierarchyError
from collector.judge.evaluation.divergence import describe_foreground
from collector.judge.screen_similarity import SIMILAR_SHARE, shared_text
from collector.model.i18n import _
from collector.recorder.observer import Observer
from collector.recorder.screen_moment import ScreenMoment

_TRIES = 3
PAUSE_S = 0.5
"""Between two tries to read the screen."""
EFFECT_S = 0.6
"""Longest wait for the first effect of an action."""


@dataclass(slots=True)
class EpisodeScreens:
    """Reads the screens of one episode. Blocking.

    Without a picture, or with an old one, an agent acts on a screen that is not there: that is a fault of the
    phone. A window that forbids pictures has none, or a black one, and is none.
    """

    observer: Observer
    takes_pictures: bool
    """Whether the phone has a source of pictures."""
    _last: ScreenMoment | None = None

    def look(self, acted_on: ScreenMoment | None = None) -> ScreenMoment:
        """Read the screen at rest; ``acted_on`` is the one on which something was done just now.

        Raises DeviceError, HierarchyError, and CallCancelled once cancelled.
        """
        screen = self._changed(acted_on) if acted_on is not None else self._readable()
        for _attempt in range(_TRIES):
            if not self._stands_still(screen):
                self._last = screen
                return screen
            self.observer.pause(PAUSE_S)
            screen = self._readable()
        raise CaptureFailed(
            _("The picture of the phone's screen stands still"),
            _("the screen has other texts than before: {what}", what=describe_foreground(screen)),
            _("Restart the phone"),
        )

    def _changed(self, before: ScreenMoment) -> ScreenMoment:
        """The screen once it differs from ``before``, or when the phone had time enough to react.

        A phone says nothing of the touches it took: a busy one rests on the old screen before it reacts.
        """
        end = time.monotonic() + EFFECT_S
        screen = self._readable()
        while screen.is_same(before) and time.monotonic() < end:
            screen = self._readable()
        return screen

    def _readable(self) -> ScreenMoment:
        """The screen with its tree, and with its picture unless the window forbids one."""
        for number in range(_TRIES):
            try:
                screen = self.observer.look()
            except (DumpFailed, HierarchyError):
                if number + 1 == _TRIES:
                    raise
            else:
                if screen.frame is not None or screen.secure or not self.takes_pictures:
                    return screen
            self.observer.pause(PAUSE_S)
        raise CaptureFailed(
            _("The phone gave no readable screenshot"),
            _("it was asked {count} times, and the window in front does not forbid one", count=_TRIES),
            _("Restart the phone"),
        )

    def _stands_still(self, screen: ScreenMoment) -> bool:
        """Whether the picture is the last one, though most texts on the screen are others.

        A black picture is checked when the episode ends.
        """
        last = self._last
        if last is None or last.frame is None or screen.frame is None:
            return False
        if screen.secure or last.secure or screen.frame.looks_black:
            return False
        return _have_other_texts(last, screen) and _are_equal(last.frame, screen.frame)


def _have_other_texts(first: ScreenMoment, second: ScreenMoment) -> bool:
    shares = shared_text(first.tree, second.tree), shared_text(second.tree, first.tree)
    return all(share is not None and share < SIMILAR_SHARE for share in shares)


def _are_equal(first: Frame, second: Frame) -> bool:
    """Whether two pictures are the same to the pixel."""
    if first.encoded and second.encoded:
        return first.encoded == second.encoded
    return first.size == second.size and bool((first.rgb() == second.rgb()).all())
