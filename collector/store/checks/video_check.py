"""Check the video beside the steps of a trajectory: its files are those that were recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.trajectory import RECORDING
from collector.store.files.errors import UnsafePath
from collector.store.files.findings import ERROR, WARNING
from collector.store.files.links import refuse_link
from collector.store.files.names import inside
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.video.recorded_video import VideoPart, video_files, video_parts


def check_video(stored: StoredTrajectory, where: str) -> Iterator[Finding]:
    """What is wrong with the parts that the header names, and files that it does not name."""
    parts = video_parts(stored.header)
    for part in parts:
        if part.file:
            yield from _check_part(stored, where, part)
    for name in video_files(stored.folder):
        if name not in {part.file for part in parts}:
            text = _("{name} is a video that the header does not name", name=name)
            yield Finding("stray", WARNING, text, where=where)


def _check_part(stored: StoredTrajectory, where: str, part: VideoPart) -> Iterator[Finding]:
    try:
        path = inside(stored.folder, part.file)
        refuse_link(path)
    except UnsafePath as error:
        yield Finding("path-unsafe", ERROR, str(error), where=where)
        return
    try:
        with path.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        yield Finding("blob-missing", ERROR, _("{name} is missing", name=part.file), where=where)
        return
    if part.sha256 and actual != part.sha256:
        text = _("{name} is not the file that was recorded", name=part.file)
        yield Finding("hash-differs", ERROR, text, where=where)
    if not part.sha256 and stored.header.status != RECORDING:
        yield Finding("hash-missing", WARNING, _("{name} has no digest", name=part.file), where=where)
