"""The content of a timeline: lanes that return only the marks of the visible slots. No Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, Protocol, overload, runtime_checkable

from collector.model.i18n import _
from collector.model.trajectory import Step
from studio.widgets.captions.step_text import action_icon, format_time, short_caption, step_badges

PLAIN_TONE = "line-2"
"""The tone of a step of which there is nothing to say."""
SLOW_TONE = "text-3"
"""The tone of a step that took long; no alarm."""


class SlotKind(Enum):
    """State of a slot of the film strip."""

    STEP = auto()
    LIVE = auto()
    PAUSED = auto()
    GAP = auto()


@dataclass(frozen=True, slots=True)
class FilmSlot:
    """One thumbnail of the strip; ``badge`` is the icon of its worst mark, ``aspect`` width by height."""

    kind: SlotKind = SlotKind.STEP
    label: str = ""
    thumb: Hashable | None = None
    badge: str = ""
    aspect: float = 0.0
    """0 when the size of the screen is unknown."""


@dataclass(frozen=True, slots=True)
class MarkPart:
    """An additional icon and text of a mark."""

    icon: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class LaneMark:
    """A word on a text lane, from its slot to the next mark or ``span`` slots far.

    With ``bar`` a ground lies under so many slots: in the tone of a state, with an edge, or in plain grey,
    which a sentence never leaves. ``parts`` follow the word, or with ``segments`` share the bar with it.
    """

    slot: int
    text: str
    icon: str = ""
    tone: str = "text-2"
    span: int = 0
    bar: int = 0
    parts: tuple[MarkPart, ...] = ()
    tip: str = ""
    ink: str = ""
    """Tone of the words where it is not the usual one."""
    segments: tuple[MarkPart, ...] = ()
    """The parts of an outlined bar, side by side with lines between them."""
    level: float = 0.0
    """Height of a column behind the words, 0 to 1."""

    @property
    def is_plain_bar(self) -> bool:
        """Whether it is a bar without the tone of a state, as a thought."""
        return bool(self.bar) and self.tone == "text-2"


class LaneTick(NamedTuple):
    """A mark where slots are too narrow for words: so many slots in a tone."""

    slot: int
    length: int
    tone: str


class Lane(Protocol):
    """A row of the timeline."""

    title: str
    icon: str

    def is_empty(self) -> bool: ...


@runtime_checkable
class FilmLane(Lane, Protocol):
    """A lane of thumbnails."""

    def slot(self, number: int) -> FilmSlot: ...
    def tone(self, number: int) -> str:
        """The tone of a slot without its thumbnail; empty where there is no step."""
        ...


@runtime_checkable
class TextLane(Lane, Protocol):
    """A lane of marks, ordered by slot."""

    def marks(self, first: int, last: int) -> Iterable[LaneMark]:
        """Marks that overlap the slots ``first`` to ``last``, both included."""
        ...

    def ticks(self, first: int, last: int) -> Iterable[LaneTick]:
        """Ticks in the slots ``first`` to ``last``: marks without words."""
        ...


@dataclass(slots=True)
class StepFilm:
    """The film strip of a trajectory, with one more slot while it is being recorded."""

    trajectory: str
    steps: Sequence[Step]
    live: bool = False
    paused: bool = False
    title: str = ""
    icon: str = "camera"

    def __post_init__(self) -> None:
        self.title = self.title or _("Steps")

    def is_empty(self) -> bool:
        return not self.steps and not self.live

    def slot(self, number: int) -> FilmSlot:
        if number >= len(self.steps):
            if not self.live:
                return FilmSlot(SlotKind.GAP)
            return FilmSlot(SlotKind.PAUSED if self.paused else SlotKind.LIVE)
        step = self.steps[number]
        badges = step_badges(step)
        shot, size = step.state.screenshot, step.state.size
        return FilmSlot(
            SlotKind.STEP,
            str(number + 1),
            (self.trajectory, shot) if shot else None,
            badges[0].state_icon if badges else "",
            0.0 if size.is_empty else size.width / size.height,
        )

    def tone(self, number: int) -> str:
        return PLAIN_TONE if number < len(self.steps) else "ok" if self.live else ""


@dataclass(slots=True)
class StepActions:
    """A short text of the action of each step."""

    steps: Sequence[Step]
    title: str = ""
    icon: str = "tap"

    def __post_init__(self) -> None:
        self.title = self.title or _("Actions")

    def is_empty(self) -> bool:
        return not self.steps

    def marks(self, first: int, last: int) -> Iterable[LaneMark]:
        for number in range(max(0, first), min(last + 1, len(self.steps))):
            step = self.steps[number]
            if step.action is not None:
                yield LaneMark(number, short_caption(step), action_icon(step.action), span=1)

    def ticks(self, first: int, last: int) -> Iterable[LaneTick]:
        for number in range(max(0, first), min(last + 1, len(self.steps))):
            if self.steps[number].action is not None:
                yield LaneTick(number, 1, PLAIN_TONE)


class LazyMarks(Sequence[LaneMark]):
    """Marks at ``slots``, ascending, each made when it is first asked for: of 10,000 a few are in sight."""

    def __init__(self, slots: Sequence[int], make: Callable[[int], LaneMark]) -> None:
        """``make`` gets the place of the mark among all of them."""
        self.slots = slots
        self._make = make
        self._made: dict[int, LaneMark] = {}

    def __len__(self) -> int:
        return len(self.slots)

    @overload
    def __getitem__(self, at: int) -> LaneMark: ...
    @overload
    def __getitem__(self, at: slice) -> list[LaneMark]: ...
    def __getitem__(self, at: int | slice) -> LaneMark | list[LaneMark]:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        place = range(len(self))[at]
        mark = self._made.get(place)
        if mark is None:
            mark = self._made[place] = self._make(place)
        return mark


@dataclass(slots=True)
class MarkLane:
    """A fixed list of marks: essential states, rule hits, verdicts."""

    title: str
    icon: str
    given: Sequence[LaneMark] = ()

    def is_empty(self) -> bool:
        return not self.given

    def marks(self, first: int, last: int) -> Iterable[LaneMark]:
        start = bisect_left(self.given, first, key=lambda mark: mark.slot)
        end = bisect_right(self.given, last, key=lambda mark: mark.slot)
        # The mark before the first may reach into the visible slots.
        return self.given[max(0, start - 1) : end]

    def ticks(self, first: int, last: int) -> Iterable[LaneTick]:
        for mark in self.marks(first, last):
            yield LaneTick(mark.slot, max(1, mark.bar), tick_tone(mark))


def tick_tone(mark: LaneMark) -> str:
    """The tone of a mark without words: that of its icon where the icon is a state's."""
    state = mark.icon.removeprefix("state-") if mark.icon.startswith("state-") else ""
    by_icon = {"ok": "ok", "err": "err", "warn": "warn", "near": "warn", "unc": "warn", "fire": "accent"}
    if mark.is_plain_bar or mark.tone == "text-2":
        return by_icon.get(state, PLAIN_TONE)
    return mark.tone


