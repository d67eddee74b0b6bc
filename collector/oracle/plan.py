"""Plan the moves for a whole target: app after app, and in each part after part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from collector.model.app_data.collections import AppData
from collector.model.app_data.target import OPEN_APP, TargetPart, TaskTarget
from collector.oracle.app_moment import AppMoment, AppWorld, OutOfReach, move_at
from collector.oracle.moves import Move
from collector.oracle.part_goal import PartGoal
from collector.oracle.search import SearchLimit, search
from collector.oracle.shortest import shortest_way
from collector.virtual.system.app_model import AppModel
from collector.virtual.system.phone import Phone


@dataclass(frozen=True, slots=True)
class AppPlan:
    """What is to be done in one app, from its being in front."""

    app: str
    """Its short name."""
    package: str
    moves: tuple[Move, ...]
    at_least: int = 0
    """Actions that are needed in it at least; 0 when nobody looked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is left to be done on a phone."""

    apps: tuple[AppPlan, ...]
    states: int
    """Moments that were looked at."""
    lacking: int | None = None
    """Number of the first part for which no moves were found; None for none."""
    exhausted: bool = False
    """Of that part: whether nothing else can be done, else the limit was reached."""

    @property
    def at_least(self) -> int:
        """Actions without which it cannot be done: an app has to be opened, and something be done there."""
        opened = len({app.app for app in self.apps})
        return opened + sum(max(app.at_least, bool(app.moves)) for app in self.apps)


class Planner:
    """Plans for one target. ``initial`` are the data of all apps before anything was done."""

    def __init__(self, target: TaskTarget, initial: AppData, limit: SearchLimit) -> None:
        self.target, self._initial, self._limit = target, initial, limit
        self._out_of_reach: set[OutOfReach] = set()

    def avoid(self, phone: Phone, app: AppPlan, move: Move) -> None:
        """Plan without a move of an app as the phone is now: nothing that is touched does it."""
        model = phone.app_model(app.app)
        with model.in_use():
            self._out_of_reach.add(move_at(AppWorld(model).now, move))

    def plan(self, phone: Phone, *, shortest: int = 0) -> Plan:
        """What is left to be done on a phone as it is now. Raises InapplicableTargetError.

        In so many states of each app a shorter way is looked for; 0 for none.
        """
        plan = self._plan(phone, shortest)
        if plan.lacking is not None and self._out_of_reach:
            self._out_of_reach.clear()  # what could not be reached may be in reach again
            again = self._plan(phone, shortest)
            plan = replace(again, states=plan.states + again.states)
        return plan

    def _plan(self, phone: Phone, shortest: int) -> Plan:
        plans: list[AppPlan] = []
        states = 0
        for app, parts in self._by_app():
            model = phone.app_model(app)
            with model.in_use():
                app_search = self._search(model, parts)
                found = app_search.run()
                if found.moves and shortest:
                    found = app_search.shorter(found, shortest)
            states += found.states
            if found.lacking is not None:
                return Plan(tuple(plans), states, self.target.parts.index(found.lacking), found.exhausted)
            if found.moves:
                plans.append(AppPlan(app, model.app.package, found.moves, found.at_least))
        fronts = [part.app for part in self.target.parts if part.kind == OPEN_APP]
        plans += [AppPlan(app, phone.app_model(app).app.package, ()) for app in fronts]
        return Plan(tuple(plans), states)

    def leads_on(self, phone: Phone, plan: AppPlan, moves: Sequence[Move]) -> bool:
        """Whether the moves that are left for an app still lead to all its parts, as the phone is now."""
        model = phone.app_model(plan.app)
        parts = dict(self._by_app())[plan.app]
        with model.in_use():
            return self._search(model, parts).leads_on(moves)

    def _search(self, model: AppModel, parts: tuple[TargetPart, ...]) -> _AppSearch:
        world = AppWorld(model, self._out_of_reach)
        return _AppSearch(world, self._initial, parts, self.target, self._limit)

    def _by_app(self) -> Iterator[tuple[str, tuple[TargetPart, ...]]]:
        """The parts about data by app. Their order counts within an app alone."""
        parts: dict[str, list[TargetPart]] = {}
        for part in self.target.parts:
            if part.kind != OPEN_APP:
                parts.setdefault(part.collection.partition(".")[0], []).append(part)
        yield from ((app, tuple(listed)) for app, listed in parts.items())


@dataclass(frozen=True, slots=True)
class _AppResult:
    moves: tuple[Move, ...]
    states: int
    lacking: TargetPart | None = None
    exhausted: bool = False
    at_least: int = 0


class _AppSearch:
    """The search for all parts about one app, one on top of the other."""

    def __init__(
        self, world: AppWorld, initial: AppData, parts: tuple[TargetPart, ...], target: TaskTarget,
        limit: SearchLimit,
    ) -> None:  # fmt: skip
        self._world, model = world, world.model
        self._initial = {name: initial.get(name, ()) for name in model.data(model.state)}
        self._targets = [replace(target, parts=parts[: count + 1]) for count in range(len(parts))]
        self._limit = limit

    def run(self) -> _AppResult:
        """Moves after which all parts hold."""
        start = moment = self._world.now
        moves: list[Move] = []
        states = 0
        done = self._done(moment)
        for target in self._targets[done:]:
            goal = PartGoal(self._world, self._initial, target, moment)
            found = search(self._world, goal, moment, self._limit)
            states += found.states
            if found.moment is None:
                return _AppResult((), states, target.parts[-1], found.exhausted)
            moves += found.moves
            moment = found.moment
        return _AppResult(self._shortened(start, moves) if moves else (), states)

    def shorter(self, found: _AppResult, most_states: int) -> _AppResult:
        """The fewest moves, when they are found in so many states; in any case how many are needed."""
        start = self._world.now
        goals = [PartGoal(self._world, self._initial, target, start) for target in self._targets]
        way = shortest_way(self._world, goals, start, most_states)
        moves = found.moves
        if way.moves is not None and len(way.moves) < len(moves):
            moves = way.moves
        return replace(found, moves=moves, states=found.states + way.states, at_least=way.at_least)

    def leads_on(self, moves: Sequence[Move]) -> bool:
        """Whether these moves lead to all parts from where the app is."""
        start = self._world.now
        goal = PartGoal(self._world, self._initial, self._targets[-1], start)
        return self._reaches(goal, start, moves)

    def _done(self, moment: AppMoment) -> int:
        """How many parts hold already, with nothing else changed."""
        for count in range(len(self._targets), 0, -1):
            goal = PartGoal(self._world, self._initial, self._targets[count - 1], moment)
            if goal.outcome(moment).reward:
                return count
        return 0

    def _shortened(self, start: AppMoment, moves: list[Move]) -> tuple[Move, ...]:
        """The moves without those that are not needed, one or two that follow each other at a time."""
        goal = PartGoal(self._world, self._initial, self._targets[-1], start)
        moments = self._course(start, moves)
        for count in (3, 2, 1):
            place = 0
            while place + count <= len(moves):
                rest = moves[place + count :]
                # What comes before is as it was: it can be done.
                if self._reaches(goal, moments[place], rest):
                    moves = moves[:place] + rest
                    moments = moments[:place] + self._course(moments[place], rest)
                    place = max(0, place - count)
                else:
                    place += 1
        return tuple(moves)

    def _course(self, start: AppMoment, moves: Sequence[Move]) -> list[AppMoment]:
        """The moments before and after each of the moves, which can all be done."""
        course = [start]
        for move in moves:
            moment = self._world.after(course[-1], move)
            assert moment is not None  # they lead to a moment in the app
            course.append(moment)
        return course

    def _reaches(self, goal: PartGoal, start: AppMoment, moves: Sequence[Move]) -> bool:
        """Whether moves can be done one after the other, and reach the target."""
        moment: AppMoment | None = start
        for move in moves:
            if moment is None or not self._is_offered(move, moment):
                return False
            moment = self._world.after(moment, move)
        return moment is not None and bool(goal.outcome(moment).reward)

    def _is_offered(self, move: Move, moment: AppMoment) -> bool:
        """Whether a move can be done at a moment."""
        return any(_is_same(move, other) for other in self._world.moves(moment, lambda _field: (move.text,)))


def _is_same(move: Move, other: Move) -> bool:
    return move.kind == other.kind and move.event == other.event
