"""A random person who uses an app of the virtual phone through its ``view`` and ``update`` alone."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

from collector.model.geometry import Rect
from collector.virtual.apps import make_apps
from collector.virtual.system.windows import chrome
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import STARTED, App, Context, InstalledApp
from collector.virtual.ui.dump import dump_xml
from collector.virtual.ui.effects import Change, Finish, Later, RequestPermission, ShowSnackbar, StartActivity
from collector.virtual.ui.events import Drag, Event, Pinch
from collector.virtual.ui.layout import lay_out
from collector.virtual.ui.look import Look
from collector.virtual.ui.plain import to_plain
from collector.virtual.ui.scene import flatten
from tests.helpers import libyaml

TEXTS = ("", "a", "notes", "Ana", "会议", "x" * 60, "two words", "../a/b", "f(x) {\n  y\n}\n", "<&>", "10:99")
_TALL = 4000
_OPENING = re.compile(r"<node [^<>]*>")


class AppWalk:
    """An app with its stack of activities, which any event of its screens may change."""

    def __init__(self, app: App[Any], seed: int, locale: str, *, landscape: bool = False) -> None:
        self.app, self._chance = app, random.Random(seed)
        self.state = app.initial(seed, locale)
        size = (800.0, 360.0) if landscape else (360.0, 800.0)
        self._context = Context(
            activity="", locale=locale, width=size[0], height=size[1], installed=_installed(locale)
        )
        self._stack: list[Context] = []
        self._pending: list[Event] = []
        """Events of timers and messages."""
        main = next(activity for activity in app.activities if activity.launcher)
        self._open(main.name, {})

    @property
    def screen(self) -> w.Screen:
        return self.app.view(self.state, self._stack[-1])

    def step(self) -> None:
        """Let one event happen that the present screen offers."""
        offered = [*_events(self.screen), *self._pending]
        if self._chance.random() < 0.08 or not offered:
            self._back()
            return
        event = self._chance.choice(offered)
        self._pending = [other for other in self._pending if other is not event]
        self.send(self._with_input(event))

    def send(self, event: Event) -> None:
        """Let the app handle an event, and carry out its effects."""
        result = self.app.update(self.state, event)
        if not isinstance(result, Change):
            self.state = result
            return
        self.state = result.state
        for effect in result.effects:
            if isinstance(effect, StartActivity) and effect.intent.component is not None:
                component = effect.intent.component
                if component.package == self.app.package:
                    self._open(component.activity.removeprefix(self.app.package), effect.intent.extras)
            elif isinstance(effect, Finish) and len(self._stack) > 1:
                self._stack.pop()
            elif isinstance(effect, RequestPermission) and effect.answer is not None:
                self.send(effect.answer.with_value(self._chance.random() < 0.8))
            elif isinstance(effect, Later):
                self._pending.append(effect.event)
            elif isinstance(effect, ShowSnackbar) and effect.on_action is not None:
                self._pending.append(effect.on_action)

    def _open(self, name: str, extras: dict[str, object]) -> None:
        assert self.app.activity(name) is not None, f"the manifest lacks {name}"
        top = self._stack[-1].activity if self._stack else ""
        context = replace(self._context, activity=name, extras=extras)
        self._stack = [*(self._stack[:-1] if top == name else self._stack), context]
        self.send(Event(STARTED, name, {}))

    def _back(self) -> None:
        screen = self.screen
        event = screen.on_back
        for window in (screen.dialog, screen.sheet):
            event = window.on_dismiss if window is not None else event
        if event is not None:
            self.send(event)
        elif len(self._stack) > 1:
            self._stack.pop()

    def _with_input(self, event: Event) -> Event:
        """An event whose value is what a person enters: a text, on or off, a drag, a pinch."""
        chance = self._chance
        if isinstance(event.value, _Wanted):
            kind = event.value.kind
            if kind == "flag":
                return event.with_value(chance.random() < 0.5)
            if kind == "drag":
                moved = (chance.uniform(-300, 300), chance.uniform(-600, 600))
                return event.with_value(Drag(moved, dropped=chance.random() < 0.7))
            if kind == "pinch":
                scale, moved = chance.uniform(0.4, 2.5), (chance.uniform(-1, 1), chance.uniform(-1, 1))
                return event.with_value(Pinch(scale, (chance.random(), chance.random()), moved))
            if kind == "place":
                return event.with_value((chance.random(), chance.random()))
            return event.with_value(chance.choice(TEXTS))
        return event

    # ---- what has to hold --------------------------------------------------------------------

    def unnamed(self) -> list[str]:
        """The opening tags of what can be touched on the screen and has neither text nor description."""
        screen, context = self.screen, self._stack[-1]
        look = Look(self.app.theme, 1.0, package=self.app.package, language=context.language)
        # So tall that nothing has to be scrolled: a part that is cut off would have lost its text.
        wide, tall = round(context.width), _TALL
        roots = [chrome.decor(chrome.screen_body(screen, None), chrome.STATUS_BAR, 0, screen.background)]
        roots += [chrome.dialog(screen.dialog)] if screen.dialog is not None else []
        roots += [chrome.sheet(screen.sheet)] if screen.sheet is not None else []
        found = []
        for root in roots:
            scene = flatten(lay_out(root, look, wide, tall), look, Rect(0, 0, wide, tall), {})
            xml = dump_xml(scene, 0).decode()
            found += [tag for tag in _OPENING.findall(xml) if 'NAF="true"' in tag]
        return found

    def restored(self) -> bool:
        """Whether the state is plain data that YAML brings back."""
        plain = self.app.state_to_plain(self.state)
        text = libyaml.safe_dump(plain, allow_unicode=True)
        return bool(to_plain(self.app.state_from_plain(libyaml.safe_load(text))) == plain)


def _installed(locale: str) -> tuple[InstalledApp, ...]:
    """Every other app of a phone, as the home screen and the start page know them."""
    return tuple(
        InstalledApp(app.name, app.label(locale), app.icon, app.component(app.launcher_activity))
        for app in make_apps()
        if app.launcher_activity is not None
    )


class _Wanted:
    """Stands for a value that a person enters."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


def _events(screen: w.Screen) -> list[Event]:
    """Every event that a touch on the front window of a screen can send."""
    front: Any = screen.dialog or screen.sheet or screen
    found: list[Event] = []
    stack: list[Any] = [front]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif hasattr(item, "__dataclass_fields__") and not isinstance(item, Event):
            stack.extend(
                getattr(item, name) for name in item.__dataclass_fields__ if name not in ("dialog", "sheet")
            )
            if getattr(item, "enabled", True):
                found += _offered(item)
    return found


def _offered(item: Any) -> list[Event]:
    kinds = {"on_drag": "drag", "on_pinch": "pinch", "on_double_tap": "place", "on_submit": "text"}
    kinds["on_change"] = "text" if isinstance(item, w.TextField) else "flag"
    events = []
    for name in ("on_tap", "on_long_press", "on_navigation", "on_dismiss", *kinds):
        event = getattr(item, name, None)
        if isinstance(event, Event):
            wanted = event.with_value(_Wanted(kinds[name])) if name in kinds else event
            events.append(wanted)
    return events
