"""An app whose screens were recorded: it shows them, and goes where recorded actions went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.uiautomator_xml import uiautomator_xml
from collector.model.action import OpenApp, Wait
from collector.model.app_data.collections import AppData
from collector.model.geometry import Rect
from collector.model.transition_graph import GraphScreen, RecordedMoment, Transition, TransitionGraph
from collector.virtual.recorded import matching
from collector.virtual.recorded.off_path import OffPath
from collector.virtual.recorded.pictures import RECORDED
from collector.virtual.recorded.state import RecordedAppState, trail_after
from collector.virtual.system.input.typist import BACK, ENTER, HOME, UNKNOWN
from collector.virtual.system.phone_state.activities import NEW_TASK, REORDER_TO_FRONT
from collector.virtual.ui import events
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import STARTED, Activity, App, AppIcon, Context
from collector.virtual.ui.effects import (
    Change,
    Component,
    Effect,
    GoHome,
    Intent,
    Later,
    PutSetting,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import SETTINGS

SCREEN, TRAIL = "waymark.screen", "waymark.trail"
"""Extras of an intent from one recorded screen to another."""
MAIN = ".MainActivity"
"""Name of an activity that was not recorded."""
_GESTURE, _PINCH, _KEY, _TEXT, _SUBMIT, _WAITED = "gesture", "pinch", "key", "text", "submit", "waited"
_EDGE = 0.045
"""Share of the screen at its edges where a swipe that was not recorded is the system's."""


