"""The recorded states that rules are tried on, of many trajectories, read from disk when needed.

A corpus knows nothing of folders: it is handed recordings, which :mod:`collector.store` has, or dumps.
Positions count all states of all trajectories from 0, in the order they were handed over.
"""

from __future__ import annotations

import copy
import hashlib
import logging
import weakref
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from collector.model.app_data.collections import AppData
from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import RUN, State, Step, TrajectoryHeader, installed_apps
from collector.pictures.errors import PictureError
from collector.rules.columns.kept_views import KeptViews
from collector.rules.columns.known_screens import KnownScreens
from collector.rules.columns.recorded_facts import RecordedFacts
from collector.rules.columns.recorded_view import KnownStates, RecordedView
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.evaluation.trajectory_run import EssentialStateTracker
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_values import with_values

if TYPE_CHECKING:
    from collector.rules.evaluation.state_view import RgbImage

_log = logging.getLogger(__name__)


class TrajectoryReader(Protocol):
    """A recorded trajectory whose dumps and screenshots, and perhaps steps, are read on request."""

    @property
    def header(self) -> TrajectoryHeader: ...

    @property
    def steps(self) -> Sequence[Step]: ...

    def tree(self, step: Step) -> bytes | None:
        """The dump of a step's state as received. Raises UserError when it is gone."""
        ...

    def screenshot(self, step: Step) -> bytes | None:
        """The encoded screenshot of a step's state. Raises UserError when it is gone."""
        ...

    def app_data(self, state: State) -> AppData | None:
        """What apps kept for the person at a state; None when it was not recorded. Raises UserError."""
        ...


@dataclass(frozen=True, slots=True)
class TrajectoryRef:
    """What identifies a trajectory; ``title`` is its name within its task, as in ``golden-2``."""

    id: str
    task_id: str
    kind: str
    """golden, run, or unfinished."""
    who: str
    title: str


@dataclass(frozen=True, slots=True, eq=False)
class RecordedState:
    """One state of a corpus: ``index`` counts the states of its trajectory from 0."""

    corpus: Corpus
    position: int
    trajectory: TrajectoryRef
    index: int

    @property
    def step(self) -> Step:
        return self.corpus.step(self.position)

    def view(self) -> StateView:
        """The state as rules see it."""
        return self.corpus.view(self.position)

    @property
    def key(self) -> str:
        """SHA-256 of the dump, empty when the state has none."""
        return self.corpus.key(self.position)


@dataclass(frozen=True, slots=True)
class _DumpTrajectory:
    """Plain dumps as a trajectory; ``steps`` are named after them."""

    header: TrajectoryHeader
    steps: tuple[Step, ...]
    data: Mapping[str, bytes]

    def tree(self, step: Step) -> bytes | None:
        return self.data[step.state.tree]

    def screenshot(self, _step: Step) -> bytes | None:
        return None

    def app_data(self, _state: State) -> AppData | None:
        return None


ValuesOf = Callable[[TrajectoryHeader, Task | None], Mapping[str, str]]


