"""A believable stream of the events of a run, for tests, looks and benchmarks. No Qt."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from collector.model.action import Action, Key, OpenApp, Swipe, Tap, Type, action_to_dict
from collector.run.events import (
    ActionPredicted,
    AnomalyChanged,
    EpisodeBegan,
    EpisodeEnded,
    PhaseChanged,
    RunBegan,
    RunEvent,
    ScreenObserved,
    StatesReached,
    StepDone,
    WorkerChanged,
)
from collector.run.experiment.model import Cell

WIDTH, HEIGHT = 1080, 2400
DIALOG = (120, 980, 960, 1510)
AGENTS = ("UI-TARS 7B", "GPT-4o", "Golden replay")
CONDITIONS = ("None", "Low battery", "Check Wi-Fi", "App update")
STATES = ("signed-in", "searched", "sorted", "chosen", "in-cart")
STEPS: tuple[tuple[Action, str, str], ...] = (
    (OpenApp(name="Shop"), "Open Shop", "The task is about posters, so I open the shop."),
    (Tap(160, 350), "Tap 'Sort'",
     "Results are shown by relevance. I should sort them by price first, so I tap Sort."),
    (Swipe(540, 1900, 540, 700), "Swipe up", "The cheapest posters are further down."),
    (Tap(350, 1420), "Tap 'Ignore'",
     "A battery warning covers the list. The task does not ask for it. I dismiss it with Ignore."),
    (Type("poster", 6), "Type 'poster'", "The field has the focus."),
    (Key("back"), "Press Back", "The dialog sent me to Wi-Fi settings. Wi-Fi is on. I go back to the app."),
)  # fmt: skip
_ENDS = ("success", "success", "failure", "success", "uncompleted")
Pictures = Callable[[int, int], bytes]
"""Worker and step, from 0, to a JPEG."""


def sample_cells(tasks: int = 24, seeds: Sequence[int] = (123, 124, 125)) -> list[Cell]:
    """The matrix of the mockup: tasks x three agents x four conditions x seeds."""
    apps = (("shop", 9), ("todo", 5), ("msg", 5), ("cal", 3), ("maps", 2))
    names = [f"{app}-{number + 1:02}" for app, count in apps for number in range(count)]
    names += [f"task-{number:04}" for number in range(len(names), tasks)]
    return [
        Cell(task, agent, condition, "screenshot", seed=seed)
        for task, agent, condition, seed in itertools.product(names[:tasks], AGENTS, CONDITIONS, seeds)
    ]


def stamp(seconds: float) -> str:
    """A time of events."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


class RunFeed:
    """Events of several workers that work through cells, one at a time each."""

    def __init__(
        self, cells: Sequence[Cell], workers: int, pictures: Pictures, clock: Callable[[], float]
    ) -> None:
        self.cells = cells
        self._pictures, self._clock = pictures, clock
        self._waiting = iter(cells)
        self.names = [f"virt-{number + 1}" for number in range(workers)]
        self._ended = itertools.cycle(_ENDS)

    def begin(self) -> list[RunEvent]:
        """The run and its workers."""
        workers = [
            WorkerChanged(worker=name, state="ready", phone=name, time=self._now()) for name in self.names
        ]
        return [RunBegan(experiment="exp-03", total=len(self.cells), done=0, time=self._now()), *workers]

    def episode(self, number: int, steps: int = 9) -> Iterator[list[RunEvent]]:
        """The events of the next episode of a worker, a list for each moment at which some come."""
        cell, name = next(self._waiting), self.names[number]
        yield [self.began(cell, name)]
        yield [StatesReached(worker=name, cell=cell.id, states=STATES, time=self._now())]
        for step in range(1, steps + 1):
            yield from self.step(cell, name, number, step)
        yield [self.ended(cell, name, next(self._ended), steps)]

    def began(self, cell: Cell, name: str) -> EpisodeBegan:
        """A worker begins a cell."""
        return EpisodeBegan(
            worker=name, cell=cell.id, task=cell.task, agent=cell.agent, condition=cell.condition,
            trajectory=f"exp-03__{cell.agent}__{cell.task}__{cell.condition}__s{cell.seed}", budget=30,
            instruction="Find the cheapest poster in stock and put it into the cart", time=self._now(),
        )  # fmt: skip

    def ended(self, cell: Cell, name: str, status: str, steps: int) -> EpisodeEnded:
        """A cell has its outcome."""
        return EpisodeEnded(
            worker=name, cell=cell.id, trajectory="", status=status, reason="The cart has another poster",
            steps=steps, seconds=41.5, time=self._now(),
        )  # fmt: skip

    def step(self, cell: Cell, name: str, number: int, step: int) -> Iterator[list[RunEvent]]:
        """One step: a screen, a thought with the next action, and its execution."""
        is_injected = step == 4 and cell.condition != "None"
        action, caption, thought = STEPS[(step - 1) % len(STEPS)]
        where: dict[str, Any] = {"worker": name, "cell": cell.id, "step": step}
        dialog: Any = DIALOG if is_injected else ()
        yield [
            PhaseChanged(**where, phase="observe", time=self._now()),
            ScreenObserved(
                **where, picture=self._pictures(number, step), width=WIDTH, height=HEIGHT,
                package="com.example.shop", dialog=dialog, time=self._now(),
            ),
        ]  # fmt: skip
        if is_injected:
            yield [self._anomaly(where, cell, "injected")]
        yield [PhaseChanged(**where, phase="think", time=self._now())]
        yield [
            ActionPredicted(
                **where, thought=thought, action=action_to_dict(action), caption=caption,
                executes_in_ms=1200, time=self._now(),
            ),
            PhaseChanged(**where, phase="hold", time=self._now()),
        ]  # fmt: skip
        done: list[RunEvent] = [StepDone(**where, timings_ms={"think": 6200, "act": 300}, time=self._now())]
        yield [*done, self._anomaly(where, cell, "answered", "deny")] if is_injected else done
        if step % 2 == 0:
            reached = STATES[: step // 2]
            yield [StatesReached(worker=name, cell=cell.id, reached=reached, states=STATES, time=self._now())]

    def _anomaly(self, where: dict[str, Any], cell: Cell, transition: str, answer: str = "") -> RunEvent:
        return AnomalyChanged(
            **where, anomaly=cell.condition, transition=transition, answer=answer, time=self._now()
        )

    def _now(self) -> str:
        return stamp(self._clock())