class RecordedApp(App[RecordedAppState]):
    """One package of a graph. Its metadata are those of the instance, as each phone has its own."""

    icon = AppIcon("grid", "#5B6770")
    theme = SETTINGS
    state_type = RecordedAppState

    def __init__(
        self, graph: TransitionGraph, package: str, pictures: Sequence[str], off_path: OffPath
    ) -> None:
        """``pictures`` are the keys of the graph's screens, ``off_path`` answers what was not recorded."""
        self.graph, self._pictures, self._off_path = graph, pictures, off_path
        own = [screen for screen in graph.screens if screen.package == package]
        is_home = package in graph.launchers
        entry = _entry(graph, own)
        names = dict.fromkeys(activity_name(screen) for screen in (entry, *own))
        activities = tuple(
            Activity(name, launcher=first and not is_home, home=first and is_home)
            for name, first in ((name, name == activity_name(entry)) for name in names)
        )
        self._entry = entry.number
        vars(self).update(name=package, package=package, activities=activities)

    def label(self, locale: str) -> str:
        del locale
        return self.package.rpartition(".")[2].capitalize()

    def initial(self, seed: int, locale: str) -> RecordedAppState:
        del seed
        return RecordedAppState(locale=locale).shows(self._entry)

    # ---- what it shows -------------------------------------------------------------------------

    def view(self, state: RecordedAppState, context: Context) -> w.Screen:
        screen = self.graph.screens[state.screen]
        leaving = self.graph.leaving.get(state.screen, ())
        picture = w.Image(
            picture=RECORDED,
            argument=self._pictures[state.screen],
            width=w.FILL,
            height=w.FILL,
            key="picture",
        )
        touches = w.Column(
            width=w.FILL, height=w.FILL, key="touches", on_gesture=Event(_GESTURE), on_pinch=Event(_PINCH)
        )
        dp = context.width / screen.size.width
        fields = tuple(self._field(state, number, dp) for number in range(len(screen.fields)))
        return w.Screen(
            w.Stack((picture, *fields, touches), width=w.FILL, height=w.FILL),
            behind_bars=True,
            immersive=True,
            secure=screen.secure,
            on_back=Event(_KEY, value=BACK),
            on_key=Event(_KEY),
            keys=frozenset(
                code for transition in leaving if (code := matching.code_of(transition)) is not None
            ),
            hierarchy=self._dump(state, screen),
        )

    def _field(self, state: RecordedAppState, number: int, dp: float) -> w.Widget:
        """A text field over that of the picture: unseen until something else is typed than was recorded."""
        area = self.graph.screens[state.screen].fields[number]
        bounds = area.bounds
        return w.TextField(
            id=_field_id(state, number), style="unseen", kind="password" if area.password else "text",
            text=state.text if state.field in (number, -1) else "",
            on_change=Event(_TEXT, number), on_submit=Event(_SUBMIT),
            focused=area.focused or len(self.graph.screens[state.screen].fields) == 1,
            width=bounds.width * dp, height=bounds.height * dp,
            margin=(bounds.left * dp, bounds.top * dp, 0, 0), mirrors=False,
        )  # fmt: skip

    def _dump(self, state: RecordedAppState, screen: GraphScreen) -> bytes:
        dump = screen.tree()
        if not dump:
            tall = Rect(0, 0, screen.size.width, screen.size.height)
            return _BARE.format(package=screen.package, bounds=tall).encode()
        if not state.text or not 0 <= state.field < len(screen.fields):
            return dump
        field = screen.fields[state.field]
        text = "•" * len(state.text) if field.password else state.text
        try:
            return uiautomator_xml(parse_tree(dump), texts={field.bounds: text})
        except HierarchyError:
            return dump

    # ---- what it keeps -------------------------------------------------------------------------

    def data(self, state: RecordedAppState) -> AppData:
        """What was recorded of this app in its state. The first app speaks for those without a screen."""
        named = [RecordedMoment(*moment) for moment in state.trail]
        moments = (*named, *self.graph.screens[state.screen].moments, RecordedMoment(0, 0))
        known = (self.graph.app_data(moment) for moment in moments)
        kept: AppData = next((data for data in known if data is not None), {})
        return {name: records for name, records in kept.items() if self._keeps(name)}

    def _keeps(self, collection: str) -> bool:
        """Whether a collection, as ``todo.tasks``, is this app's, as ``com.waymark.todo``."""
        name = collection.partition(".")[0]
        keepers = [package for package in self.graph.packages if package.rpartition(".")[2] == name]
        return (keepers or self.graph.packages)[0] == self.package

    # ---- what is done --------------------------------------------------------------------------

    def update(self, state: RecordedAppState, event: Event) -> RecordedAppState | Change[RecordedAppState]:
        if event.name == STARTED:
            return self._started(state, event)
        leaving: Sequence[Transition] = self.graph.leaving.get(state.screen, ())
        if event.name == _TEXT:
            return self._typed(state, leaving, event)
        if event.name == _WAITED:
            waited = self._waits(state)
            return self._go(state, waited) if event.key == state.visits and waited else state
        if event.name == _PINCH:
            return self._pinched(state, leaving, event.value)
        state, leaving = self._password_typed(state, leaving)
        state, leaving = self._waited_meanwhile(state, leaving, event)
        if event.name == _GESTURE and isinstance(event.value, events.WholeGesture):
            return self._touched(state, leaving, event.value)
        code = event.value if event.name == _KEY else ENTER
        return self._pressed(state, leaving, code if isinstance(code, int) else ENTER)

    def _started(self, state: RecordedAppState, event: Event) -> Change[RecordedAppState]:
        extras = event.value if isinstance(event.value, Mapping) else {}
        number, trail = extras.get(SCREEN), extras.get(TRAIL, ())
        if isinstance(number, int) and 0 <= number < len(self.graph.screens):
            return self._arrived(state, number, trail if isinstance(trail, tuple) else ())
        named = [
            screen.number
            for screen in self.graph.screens
            if screen.package == self.package and activity_name(screen) == event.key
        ]
        entry = self._entry if self._entry in named or not named else named[0]
        opened = [edge for edge in self.graph.transitions if edge.target == entry and _opens(edge)]
        if opened:  # from whichever screen it was opened
            state = state.takes(*opened)
        return self._arrived(state, entry, trail_of(self.graph.screens[entry]))

    def _arrived(
        self, state: RecordedAppState, number: int, trail: tuple[tuple[int, int], ...]
    ) -> Change[RecordedAppState]:
        """Show a screen, with the phone held as it was recorded; a recorded wait begins."""
        screen = self.graph.screens[number]
        after = state.shows(number, trail)
        effects: list[Effect] = [
            PutSetting("system", "accelerometer_rotation", "0"),
            PutSetting("system", "user_rotation", "1" if screen.is_landscape else "0"),
        ]
        waits = [waited.action for waited in self._waits(after)]
        shortest = min((wait.duration_ms for wait in waits if isinstance(wait, Wait)), default=None)
        if shortest is not None:
            effects.append(Later(shortest / 1000, Event(_WAITED, after.visits)))
        return Change(after, tuple(effects))

    def _waits(self, state: RecordedAppState) -> list[Transition]:
        """What leads on from a screen without a touch, where the recordings that are followed waited.

        A recording that comes back to a screen waits there once more, and at its end no more.
        """
        waits = [each for each in self.graph.leaving.get(state.screen, ()) if isinstance(each.action, Wait)]
        if not state.trail:
            return waits
        return [
            each for each in waits
            if any((moment.recording, moment.step) in state.trail for moment in each.moments)
        ]  # fmt: skip

    def _typed(
        self, state: RecordedAppState, leaving: Sequence[Transition], event: Event
    ) -> RecordedAppState | Change[RecordedAppState]:
        text, field = str(event.value), int(str(event.key))
        found = matching.by_text(leaving, text)
        source, whole = state.screen, text
        if not found and state.typed_on >= 0:
            source, whole = state.typed_on, state.typed + text
            found = matching.by_text(self.graph.leaving.get(source, ()), whole)
        if not found:
            return replace(state, text=text, field=field)
        change = self._go(state, found)
        return replace(change, state=replace(change.state, typed_on=source, typed=whole))

    def _password_typed(
        self, state: RecordedAppState, leaving: Sequence[Transition]
    ) -> tuple[RecordedAppState, Sequence[Transition]]:
        """Behind a text that was not recorded, which ends with whatever is done next."""
        hidden = matching.followed(matching.hidden_text(leaving), state.trail) if state.text else None
        if hidden is None:
            return state, leaving
        trail = trail_after(hidden, state.trail)
        state = state.takes(hidden).shows(hidden.target, trail)
        return state, self.graph.leaving.get(hidden.target, ())

    def _waited_meanwhile(
        self, state: RecordedAppState, leaving: Sequence[Transition], event: Event
    ) -> tuple[RecordedAppState, Sequence[Transition]]:
        """Behind a screen that is about to change by itself, for what was recorded on the next one alone."""
        waited = matching.followed(self._waits(state), state.trail)
        if waited is None or self._takes(state.screen, leaving, event):
            return state, leaving
        behind = self.graph.leaving.get(waited.target, ())
        screen, following = self.graph.screens[state.screen], self.graph.screens[waited.target]
        is_in_place = (screen.package, activity_name(screen)) == (following.package, activity_name(following))
        if not is_in_place or not self._takes(waited.target, behind, event):
            return state, leaving
        trail = trail_after(waited, state.trail)
        return state.takes(waited).shows(waited.target, trail), behind

    def _takes(self, number: int, leaving: Sequence[Transition], event: Event) -> bool:
        """Whether a touch or a key takes one of the transitions of a screen."""
        if event.name == _GESTURE and isinstance(event.value, events.WholeGesture):
            return bool(matching.by_gesture(leaving, self.graph.screens[number], event.value))
        return isinstance(event.value, int) and bool(matching.by_key(leaving, event.value))

    def _touched(
        self, state: RecordedAppState, leaving: Sequence[Transition], gesture: events.WholeGesture
    ) -> RecordedAppState | Change[RecordedAppState]:
        screen = self.graph.screens[state.screen]
        found = matching.by_gesture(leaving, screen, gesture)
        if found:
            return self._go(state, found)
        if gesture.kind == events.DOUBLE_TAP:
            return state  # each of its taps was answered already
        if gesture.kind == events.SWIPE:
            if gesture.start[1] > 1 - _EDGE and gesture.end[1] < gesture.start[1]:
                return self._pressed(state, leaving, HOME)
            if min(gesture.start[0], 1 - gesture.start[0]) < _EDGE:
                return self._pressed(state, leaving, BACK)
        if gesture.kind == events.TAP:
            again = events.WholeGesture(events.DOUBLE_TAP, gesture.start, gesture.end)
            if matching.by_gesture(leaving, screen, again):
                return state  # the first half of a double tap
        answer = self._off_path.answer(state, screen, matching.described(gesture, screen.size))
        field = matching.field_at(screen, gesture)
        return answer.focusing(_field_id(state, field)) if field is not None else answer.change

    def _pinched(
        self, state: RecordedAppState, leaving: Sequence[Transition], pinch: object
    ) -> RecordedAppState | Change[RecordedAppState]:
        zoom = state.zoom * (pinch.scale if isinstance(pinch, events.Pinch) else 1.0)
        found = matching.by_zoom(leaving, zoom)
        return self._go(state, found) if found else replace(state, zoom=zoom)

    def _pressed(
        self, state: RecordedAppState, leaving: Sequence[Transition], code: int
    ) -> RecordedAppState | Change[RecordedAppState]:
        found = matching.by_key(leaving, code)
        if found:
            return self._go(state, found)
        if code == UNKNOWN:  # no key of a phone: pressed to learn whether keys are let through
            return state
        answer = self._off_path.answer(state, self.graph.screens[state.screen], f"key {code}").change
        return replace(answer, effects=(*answer.effects, GoHome())) if code == HOME else answer

    def _go(self, state: RecordedAppState, found: list[Transition]) -> Change[RecordedAppState]:
        """Take a transition: to another screen of this activity, or to another activity or app."""
        transition = matching.followed(found, state.trail)
        assert transition is not None
        trail = trail_after(transition, state.trail)
        state = state.takes(transition)
        source, target = self.graph.screens[state.screen], self.graph.screens[transition.target]
        if target.package == self.package and activity_name(target) == activity_name(source):
            return self._arrived(state, target.number, trail)
        return Change(state, (StartActivity(intent_to(target, trail)),))


