"""Make a trajectory of steps of others, with what was pinned to them, before it is moved into place."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step, TrajectoryHeader
from collector.recording.edits.edit_plan import without_action
from collector.recording.edits.taken_steps import SOURCE_TREE, PhoneAtStart, bare_state, step_with_files
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.names import inside
from collector.store.trajectory import trajectory_files
from collector.store.trajectory.achieved_states import (
    ACHIEVED_STATES,
    AchievedState,
    move_with_screen,
    screens_of,
)
from collector.store.trajectory.codec import Line
from collector.store.trajectory.interruptions import EVENT, INTERRUPTED, noted_anomalies
from collector.store.trajectory.reader import StoredTrajectory, read_annotations
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.reviews.labels import COMMENTS
from collector.store.trajectory.reviews.review_records import BOOKMARKS
from collector.store.trajectory.writer import TrajectoryWriter
from collector.store.video.recorded_video import with_parts

_VERDICT = "verdict"
"""Kind of event lines that say what judges saw while the source was recorded: it is judged anew."""
_PINNED = (ACHIEVED_STATES, COMMENTS, BOOKMARKS)


@dataclass(frozen=True)
class TakenPart:
    """Steps ``start`` up to ``stop`` of a trajectory; with ``ends`` the screen of ``stop`` is their end."""

    stored: StoredTrajectory
    start: int
    stop: int
    ends: bool = False
    shift_ms: int = 0
    """What is added to its times."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps as they are in the new trajectory, numbered as before."""
        taken = self.stored.steps[self.start : self.stop]
        return (*taken, without_action(self.stored.steps[self.stop])) if self.ends else taken

    def events(self) -> Iterator[Line]:
        """The lines of events that lie between its steps, with their times in the new trajectory."""
        steps = self.stored.steps
        begin = steps[self.start].t_ms if self.start else None
        end = steps[self.stop].t_ms if self.stop < len(steps) else None
        first_of: dict[str, int] = {}
        for line in self.stored.events():
            moment = line.get("t_ms")
            if line.get("kind") == _VERDICT or not isinstance(moment, int):
                continue
            if line.get("kind") == EVENT:  # what belongs to an injection stays together
                moment = first_of.setdefault(str(line.get("injection")), moment)
            if (begin is None or moment >= begin) and (end is None or moment < end):
                yield line


@dataclass
class _Moved:
    """Where the steps and screens of a part are in the new trajectory."""

    places: dict[int, int] = field(default_factory=dict)
    screens: dict[str, str] = field(default_factory=dict)


def make_trajectory(staging: Path, header: TrajectoryHeader, parts: Sequence[TakenPart]) -> Path:
    """Write a trajectory of ``parts`` below ``staging``. Raises UserError; then nothing of it is left."""
    folder = staging / header.id
    if folder.is_dir():
        shutil.rmtree(folder)  # of an edit that a crash cut short
    try:
        return _write(staging, header, parts)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _write(staging: Path, header: TrajectoryHeader, parts: Sequence[TakenPart]) -> Path:
    start = PhoneAtStart()
    for part in parts:
        start = start.or_else(PhoneAtStart.of(part.stored))
    header = replace(header, installed=start.installed)
    once = any(_shares_files(part.steps) for part in parts)
    with TrajectoryWriter.create(staging, header, imported=True, stores_once=once) as writer:
        if start.app_data is not None:
            writer.write_first_app_data(start.app_data)
        moved = [_copy_steps(writer, part, start) for part in parts]
        kept: list[Line] = []
        for part, where in zip(parts, moved, strict=True):
            kept += _copy_events(writer, part, where)
        anomalies = [str(line["anomaly"]) for line in kept if line.get("transition") == "injected"]
        writer.update_header(
            extra=_with_interrupted(header, parts, anomalies),
            duration_ms=max((step.t_ms for step in writer.steps), default=0),
        )
    _copy_pinned(writer.folder, parts, moved)
    return writer.folder


def _copy_steps(writer: TrajectoryWriter, part: TakenPart, start: PhoneAtStart) -> _Moved:
    moved = _Moved()
    for step in part.steps:
        whole = step_with_files(part.stored, step)
        state = bare_state(start.state_of(part.stored, step.state))
        new = replace(step, t_ms=step.t_ms + part.shift_ms, state=state)
        stored = writer.append(new, whole.screenshot, whole.tree)
        moved.places[step.index] = stored.index
        for before, after in zip(screens_of([step]), screens_of([stored]), strict=True):
            moved.screens.setdefault(before, after)
        original = step.extra.get(SOURCE_TREE)
        if isinstance(original, str):
            _copy_original(writer.folder, part.stored, original)
    return moved


