"""Play a recorded video: its pictures come decoded and scaled, on a thread of its own."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage

from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.pictures.errors import PictureError
from collector.pictures.video_file import VideoCursor, VideoPicture
from collector.store.video.mkv import read_facts

_LONGEST_STILL_S = 2.0
"""Nobody waits longer for the next picture: a still screen, or what was left out."""
_BEHIND_S = 0.2
"""How far pictures may be late before those that follow are late, too."""
_JOIN_S = 5.0
_KEEP = Qt.AspectRatioMode.KeepAspectRatio


class VideoPlayback(QObject):
    """Stands still until :meth:`play`. Methods are for the GUI thread; none but :meth:`close` waits."""

    opened = Signal(object)
    """The VideoFacts, before the first picture."""
    shown = Signal(QImage, int)
    """A picture, and its time in milliseconds."""
    ended = Signal()
    """The last picture was shown: it stands still."""
    failed = Signal(object)
    """The error of a video that cannot be read; nothing follows."""

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = path
        self._changed = threading.Condition()
        self._size = QSize()
        self._wanted: int | None = None
        self._plays = self._is_over = False
        self._thread = threading.Thread(target=self._run, name="video", daemon=True)

    def start(self, t_ms: int) -> None:
        """Open the video, and show the picture at ``t_ms``."""
        self._wanted = t_ms
        self._thread.start()

    @property
    def plays(self) -> bool:
        """Whether pictures follow by themselves."""
        return self._plays

    def set_size(self, size: QSize) -> None:
        """The pixels that pictures may take from now on; they keep their shape."""
        self._size = size

    def seek(self, t_ms: int) -> None:
        """Show the picture at a time, and go on from there if it plays."""
        with self._changed:
            self._wanted = t_ms
            self._changed.notify()

    def play(self, on: bool) -> None:
        """Play, or stand still."""
        with self._changed:
            self._plays = on
            self._changed.notify()

    def close(self) -> None:
        """End the thread. Waits for the picture that is being decoded."""
        with self._changed:
            self._is_over = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(_JOIN_S)

    # -- the thread ----------------------------------------------------------------
    def _run(self) -> None:
        try:
            facts = read_facts(self._path)
            with VideoCursor(self._path) as cursor:
                self.opened.emit(facts)
                self._go(cursor)
        except (UserError, PictureError, OSError) as error:
            if not self._is_over:
                self.failed.emit(error)

    def _go(self, cursor: VideoCursor) -> None:
        before, due = 0, time.monotonic()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_over or self._wanted is not None or self._plays)
                if self._is_over:
                    return
                wanted, self._wanted = self._wanted, None
            picture = cursor.at(wanted) if wanted is not None else cursor.next()
            if picture is None:
                self.play(False)
                self.ended.emit()
                continue
            if wanted is not None:
                due = time.monotonic()
            else:
                due = max(due, time.monotonic() - _BEHIND_S)
                due += min(_LONGEST_STILL_S, max(0, picture.t_ms - before) / 1000)
                if self._is_interrupted(due):
                    continue
            before = picture.t_ms
            self._show(picture, before if wanted is None else max(before, wanted))

    def _is_interrupted(self, due: float) -> bool:
        """Wait until a picture is due; whether something else is wanted before."""

        def is_other() -> bool:
            return self._is_over or self._wanted is not None or not self._plays

        with self._changed:
            return self._changed.wait_for(is_other, max(0.0, due - time.monotonic()))

    def _show(self, picture: VideoPicture, t_ms: int) -> None:
        whole = QSize(picture.size.width, picture.size.height)
        box = whole if self._size.isEmpty() else whole.scaled(self._size, _KEEP)
        pixels = picture.scaled_bgra(Size(max(1, box.width()), max(1, box.height())))
        height, width = pixels.shape[:2]
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        self.shown.emit(image.copy(), t_ms)
