"""Compares the states of two steps behind the window: trees and texts first, then their pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QImage

from collector.comparison.alignment.aligned import LETTERS
from collector.comparison.alignment.reading import read_screen
from collector.comparison.state_difference.heat_map import heat_map
from collector.comparison.state_difference.picture_difference import PictureDifference
from collector.comparison.state_difference.state_difference import (
    RecordedScreen,
    StateDifference,
    compare_screenshots,
    state_difference,
)
from collector.hierarchy.difference_groups import NodeDifference, group_differences
from collector.model.errors import UserError
from collector.pictures.errors import PictureError
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers
from studio.bridge.pictures import image_or_null

_WAIT_MS = 40
"""While steps are scrubbed through, only the step that is rested on is compared."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedStep:
    """A step of one side. Sides and steps count from 0."""

    side: int
    step: int
    stored: StoredTrajectory

    @property
    def letter(self) -> str:
        """The name of the side, A to D."""
        return LETTERS[self.side]

    @property
    def is_secure(self) -> bool:
        """Whether the app hides its pixels, so that its picture is black."""
        return self.stored.steps[self.step].state.secure

    def is_same(self, other: ComparedStep) -> bool:
        """Whether it is the same step of the same trajectory on the same side."""
        return (self.side, self.step) == (other.side, other.step) and self.stored is other.stored


@dataclass(frozen=True, slots=True, eq=False)
class ScreenOfStep:
    """The state of a step with what was read of it."""

    place: ComparedStep
    screen: RecordedScreen
    dump: bytes | None = None
    """The hierarchy dump as it was received; None when there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenComparison:
    """What differs between the trees and texts of two states."""

    before: ScreenOfStep
    after: ScreenOfStep
    difference: StateDifference
    """Its ``picture`` is None: pictures are compared after the trees."""
    nodes: tuple[NodeDifference, ...] = ()
    """The nodes that differ, as :func:`group_differences` lists them."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureComparison:
    """Two screenshots and what differs between them."""

    before: ComparedStep
    after: ComparedStep
    first: QImage
    """Null when the state has no picture that can be read."""
    second: QImage
    difference: PictureDifference | None
    """None when either picture is missing."""
    heat: QImage
    """What differs, as a translucent picture that covers the first; null without a difference."""
    problem: str = ""
    """Why a picture that was recorded cannot be shown, in sentences; empty when both can."""


