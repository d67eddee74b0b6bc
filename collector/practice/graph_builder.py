"""Build the graph of the screens of recorded trajectories, for a phone that plays them.

All coordinates are brought to one phone: as large as the screen of the first recorded state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from collector.comparison.alignment.reading import read_screen, screen_digest
from collector.comparison.state_difference.state_difference import RecordedScreen
from collector.hierarchy.captions import caption
from collector.hierarchy.uiautomator_xml import TEXT_FIELD, scaled_rect, uiautomator_xml
from collector.model.action import COMPLETION_SIGNALS, Action, Invalid, Key, OpenApp, Type, Wait
from collector.model.app_data.collections import AppData
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.model.phone.android_names import is_home_screen
from collector.model.phone.phone_setup import read_locale
from collector.model.phone.phone_setup import read_screen as read_phone_size
from collector.model.trajectory import Step
from collector.model.transition_graph import (
    GraphScreen,
    RecordedMoment,
    TextArea,
    Transition,
    TransitionGraph,
)
from collector.model.tree import Tree
from collector.pictures.decoding import Pixels, rgb_pixels
from collector.pictures.errors import PictureError
from collector.pictures.formats import read_picture_file
from collector.practice.screen_joining import ScreenJoining
from collector.practice.touched_area import touched_area
from collector.rules.evaluation.state_view import full_activity
from collector.store.files.errors import StoreError
from collector.store.trajectory.reader import StoredTrajectory

Progress = Callable[[int, int], None]
"""Called with how many states are read, and how many there are."""
_NO_TRANSITION = (*COMPLETION_SIGNALS, Invalid)
_UNKNOWN_WAIT_MS = 1000
"""Between two screens of a recording that does not say when they were."""
_LONGEST_WAIT_MS = 2000
"""After which a screen changes by itself that did so in a recording: nobody waits longer for it."""
_UNKNOWN_APP = "unknown.app"
"""Package of a state for which none was recorded: a phone has no window without one."""


@dataclass(slots=True)
class _Draft:
    """A screen while states are added to it."""

    stored: StoredTrajectory
    step: Step
    package: str
    tree: Tree | None
    recorded_size: Size
    size: Size
    moments: list[RecordedMoment] = field(default_factory=list)


@dataclass(slots=True)
class _Edge:
    source: int
    target: int
    action: Action
    description: str
    area: Rect | None
    moments: list[RecordedMoment] = field(default_factory=list)

    def finished(self, number: int) -> Transition:
        moments = tuple(self.moments)
        return Transition(number, self.source, self.target, self.action, self.description, self.area, moments)


def build_graph(
    recordings: Sequence[StoredTrajectory], progress: Progress = lambda _done, _total: None
) -> TransitionGraph:
    """The graph of some trajectories. Raises UserError when none has a screen, or Cancelled."""
    builder = _Builder(progress, sum(len(stored.steps) for stored in recordings))
    for stored in recordings:
        builder.add(stored)
    graph = builder.graph([stored.header.id for stored in recordings], _data_in(recordings))
    return replace(graph, language=_language_of(recordings[0]))


def _language_of(stored: StoredTrajectory) -> str:
    try:
        return read_locale(str(stored.header.device.get("language", "")))
    except ValueError:
        return ""


def _data_in(recordings: Sequence[StoredTrajectory]) -> Callable[[RecordedMoment], AppData | None]:
    """What apps kept for the person in a state of the recordings; None where that cannot be read."""

    @cache
    def data_at(moment: RecordedMoment) -> AppData | None:
        stored = recordings[moment.recording]
        try:
            return stored.app_data(stored.steps[moment.step].state)
        except (StoreError, IndexError):
            return None

    return data_at


class _Builder:
    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0
        self._joining = ScreenJoining()
        self._screens: list[_Draft] = []
        self._edges: dict[Hashable, _Edge] = {}
        self._paths: list[list[Hashable]] = []
        self._upright: Size | None = None
        """Of the phone."""

    def add(self, stored: StoredTrajectory) -> None:
        recording = len(self._paths)
        path: list[Hashable] = []
        before: tuple[int, Step] | None = None
        for step in stored.steps:
            number = self._screen(stored, step, RecordedMoment(recording, step.index))
            if number is not None and before is not None:
                path += self._edge(before, (number, step), recording)
            if number is not None:
                before = (number, step)
            self._done += 1
            self._progress(self._done, self._total)
        self._paths.append(path)

    def _screen(self, stored: StoredTrajectory, step: Step, moment: RecordedMoment) -> int | None:
        """The number of the screen of a state; None for a state without picture and tree."""
        screen = _with_size(read_screen(stored, step))
        size = screen.size
        if size is None or not (screen.picture or screen.tree):
            return None
        screen = replace(screen, package=screen.package or _package_of(screen.tree))
        number = self._joining.number(screen, screen_digest(stored, step))
        if number == len(self._screens):
            of_phone = self._of_phone(size)
            self._screens.append(_Draft(stored, step, screen.package, screen.tree, size, of_phone))
        self._screens[number].moments.append(moment)
        return number

    def _of_phone(self, recorded: Size) -> Size:
        """The size of the phone when it is held as a state was recorded."""
        if self._upright is None:
            self._upright = _playable(min(recorded, recorded.transposed))
        return self._upright.transposed if recorded.width > recorded.height else self._upright

    def _edge(self, before: tuple[int, Step], after: tuple[int, Step], recording: int) -> Iterator[Hashable]:
        (source, step), (target, following) = before, after
        done = step.action
        if done is None and source != target:
            passed = following.t_ms - step.t_ms
            done = Wait(min(_LONGEST_WAIT_MS, passed if passed > 0 else _UNKNOWN_WAIT_MS))
        if done is None or isinstance(done, _NO_TRANSITION):
            return
        draft = self._screens[source]
        # The node is looked for in the state itself: an equal one may have been recorded in another size.
        size = step.state.size if not step.state.size.is_empty else draft.recorded_size
        action, recorded = _scaled(done, size, draft.size), _scaled(done, size, draft.recorded_size)
        area = touched_area(draft.tree, recorded, step.target)
        said = step.description or caption(recorded, draft.tree)
        if area is not None:
            area = scaled_rect(area, draft.recorded_size, draft.size)
        key = (source, target, action.kind, area or action.point, _said(action))
        edge = self._edges.setdefault(key, _Edge(source, target, action, said, area))
        edge.moments.append(RecordedMoment(recording, step.index))
        yield key

    def graph(
        self, recordings: Sequence[str], app_data: Callable[[RecordedMoment], AppData | None]
    ) -> TransitionGraph:
        if not self._screens:
            raise UserError(
                _("There is nothing to practise on"),
                _("none of the trajectories has a screenshot or a UI tree that can be read"),
                _("Name others"),
            )
        numbers = {key: number for number, key in enumerate(self._edges)}
        transitions = tuple(edge.finished(number) for number, edge in enumerate(self._edges.values()))
        screens = tuple(_finished(number, draft) for number, draft in enumerate(self._screens))
        homes = {screens[edge.target].package for edge in transitions if edge.action == Key("home")}
        homes |= {screen.package for screen in screens if is_home_screen(screen.package)}
        paths = tuple(tuple(numbers[key] for key in path) for path in self._paths)
        return TransitionGraph(tuple(recordings), screens, transitions, paths, frozenset(homes), app_data)


def _with_size(screen: RecordedScreen) -> RecordedScreen:
    """The state with the size of its picture where none was recorded."""
    if screen.size is not None and not screen.size.is_empty:
        return screen
    try:
        size = read_picture_file(screen.picture).size if screen.picture else None
    except PictureError:
        size = None
    return replace(screen, size=size)


def _package_of(tree: Tree | None) -> str:
    packages = (node.package for node in tree or ())
    return next((package for package in packages if package), _UNKNOWN_APP)


def _playable(size: Size) -> Size:
    """The size of the virtual phone: as recorded, or as much smaller or larger as it must be."""
    try:
        return read_phone_size(str(size))
    except ValueError:
        return Size(720, max(360, round(720 * size.height / size.width)))


def _said(action: Action) -> Hashable:
    """What tells two actions at one place apart."""
    if isinstance(action, Type):
        return action.text, action.redacted
    return getattr(action, "direction", ""), getattr(action, "key", ""), getattr(action, "package", "")


def _scaled(action: Action, before: Size, after: Size) -> Action:
    """An action of a screen of one size on that of another; without the path of the finger."""
    if before == after or isinstance(action, (Key, Type, OpenApp)):
        return action
    changes: dict[str, Any] = {}
    for x, y in (("x", "y"), ("x1", "y1"), ("x2", "y2")):
        if hasattr(action, x):
            place = scaled_rect(Rect(getattr(action, x), getattr(action, y), 0, 0), before, after)
            changes |= {x: place.left, y: place.top}
    if hasattr(action, "path"):
        changes["path"] = ()
    return replace(action, **changes) if changes else action


def _finished(number: int, draft: _Draft) -> GraphScreen:
    state = draft.step.state
    fields = tuple(
        TextArea(
            scaled_rect(node.bounds, draft.recorded_size, draft.size), node.flag("focused"), node.password
        )
        for node in draft.tree or ()
        if node.bounds is not None and not node.bounds.is_empty and node.short_class.endswith(TEXT_FIELD)
    )
    activity = full_activity(draft.package, state.activity)
    return GraphScreen(
        number, draft.package, activity, draft.size,
        partial(_picture, draft.stored, draft.step), partial(_dump, draft.stored, draft.step, draft.size),
        fields, state.secure, tuple(draft.moments),
    )  # fmt: skip


def _picture(stored: StoredTrajectory, step: Step) -> Pixels | None:
    try:
        data = stored.screenshot(step)
        return rgb_pixels(data) if data else None
    except (UserError, PictureError):
        return None


def _dump(stored: StoredTrajectory, step: Step, size: Size) -> bytes:
    """The hierarchy as it was recorded where it is uiautomator's and of this size, else written anew."""
    screen = _with_size(read_screen(stored, step))
    tree = screen.tree
    if tree is None:
        return b""
    assert screen.size is not None
    dump = stored.tree(step) or b""
    if screen.size == size and not tree.repairs and dump.lstrip()[:1] == b"<" and b"<node" in dump:
        return dump
    return uiautomator_xml(tree, (screen.size, size))
