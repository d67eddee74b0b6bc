"""Which windows are shown, back to front, and the picture and the hierarchy they compose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from collector.model.geometry import Rect
from collector.model.variation.phone_variation import PLAIN_APPEARANCE
from collector.virtual.system.activity_views import ActivityViews
from collector.virtual.system.lock.locked_view import locked_view
from collector.virtual.system.notices import poster_name
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.caller_names import caller_name
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.status_bar import signs, status_bar
from collector.virtual.system.windows import chrome, shade
from collector.virtual.system.windows.floating import (
    LOW,
    dialog_room,
    scrolling,
    sheet_room,
    styled_look,
    styled_room,
)
from collector.virtual.system.windows.front_window import FrontWindow
from collector.virtual.system.windows.input_methods import Method, method_in_use
from collector.virtual.system.windows.keyboard import keyboard, panel_height
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.system.windows.prompt_views import PromptContext
from collector.virtual.system.windows.prompt_views import view as prompt_view
from collector.virtual.system.windows.window import Kind, Window
from collector.virtual.ui import widgets as w
from collector.virtual.ui.drawing.paint import DrawingItem
from collector.virtual.ui.dump import dump_xml
from collector.virtual.ui.look import Look
from collector.virtual.ui.window_style import PLAIN_STYLE

_SCRIM = 0x6B000000
"""42 % black."""


class Compositor:
    """Keep the windows in step with the system's state. The phone's lock protects it."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._by_name: dict[str, Window] = {}
        self._shown: list[Window] = []
        self.views = ActivityViews(state)
        self._built: tuple[Any, ...] = ()

    # ---- windows -----------------------------------------------------------------------------

    @property
    def windows(self) -> list[Window]:
        """Every window for the current state, back to front."""
        key = (self._state.version, self._state.clock.now.replace(second=0, microsecond=0))
        if key != self._built:
            self._build()
            self._built = key
        return self._shown

    @property
    def focused(self) -> Window | None:
        """The window that receives keys and that uiautomator dumps."""
        for window in reversed(self.windows):
            if window.kind not in _FOCUSLESS:
                return window
        return None

    @property
    def screen_in_focus(self) -> w.Screen | None:
        """The screen of the activity that receives keys; None while another window does."""
        window = self.focused
        return self._screen_in(window) if window is not None else None

    @property
    def front(self) -> FrontWindow | None:
        """The window that receives keys, for one who acts on it."""
        windows, focused = self.windows, self.focused
        if focused is None:
            return None
        above = [window for window in windows[windows.index(focused) + 1 :] if window.kind in _TOUCHED_ABOVE]
        return FrontWindow(focused, above)

    @property
    def keyboard_window(self) -> Window | None:
        return next((window for window in self.windows if window.kind == "keyboard"), None)

    def saved_windows(self) -> tuple[Window, ...]:
        """How far the windows on show are scrolled, and where the focus is; for :meth:`restore_windows`."""
        return tuple(window.saved() for window in self.windows)

    def restore_windows(self, saved: Sequence[Window]) -> None:
        """Forget what is on show; windows of the same names come up scrolled and focused as these."""
        self._by_name = {window.name: window.saved() for window in saved}
        self._shown, self._built = [], ()
        self.views.keep(())

    def _build(self) -> None:
        had_room = self._has_keyboard_room
        self._shown = self._assemble()
        if self._has_keyboard_room != had_room:  # a field got the focus, or lost it, in the new layout
            self._shown = self._assemble()
        shown = self._shown
        self._by_name = {window.name: window for window in shown}
        overlays = (record for _key, record in self._state.overlays)
        self.views.keep((*self._state.activities.records, *overlays))

    def _assemble(self) -> list[Window]:
        state = self._state
        screen = Rect(0, 0, state.size.width, state.size.height)
        records = state.activities.visible
        keyboard_top = self._keyboard_top(screen)
        shown: list[Window] = []
        for record in records:
            top = record is records[-1]
            shown += self._activity(record, screen, keyboard_top if top else screen.bottom)
        if state.keyguard.showing:
            shown.append(self._system("keyguard", *locked_view(state), screen))
        else:
            for _key, record in state.overlays:
                shown += self._activity(record, screen, screen.bottom, "overlay")
        shown += self._prompts(screen, errors=False)
        if state.recents_open and not state.keyguard.showing:
            shown.append(self._system("recents", "Recents", self._recents(), screen))
        if state.shade_open:
            posted = tuple(
                (notification, poster_name(state, notification.package))
                for notification in state.notifications
            )
            view = shade.shade(state.clock.now, state.settings.values, posted, state.language)
            shown.append(self._system("shade", "NotificationShade", view, screen))
        shown += self._prompts(screen, errors=True)
        owner = next((window for window in reversed(shown) if window.kind not in _FOCUSLESS), None)
        if keyboard_top < screen.bottom and owner is not None and owner.field is not None:
            shown.append(self._keyboard(owner, Rect(0, keyboard_top, screen.right, screen.bottom)))
        if state.heads_up is not None and not state.shade_open:
            shown += self._heads_up(state.heads_up, screen)
        if state.toast:
            shown.append(self._toast(state.toast, screen))
        shown.append(self._status_bar(screen))
        return shown

    def _window(self, name: str, kind: Kind, package: str) -> Window:
        window = self._by_name.get(name)
        if window is None:
            window = self._by_name[name] = Window(name, kind, package)
        return window

    def _activity(
        self, record: ActivityRecord, screen: Rect, bottom: int, kind: Kind = "activity"
    ) -> list[Window]:
        state, view = self._state, self.views.screen_of(record)
        look = styled_look(state.look(record.app.theme, record.app.package), view.window)
        window = self._window(f"activity:{record.number}", kind, record.app.package)
        window.title = record.app.package if kind == "overlay" else str(record.component)
        window.record, window.secure = record, view.secure
        window.stopped = record.app.package in state.stopped
        room = Rect(screen.left, screen.top + look.px(chrome.STATUS_BAR), screen.right, bottom)
        window.dim = view.window.dim
        if record.activity.dialog and not view.window.full:
            self._float(window, view, look, room, at_bottom=record.activity.at_bottom)
        else:
            offline = record.app.needs_network and not state.online(record.app.package)
            self._fill(window, view, look, screen, bottom, offline and not window.stopped)
        shown = [window]
        if view.sheet is not None:
            shown.append(self._sheet(record, view.sheet, look, room))
        if view.dialog is not None:
            shown.append(self._dialog(record, view.dialog, look, room))
        return shown

    def _fill(
        self, window: Window, view: w.Screen, look: Look, screen: Rect, bottom: int, offline: bool
    ) -> None:
        """Lay out an activity over the whole screen, above ``bottom`` where the keyboard begins."""
        note = self._state.snackbars.get(window.package)
        top = 0.0 if view.behind_bars else chrome.STATUS_BAR

        def make() -> w.Widget:
            bar = chrome.snackbar(*note) if note else None
            free = (screen.bottom - bottom) / look.density
            strip = view.app_bar.background if view.app_bar is not None else None
            banner = chrome.offline_banner(look.language) if offline else None
            return chrome.decor(chrome.screen_body(view, bar, banner), top, free, view.background, strip)

        content, before = (_SameView(view), bottom, offline, look, screen), window.laid_for
        is_new = window.lay((content, note), make, look, screen) and (before is None or before[0] != content)
        # A message that comes or goes does not scroll the field back that has the focus.
        if is_new and window.field is not None:
            window.reveal(window.touches.focused)

    @staticmethod
    def _float(window: Window, view: w.Screen, look: Look, room: Rect, *, at_bottom: bool) -> None:
        """Lay out an activity with a dialog theme: only its content, centred in ``room`` or as a sheet."""
        if at_bottom:
            inner, shown = sheet_room(room, look), w.Sheet(view.content)
            window.lay_floating(_SameView(view), lambda: chrome.sheet(shown), look, inner, "bottom")
            return
        styled = view.window is not PLAIN_STYLE
        inner, at = styled_room(room, look, view.window) if styled else (dialog_room(room, look), "center")
        window.lay_floating(_SameView(view), lambda: chrome.dialog_decor(view.content), look, inner, at)

    def _dialog(self, record: ActivityRecord, dialog: w.Dialog, look: Look, room: Rect) -> Window:
        window = self._window(
            f"dialog:{record.number}:{dialog.id or dialog.title}", "dialog", record.app.package
        )
        inner = dialog_room(room, look)
        self._describe(window, record, dialog.on_dismiss)
        is_low = room.height < look.px(LOW)
        is_new = window.lay_floating(
            dialog, lambda: chrome.dialog(dialog, is_low=is_low), look, inner, "center"
        )
        if is_new and is_low and window.field is not None:
            window.reveal(window.touches.focused)
        return window

    def _sheet(self, record: ActivityRecord, sheet: w.Sheet, look: Look, room: Rect) -> Window:
        window = self._window(f"sheet:{record.number}:{sheet.id or sheet.title}", "sheet", record.app.package)
        self._describe(window, record, sheet.on_dismiss)
        window.lay_floating(sheet, lambda: chrome.sheet(sheet), look, sheet_room(room, look), "bottom")
        return window

    def _describe(self, window: Window, record: ActivityRecord, on_dismiss: Any) -> None:
        window.title, window.record = str(record.component), record
        window.stopped = record.app.package in self._state.stopped
        window.on_dismiss = on_dismiss

    # ---- the system's own windows ------------------------------------------------------------

    def _system(self, kind: Kind, title: str, view: w.Widget, screen: Rect) -> Window:
        window = self._window(kind, kind, chrome.SYSTEM_UI)
        window.title = title
        look = self._state.look(self._state.system_theme, chrome.SYSTEM_UI)
        window.lay(view, lambda: view, look, screen)
        return window

    def _prompts(self, screen: Rect, *, errors: bool) -> list[Window]:
        """System dialogs: those about errors, or those in front of an app."""
        candidates = [prompt for prompt in self._state.prompts if (prompt.kind in _ERRORS) == errors]
        if self._state.keyguard.showing:
            candidates = [prompt for prompt in candidates if prompt.kind == "call"]
        top = self._state.activities.top
        front = top.app.package if top is not None else ""
        front_prompt = next(
            (prompt for prompt in candidates if prompt.kind in _OF_FRONT and prompt.package == front), None
        )
        return [
            self._prompt(prompt, screen)
            for prompt in candidates
            if prompt.kind not in _OF_FRONT or prompt is front_prompt
        ]

    def _prompt(self, prompt: Prompt, screen: Rect) -> Window:
        state = self._state
        app = state.apps.get(prompt.package)
        call_active = state.calls.get(prompt.detail) == "active"
        label = state.label_of(app) if app is not None else prompt.package
        is_pop_up = app is not None and prompt.kind == "pop_up"
        about = PromptContext(
            label,
            state.locale_of(app.package).partition("-")[0]
            if app is not None and is_pop_up
            else state.language,
            state.profile.sdk,
            call_active,
            screen.height * 160 / state.density,
            state.pop_up(prompt.package, prompt.detail),
            caller_name(state, prompt.detail) if prompt.kind == "call" else "",
        )
        shown = prompt_view(prompt, about)
        window = self._window(f"prompt:{prompt.number}", "prompt", shown.package)
        window.title, window.on_dismiss = shown.title, prompt
        theme = app.theme if app is not None and is_pop_up else state.system_theme
        look = state.look(theme, shown.package)
        if shown.full:
            window.lay((prompt, about), lambda: shown.widget, look, screen)
        else:
            room = dialog_room(Rect(0, look.px(chrome.STATUS_BAR), screen.right, screen.bottom), look)
            window.lay_floating((prompt, about), lambda: scrolling(shown), look, room, shown.position)
        return window

    def _heads_up(self, number: int, screen: Rect) -> list[Window]:
        """The heads-up notification; it never gets the focus."""
        state = self._state
        posted = next((note for note in state.notifications if note.number == number), None)
        if posted is None:
            return []
        window = self._window("heads_up", "heads_up", chrome.SYSTEM_UI)
        window.title = "NotificationShade"
        look = state.look(state.system_theme, chrome.SYSTEM_UI)
        margin = max(look.px(12), (screen.width - look.px(480)) // 2)
        room = Rect(margin, look.px(chrome.STATUS_BAR + 6), screen.right - margin, screen.bottom)
        view = shade.heads_up(posted, poster_name(state, posted.package), state.language)
        window.lay_floating(view, lambda: view, look, room, "top")
        return [window]

    def _recents(self) -> w.Widget:
        tasks = [
            (task.number, self._state.label_of(task.records[-1].app), task.records[-1].app.icon)
            for task in reversed(self._state.activities.tasks)
            if not task.records[-1].activity.home and task.records[-1].app.in_recents
        ]
        return chrome.recents(tuple(tasks), self._state.language)

    @property
    def _has_keyboard_room(self) -> bool:
        """Whether the windows that are shown leave room for the keyboard."""
        owner = next((window for window in reversed(self._shown) if window.kind not in _FOCUSLESS), None)
        overlaid = self._state.shade_open or self._state.recents_open
        has_field = owner is not None and owner.field is not None and not self._is_immersive(owner)
        return has_field and self._state.keyboard_requested and not overlaid

    def _keyboard_top(self, screen: Rect) -> int:
        if not self._has_keyboard_room:
            return screen.bottom
        tall = panel_height(self._input_method.panel, screen.width > screen.height)
        return screen.bottom - round(tall * self._state.density / 160)

    @property
    def _input_method(self) -> Method:
        name = self._state.settings.get("secure", "default_input_method") or ""
        return method_in_use(name, self._state.apps)

    def _keyboard(self, owner: Window, frame: Rect) -> Window:
        kind = self._input_method
        window = self._window(f"keyboard:{kind.package}", "keyboard", kind.package)
        window.title = "InputMethod"
        theme = owner.look.theme
        appearance = replace(PLAIN_APPEARANCE, saturation=owner.look.appearance.saturation)
        look = replace(owner.look, package=kind.package, font_scale=1.0, appearance=appearance)
        field = owner.field
        assert field is not None
        keys = self._state.keyboard
        shown = replace(field, on_change=None, on_submit=None)
        height = frame.height / look.density
        window.lay(
            (keys, shown),
            lambda: keyboard(kind.panel, keys, shown, height, look.language, theme.dark),
            look,
            frame,
        )
        return window

    def _toast(self, text: str, screen: Rect) -> Window:
        window = self._window("toast", "toast", chrome.SYSTEM_UI)
        window.title = "Toast"
        look = self._state.look(self._state.system_theme, chrome.SYSTEM_UI)
        max_width = min(screen.width - look.px(48), look.px(320))
        view = chrome.toast(text)
        natural, _lay = look.text(w.Text(text=text, size=13.5))
        wide = min(max_width, natural + look.px(38))
        left = (screen.width - wide) // 2
        room = Rect(left, screen.top, left + wide, screen.bottom - look.px(72))
        window.lay_floating(text, lambda: view, look, room, "bottom")
        return window

    def _status_bar(self, screen: Rect) -> Window:
        state = self._state
        window = self._window("status_bar", "status_bar", chrome.SYSTEM_UI)
        window.title = "StatusBar"
        look = state.look(state.system_theme, chrome.SYSTEM_UI)
        look = replace(look, font_scale=min(look.font_scale, 1.15))
        ink = "#F4F6F7" if self._dark_background() else "#1B1F22"
        bar = status_bar(signs(state), ink)
        frame = Rect(0, 0, screen.right, look.px(chrome.STATUS_BAR))
        window.lay(bar, lambda: bar, look, frame)
        return window

    def _dark_background(self) -> bool:
        state = self._state
        if state.recents_open or any(prompt.kind == "call" for prompt in state.prompts):
            return not state.shade_open or state.dark
        if state.shade_open or state.activities.top is None:
            return state.dark
        record = state.activities.visible[0]
        view = self.views.screen_of(record)
        if view.status_bar != "auto":
            return view.status_bar == "light"
        color = state.look(record.app.theme, record.app.package).color(view.background)
        red, green, blue = (color >> 16) & 255, (color >> 8) & 255, color & 255
        return 0.3 * red + 0.59 * green + 0.11 * blue < 110

    # ---- composition --------------------------------------------------------------------------

    @property
    def secure(self) -> bool:
        """Whether captures must be black: a window is secure, or the screen is off."""
        hidden = not self._state.awake or self._state.secure
        return hidden or any(window.secure for window in self.windows)

    def items(self) -> list[DrawingItem]:
        """All drawing items, back to front."""
        screen = Rect(0, 0, self._state.size.width, self._state.size.height)
        items = [DrawingItem("fill", screen, screen, (0xFF000000, (0, 0, 0, 0)))]
        windows = self.windows
        status = windows[-1]
        drawn_status = self._hides_bars
        for window in windows[:-1]:
            if window.kind == "prompt" and window.frame == screen:
                drawn_status = False
            elif window.kind in _DIMMING or (window.record and window.record.activity.dialog):
                items += [] if drawn_status else status.items
                drawn_status = True
                scrim = _SCRIM if window.dim is None else round(window.dim * 255) << 24
                items.append(DrawingItem("fill", screen, screen, (scrim, (0, 0, 0, 0))))
            items += window.items
        if not drawn_status:
            items += status.items
        if not self._hides_bars:
            items.append(self._gesture_bar(screen))
        return items

    @property
    def _hides_bars(self) -> bool:
        """Whether an immersive screen is in front, at most below floating windows."""
        shown = [window for window in self.windows if window.kind == "activity"]
        covered = self._state.recents_open or self._state.shade_open
        return bool(shown) and not covered and self._is_immersive(shown[0])

    def _gesture_bar(self, screen: Rect) -> DrawingItem:
        look = self._state.look(self._state.system_theme, chrome.SYSTEM_UI)
        wide, tall = look.px(108), max(2, look.px(4))
        left, top = (screen.width - wide) // 2, screen.bottom - look.px(8) - tall
        dark = self._dark_background() if self.keyboard_window is None else self._state.dark
        place = Rect(left, top, left + wide, top + tall)
        ink = look.color("#E8ECEE" if dark else "#1B1F22")
        return DrawingItem("fill", place, place, (ink, (math.ceil(tall / 2),) * 4))

    def hierarchy_xml(self, compressed: bool) -> bytes | None:
        """The focused window's tree; None when no window has the focus."""
        window = self.focused
        if window is None:
            return None
        if known := self._recorded_dump(window):
            return known
        return dump_xml(window.scene, self._state.rotation, window.touches.focused, compressed)

    def _screen_in(self, window: Window) -> w.Screen | None:
        """The screen of an activity's own window; None of a dialog, and of the system's windows."""
        is_whole = window.kind == "activity" and window.record is not None
        return self.views.screen_of(window.record) if is_whole else None

    def _is_immersive(self, window: Window) -> bool:
        screen = self._screen_in(window)
        return screen is not None and screen.immersive

    def _recorded_dump(self, window: Window) -> bytes:
        screen = self._screen_in(window)
        return screen.hierarchy if screen is not None else b""

    def window_dumps(self, compressed: bool) -> list[bytes]:
        """The tree of each window, the status bar first, in the order of the window manager."""
        focused = self.focused
        hides_bars = self._hides_bars
        ordered = sorted(self.windows, key=lambda window: window.kind != "status_bar")
        return [
            self._recorded_dump(window)
            or dump_xml(
                window.scene,
                self._state.rotation,
                window.touches.focused if window is focused else "",
                compressed,
            )
            for window in ordered
            if window.kind != "toast" and not (hides_bars and window.kind == "status_bar")
        ]


class _SameView:
    """Compare a view by identity: views are reused until something they show changes."""

    def __init__(self, view: w.Screen) -> None:
        self.view = view

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameView) and other.view is self.view

    __hash__ = None  # type: ignore[assignment]


_TOUCHED_ABOVE = ("keyboard", "heads_up")
_FOCUSLESS = ("keyboard", "status_bar", "toast", "heads_up")
_DIMMING = ("dialog", "sheet", "prompt")
_ERRORS = ("crash", "anr", "saver")
_OF_FRONT = ("permission", "pop_up")
"""Prompts that are shown one by one, over the app that they are about."""
"""Prompts shown above everything. The others are like activities: the shade opens over them."""