class Corpus:
    """The states of ``recordings``.

    ``tasks`` say which rule belongs to which trajectory; ``states`` are the project's essential states,
    for ``state_reached``. Of each state a few facts stay in memory, and of its views those used last, as long
    as somebody has the corpus: see ``kept_views``. Whoever made the recordings keeps
    their steps, or reads them again: see ``collector.project_rules.reopened_trajectories``.
    May be used from several threads; a view may not. With ``screens``, which other corpora may share, all of
    them belong to one thread.
    """

    _of_views: Corpus | None = None
    """A copy of the corpus for the views that it keeps, which would otherwise keep it; None in that one."""

    def __init__(
        self,
        recordings: Iterable[TrajectoryReader],
        *,
        tasks: Iterable[Task] = (),
        states: Sequence[Rule] = (),
        screens: KnownScreens | None = None,
        values: ValuesOf = lambda _header, _task: {},
    ) -> None:
        """``values`` gives those of the parameters of a trajectory's task, which its rules name."""
        self._values_of, self._values = values, list[Mapping[str, str]]()
        self._recordings: list[TrajectoryReader] = []
        self.tasks: Mapping[str, Task] = {task.id: task for task in tasks}
        self.essential_states = tuple(states)
        self.facts = RecordedFacts()
        """Facts about each state, by its position."""
        self.starts = [0]
        """The position of the first state of each trajectory, and the number of all states at the end."""
        self.trajectories: tuple[TrajectoryRef, ...] = tuple(self._read(recordings))
        self._screens = screens
        self._views = KeptViews(len(self))
        self._keys: dict[int, str] = {}
        self._known: dict[int, tuple[KnownStates, ...]] = {}
        self._known_once: dict[KnownStates, KnownStates] = {}
        self.problems: dict[int, str] = {}
        """Position -> why its dump could not be read, for the dumps that were tried."""
        self._of_views = copy.copy(self)
        weakref.finalize(self, self._views.end).atexit = False

    def _read(self, recordings: Iterable[TrajectoryReader]) -> Iterator[TrajectoryRef]:
        """Read the facts of each recording while its steps are at hand; number it within task and kind."""
        counts: defaultdict[tuple[str, str], int] = defaultdict(int)
        for recording in recordings:
            header, steps = recording.header, recording.steps
            self._recordings.append(recording)
            self._values.append(self._values_of(header, self.tasks.get(header.task_id)))
            self.facts.add(steps)
            self.starts.append(self.starts[-1] + len(steps))
            agent = header.episode.agent if header.is_run and header.episode is not None else ""
            name = f"{RUN} {agent}" if agent else header.shown_kind
            counts[header.task_id, name] += 1
            number = counts[header.task_id, name]
            title = f"{name}-{number}" if header.task_id else header.id
            yield TrajectoryRef(header.id, header.task_id, header.shown_kind, header.who, title)

    @classmethod
    def of_dumps(cls, dumps: Iterable[tuple[str, bytes]]) -> Corpus:
        """A corpus of plain dumps with their names, each a trajectory of one state."""
        return cls([_of_dump(name, data) for name, data in dumps])

    @classmethod
    def of_files(cls, paths: Iterable[Path]) -> Corpus:
        """As :meth:`of_dumps`, of files. Raises OSError."""
        return cls.of_dumps((path.name, path.read_bytes()) for path in paths)

    def __len__(self) -> int:
        return self.starts[-1]

    def values_at(self, position: int) -> Mapping[str, str]:
        """The values of the parameters of the task that a state is of; empty without parameters."""
        return self._values[self.locate(position)[0]]

    def values(self) -> Iterator[tuple[Mapping[str, str], list[range]]]:
        """All values of parameters that there are, each with the positions of its trajectories."""
        places: dict[tuple[tuple[str, str], ...], list[range]] = {}
        for number, values in enumerate(self._values):
            if values:
                places.setdefault(tuple(values.items()), []).append(self.positions_of(number))
        for items, ranges in places.items():
            yield dict(items), ranges

    def __iter__(self) -> Iterator[RecordedState]:
        """Every state in order. Raises Cancelled between two states."""
        for position in range(len(self)):
            check_cancelled()
            yield self.state(position)

    def state(self, position: int) -> RecordedState:
        trajectory, index = self.locate(position)
        return RecordedState(self, position, self.trajectories[trajectory], index)

    def locate(self, position: int) -> tuple[int, int]:
        """Which trajectory a position lies in, and which of its states it is, both from 0."""
        if not 0 <= position < len(self):
            raise IndexError(position)
        trajectory = bisect_right(self.starts, position) - 1
        return trajectory, position - self.starts[trajectory]

    def positions_of(self, trajectory: int) -> range:
        """The positions of the states of one trajectory."""
        return range(self.starts[trajectory], self.starts[trajectory + 1])

    def steps_of(self, trajectory: int) -> Sequence[Step]:
        """The steps of one trajectory."""
        return self._recordings[trajectory].steps

    def step(self, position: int) -> Step:
        """The step at a position; an empty one where a trajectory that is read again has fewer by now."""
        trajectory, index = self.locate(position)
        steps = self._recordings[trajectory].steps
        return steps[index] if index < len(steps) else Step(index, 0, "", State())

    def _recording(self, position: int) -> TrajectoryReader:
        return self._recordings[self.locate(position)[0]]

    def task_of(self, trajectory: int) -> Task | None:
        """The task of a trajectory, when the project knows it."""
        return self.tasks.get(self.trajectories[trajectory].task_id)

    def key(self, position: int) -> str:
        """SHA-256 of the dump as hex: the recorded one, else that of the file; empty without a dump."""
        written = self.facts.dumps[position]
        if written is not None:
            return written
        with self._views.lock:
            if position not in self._keys:
                data = self.xml(position)
                self._keys[position] = hashlib.sha256(data).hexdigest() if data else ""
            return self._keys[position]

    def xml(self, position: int) -> bytes:
        """The dump as received; empty when there is none or it cannot be read (see ``problems``)."""
        step = self.step(position)
        if not step.state.tree:
            return b""
        try:
            return self._recording(position).tree(step) or b""
        except UserError as error:
            self.problems[position] = str(error)
            _log.debug("no dump at position %d: %s", position, error)
            return b""

    def apps(self, position: int) -> frozenset[str] | None:
        """The packages on the phone at that state; None when its list was not recorded."""
        return installed_apps(self._recording(position).header, self.step(position).state)

    def app_data(self, position: int) -> AppData | None:
        """What apps kept for the person at that state; None when it was not recorded or is gone."""
        try:
            return self._recording(position).app_data(self.step(position).state)
        except UserError as error:
            self.problems[position] = str(error)
            return None

    def screenshot(self, position: int) -> bytes | None:
        """The screenshot as it was recorded; None when there is none or it is gone."""
        try:
            return self._recording(position).screenshot(self.step(position))
        except UserError as error:
            _log.debug("no picture at position %d: %s", position, error)
            return None

    def picture(self, position: int) -> RgbImage | None:
        """The screenshot, height x width x 3 RGB; None when there is none or it cannot be read."""
        from collector.pictures.decoding import rgb_pixels  # here: pictures bring large libraries

        data = self.screenshot(position)
        try:
            return rgb_pixels(data) if data else None
        except PictureError as error:
            _log.debug("no picture at position %d: %s", position, error)
            return None

    def view(self, position: int) -> StateView:
        """The state at ``position`` as rules see it; cached."""
        with self._views.lock:
            view = self._views.get(position)
            if view is None:
                view = self._view(position)
                self._views.keep(position, view)
            return view

    def xml_of_view(self, position: int) -> bytes:
        """As :meth:`xml`, for the view of that state: of large dumps fewer views are kept."""
        data = self.xml(position)
        self._views.has_read(position, len(data))
        return data

    def _view(self, position: int) -> RecordedView:
        _trajectory, index = self.locate(position)
        before = self._before(position)
        reader = _StateReader(self if self._of_views is None else self._of_views, position)
        return RecordedView(
            reader, index + 1, package=self.facts.packages[position],
            activity=self.facts.activities[position], key=self.key(position),
            action=before.action if before else None,
            target=before.target if before else None, screens=self._screens,
        )  # fmt: skip

    def kind_before(self, position: int) -> str:
        """The kind of the action in the state before, which led to this one; empty for none."""
        return self.facts.actions[position - 1] if self.locate(position)[1] else ""

    def _before(self, position: int) -> Step | None:
        return self.step(position - 1) if self.locate(position)[1] else None

    @cached_property
    def reached(self) -> Sequence[KnownStates]:
        """For each position: the essential states that are reached there or before it."""
        if not self.essential_states:
            return [KnownStates()] * len(self)
        return [known for number in range(len(self.trajectories)) for known in self._known_along(number)]

    def known_at(self, position: int) -> KnownStates:
        """As one of :attr:`reached`; only its own trajectory is looked at."""
        trajectory, index = self.locate(position)
        return self._known_along(trajectory)[index]

    def _known_along(self, trajectory: int) -> tuple[KnownStates, ...]:
        known = self._known.get(trajectory)
        if known is None:
            once = self._known_once.setdefault
            known = self._known[trajectory] = tuple(once(at, at) for at in self._reached_along(trajectory))
        return known

    @cached_property
    def _task_states(self) -> TaskStates[Rule]:
        return TaskStates(self.essential_states, self.tasks.values())

    def _reached_along(self, trajectory: int) -> Iterator[KnownStates]:
        """The essential states reached at each state of one trajectory, or before it."""
        if not self.essential_states:
            yield from [KnownStates()] * len(self.positions_of(trajectory))
            return
        states = self._task_states.of(self.trajectories[trajectory].task_id, self.task_of(trajectory))
        values = self._values[trajectory]
        tracker = EssentialStateTracker([with_values(rule, values) for rule in states] if values else states)
        for position in self.positions_of(trajectory):
            if not tracker.is_done:
                tracker.step(self.view(position))
            yield KnownStates(frozenset(tracker.reached), tracker.undecided())


@dataclass(frozen=True, slots=True)
class _StateReader:
    """Reads one state of a corpus for its view."""

    corpus: Corpus
    position: int

    def xml(self) -> bytes:
        return self.corpus.xml_of_view(self.position)

    def picture(self) -> RgbImage | None:
        return self.corpus.picture(self.position)

    def apps(self) -> frozenset[str] | None:
        return self.corpus.apps(self.position)

    def app_data(self) -> AppData | None:
        return self.corpus.app_data(self.position)

    def previous(self) -> StateView | None:
        _trajectory, index = self.corpus.locate(self.position)
        return self.corpus.view(self.position - 1) if index else None

    def known(self) -> KnownStates:
        return self.corpus.known_at(self.position)


def _of_dump(name: str, data: bytes) -> _DumpTrajectory:
    step = Step(0, 0, "", State(tree=name))
    return _DumpTrajectory(TrajectoryHeader(name, "", "dump"), (step,), {name: data})