def _opens(edge: Transition) -> bool:
    return isinstance(edge.action, OpenApp)


def trail_of(screen: GraphScreen) -> tuple[tuple[int, int], ...]:
    """All recorded states that are a screen: it is not known yet which recording is followed."""
    return tuple((moment.recording, moment.step) for moment in screen.moments)


def activity_name(screen: GraphScreen) -> str:
    """The name of a screen's activity as in a manifest."""
    return screen.activity or MAIN


def intent_to(screen: GraphScreen, trail: tuple[tuple[int, int], ...] = ()) -> Intent:
    """Open a recorded screen, in the activity that has it."""
    name = activity_name(screen)
    component = Component(screen.package, screen.package + name if name.startswith(".") else name)
    flags = NEW_TASK | REORDER_TO_FRONT
    return Intent(component=component, flags=flags, extras={SCREEN: screen.number, TRAIL: trail})


_BARE = (
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    '<node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="{package}" '
    'content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" '
    'focused="false" scrollable="false" long-clickable="false" password="false" selected="false" '
    'bounds="{bounds}" /></hierarchy>'
)
"""The dump of a screen of which no tree was recorded: its window, which is empty."""


def _field_id(state: RecordedAppState, number: int) -> str:
    return f"screen_{state.screen}_field_{number}"


def _entry(graph: TransitionGraph, own: list[GraphScreen]) -> GraphScreen:
    """The screen with which an app opens: where it was opened by its package, else its first one."""
    numbers = {screen.number for screen in own}
    opened = [edge for edge in graph.transitions if edge.target in numbers and _opens(edge)]
    if opened:
        return graph.screens[max(opened, key=lambda edge: len(edge.moments)).target]
    return own[0]
