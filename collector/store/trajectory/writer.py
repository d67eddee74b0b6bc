"""Write a trajectory: one thread, one step at a time, and no step is lost in a crash.

A step is committed by its line in ``steps.jsonl``, which is appended and flushed only after
its screenshot and tree are on the medium. Edits go through the journal of
:mod:`collector.store.trajectory.edit_journal`. Blobs are never changed or deleted, so undo always finds them.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from collector.model.app_data.collections import AppData
from collector.model.app_data.document import dump_app_data
from collector.model.i18n import _
from collector.model.trajectory import FINISHED, RECORDING, State, Step, TrajectoryHeader
from collector.store.files import blobs, layout, lock
from collector.store.files.disk import Disk
from collector.store.files.disk_reserve import DiskReserve
from collector.store.files.errors import DiskFull, StoreError
from collector.store.files.names import folder_name
from collector.store.files.project_version import raise_version_around
from collector.store.trajectory import codec, recover, trajectory_files
from collector.store.trajectory.codec import Line
from collector.store.trajectory.edit_journal import (
    EditHistory,
    JournalEdit,
    change_to_line,
)
from collector.store.trajectory.editable_steps import EditableSteps, without_seq
from collector.store.trajectory.header_file import now, software, write_header
from collector.store.trajectory.read_only_runs import require_editable
from collector.store.trajectory.step_lines import StepLines, StepWithFiles
from collector.store.video.recorded_video import (
    close_parts,
    cut_of_steps,
    cut_parts,
    video_parts,
    with_parts,
)


class TrajectoryWriter(EditableSteps):
    """The only writer of one trajectory's folder; make it with :meth:`create` or :meth:`open`.

    The methods that edit raise :class:`RunNotEditable` for a run.

    Not thread-safe: the recorder's capture thread owns it. Every method that changes
    something returns only when the change would survive a power cut, and
    raises :class:`StoreError` with everything as before when it could not be made.

    With ``reserve`` some room is kept free on the disk for as long as the writer is open. The first
    change that finds the disk full is made in it, :meth:`take_warning` says so, and what is on its
    way can still be saved; :meth:`resume` wants the room again.

    With ``stores_once`` a file that a step of this trajectory has already is not written again: both steps
    name it.
    """

    def __init__(
        self,
        folder: Path,
        held: lock.Lock,
        disk: Disk,
        reserve: DiskReserve | None = None,
        step_files: trajectory_files.StepFiles | None = None,
        *,
        stores_once: bool = False,
        who: str = "",
    ) -> None:
        self.folder = folder
        self._who = who
        self._stores_once = stores_once
        self._held = held
        self._disk = disk
        self._reserve = reserve or DiskReserve(folder)
        self._header = codec.header_from_document(trajectory_files.read_header(folder))
        step_files = step_files or trajectory_files.read_steps(folder)
        self._lines = StepLines.read(step_files.lines, step_files.file.raw_lines())
        self._history = EditHistory(step_files.lines, step_files.changes)
        self._sum = hashlib.sha256(step_files.file.data)
        """Of what is committed in ``steps.jsonl``."""
        self._sizes = {
            layout.STEPS: step_files.file.committed,
            layout.EDITS: step_files.journal.committed,
            layout.EVENTS: trajectory_files.read_lines(folder / layout.EVENTS).committed,
        }
        self._used = blobs.stems(folder / layout.STATES) | blobs.stems(folder / layout.LOST)
        self._has_raised_version = False
        self._closes_video = False
        """Whether nobody writes the video: what a killed program left open is closed when it is cut."""

    @classmethod
    def create(
        cls,
        task_folder: Path,
        header: TrajectoryHeader,
        *,
        disk: Disk | None = None,
        reserve: bool = False,
        imported: bool = False,
        stores_once: bool = False,
    ) -> TrajectoryWriter:
        """Begin a trajectory in ``task_folder/<header.id>``, which must not exist yet.

        The start and the software of an ``imported`` one are what its header says, even when that is nothing.
        Raises :class:`DiskFull` when there is no room for the ``reserve``.
        """
        disk = disk or Disk()
        raise_version_around(task_folder, disk)
        folder = task_folder / folder_name(header.id)
        if (folder / layout.HEADER).exists():
            raise StoreError(_("There is a trajectory {id} already", id=header.id))
        trajectory_files.refuse_links(folder)
        disk.make_folder(folder / layout.STATES)
        held = lock.acquire(folder, take_over=True)
        room = DiskReserve(folder)
        try:
            if reserve:
                room.fill()
            if not imported:
                programs = {**software(), **header.software}
                header = dataclasses.replace(header, started=header.started or now(), software=programs)
            disk.write_all({folder / name: b"" for name in (layout.STEPS, layout.EVENTS, layout.EDITS)})
            # The header comes last: a folder with one is a whole trajectory, if an empty one.
            write_header(disk, folder, header)
            return cls(folder, held, disk, room, stores_once=stores_once)
        except BaseException:  # Ctrl+C too: the lock and the reserve would stay on the disk
            room.drop()
            held.release()
            trajectory_files.remove_if_empty(folder)
            raise

    @classmethod
    def open(
        cls, folder: Path, *, take_over: bool = False, disk: Disk | None = None, reserve: bool = False,
        redacts: bool = False, ends_run: bool = False, who: str = "",
    ) -> TrajectoryWriter:  # fmt: skip
        """Open a trajectory to write or edit it, after repairing what a crash left; ``who`` edits it.

        Raises :class:`Locked` when another writer is there, or died there and ``take_over`` is not set,
        :class:`DiskFull` when there is no room for the ``reserve``, and :class:`RunNotEditable` for a run,
        unless it is opened to redact it, or to write its outcome (``ends_run``).
        """
        disk = disk or Disk()
        trajectory_files.refuse_links(folder)
        header = codec.header_from_document(trajectory_files.read_header(folder))
        if not redacts and not ends_run:
            require_editable(header)
        held = lock.acquire(folder, take_over=take_over)
        room = DiskReserve(folder)
        try:
            _result, step_files = recover.repair(folder, disk)
            if reserve:
                room.fill()
            writer = cls(folder, held, disk, room, step_files, who=who)
            writer._closes_video = redacts
            return writer
        except BaseException:  # Ctrl+C too: the lock and the reserve would stay on the disk
            room.drop()
            held.restore()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    @property
    def header(self) -> TrajectoryHeader:
        return self._header

    def __len__(self) -> int:
        return len(self._lines)

    # Recording

    def append(self, step: Step, screenshot: bytes | None = None, tree: bytes | None = None) -> Step:
        """Commit a recorded step with the bytes of its state; returns it as stored.

        ``step.index`` and the file names and digests of ``step.state`` are filled in here. A run that has
        ended takes no more steps.
        """
        if self._header.status != RECORDING:
            require_editable(self._header)
        stem = blobs.next_stem(self._used)
        stored = self._store(dataclasses.replace(step, index=len(self._lines)), stem, screenshot, tree)
        line = {"seq": self._history.last_seq + 1, **codec.step_to_line(stored)}
        self._drop_failed_edit()
        data = codec.dump_line(line)
        self._append(layout.STEPS, data)
        self._sum.update(data)
        self._lines.append(line)
        self._history.note_recorded(line)
        return stored

    def event(self, kind: str, t_ms: int, /, **data: Any) -> Line:
        """Add a line to ``events.jsonl``, such as a pause or an injection. Returns it."""
        line = {"kind": kind, "t_ms": t_ms, "wall_time": now(), **data}
        self._append(layout.EVENTS, codec.dump_line(line))
        return line

    def event_with_state(
        self, kind: str, t_ms: int, step: Step, screenshot: bytes | None, tree: bytes | None, /, **data: Any
    ) -> Line:
        """Add a line that has a ``state`` of its own, which no step has, with its files. Returns it."""
        state = self.store_state(step.state, screenshot, tree)
        return self.event(kind, t_ms, state=codec.state_to_dict(state), **data)

    def store_state(self, state: State, screenshot: bytes | None, tree: bytes | None) -> State:
        """Write the files of a state that no step has. Returns it with their names and digests."""
        return self._store(Step(0, 0, "", state), blobs.next_stem(self._used), screenshot, tree).state

    def write_first_app_data(self, data: AppData) -> None:
        """Write what apps keep for the person, as it was read first; later states say what is different."""
        self._raise_version()
        text = dump_app_data(data).encode() + b"\n"
        self._write(lambda: self._disk.write(self.folder / layout.APP_DATA, text))

    def pause(self, t_ms: int) -> None:
        self.event("pause", t_ms)

    def resume(self, t_ms: int) -> None:
        """Continue after a pause. Raises DiskFull while the disk is still full."""
        self._reserve.refill()
        self.event("resume", t_ms)

    def take_warning(self) -> StoreError | None:
        """A warning about the disk that came up since the last call, or None."""
        return self._reserve.take_warning()

    def update_header(self, **changes: Any) -> TrajectoryHeader:
        """Change fields of the header, by their names in :class:`TrajectoryHeader`."""
        self._raise_version()
        header = dataclasses.replace(self._header, **changes)
        self._write(lambda: write_header(self._disk, self.folder, header))
        self._header = header
        return header

    def finish(self, duration_ms: int | None = None) -> TrajectoryHeader:
        """Mark the trajectory as finished; it can still be edited."""
        if duration_ms is None:
            duration_ms = max((step.t_ms for step in self.steps), default=0)
        return self.update_header(status=FINISHED, finished=now(), duration_ms=duration_ms)

    def close(self) -> None:
        """Release the folder. May be called twice. An unfinished trajectory keeps its status."""
        self._reserve.drop()
        self._held.release()

    # Redaction

    def replace_for_good(
        self, changed: Mapping[int, StepWithFiles], masked: Callable[[Line], Line] = lambda line: line,
        kept: Collection[str] = (),
    ) -> tuple[Step, ...]:  # fmt: skip
        """Put steps with new blobs at their indexes, and delete the old blobs with the journal.

        ``masked`` is applied to the lines of all steps and events. Files that no step names are deleted, but
        for ``kept``. A video is cut where the steps were shown. Killed half-way it leaves a trajectory that
        opens, whose strays `waymark project check` names. Returns all steps.
        """
        lines = list(self._lines)
        for index, new in changed.items():
            index = self._checked(index)
            stem = blobs.stem_between(self._stem_at(index), self._stem_at(index + 1), self._used)
            bare = dataclasses.replace(new.step.state, screenshot="", tree="", sha256={})
            step = dataclasses.replace(new.step, index=index, state=bare)
            lines[index] = codec.step_to_line(self._store(step, stem, new.screenshot, new.tree))
        # With the journal gone every step counts as recorded, in the order they stand.
        lines = [{"seq": place, **without_seq(masked(line))} for place, line in enumerate(lines, start=1)]
        self._write_events(masked)
        self._disk.write(self.folder / layout.EDITS, b"")
        self._sizes[layout.EDITS] = 0
        self._write_steps(StepLines.of(lines))
        self._history = EditHistory(lines)
        named = {name for line in lines for name in trajectory_files.blob_names(line)}
        for path in trajectory_files.blobs_beside(self.folder, named.union(kept)):
            self._disk.remove(path)
        self._cut_video(sorted(changed))
        return self.steps

    def _cut_video(self, indexes: Sequence[int]) -> None:
        """Leave out of the video what was shown at these steps; its chapters follow all steps."""
        parts = video_parts(self._header)
        if parts:
            if self._closes_video:
                parts = close_parts(self.folder, parts, self.steps, self._disk)
            cut = cut_parts(self.folder, parts, cut_of_steps(self.steps, indexes), self.steps, self._disk)
            self.update_header(extra=with_parts(self._header.extra, cut))

    def _write_events(self, change: Callable[[Line], Line]) -> None:
        """Replace the events by changed ones, if any changes; lines that cannot be read are dropped then."""
        before = trajectory_files.read_lines(self.folder / layout.EVENTS).lines
        after = tuple(map(change, before))
        if after != before:
            data = b"".join(map(codec.dump_line, after))
            self._disk.write(self.folder / layout.EVENTS, data)
            self._sizes[layout.EVENTS] = len(data)

    # Files and the journal

    def _write(self, write: Callable[[], None]) -> None:
        """Run a repeatable write; if the disk is full, run it again in the reserved space."""
        try:
            write()
            return
        except DiskFull:
            if not self._reserve.give_up():
                raise
        write()

    def _store(self, step: Step, stem: str, screenshot: bytes | None, tree: bytes | None) -> Step:
        """Write the files of a step. Returns the step with their names and digests."""
        self._raise_version()
        state = step.state
        files: dict[str, bytes] = {}
        if screenshot is not None:
            name = f"{layout.STATES}/{stem}{blobs.screenshot_suffix(screenshot)}"
            state = dataclasses.replace(state, screenshot=self._stored_name(name, screenshot))
            files[state.screenshot] = screenshot
        if tree is not None:
            name = f"{layout.STATES}/{stem}{blobs.tree_suffix(tree)}"
            state = dataclasses.replace(state, tree=self._stored_name(name, tree))
            files[state.tree] = tree
        # A file that is there already has another stem.
        paths = {self.folder / name: data for name, data in files.items() if Path(name).stem == stem}
        if paths:
            self._write(lambda: self._disk.write_all(paths))
            self._used.add(stem)
        sums = {
            name: sum_ for name, sum_ in step.state.sha256.items() if name in (state.screenshot, state.tree)
        }
        sums.update((name, blobs.digest(data)) for name, data in files.items())
        return dataclasses.replace(step, state=dataclasses.replace(state, sha256=sums))

    def _raise_version(self) -> None:
        """Say in the project, before the first write, that files of this version are inside."""
        if not self._has_raised_version:
            raise_version_around(self.folder, self._disk)
            self._has_raised_version = True

    def _stored_name(self, name: str, data: bytes) -> str:
        """``name``, or that of a file of these steps with the same bytes."""
        if not self._stores_once:
            return name
        digest, suffix = blobs.digest(data), Path(name).suffix
        known = (item for step in self.steps for item in step.state.sha256.items())
        return next((other for other, sum_ in known if sum_ == digest and other.endswith(suffix)), name)

    @property
    def _base(self) -> str:
        return self._sum.hexdigest()

    def _append(self, name: str, data: bytes) -> None:
        self._raise_version()
        self._write(lambda: self._disk.append(self.folder / name, data, self._sizes[name]))
        self._sizes[name] += len(data)

    def _write_steps(self, lines: StepLines, text: str = "") -> None:
        """Replace ``steps.jsonl`` by ``lines``, written as ``text`` where that is given."""
        data = text.encode() or lines.data()
        sum_ = hashlib.sha256(data)
        try:
            self._write(lambda: self._disk.write(self.folder / layout.STEPS, data))
        except StoreError:
            # When only the flush of the folder failed, the new file is there all the same.
            if trajectory_files.read_lines(self.folder / layout.STEPS).digest != sum_.hexdigest():
                raise
        self._sizes[layout.STEPS], self._sum = len(data), sum_
        self._lines = lines

    def _drop_failed_edit(self) -> None:
        """Cut off a journal line whose edit failed, so that it is not carried out at the next opening."""
        path = self.folder / layout.EDITS
        if path.stat().st_size > self._sizes[layout.EDITS]:
            self._disk.truncate(path, self._sizes[layout.EDITS])

    def _commit(self, change: JournalEdit, lines: StepLines) -> str:
        change = dataclasses.replace(change, who=self._who, time=now(), before=self._foreign_text(change))
        journal = self._sizes[layout.EDITS]
        self._append(layout.EDITS, codec.dump_line(change_to_line(change)))
        try:
            self._write_steps(lines, change.text)
        except StoreError:
            self._sizes[layout.EDITS] = journal
            self._drop_failed_edit()
            raise
        self._history.note(change)
        return change.title
