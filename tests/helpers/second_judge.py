"""A second judge by rules, written from ``docs/guide/judging.md`` alone, and tasks at random for both judges.

It knows conditions as the plain values of rule files, and of selectors ``text='...'`` alone.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.model.action import Action, Answer, Complete, Impossible, Invalid, Key, Tap, Type

SIGNALS = (Complete, Impossible, Answer)
Truth = bool | None
"""None = not known."""


@dataclass
class Screen:
    """A recorded screen and what was done on it; ``texts`` is None without a tree."""

    texts: list[str] | None
    package: str = ""
    activity: str = ""
    action: Action | None = None


@dataclass
class Case:
    """A trajectory, and what its task asks for."""

    screens: list[Screen]
    states: list[dict[str, Any]]
    success: Any = None
    """Conditions of the success rule; None without one."""
    needed: list[str] = field(default_factory=list)
    is_golden: bool = False


@dataclass
class _Moment:
    index: int
    screens: int
    shown: Screen
    before: Screen | None
    action: Action | None


def second_judge(case: Case) -> tuple[dict[str, int | str], str]:
    """The step or the verdict of every state that rules judge, and the verdict on the task."""
    follower = _Follower(case)
    for moment in follower.moments:
        follower.see(moment)
    verdicts: dict[str, int | str] = {}
    for name in follower.judged:
        left = "undecided" if name in follower.unseen() else "missed"
        verdicts[name] = follower.reached.get(name, left)
    done = follower.done()
    if done:
        return verdicts, "success"
    if done is None:
        return verdicts, "undecided"
    return verdicts, "failure" if follower.is_claimed else "uncompleted"


class _Follower:
    def __init__(self, case: Case) -> None:
        self.case, self.states = case, {state["id"]: state for state in case.states}
        ends = [
            at for at, screen in enumerate(case.screens) if isinstance(screen.action, (Complete, Impossible))
        ]
        answers = [at for at, screen in enumerate(case.screens) if isinstance(screen.action, Answer)]
        signal = ends[0] if ends else answers[-1] if answers else None
        self.is_claimed = case.is_golden or signal is not None
        self.moments = _moments(case.screens[: signal + 1] if signal is not None else case.screens)
        self.judged = [name for name in self.states if self._is_judged(name, set())]
        self.reached: dict[str, int] = {}
        self.tried: dict[str, set[Truth]] = {}
        self.success: set[Truth] = set()
        self.order = self._order()

    def _asked(self, condition: Any) -> list[str]:
        """The states that conditions ask for."""
        if isinstance(condition, list):
            return [name for part in condition for name in self._asked(part)]
        named = [condition["state"]] if condition.get("type") == "state_reached" else []
        return named + [
            name for kind in ("all", "any", "not") for name in self._asked(condition.get(kind, []))
        ]

    def _leads_to(self, name: str, known: frozenset[str] = frozenset()) -> frozenset[str]:
        """The states that the verdict on a state depends on."""
        state = self.states[name]
        others = {
            *self._asked(state.get("conditions", [])),
            *self.waits(name),
            *state.get("alternatives", ()),
        }
        for other in others & set(self.states):
            if other not in known:
                known = self._leads_to(other, known | {other})
        return known

    def _order(self) -> list[str]:
        """As in the file, but one that asks for others after these."""
        leads_to, order = {name: self._leads_to(name) for name in self.states}, list[str]()

        def put(name: str) -> None:
            for other in self.states:
                if other in leads_to[name] and name not in leads_to[other] and other not in order:
                    put(other)
            order.append(name)

        asking = [name for name in self.states if self._asked(self.states[name].get("conditions", []))]
        asked = {other for name in asking for other in leads_to[name] if name not in leads_to[other]}
        for name in self.states:
            if name not in order and name in {*asking, *asked}:
                put(name)
            elif name not in order:
                order.append(name)
        return order

    def _is_judged(self, name: str, passed: set[str]) -> bool:
        state = self.states.get(name)
        if state is None or name in passed:
            return False
        others = state.get("alternatives", ())
        return bool(state.get("conditions")) or any(
            self._is_judged(other, passed | {name}) for other in others
        )

    def waits(self, name: str) -> set[str]:
        """States to be reached before this one, past those that hold nothing back."""
        found, ways, seen = set[str](), list(self.states[name].get("after", ())), set[str]()
        while ways:
            other = ways.pop()
            if other in seen:
                continue
            seen.add(other)
            state = self.states.get(other)
            if state is not None and (state.get("optional") or other not in self.judged):
                ways += state.get("after", ())
            else:
                found.add(other)
        return {other for other in found if other not in self.reached}

    def see(self, moment: _Moment) -> None:
        again = True
        while again:
            again = False
            for name in self.order:
                if name in self.reached or name not in self.judged or self.waits(name):
                    continue
                state = self.states[name]
                conditions = state.get("conditions")
                truth = self.truth({"all": conditions}, moment) if conditions else False
                self.tried.setdefault(name, set()).add(truth)
                if truth or any(other in self.reached for other in state.get("alternatives", ())):
                    self.reached[name] = moment.index
                    again = True
        is_first = moment.screens == 1 and (moment.action is None or isinstance(moment.action, Invalid))
        claimed_here = self.is_claimed and moment is self.moments[-1]
        if self.case.success and (claimed_here or not is_first):
            self.success.add(self.truth({"all": self.case.success}, moment))

    def unseen(self) -> set[str]:
        """States of which no screen could have shown whether they are reached."""
        unseen: set[str] = set()
        left = [name for name in self.judged if name not in self.reached]
        by_people = set[str]()
        for _round in self.states:
            by_people |= {
                name for name in self.states if name not in self.judged and self.waits(name) <= unseen
            }
            for name in left:
                waits = self.waits(name)
                if waits:
                    hidden = waits <= unseen
                else:
                    hidden = self.tried.get(name) == {None}
                    hidden |= any(
                        other in unseen or other in by_people
                        for other in self.states[name].get("alternatives", ())
                    )
                unseen |= {name} if hidden else set()
        return unseen

    def done(self) -> Truth:
        if self.case.success:
            if not self.success:
                return False
            return True if True in self.success else False if False in self.success else None
        enough = {name for name in self.case.needed if name in self.reached}
        for _round in self.states:
            enough |= {
                other
                for name in enough & set(self.states)
                for other in self.states[name].get("alternatives", ())
            }
        left = [name for name in self.case.needed if name not in enough]
        if any(name in self.judged and name not in self.unseen() for name in left):
            return False
        return None if left or not self.case.needed else True

    def truth(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        if condition.get("min_step", 0) > moment.screens:
            return False
        for kind in ("all", "any", "not"):
            if kind in condition:
                parts = [self.truth(part, moment) for part in condition[kind]]
                decides = kind != "all"
                truth = decides if decides in parts else None if None in parts else not decides
                return truth if kind != "not" or truth is None else not truth
        found = getattr(self, "_" + condition["type"])(condition, moment)
        assert found in (True, False, None)
        return bool(found) if found is not None else None

    def _element_exists(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        texts = moment.shown.texts
        return None if texts is None else str(condition["selector"])[6:-1] in texts

    def _element_not_exists(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        there = self._element_exists(condition, moment)
        return None if there is None else not there

    def _current_package_is(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        return bool(moment.shown.package == condition["value"]) if moment.shown.package else None

    def _current_activity_is(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        return bool(moment.shown.activity == condition["value"]) if moment.shown.activity else None

    def _min_step(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        return bool(moment.screens >= condition["value"])

    def _state_reached(self, condition: Mapping[str, Any], _moment: _Moment) -> Truth:
        name = condition["state"]
        if name in self.reached:
            return True
        by_people = name in self.states and name not in self.judged
        return None if by_people or name in self.unseen() else False

    def _action_was(self, condition: Mapping[str, Any], moment: _Moment) -> Truth:
        action = moment.action
        if action is None or condition["action"] not in (action.kind, "*"):
            return False
        said: Truth = condition.get("text", "") in getattr(action, "text", "")
        if isinstance(action, Type) and action.redacted and condition.get("text"):
            said = None
        touched: Truth = True
        if "selector" in condition:
            assert moment.before is not None
            texts = moment.before.texts
            if isinstance(action, Tap):
                on = None if texts is None else (texts[action.y // 10 :] or [""])[0]
                touched = None if texts is None else on == condition["selector"][6:-1]
            else:
                touched = None if isinstance(action, Type) and texts is None else False
        return False if False in (said, touched) else None if None in (said, touched) else True


def _moments(screens: Sequence[Screen]) -> list[_Moment]:
    moments = []
    for at, screen in enumerate(screens):
        before = screens[at - 1] if at else None
        moments.append(_Moment(at, at + 1, screen, before, before.action if before else None))
    if screens and (last := screens[-1]).action is not None:
        stays = isinstance(last.action, (*SIGNALS, Invalid))
        shown = last if stays else Screen(None)
        moments.append(_Moment(len(screens) - 1, len(screens), shown, last, last.action))
    return moments


_TEXTS = ("A", "B", "C")


def random_case(rng: random.Random) -> Case:
    """A short trajectory of a task with a few states, often with screens of which little is known."""
    names = [f"s{number}" for number in range(rng.randrange(1, 5))]
    states = []
    for name in names:
        state: dict[str, Any] = {"id": name, "optional": rng.random() < 0.25}
        for key in ("after", "alternatives"):
            if rng.random() < 0.3:
                state[key] = rng.sample([*names, "gone"], 1 if rng.random() < 0.8 else min(2, len(names)))
        if rng.random() < 0.8:
            state["conditions"] = [_condition(rng, names, 0) for _ in range(rng.randrange(1, 3))]
        states.append(state)
    success = [_condition(rng, names, 0)] if rng.random() < 0.4 else None
    needed = [state["id"] for state in states if not state["optional"]]
    needed += ["gone"] if rng.random() < 0.15 else []
    blind = rng.choice((0.0, 0.3, 1.0))
    screens = [_screen(rng, blind) for _ in range(rng.randrange(1, 5))]
    if rng.random() < 0.6:
        screens[-1].action = rng.choice((None, Complete()))
    return Case(screens, states, success, needed, rng.random() < 0.3)


def _screen(rng: random.Random, blind: float) -> Screen:
    texts = None if rng.random() < blind else rng.sample(_TEXTS, rng.randrange(1, 3))
    action = rng.choice(
        (
            Tap(5, 5),
            Tap(5, 15),
            Type("AB", 2),
            Type(redacted=True),
            Key("back"),
            Invalid("{"),
            Answer("A"),
            None,
        )
    )
    app = ("", "") if rng.random() < blind else (rng.choice(("a.a", "b.b", "")), rng.choice((".A", ".B", "")))
    return Screen(texts, *app, action)


def _condition(rng: random.Random, names: Sequence[str], depth: int) -> dict[str, Any]:
    if depth < 2 and rng.random() < 0.4:
        parts = [_condition(rng, names, depth + 1) for _ in range(rng.randrange(1, 3))]
        condition: dict[str, Any] = {rng.choice(("all", "any", "not", "not")): parts}
    else:
        selector = f"text='{rng.choice(_TEXTS)}'"
        condition = rng.choice((
            {"type": "element_exists", "selector": selector},
            {"type": "element_not_exists", "selector": selector},
            {"type": "current_package_is", "value": rng.choice(("a.a", "b.b"))},
            {"type": "current_activity_is", "value": rng.choice((".A", ".B"))},
            {"type": "min_step", "value": rng.randrange(1, 5)},
            {"type": "state_reached", "state": rng.choice([*names, "gone"])},
            {"type": "action_was", "action": rng.choice(("tap", "type", "*"))},
            {"type": "action_was", "action": rng.choice(("tap", "type")), "selector": selector},
            {"type": "action_was", "action": rng.choice(("type", "*")), "text": rng.choice(_TEXTS)},
        ))  # fmt: skip
    if rng.random() < 0.1:
        condition["min_step"] = rng.randrange(1, 5)
    return condition