@dataclass(frozen=True, slots=True)
class LaneGroup:
    """The lanes of one trajectory, the film strip first, and what names it in the gutter."""

    lanes: tuple[Lane, ...] = ()
    letter: str = ""
    """A to D; empty for a trajectory that is alone: its lanes are named, not the trajectory."""
    name: str = ""
    about: str = ""
    """The line below the name: who did it."""
    verdict: str = ""
    verdict_icon: str = ""
    times: Sequence[int] = ()
    """Milliseconds since its start of each slot and of the end, ascending; a gap has the time of the next
    step. Empty when the times are not known."""
    caption: Callable[[int], str] = str
    """What the trajectory does in a slot, in words."""


@dataclass(frozen=True, slots=True)
class RulerMark:
    """A mark on the ruler over the slots first to last: a difference."""

    first: int
    last: int
    tip: str


@dataclass(frozen=True, slots=True)
class Track:
    """Everything that a timeline shows."""

    groups: tuple[LaneGroup, ...] = ()
    count: int = 0
    """Number of slots, including the live one."""
    label: Callable[[int], str] = str
    """Text of the ruler over a slot; may be empty."""
    gap_ms: Callable[[int], int] = lambda _slot: 1000
    """Time from a slot to the next one, for playback."""
    describe: Callable[[int], str] | None = None
    """A slot in words, for those who cannot see it; None for its number among all."""
    differences: tuple[RulerMark, ...] = field(default=())
    """In the order of their first slots."""
    divergence: int | None = None
    """The slot of the first divergence."""

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """The lanes of all trajectories, from the top."""
        return tuple(lane for group in self.groups for lane in group.lanes)

    @property
    def has_times(self) -> bool:
        """Whether the slots can be shown at their times."""
        return bool(self.groups) and all(group.times for group in self.groups)


def step_track(
    trajectory: str, steps: Sequence[Step], *, live: bool = False, paused: bool = False,
    states: Sequence[LaneMark] = (), anomalies: Sequence[Lane] = (), thoughts: Sequence[Lane] = (),
    verdicts: Sequence[Lane] = (),
) -> Track:  # fmt: skip
    """The track of one trajectory: film strip, actions, thoughts, anomalies, essential states, verdicts."""

    has_times = live or any(step.t_ms for step in steps[-1:])

    def label(slot: int) -> str:
        if slot >= len(steps):
            return ""
        # Some sources of imports have steps in order and no times.
        return format_time(steps[slot].t_ms) if has_times or len(steps) == 1 else str(slot + 1)

    def gap(slot: int) -> int:
        return steps[slot + 1].t_ms - steps[slot].t_ms if slot + 1 < len(steps) else 0

    lanes: tuple[Lane, ...] = (
        StepFilm(trajectory, steps, live, paused),
        StepActions(steps),
        *thoughts,
        *anomalies,
        MarkLane(_("States"), "flag", states),
        *verdicts,
    )
    return Track((LaneGroup(lanes),), len(steps) + live, label, gap)


def state_mark(slot: int, text: str) -> LaneMark:
    """An essential state reached in a slot."""
    return LaneMark(slot, text, "flag", "ok")
