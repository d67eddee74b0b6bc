"""A recorder of a fake phone that has a video, with pictures that come when they are told to."""

from __future__ import annotations

from functools import cache
from itertools import count
from pathlib import Path

from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.pictures.encoded_picture import EncodedPicture, EncodedPictures
from collector.recorder.video.video_recording import VideoRecording
from collector.store.video.mkv import VideoFacts, read_facts
from collector.store.video.recorded_video import VideoPart, video_parts
from tests.helpers.h264 import access_units
from tests.helpers.recorder_rig import RecorderRig

PORTRAIT, LANDSCAPE = Size(64, 96), Size(96, 64)
EVERY_MS = 100
GOP = 5
"""A key frame each half second."""


@cache
def pictures(size: Size = PORTRAIT) -> tuple[tuple[bytes, bool], ...]:
    """A small stream: its access units, and which of them are key frames."""
    marker = EncodedPictures()
    units = access_units(GOP * 4, gop=GOP, size=size)
    return tuple((unit, marker.picture(unit, 0).is_key) for unit in units)  # type: ignore[union-attr]


class VideoPhone:
    """The video of a phone; a key frame comes when it is asked for, as from a server that can do that."""

    def __init__(self, rig: RecorderRig) -> None:
        self.encoded: EventEmitter[EncodedPicture] = EventEmitter()
        self.has_video, self.asked = True, 0
        self.show(PORTRAIT)
        self._rig = rig

    def show(self, size: Size) -> None:
        """A screen of this size from now on."""
        self._units, self._numbers, self._marker = pictures(size), count(), EncodedPictures()

    def ask_key_frame(self) -> None:
        self.asked += 1
        self._numbers = count()

    def send(self) -> None:
        unit, _is_key = self._units[next(self._numbers) % len(self._units)]
        picture = self._marker.picture(unit, self._rig.clock())
        assert picture is not None
        self.encoded.emit(picture)


class VideoRig(RecorderRig):
    """A recorder with a video beside its steps."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.phone = VideoPhone(self)
        self.video = VideoRecording(self.recorder, self.writer)
        self.video.follow(self.phone)

    def play(self, ms: int) -> None:
        """Let time pass in which pictures come."""
        for _number in range(ms // EVERY_MS):
            self.phone.send()
            self.pass_ms(EVERY_MS, every=EVERY_MS)

    def tap_and_play(self, ms: int = 1000) -> None:
        """A tap becomes a step, and what follows is shown for a while."""
        self.tap()
        self.play(ms)
        assert self.recorder.flush(30)

    def finish(self) -> None:
        self.recorder.finish()
        self.play(2000)
        self.close()

    def close(self) -> None:
        self.recorder.close()
        self.video.close()
        self.writer.close()

    @property
    def parts(self) -> tuple[VideoPart, ...]:
        return video_parts(self.writer.header)

    def facts(self, number: int = 0) -> VideoFacts:
        return read_facts(self.writer.folder / self.parts[number].file)
