"""Encoded pictures that wait until it is known that no step is redacted where they were shown.

All times are those of the recording, ``t_ms``. Of what belongs to a key frame the beginning is written, up to
what is hidden: a picture stands on those before it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import takewhile

from collector.pictures.encoded_picture import EncodedPicture
from collector.store.video.mkv import EARLY_MS

MOST_BYTES = 96 * 1024 * 1024
"""What waits at most. The oldest of more is left out."""
_OLD_MS = 4000
"""A key frame is asked for after so long: what a redacted step takes with it begins at one. Phones send one
in ten seconds, and none while the screen stands still."""
Interval = tuple[int, int]


@dataclass(slots=True)
class PictureGroup:
    """A key frame and the pictures that need it."""

    parameters: bytes
    pictures: list[tuple[int, bytes]] = field(default_factory=list)
    """When each was shown, and its data; the first is the key frame."""
    end_ms: int | None = None
    """When the next key frame was shown; None while more may come."""
    count: int = 0
    """Bytes of all."""

    @property
    def start_ms(self) -> int:
        return self.pictures[0][0]

    def before(self, ms: int) -> list[tuple[int, bytes]]:
        """The pictures up to the first that was shown at ``ms`` or later: they need none after them."""
        return list(takewhile(lambda picture: picture[0] < ms, self.pictures))


class HeldPictures:
    """Takes pictures and steps, and gives back what may be written. Not thread-safe.

    A screen that is redacted in step ``i`` may have been there since step ``i - 1``, and may still be there
    at step ``i + 1``. So nothing is released that was shown after the newest step.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._groups: deque[PictureGroup] = deque()
        self._is_open = False
        self._step_ms = 0
        self._hidden_from: int | None = None
        self._hidden: list[Interval] = []
        self.left_out: list[Interval] = []
        """What is not written, though it was taken."""

    @property
    def wants_key_frame(self) -> bool:
        """Whether a key frame would help: without one nothing can begin, or too much would be left out."""
        if self._hidden_from is not None:
            return False
        if not self._is_open:
            return True
        begun_ms = self._groups[-1].start_ms
        # One that began before something hidden ended is left out to its end.
        is_lost = bool(self._hidden) and begun_ms <= self._hidden[-1][1] + EARLY_MS
        return is_lost or self._step_ms - begun_ms > _OLD_MS

    def take(self, picture: EncodedPicture, t_ms: int) -> None:
        """Take a picture; without its key frame it is dropped."""
        if picture.is_key:
            self.interrupt(t_ms)
            self._groups.append(PictureGroup(picture.parameters))
            self._is_open = True
        if not self._is_open:
            return
        group = self._groups[-1]
        group.pictures.append((t_ms, picture.data))
        group.count += len(picture.data)
        self._bytes += len(picture.data)
        while self._bytes > self._most:
            self._is_open &= len(self._groups) > 1
            self._leave_out(self._popped(), t_ms)

    def interrupt(self, t_ms: int) -> None:
        """What comes next does not belong to the key frame before."""
        if self._is_open:
            self._groups[-1].end_ms = max(t_ms, self._groups[-1].start_ms + 1)
        self._is_open = False

    def step(self, t_ms: int, *, redacted: bool) -> list[PictureGroup]:
        """A step was written. Returns what may be written now, in order."""
        if redacted and self._hidden_from is None:
            self._hidden_from = self._step_ms
        elif not redacted and self._hidden_from is not None:
            self._hidden.append((self._hidden_from, t_ms))
            self._hidden_from = None
        self._step_ms = max(t_ms, self._step_ms)
        released = []
        while self._groups and self._is_over(self._groups[0]):
            released.append(self._popped())
        return self._shown(released)

    def close(self) -> list[PictureGroup]:
        """The recording is over. Returns the rest, up to the last step: what followed nobody checked."""
        self.interrupt(self._step_ms)
        rest = []
        while self._groups:
            group = self._popped()
            group.pictures = [shown for shown in group.pictures if shown[0] <= self._step_ms]
            group.end_ms = min(group.end_ms or self._step_ms, self._step_ms)
            if group.pictures:
                rest.append(group)
        return self._shown(rest)

    def _is_over(self, group: PictureGroup) -> bool:
        return group.end_ms is not None and group.end_ms <= self._step_ms - EARLY_MS

    def _popped(self) -> PictureGroup:
        group = self._groups.popleft()
        self._bytes -= group.count
        return group

    def _shown(self, groups: list[PictureGroup]) -> list[PictureGroup]:
        shown = []
        for group in groups:
            cut_ms = self._hidden_since(group)
            if cut_ms is None:
                shown.append(group)
            elif before := group.before(cut_ms):
                self.left_out.append((cut_ms, max(group.end_ms or self._step_ms, cut_ms + 1)))
                shown.append(replace(group, pictures=before, end_ms=cut_ms))
            else:
                self._leave_out(group, self._step_ms)
        return shown

    def _hidden_since(self, group: PictureGroup) -> int | None:
        """From when on a group may show what is hidden; None when it does not."""
        begin, end = group.start_ms - EARLY_MS, (group.end_ms or self._step_ms) + EARLY_MS
        begins = [from_ms for from_ms, to_ms in self._hidden if begin <= to_ms and end >= from_ms]
        if self._hidden_from is not None and end >= self._hidden_from:
            begins.append(self._hidden_from)
        return min(begins) - EARLY_MS if begins else None

    def _leave_out(self, group: PictureGroup, now_ms: int) -> None:
        self.left_out.append((group.start_ms, max(group.end_ms or now_ms, group.start_ms + 1)))
