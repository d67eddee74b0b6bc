"""The session of the Review workspace: the trajectories side by side, and what of them is on show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.comparison.alignment.aligned import REFERENCE, AlignedTrajectories, side_by_side
from collector.comparison.alignment.trajectory_alignment import MOST
from collector.model.editing.edit_stack import EditStack
from collector.model.trajectory import RECORDING, Step, Trajectory, TrajectoryHeader
from collector.model.verdicts.answer_match import first_wrong_step
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.aligned_trajectories import AlignedTrajectoriesReader
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.bridge.trajectories.trajectory_follower import TrajectoryFollower


class Moment(StrEnum):
    """Which screen of a step is shown."""

    BEFORE = "before"
    """The screen on which the action was taken, without marks."""
    ACTION = "action"
    """That screen, with marks of the action."""
    AFTER = "after"
    """The screen of the next step."""


@dataclass(frozen=True, slots=True)
class ReviewSessionState:
    """What was on show, for the session of the next window."""

    aligned: AlignedTrajectories | None
    is_aligned: bool
    slot: int
    side: int
    moment: Moment = Moment.ACTION
    selected: range | None = None
    filter: str = ""
    unkept_bookmarks: frozenset[tuple[str, int]] = frozenset()
    drafts: dict[Path, str] = field(default_factory=dict)
    history: EditStack = field(default_factory=EditStack)


class ReviewSession(QObject):
    """One cursor for columns, timeline and panels. Panels listen to the signals. GUI thread only."""

    trajectories_changed = Signal()
    """Other trajectories are side by side, or none."""
    aligned_changed = Signal()
    """:attr:`aligned` is another: the slots of the same trajectories, or of others."""
    slot_changed = Signal(int)
    side_changed = Signal(int)
    """Another side is the one that verdict, node and differences are about."""
    moment_changed = Signal()
    selected_changed = Signal()
    """:attr:`selected` is another."""
    matching_changed = Signal()
    """:attr:`matching` is another."""
    events_followed = Signal()
    """A trajectory that is being written has other events than before."""
    failed = Signal(object)
    """An exception for the person."""

    def __init__(
        self, runner: JobRunner, project_library: ProjectLibrary, trajectories: ProjectTrajectories,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.project_library = project_library
        self._reader = AlignedTrajectoriesReader(runner, project_library, trajectories, self)
        self.aligned: AlignedTrajectories | None = None
        """None while nothing is open."""
        self.is_aligned = False
        """Whether the slots are those of the alignment; before, they are the numbers of the steps."""
        self.cannot_align = False
        """Whether the alignment ended with an error: the slots stay the numbers of the steps."""
        self.slot = 0
        self.side = REFERENCE
        self.moment = Moment.ACTION
        self.selected: range | None = None
        """The slots that the panels are restricted to; None for all."""
        self.matching: frozenset[int] | None = None
        """The slots that fit the filter; None without a filter."""
        self.unkept_bookmarks: set[tuple[str, int]] = set()
        """Folder and step of the bookmarks on trajectories that cannot be written; the window keeps them."""
        self.drafts: dict[Path, str] = {}
        """Folder of a trajectory -> the comment on it that was begun and is not pinned."""
        self._runner = runner
        self._followers: list[TrajectoryFollower] = []
        self._follows_end = False
        """Whether the cursor goes to the end with what was added."""
        self._opening: tuple[Path, ...] = ()
        """The folders that are being read, to be shown in place of those that are."""
        self._asked_step: int | None = None
        self._asked_side: int | None = None
        self._left_side = 0
        """The side from which a trajectory left last."""
        self._is_alone = False
        """Whether a trajectory was opened that is to be shown with its companions."""
        self._changed_meanwhile = False
        """Whether the project changed since the reading began: its companions may be known only now."""
        self._reader.opened.connect(self._opened)
        self._reader.aligned.connect(self._aligned)
        self._reader.companions_found.connect(self._companions_found)
        self._reader.failed.connect(self._not_opened)
        self._reader.alignment_failed.connect(self._alignment_failed)
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self._project_changed)
        trajectories.leaving.connect(self._trajectory_leaving)

    # -- what is known -------------------------------------------------------
    @property
    def stored(self) -> tuple[StoredTrajectory, ...]:
        """The trajectories, the reference first."""
        return self.aligned.stored if self.aligned is not None else ()

    @property
    def count(self) -> int:
        """Number of slots."""
        return len(self.aligned.slots) if self.aligned is not None else 0

    def step_number(self, side: int, slot: int | None = None) -> int | None:
        """The step of a side at a slot, by default the current one; None for a gap."""
        at = self.slot if slot is None else slot
        if self.aligned is None or not 0 <= at < self.count:
            return None
        return self.aligned.slots[at][side]

    def nearest_step(self, side: int) -> int | None:
        """The step of a side at the cursor; at a gap the next one, whose screen the trajectory is on already.

        After the last step it is the last one; None of a trajectory without steps.
        """
        after = (self.step_number(side, slot) for slot in range(self.slot, self.count))
        before = (self.step_number(side, slot) for slot in range(self.slot - 1, -1, -1))
        return next((number for number in chain(after, before) if number is not None), None)

    def shown_step(self, side: int) -> int | None:
        """The step whose screen a side shows: for the moment after the action the next one, if there is one.

        At a gap it is the nearest one; None of a trajectory without steps.
        """
        number = self.step_number(side)
        if number is None:
            return self.nearest_step(side)
        is_after = self.moment is Moment.AFTER and number + 1 < len(self.stored[side].steps)
        return number + 1 if is_after else number

    def step(self, side: int, slot: int | None = None) -> Step | None:
        """As :meth:`step_number`, the step itself."""
        number = self.step_number(side, slot)
        return self.stored[side].steps[number] if number is not None else None

    # -- opening -------------------------------------------------------------
    def open(
        self, folders: Sequence[Path], *, step: int | None = None, side: int = 0, with_companions: bool = True
    ) -> None:
        """Open trajectories at a step of one; a single run brings its golden trajectory and its baseline."""
        self._asked_step = step
        self._is_alone = with_companions and len(folders) == 1
        # Companions come before the trajectory that was asked for.
        self._asked_side = side - len(folders)
        self._read(folders)

    def _read(self, folders: Sequence[Path]) -> None:
        if not folders:
            self.close_all()
            return
        self._opening, self._changed_meanwhile = tuple(folders), False
        self._reader.open(folders, with_companions=self._is_alone)

    def add(self, folder: Path) -> None:
        """Put one more trajectory beside those that are open or being opened, or replace the last of four."""
        self._is_alone = False
        if self._opening:
            self._asked_side = (self._asked_side or 0) % len(self._opening)
        else:
            self._asked_step, self._asked_side = self.step_number(self.side), self.side
        before = self._opening or [each.folder for each in self.stored]
        self._read([*[each for each in before if each != folder][: MOST - 1], folder])

    def take_back(self, folder: Path, step: int) -> None:
        """Show a step of a trajectory that left to be edited, or of what became of it, where it was."""
        folders = [each.folder for each in self.stored if each.folder != folder]
        side = min(self._left_side, len(folders))
        self.open([*folders[:side], folder, *folders[side:]], step=step, side=side, with_companions=False)

    def remove(self, side: int) -> None:
        """Take a trajectory away."""
        self._arrange([each for number, each in enumerate(self.stored) if number != side])

    def make_reference(self, side: int) -> None:
        """Compare the others with this trajectory: it comes first."""
        stored = list(self.stored)
        self._arrange([stored.pop(side), *stored])

    def _arrange(self, stored: Sequence[StoredTrajectory]) -> None:
        """Show the trajectories in another order; the chosen one and its step stay chosen."""
        self._is_alone = False
        if not stored:
            self.close_all()
            return
        chosen, folders = self.stored[self.side].folder, [each.folder for each in stored]
        stays = chosen in folders
        self._asked_step = self.step_number(self.side) if stays else None
        self._asked_side = folders.index(chosen) if stays else min(self.side, len(stored) - 1)
        self._show(side_by_side(stored))
        self._reader.align(stored)

    @Slot(object)
    def _opened(self, beside: AlignedTrajectories) -> None:
        self._show(beside)
        if self._changed_meanwhile:
            self._find_companions()

    @Slot(object)
    def _not_opened(self, error: Exception) -> None:
        self._opening = ()
        self.failed.emit(error)

    def _show(self, beside: AlignedTrajectories) -> None:
        self._opening = ()
        self.aligned, self.is_aligned, self.cannot_align = beside, False, False
        sides = len(beside.stored)
        side = self._asked_side if self._asked_side is not None else min(self.side, sides - 1)
        self.side = side % sides
        self.selected = self.matching = None
        steps = len(beside.stored[self.side].steps) if sides else 0
        if self._asked_step is None and sides:  # of steps that were asked offline the first wrong one
            self._asked_step = first_wrong_step(beside.stored[self.side].header)
        self.slot = min(self._asked_step or 0, max(0, steps - 1))
        self._follow()
        self.trajectories_changed.emit()
        self._show_slots()

    @Slot(object)
    def _aligned(self, aligned: AlignedTrajectories) -> None:
        """Keep the step of the current side in view: its slot is another now."""
        number = self.step_number(self.side) if self.aligned is not None else None
        if self._follows_end:
            number, self._follows_end = None, False
            self.slot = len(aligned.slots) - 1
        self.aligned, self.is_aligned, self.cannot_align = aligned, True, False
        if number is not None:
            self.slot = aligned.alignment.slot_of(self.side, number)
        self.slot = min(self.slot, max(0, self.count - 1))
        self._show_slots()

    @Slot(object)
    def _alignment_failed(self, error: Exception) -> None:
        """Report the failure; the trajectories stay side by side, aligned as far as they were before."""
        self.cannot_align = not self.is_aligned
        self.aligned_changed.emit()
        self.failed.emit(error)

    def _follow(self) -> None:
        """Show what is added to trajectories that other programs are writing."""
        for follower in self._followers:
            follower.stop()
            follower.deleteLater()
        self._followers = []
        for stored in self.stored:
            if stored.header.status == RECORDING and stored.archive is None:
                follower = TrajectoryFollower(self._runner, stored.folder, stored.steps, stored.header, self)
                follower.steps_changed.connect(self._steps_followed)
                follower.header_changed.connect(self._header_followed)
                follower.events_changed.connect(self.events_followed)
                self._followers.append(follower)

    @property
    def live_folders(self) -> frozenset[Path]:
        """The folders of the trajectories that are still being written."""
        return frozenset(each.folder for each in self._followers if each.is_following)

    @Slot(object)
    def _steps_followed(self, steps: tuple[Step, ...]) -> None:
        self._replace(self.sender(), steps=steps)

    @Slot(object)
    def _header_followed(self, header: TrajectoryHeader) -> None:
        self._replace(self.sender(), header=header)

    def _replace(
        self, follower: object, *, steps: tuple[Step, ...] | None = None,
        header: TrajectoryHeader | None = None,
    ) -> None:  # fmt: skip
        """Align again with what was added; who looks at the last slot goes on to the newest."""
        assert isinstance(follower, TrajectoryFollower)
        stored = list(self.stored)
        for side, each in enumerate(stored):
            if each.folder == follower.folder:
                whole = Trajectory(header or each.header, each.steps if steps is None else steps)
                stored[side] = replace(each, trajectory=whole)
        self._follows_end = self.slot == self.count - 1
        self._reader.align(stored)

    def _show_slots(self) -> None:
        self.aligned_changed.emit()
        self.side_changed.emit(self.side)
        self.slot_changed.emit(self.slot)

    @Slot(object)
    def _project_opened(self, _snapshot: object) -> None:
        self.close_all()

    @Slot(object)
    def _project_changed(self, _snapshot: object) -> None:
        """A run that was opened before the project was read to its end finds its companions now."""
        self._changed_meanwhile = True
        self._find_companions()

    def _find_companions(self) -> None:
        if self._is_alone and len(self.stored) == 1:
            self._reader.add_companions(self.stored[0])

    @Slot(object)
    def _companions_found(self, beside: AlignedTrajectories) -> None:
        """Show them, unless something else was opened meanwhile."""
        alone = beside.stored[-1].folder
        if self._is_alone and [each.folder for each in self.stored] == [alone]:
            self._asked_step, self._asked_side = self.step_number(0), -1
            self._show(beside)
            self._reader.align(beside.stored)

    @Slot(object)
    def _trajectory_leaving(self, folder: Path) -> None:
        """Close a trajectory before it is moved, and open one no further that is being opened."""
        if folder in self._opening:
            self._left_side, others = self._opening.index(folder), [*self._opening]
            others.remove(folder)
            self._asked_step = self._asked_side = None
            self._read(others or [each.folder for each in self.stored if each.folder != folder])
            return
        for side, stored in enumerate(self.stored):
            if stored.folder == folder:
                self._left_side = side
                self.remove(side)
                return

    def close_all(self) -> None:
        """Show no trajectory."""
        self._reader.close()
        self._opening = ()
        self.aligned, self.is_aligned = None, False
        self.slot = self.side = 0
        self.selected = self.matching = None
        self._follow()
        self.trajectories_changed.emit()
        self._show_slots()

    # -- moving --------------------------------------------------------------
    def go(self, slot: int) -> None:
        """Make a slot current; a number out of range goes to the nearest slot."""
        slot = max(0, min(slot, self.count - 1))
        if slot != self.slot and self.count:
            self.slot = slot
            self.slot_changed.emit(slot)

    def move(self, by: int) -> None:
        """Go some slots on or back, over the slots that fit the filter, inside the range."""
        inside = self.selected or range(self.count)
        at, left = self.slot, abs(by)
        while left and at + (1 if by > 0 else -1) in inside:
            at += 1 if by > 0 else -1
            if self.matching is None or at in self.matching:
                left -= 1
        if self.matching is None or at in self.matching:
            self.go(at)

    def go_to_step(self, side: int, step: int) -> None:
        """Go to the slot of a step."""
        if self.aligned is not None and any(slot[side] == step for slot in self.aligned.slots):
            self.choose_side(side)
            self.go(next(at for at, slot in enumerate(self.aligned.slots) if slot[side] == step))

    @Slot()
    def go_to_end(self) -> None:
        """Go to the last step of the chosen side; others may have steps behind it."""
        taken = (at for at in range(self.count - 1, -1, -1) if self.step_number(self.side, at) is not None)
        self.go(next(taken, self.count - 1))

    def go_to_divergence(self) -> bool:
        """Go to the first slot where a trajectory differs from the reference; False when none does."""
        slot = self.aligned.first_divergence if self.aligned is not None else None
        if slot is not None:
            self.go(slot)
        return slot is not None

    def go_to_difference(self, *, back: bool = False) -> bool:
        """Go to the next difference, or the one before; False when there is none."""
        slots = self.aligned.difference_slots() if self.aligned is not None else ()
        found = (
            next((slot for slot in reversed(slots) if slot < self.slot), None)
            if back
            else next((slot for slot in slots if slot > self.slot), None)
        )
        if found is not None:
            self.go(found)
        return found is not None

    def choose_side(self, side: int) -> None:
        """Choose the side that verdict, node and differences are about."""
        if 0 <= side < len(self.stored) and side != self.side:
            self.side = side
            self.side_changed.emit(side)

    def show_moment(self, moment: Moment) -> None:
        """Show the screens before, with or after the action."""
        if moment != self.moment:
            self.moment = moment
            self.moment_changed.emit()

    @Slot(object)
    def select(self, slots: range | None) -> None:
        """Restrict the panels to some slots, or to all again."""
        if slots != self.selected:
            self.selected = slots
            self.selected_changed.emit()

    def set_matching(self, slots: frozenset[int] | None) -> None:
        """Show which slots fit the filter; None without a filter."""
        if slots != self.matching:
            self.matching = slots
            self.matching_changed.emit()

    # -- life ----------------------------------------------------------------
    def keep_state(self) -> ReviewSessionState:
        return ReviewSessionState(
            self.aligned, self.is_aligned, self.slot, self.side, self.moment, self.selected,
            unkept_bookmarks=frozenset(self.unkept_bookmarks), drafts=self.drafts,
        )  # fmt: skip

    def take_state(self, state: ReviewSessionState) -> None:
        """Go on where the session before was."""
        self.unkept_bookmarks = set(state.unkept_bookmarks)
        self.drafts = state.drafts
        if state.aligned is not None:
            self.aligned, self.is_aligned = state.aligned, state.is_aligned
            self.slot, self.side = state.slot, state.side
            self._follow()
            self.trajectories_changed.emit()
            self._show_slots()
            self.show_moment(state.moment)
            self.select(state.selected)
            if not state.is_aligned:
                self._reader.align(state.aligned.stored)

    def close(self) -> None:
        """The window closes."""
        self._reader.close()
        for follower in self._followers:
            follower.stop()