def _copy_original(folder: Path, stored: StoredTrajectory, name: str) -> None:
    source = inside(stored.folder / layout.ORIGINALS, name)
    if source.is_file():
        disk, target = Disk(), inside(folder / layout.ORIGINALS, name)
        disk.make_folder(target.parent)
        disk.write(target, source.read_bytes())


def _copy_events(writer: TrajectoryWriter, part: TakenPart, moved: _Moved) -> Iterator[Line]:
    for line in part.events():
        kept = {key: value for key, value in line.items() if key not in ("kind", "t_ms", "state")}
        step = line.get("step")
        if isinstance(step, int):
            # A line names the step that comes next, which may be the one behind the last.
            nearest = min(moved.places, key=lambda place: abs(place - step))
            kept["step"] = moved.places[nearest] + (step - nearest if step > nearest else 0)
        yield writer.event(str(line.get("kind")), int(line["t_ms"]) + part.shift_ms, **kept)


def _with_interrupted(
    header: TrajectoryHeader, parts: Iterable[TakenPart], anomalies: Sequence[str]
) -> dict[str, Any]:
    """The extra keys of the header, with the anomalies that its events and steps still show.

    A video is not taken apart: it stays with the source.
    """
    extra = {key: value for key, value in with_parts(header.extra, ()).items() if key != INTERRUPTED}
    known = {name for part in parts for name in noted_anomalies(part.stored.header)}
    kept = [name for name in dict.fromkeys(anomalies) if name in known]
    return {**extra, INTERRUPTED: kept} if kept else extra


def _copy_pinned(folder: Path, parts: Sequence[TakenPart], moved: Sequence[_Moved]) -> None:
    """Copy what people pinned to the steps; what they said of the whole stays with the source."""
    said: dict[str, dict[str, list[Any]]] = {}
    for part, where in zip(parts, moved, strict=True):
        screens = screens_of(part.stored.steps)
        for stem, document in read_annotations(part.stored.files).items():
            of_person = said.setdefault(str(document.get("who") or stem), {})
            for key in _PINNED:
                listed = document.get(key)
                entries = listed if isinstance(listed, list) else []
                placed = (_placed(entry, where, screens) for entry in entries)
                of_person.setdefault(key, []).extend(entry for entry in placed if entry is not None)
    for who, values in said.items():
        if any(values.values()):
            write_annotations(folder, who, {key: entries for key, entries in values.items() if entries})


def _placed(entry: object, moved: _Moved, screens: Sequence[str]) -> dict[str, Any] | None:
    """An entry at its step in the new trajectory; None when its step is not there, or it has none."""
    step = entry.get("step") if isinstance(entry, Mapping) else None
    if not isinstance(entry, Mapping) or not isinstance(step, int):
        return None
    screen = str(entry.get("screen") or "")
    if screen:
        step = move_with_screen(AchievedState(step, "", screen), screens, ()).step
    if step not in moved.places:
        return None
    placed = {**entry, "step": moved.places[step]}
    if screen:
        placed["screen"] = moved.screens.get(screen, screen)
    return placed


def _shares_files(steps: Iterable[Step]) -> bool:
    names = [name for step in steps for name in screens_of([step]) if name]
    return len(names) > len(set(names))


def require_whole_injections(stored: StoredTrajectory, at: int) -> None:
    """Raise UserError when something was injected before step ``at`` that ended only after it."""
    cut = stored.steps[at].t_ms
    for interruption in stored.interruptions():
        over, steps = interruption.over_ms, interruption.steps
        marked = bool(steps) and min(steps) < at <= max(steps)
        if marked or (interruption.injected_ms < cut and (over is None or over > cut)):
            raise UserError(
                _("The trajectory is not split at step {number}", number=at + 1),
                _("{anomaly} was on the phone there", anomaly=interruption.anomaly),
                _("Split it before, or after it was gone"),
            )


def lines_of_steps(folder: Path) -> str:
    """The digest of ``steps.jsonl``, by which a later change is noticed."""
    return trajectory_files.read_lines(folder / layout.STEPS).digest