class StateComparisons(QObject):
    """Compares the two steps it was asked for last. GUI thread only."""

    screens_compared = Signal(object)
    """A :class:`ScreenComparison`; None when there are no two steps to compare."""
    pictures_compared = Signal(object)
    """A :class:`PictureComparison`; None when there are no two steps to compare."""
    screen_read = Signal(object)
    """The :class:`ScreenOfStep` that :meth:`read` was asked for last."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self._comparison_failed)
        self._reads = NewestAnswers(runner, self)
        self._reads.failed.connect(self.failed)
        self._pair: tuple[ComparedStep, ComparedStep] | None = None
        self._screens: ScreenComparison | None = None
        self._ignores_bars = True
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setInterval(_WAIT_MS)
        self._waiting.timeout.connect(self._compare_screens)

    @property
    def pair(self) -> tuple[ComparedStep, ComparedStep] | None:
        """The steps that are compared."""
        return self._pair

    @property
    def screens(self) -> ScreenComparison | None:
        """The comparison of trees and texts that arrived last; None until that of the pair is there."""
        return self._screens

    @property
    def ignores_bars(self) -> bool:
        """Whether the status bar and its clock are left out of the comparison of pictures."""
        return self._ignores_bars

    def compare(self, before: ComparedStep | None, after: ComparedStep | None) -> None:
        """Compare two steps; without one of them there is nothing to compare."""
        pair = (before, after) if before is not None and after is not None else None
        if _is_same(pair, self._pair):
            return
        self._cancel()
        self._pair, self._screens = pair, None
        if pair is None:
            self.screens_compared.emit(None)
            self.pictures_compared.emit(None)
        else:
            self._waiting.start()

    @Slot(bool)
    def set_ignores_bars(self, on: bool) -> None:
        """Leave the status bar and its clock out of the comparison of pictures, or compare them too."""
        if on != self._ignores_bars:
            self._ignores_bars = on
            if self._screens is not None:
                self._compare_pictures(self._screens)

    def read(self, place: ComparedStep) -> None:
        """Read the state of a step that is not compared; ``screen_read`` follows."""
        self._reads.ask("screen", lambda _job: read_step(place), self.screen_read.emit)

    def close(self) -> None:
        """Cancel what is being compared and read."""
        self._cancel()
        self._reads.forget()

    def _cancel(self) -> None:
        self._waiting.stop()
        self._answers.forget()

    @Slot()
    def _compare_screens(self) -> None:
        if self._pair is None:
            return
        before, after = self._pair

        def work(job: Job) -> ScreenComparison | None:
            first, second = read_step(before), read_step(after)
            if job.cancelled:
                return None
            return compared_screens(first, second)

        self._answers.ask("screens", work, self._screens_arrived)

    def _screens_arrived(self, screens: ScreenComparison) -> None:
        self._screens = screens
        self.screens_compared.emit(screens)
        self._compare_pictures(screens)

    @Slot(object)
    def _comparison_failed(self, error: Exception) -> None:
        """Show no comparison of other steps in place of the one that failed."""
        if self._screens is None:
            self.screens_compared.emit(None)
        self.pictures_compared.emit(None)
        self.failed.emit(error)

    def _compare_pictures(self, screens: ScreenComparison) -> None:
        ignores_bars = self._ignores_bars

        def work(job: Job) -> PictureComparison | None:
            return None if job.cancelled else compared_pictures(screens, ignores_bars=ignores_bars)

        self._answers.ask("pictures", work, self.pictures_compared.emit)


def _is_same(
    pair: tuple[ComparedStep, ComparedStep] | None, other: tuple[ComparedStep, ComparedStep] | None
) -> bool:
    if pair is None or other is None:
        return pair is other
    return all(mine.is_same(theirs) for mine, theirs in zip(pair, other, strict=True))


def read_step(place: ComparedStep) -> ScreenOfStep:
    """Read the state of a step. Any thread."""
    step = place.stored.steps[place.step]
    try:
        dump = place.stored.tree(step)
    except UserError:
        dump = None
    return ScreenOfStep(place, read_screen(place.stored, step), dump)


def compared_screens(before: ScreenOfStep, after: ScreenOfStep) -> ScreenComparison:
    """What differs between the trees and texts of two states. Any thread."""
    difference = state_difference(replace(before.screen, picture=None), replace(after.screen, picture=None))
    return ScreenComparison(
        before, after, difference, group_differences(difference.tree) if difference.tree else ()
    )


def compared_pictures(screens: ScreenComparison, *, ignores_bars: bool) -> PictureComparison:
    """What differs between the screenshots of two states. Any thread."""
    first, second = (_without_black(screen) for screen in (screens.before, screens.after))
    difference, problem = None, ""
    try:
        difference = compare_screenshots(first, second, ignores_bars=ignores_bars)
    except PictureError as error:
        problem = str(error)
    images = (image_or_null(first.picture), image_or_null(second.picture))
    return PictureComparison(
        screens.before.place, screens.after.place, *images, difference, _heat(difference), problem
    )


def _without_black(screen: ScreenOfStep) -> RecordedScreen:
    """The state without the picture of an app that hides its pixels: it says nothing of what differs."""
    return replace(screen.screen, picture=None) if screen.place.is_secure else screen.screen


def _heat(difference: PictureDifference | None) -> QImage:
    if difference is None:
        return QImage()
    pixels = heat_map(difference)
    height, width, _depth = pixels.shape
    # A copy, because the image does not keep the array.
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied).copy()
