"""Observe a phone: its picture and its tree as one moment, with or without a video of its screen."""

from __future__ import annotations

import datetime as dt
import threading
import time
from dataclasses import replace

from collector.device.device_info import Display, read_display, read_foreground
from collector.device.errors import CallCancelled, CaptureFailed, DumpFailed
from collector.device.frame import Frame
from collector.device.protocols import Device, PhoneScreen, TreeSource
from collector.device.snapshot import TreeSnapshot
from collector.device.video.pictures import PictureSource
from collector.hierarchy.errors import HierarchyError
from collector.model.geometry import Size
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import MAP_SIZE, share_changed

SETTLE_S = 6.0
"""Longest wait for two equal readings in a row."""
PAUSE_S = 0.1
"""Between two readings of the screen."""


def newest_moment(screen: PhoneScreen, time_ns: int, wall_time: dt.datetime) -> ScreenMoment:
    """What a phone that is watched is known to show: nothing is read, and nothing waits.

    The skew of such a moment is measured later, from the frames that were shown since its tree was asked for.
    """
    snapshot = screen.newest_tree()
    package, activity = screen.foreground()
    return ScreenMoment(
        time_ns, wall_time, screen.newest_frame(), snapshot,
        package=package or (snapshot.package if snapshot is not None else ""),
        activity=activity or (snapshot.activity if snapshot is not None else ""),
        screen=screen.screen_size, rotation=screen.rotation, frame_source=screen.frame_source,
        secure=screen.secure, keyboard=screen.keyboard,
    )  # fmt: skip


class Observer:
    """Reads the screen of one phone. Blocking; raises DeviceError, and CallCancelled once ``cancel`` is set.

    A picture is taken between two readings of the tree. When these are equal, the picture shows what the
    tree describes; otherwise the share of the picture that changes around a reading is the skew. Without
    ``pictures`` only trees are read.
    """

    def __init__(
        self, device: Device, trees: TreeSource, cancel: threading.Event,
        pictures: PictureSource | None = None, *, hides_passwords: bool = True,
    ) -> None:  # fmt: skip
        self._device, self._trees, self._cancel = device, trees, cancel
        self._pictures = pictures
        self._hides_passwords = hides_passwords
        self._display = Display(Size(0, 0))
        self._tree_rotation: int | None = None

    def look(self, settle_s: float = SETTLE_S) -> ScreenMoment:
        """The screen once two readings in a row agree, or as it is when ``settle_s`` have passed."""
        end = time.monotonic() + settle_s
        snapshot = self._trees.snapshot(self._cancel)
        while True:
            frame = self._picture_after_pause()
            again = self._trees.snapshot(self._cancel)
            agree = _content(again) == _content(snapshot)
            if agree or time.monotonic() > end:
                return self._moment(again, *self._compared(frame, agree=agree))
            snapshot = again

    def glance(self) -> ScreenMoment:
        """The screen at this moment, at rest or not."""
        if self._pictures is not None:
            return self.look(0.0)
        return self._moment(self._trees.snapshot(self._cancel), None, None)

    def with_new_tree(self, moment: ScreenMoment) -> ScreenMoment:
        """The moment with the tree of now; without one where the phone gives none. No picture is taken."""
        try:
            snapshot = self._trees.snapshot(self._cancel)
        except (DumpFailed, HierarchyError):
            return replace(moment, snapshot=None)
        return replace(moment, snapshot=snapshot, package=snapshot.package, activity=snapshot.activity)

    def pause(self, seconds: float) -> None:
        """Wait. Raises CallCancelled when cancelled before or meanwhile."""
        if self._cancel.wait(seconds):
            raise CallCancelled("replay")

    def _picture_after_pause(self) -> Frame | None:
        """The picture between two readings; a screenshot takes as long as the pause, or longer."""
        began = time.monotonic()
        if self._pictures is None or self._pictures.is_stream:
            self.pause(PAUSE_S)
        frame = self._picture()
        self.pause(max(0.0, began + PAUSE_S - time.monotonic()))
        return frame

    def _picture(self) -> Frame | None:
        """The picture now; None without a source of pictures, and of a screen that gives none."""
        if self._pictures is None:
            return None
        try:
            return self._pictures.picture(self._cancel)
        except CaptureFailed:
            return None

    def _compared(self, frame: Frame | None, *, agree: bool) -> tuple[Frame | None, float | None]:
        """The picture to keep, and the share of it that changed while the last tree was read.

        A screenshot takes its time: none is added where two equal trees enclose the one at hand.
        """
        if frame is None or self._pictures is None:
            return None, None
        if agree and not self._pictures.is_stream:
            return frame, 0.0
        after = self._picture()
        if after is None:
            return frame, None
        same = after is frame
        return after, 0.0 if same else share_changed(frame.luma(MAP_SIZE), after.luma(MAP_SIZE))

    def _moment(self, snapshot: TreeSnapshot, frame: Frame | None, skew: float | None) -> ScreenMoment:
        rotation = snapshot.tree.rotation if snapshot.tree is not None else None
        if self._display.size.is_empty or rotation != self._tree_rotation:
            self._display = read_display(self._device, self._cancel)
            self._tree_rotation = rotation
        moment = ScreenMoment(
            time.monotonic_ns(), dt.datetime.now(dt.UTC), frame, snapshot, snapshot.package,
            snapshot.activity, self._display.size, self._display.rotation, skew=skew,
            hides_passwords=self._hides_passwords, keyboard=snapshot.keyboard,
        )  # fmt: skip
        if self._pictures is None:
            return moment
        secure = (frame is None or frame.looks_black) and read_foreground(self._device, self._cancel).secure
        return replace(moment, frame_source=self._pictures.name if frame is not None else "", secure=secure)


def _content(snapshot: TreeSnapshot) -> tuple[str, str, bytes]:
    return snapshot.package, snapshot.activity, snapshot.xml
