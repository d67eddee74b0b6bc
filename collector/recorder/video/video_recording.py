"""Write the phone's video beside the steps of a recording: its pictures as they came, none encoded anew.

Pictures arrive on the thread of the frame source, steps on that of the writer, which also writes the video:
a picture reaches the disk only after the step behind it, so that what a step hides is never written.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Protocol

from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.pictures.encoded_picture import EncodedPicture
from collector.recorder.events import Phase, RecorderEvent, RecorderNotice, RecordingState, StepCommitted
from collector.recorder.recorder import Recorder
from collector.recorder.video.held_pictures import HeldPictures, PictureGroup
from collector.store.files.errors import StoreError
from collector.store.trajectory.writer import TrajectoryWriter
from collector.store.video.mkv import Interval, MkvWriter, merged
from collector.store.video.recorded_video import (
    VideoPart,
    close_parts,
    cut_of_steps,
    cut_parts,
    next_part_name,
    video_parts,
    with_parts,
)

_TAKING = (Phase.RECORDING, Phase.FINISHING)


class VideoPhone(Protocol):
    """A phone whose video may be recorded."""

    @property
    def encoded(self) -> EventEmitter[EncodedPicture]: ...

    @property
    def has_video(self) -> bool:
        """Whether its pictures come from a video now."""

    def ask_key_frame(self) -> None:
        """Ask for a picture that needs no earlier one; does not wait."""


class VideoRecording:
    """Follows a recorder, and the phone that :meth:`follow` names, until :meth:`close`.

    A disk that refuses the video ends the video and nothing else: ``recorder.events`` says so.
    """

    def __init__(self, recorder: Recorder, writer: TrajectoryWriter) -> None:
        self._recorder, self._writer = recorder, writer
        self._lock = threading.Lock()
        self._held = HeldPictures()
        self._floor_ms = 0
        """Pictures of before were shown in a pause."""
        self._file: MkvWriter | None = None
        self._parameters = b""
        self._is_over = self._has_warned = False
        self._left_out_at: set[int] = set()
        """The times of the steps whose pictures were never written."""
        self._phone: VideoPhone | None = None
        self._unfollow: Callable[[], None] = lambda: None
        self._unsubscribe = recorder.events.subscribe(self._recorder_event)

    def follow(self, phone: VideoPhone | None) -> None:
        """Take the pictures of ``phone`` from now on; None while there is none. Does not wait."""
        self._unfollow()
        with self._lock:
            self._held.interrupt(self._recorder.elapsed_ms)
        self._phone, self._unfollow = phone, lambda: None
        if phone is not None:
            self._unfollow = phone.encoded.subscribe(self._take)
            phone.ask_key_frame()

    def close(self) -> None:
        """Write the rest, the chapters and the digests; to be called after the recorder was closed."""
        self._unfollow()
        self._unsubscribe()
        with self._lock:
            rest = self._held.close()
            is_over, self._is_over = self._is_over, True
        try:
            if not is_over:
                self._write(rest)
            self._close_file()
            self._write_header()
        except StoreError as error:
            self._give_up(error)

    # -- pictures, on the thread of their source -----------------------------------
    def _take(self, picture: EncodedPicture) -> None:
        recorder = self._recorder
        t_ms = recorder.t_ms(picture.time_ns)
        with self._lock:
            if self._is_over:
                return
            if recorder.phase not in _TAKING:
                self._held.interrupt(t_ms)
                self._floor_ms = recorder.elapsed_ms
            elif t_ms >= self._floor_ms:
                self._held.take(picture, t_ms)

    # -- steps, on the thread of the writer ----------------------------------------
    def _recorder_event(self, event: RecorderEvent) -> None:
        match event:
            case StepCommitted(step=step):
                if step.redacted:
                    self._left_out_at.add(step.t_ms)
                with self._lock:
                    released = self._held.step(step.t_ms, redacted=step.redacted)
                    wants_key_frame = self._held.wants_key_frame and not self._is_over
                self._write_or_give_up(released)
                self._warn_of_pictures()
                if wants_key_frame and step.action is not None:
                    self._ask_key_frame()
            case RecordingState(phase=Phase.PAUSED):
                with self._lock:
                    self._floor_ms = self._recorder.elapsed_ms
                    self._held.interrupt(self._floor_ms)
            case RecordingState(phase=Phase.RECORDING):
                self._ask_key_frame()

    def _warn_of_pictures(self) -> None:
        """Say once that a phone has no video."""
        phone = self._phone
        if phone is not None and not phone.has_video and not self._has_warned:
            self._has_warned = True
            why = _("No video is recorded: the phone is shown by single pictures")
            self._recorder.events.emit(RecorderNotice(why, _("Choose scrcpy or screenrecord as its source")))

    def _ask_key_frame(self) -> None:
        phone = self._phone
        if phone is not None:
            phone.ask_key_frame()

    def _write_or_give_up(self, groups: list[PictureGroup]) -> None:
        try:
            self._write(groups)
        except StoreError as error:
            self._give_up(error)

    def _write(self, groups: list[PictureGroup]) -> None:
        for group in groups:
            if self._file is None or group.parameters != self._parameters:
                self._close_file()
                self._file = self._new_part(group)
            self._write_group(self._file, group)

    def _write_group(self, file: MkvWriter, group: PictureGroup) -> None:
        begin = video_parts(self._writer.header)[-1].from_ms
        ends = [t_ms for t_ms, _data in group.pictures[1:]] + [group.end_ms or group.pictures[-1][0]]
        for (t_ms, data), end in zip(group.pictures, ends, strict=True):
            is_key = t_ms == group.start_ms and data is group.pictures[0][1]
            file.write(data, t_ms - begin, is_key=is_key, lasts_ms=max(0, end - t_ms))

    def _new_part(self, group: PictureGroup) -> MkvWriter:
        writer, name = self._writer, next_part_name(self._writer.folder)
        parts = (*video_parts(writer.header), VideoPart(name, group.start_ms))
        # Named first: a file that no header names would be a stray after a crash.
        writer.update_header(extra=with_parts(writer.header.extra, parts))
        self._parameters = group.parameters
        return MkvWriter(writer.folder / name, group.parameters, group.pictures[0][1], group.start_ms)

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _write_header(self) -> None:
        writer, left_out = self._writer, merged(self._held.left_out)
        parts = _with_left_out(video_parts(writer.header), left_out)
        if parts:
            parts = close_parts(writer.folder, parts, writer.steps)
            parts = self._without_late(parts)
            writer.update_header(extra=with_parts(writer.header.extra, parts))

    def _without_late(self, parts: tuple[VideoPart, ...]) -> tuple[VideoPart, ...]:
        """The parts without the screens of steps in which something was hidden after they were written."""
        steps = self._writer.steps
        late = [step.index for step in steps if step.redacted and step.t_ms not in self._left_out_at]
        if not late:
            return parts
        return cut_parts(self._writer.folder, parts, cut_of_steps(steps, late), steps)

    def _give_up(self, error: StoreError) -> None:
        """The video ends here; the steps go on."""
        with self._lock:
            if self._is_over and self._file is None:
                return
            self._is_over = True
            self._held = HeldPictures()
        file, self._file = self._file, None
        self._recorder.events.emit(
            RecorderNotice(_("The video ends here: {why}", why=error), _("The steps are recorded on"))
        )
        if file is not None:
            try:
                file.close()
            except StoreError:
                return  # what reached the disk can be played


def _with_left_out(parts: tuple[VideoPart, ...], left_out: tuple[Interval, ...]) -> tuple[VideoPart, ...]:
    """Each interval at the new part that was there before it; a part without a file when there is none."""
    if left_out and not any(part.file and not part.sha256 for part in parts):
        return (*parts, VideoPart("", left_out[0][0], left_out=left_out))
    new = [number for number, part in enumerate(parts) if part.file and not part.sha256]
    placed: dict[int, list[Interval]] = {}
    for interval in left_out:
        before = [number for number in new if parts[number].from_ms <= interval[0]]
        placed.setdefault(before[-1] if before else new[0], []).append(interval)
    return tuple(
        dataclasses.replace(part, left_out=merged([*part.left_out, *placed.get(number, [])]))
        for number, part in enumerate(parts)
    )
