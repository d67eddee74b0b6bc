"""Run apps: deliver events, store new states, carry out effects; start and finish activities."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from collector.virtual.noise.progress import NOISE_EVENTS
from collector.virtual.system.app_timers import AppTimers
from collector.virtual.system.choices import chooser_of, type_of
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.notices import Notices
from collector.virtual.system.phone_state.activities import (
    NEW_TASK,
    ActivityRecord,
    LaunchState,
    StartResult,
)
from collector.virtual.system.phone_state.input_log import InputLog
from collector.virtual.system.phone_state.process_exits import KEPT, ProcessExit
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.prompt import OpenPrompts, Prompt
from collector.virtual.system.windows.window import Window
from collector.virtual.ui import effects as fx
from collector.virtual.ui.app import INTENT_DATA, STARTED, Activity, App
from collector.virtual.ui.events import Event
from collector.virtual.ui.expand import BACK
from collector.virtual.ui.widgets import has_field

_START_MS = {"COLD": 412, "WARM": 138, "HOT": 61, "UNKNOWN": 0}


class ActivityManager:
    """The activity manager. The phone's lock protects it."""

    def __init__(self, state: SystemState, compositor: Compositor) -> None:
        self._state = state
        self._compositor = compositor
        self.timers = AppTimers(state, self.send_to)
        self.input_log = InputLog(state)
        self.media: Callable[[App[Any], fx.MediaEffect], None] = lambda _app, _effect: None
        """Uses the camera and the shared storage for an app."""
        self.notices = Notices(state)
        self.place_call: Callable[[str], object] = lambda _number: None
        """Calls a number."""
        self.system: dict[str, Callable[[Event], None]] = {}
        """Handlers for events of the system's own windows, by the first word of the event name."""
        self.send_broadcast: Callable[[fx.Intent], object] = lambda _intent: None
        self.reply = (0, "")
        """What the app that was called last answers: a code, and a text."""
        self.prompts: OpenPrompts | None = None
        self.ended: list[Callable[[str], None]] = []
        """Called with the package of a process that ended."""
        self.exits: deque[ProcessExit] = deque(maxlen=KEPT)
        self.input_blocked: Callable[[str], None] = lambda _package: None
        """Called with a stopped package that a person waits for."""
        self.launched: Callable[[App[Any]], None] = lambda _app: None
        """Called with an app whose first screen was started."""
        self.switch_airplane: Callable[[bool], None] = lambda _on: None
        self.request_permission: Callable[[str, fx.RequestPermission], None] = lambda _package, _effect: None

    # ---- events --------------------------------------------------------------------------------

    def send(self, window: Window, event: Event) -> None:
        """Deliver an event to the owner of the window."""
        if event == BACK:
            self.back()
        elif event.name in NOISE_EVENTS and window.record is not None:
            record = window.record
            self._state.noise.touched(record.app.package, record.activity.name, event)
        elif window.record is None:
            handler = self.system.get(event.name.partition(".")[0])
            if handler is not None:
                handler(event)
        else:
            self.send_to(window.record.app, event)

    def send_to(self, app: App[Any], event: Event) -> None:
        """Deliver an event to an app and carry out its effects at once."""
        state = self._state
        if self.wait_for(app.package, lambda: self.send_to(app, event)):
            return
        note = state.snackbars.get(app.package)
        if note is not None and note[2] == event:
            del state.snackbars[app.package]  # its action was taken
            state.touch()
        if app.reads_clock:
            event = replace(event, at_ms=state.clock.epoch_ms)
        before = state.state_of(app)
        with state.contents.in_use():
            change = app.update(before, event)
        after, effects = (change.state, change.effects) if isinstance(change, fx.Change) else (change, ())
        if after is not before:
            state.states[app.package] = after
            state.touch(accessible=after != before)
        for effect in effects:
            self._perform(app, effect)

    def wait_for(self, package: str, act: Callable[[], None]) -> bool:
        """Postpone an action of a package until it continues; False when it is not stopped."""
        if package not in self._state.stopped:
            return False
        self._state.waiting.setdefault(package, []).append(act)
        return True

    def _perform(self, app: App[Any], effect: fx.Effect) -> None:
        _EFFECTS[type(effect)](self, app, effect)
        self._state.touch()

    def open_shade(self, shown: bool) -> None:
        """Open or close the shade; opening also hides a heads-up notification."""
        self.notices.hide_heads_up()
        self._state.shade_open = shown
        self._state.touch()

    def put_setting(self, namespace: str, key: str, value: str) -> None:
        """Apply a switch of the settings app; airplane mode and the like also switch the hardware."""
        if (namespace, key) == ("global", "airplane_mode_on"):
            self.switch_airplane(value == "1")
        else:
            self._state.settings.put(namespace, key, value)

    # ---- activities ----------------------------------------------------------------------------

    def candidates(self, intent: fx.Intent) -> list[tuple[App[Any], Activity]]:
        """The activities that answer an intent: its component, or all with its action."""
        if intent.component is not None:
            app = self._state.apps.get(intent.component.package)
            activity = app.activity(intent.component.activity) if app else None
            return [(app, activity)] if app and activity and self._available(app) else []
        kind = type_of(intent, self._state.storage)
        return [
            (app, activity)
            for app in self._state.apps.values()
            if intent.package in ("", app.package) and self._available(app)
            for activity in app.activities
            if (activity.home and fx.CATEGORY_HOME in intent.categories)
            or app.answers(activity, intent.action, intent.categories, intent.data, kind)
        ]

    def _available(self, app: App[Any]) -> bool:
        return self._state.package_state(app.package).available

    def resolve(self, intent: fx.Intent) -> tuple[App[Any], Activity] | None:
        """The activity an intent starts: the first of an installed app, else of the system's apps."""
        return min(self.candidates(intent), key=lambda candidate: candidate[0].system, default=None)

    def start(
        self,
        intent: fx.Intent,
        *,
        from_app: bool = False,
        new_task: bool = False,
        starter: App[Any] | None = None,
    ) -> StartResult:
        """Start an activity, in its own task (``am start``) or on top of the app's task."""
        intent = chooser_of(intent, self.candidates, self._state) or intent
        target = self.resolve(intent)
        if target is None:
            return StartResult("not_found", intent.component)
        app, activity = target
        component = app.component(activity)
        if intent.data.startswith("package:") and "package" not in intent.extras:
            about = intent.data.removeprefix("package:")
            intent = replace(intent, extras={**intent.extras, "package": about})
        foreign = starter is not None and starter.package != app.package
        refused = foreign and starter is not None and activity.permission not in ("", *starter.permissions)
        if refused or not (from_app or activity.exported):
            return StartResult("not_exported", component)
        state = self._state
        if state.package_state(app.package).suspended and self.prompts is not None:
            self.prompts.ask(Prompt("suspended", app.package, cancelable=True))
            return StartResult("started", component)
        launch = self._launch_state(app)
        uid = state.uid(app.package)
        parts = [f"act={intent.action}" if intent.action else "", f"typ={intent.type}" if intent.type else ""]
        parts.append(f"flg=0x{intent.flags or NEW_TASK:x}")
        described = " ".join([*filter(None, parts), f"cmp={component.short}"])
        state.write_log("I", "ActivityTaskManager", f"START u0 {{{described}}} from uid {uid} result code=0")
        self._start_process(app.package, component)
        new_task = new_task or not from_app or self._own_task(intent, activity)
        state.shade_open = state.recents_open = False
        outcome = state.activities.open(app, activity, intent, new_task)
        # The home screen gets a new intent in any case: HOME closes its search.
        again = outcome == "delivered" or (
            outcome == "brought_to_front" and bool(intent.data or intent.extras)
        )
        delivered = again and activity.takes_new_intents
        if outcome == "started" or delivered or activity.home:
            state.keyboard_requested = False
            data = {INTENT_DATA: intent.data} if intent.data else {}
            self.send_to(app, Event(STARTED, activity.name, {**intent.extras, **data}))
        total = _START_MS[launch]
        if outcome == "started":
            state.write_log("I", "ActivityTaskManager", f"Displayed {component.short} for user 0: +{total}ms")
        if activity.launcher:
            self.launched(app)
        self.resume()
        return StartResult(outcome, component, launch, total)

    def _start_process(self, package: str, component: fx.Component) -> None:
        """Start the process of an activity when there is none."""
        state = self._state
        if package not in state.processes:
            pid, uid = state.pid(package), state.uid(package)
            reason = f"for next-top-activity {{{component.short}}}"
            state.write_log("I", "ActivityManager", f"Start proc {pid}:{package}/u0a{uid % 10000} {reason}")

    def _own_task(self, intent: fx.Intent, activity: Activity) -> bool:
        """Whether an intent opens a new task: by its flags, or because the launcher starts it."""
        top = self._state.activities.top
        from_home = top is not None and top.activity.home
        return from_home or activity.home or bool(intent.flags & NEW_TASK)

    def _launch_state(self, app: App[Any]) -> LaunchState:
        if app.package not in self._state.processes:
            return "COLD"
        return "HOT" if self._state.activities.task_of(app.package) else "WARM"

    def resume(self) -> None:
        """Give the new top activity its process and the focus; close the keyboard of another field."""
        top = self._state.activities.top
        self._state.usage.note_front(self._state.clock.now, top.component if top is not None else None)
        if top is not None:
            self._start_process(top.app.package, top.component)
            self.input_log.note_focus(str(top.component))
        self._state.keyboard_requested = False
        self._state.touch()
        if not self._may_show_field():
            return
        window = self._compositor.focused
        if window is not None and window.field is not None and window.field.focused:
            self._state.keyboard_requested = True
            self._state.touch()

    def _may_show_field(self) -> bool:
        """Whether a text field may be on the screen, as far as can be said without laying anything out."""
        views = map(self._compositor.views.screen_of, self._state.activities.visible)
        return bool(self._state.prompts) or any(map(has_field, views))

    def launch(self, package: str) -> StartResult:
        """Start an app as its icon does."""
        app = self._state.apps.get(package)
        activity = app.launcher_activity if app is not None else None
        if app is None or activity is None:
            return StartResult("not_found", None)
        categories = (fx.CATEGORY_HOME if activity.home else fx.CATEGORY_LAUNCHER,)
        return self.start(fx.Intent(fx.ACTION_MAIN, app.component(activity), categories=categories))

    def show_first(self) -> None:
        """Show what a new phone shows: its home screen, and over it the activity of its profile."""
        self.home()
        first = self._state.profile.starts_with
        if first is not None:
            self.start(first)

    def home(self) -> None:
        """Show the launcher, as HOME does; a call continues in the background, and a lock screen stays."""
        if self._state.keyguard.showing:
            self._state.keyguard.back()
            return
        if self.prompts is not None:
            self.prompts.withdraw("call")
        self._show_home()

    def _show_home(self) -> None:
        """Bring the launcher to the front, after HOME or when no activity is left."""
        state = self._state
        state.shade_open = state.recents_open = False
        for app in state.apps.values():
            for activity in app.activities:
                if activity.home:
                    intent = fx.Intent(
                        fx.ACTION_MAIN, app.component(activity), categories=(fx.CATEGORY_HOME,)
                    )
                    self.start(intent)
                    return

    def back(self) -> None:
        """The BACK key closes, in this order: keyboard, overlays, dialogs, the screen's own step,
        the activity."""
        state = self._state
        if self._compositor.keyboard_window is not None:
            state.keyboard_requested = False
        elif state.keyguard.showing and not state.shade_open and not self._error_in_front:
            state.keyguard.back()
        elif (state.shade_open or state.recents_open) and not self._error_in_front:
            state.shade_open = state.recents_open = False
        else:
            self._back_in_app()
        state.touch()

    @property
    def _error_in_front(self) -> bool:
        window = self._compositor.focused
        return window is not None and window.kind == "prompt"

    def _back_in_app(self) -> None:
        window = self._compositor.focused
        if window is None:
            return
        if window.kind == "prompt":
            self.dismiss(window)
        elif window.record is None:
            return
        elif self.wait_for(window.package, self._back_in_app):
            self.input_blocked(window.package)
        elif window.kind in ("dialog", "sheet"):
            self.dismiss(window)
        else:
            self._leave(window.record)

    def dismiss(self, window: Window) -> None:
        """Handle a tap outside a floating window."""
        record = window.record
        if window.kind == "prompt" and self.prompts is not None:
            self.prompts.cancel(window.on_dismiss)
        if record is None:
            return
        if window.kind in ("dialog", "sheet"):
            if window.on_dismiss is not None:
                self.send_to(record.app, window.on_dismiss)
        elif record.activity.dialog:
            self._leave(record, outside=True)

    def _leave(self, record: ActivityRecord, *, outside: bool = False) -> None:
        screen = self._compositor.views.screen_of(record)
        if outside and screen.on_outside is not None:
            self.send_to(record.app, screen.on_outside)
        elif screen.on_back is not None:
            self.send_to(record.app, screen.on_back)
        elif not record.activity.home:
            self.finish(record)

    def finish(self, record: ActivityRecord) -> None:
        """Close an activity; who asked it for a result gets that."""
        self._state.activities.finish(record)
        if self._state.activities.top is None:
            self._show_home()
        self.resume()
        if record.asker is not None:
            app, event = record.asker
            self.send_to(app, event.with_value(record.result))

    def _start_for(self, app: App[Any], effect: fx.StartActivity) -> None:
        """Start an activity for an app, which may ask it for a result or let it answer in its place."""
        own = self._top_of(app)
        asker = (app, effect.on_result) if effect.on_result is not None else None
        if effect.forwards and own is not None:
            asker, own.asker = own.asker, None
        result = self.start(effect.intent, from_app=True, starter=app)
        top = self._state.activities.top
        if result.outcome == "started" and top is not None and top is not own:
            top.asker = asker
        elif result.outcome == "not_found" and effect.on_missing is not None:
            self.send_to(app, effect.on_missing)
        elif asker is not None:
            self.send_to(asker[0], asker[1].with_value(fx.ActivityResult()))

    def _set_result(self, app: App[Any], effect: fx.SetResult) -> None:
        record = self._top_of(app)
        if record is not None:
            record.result = fx.ActivityResult(True, effect.data, effect.extras)

    def force_stop(self, package: str) -> None:
        """End a package's process and close its activities; its stored state remains."""
        state = self._state
        if package in state.processes:
            state.write_log(
                "I", "ActivityManager", f"Force stopping {package} appid={state.uid(package)} user=0"
            )
            self.end_process(package, f"stop {package}")
        self._forget_memory(package, stopped=True)
        state.activities.remove_package(package)
        state.snackbars.pop(package, None)
        if self.prompts is not None:
            self.prompts.withdraw("crash", package)
            self.prompts.withdraw("pop_up", package)
        if state.activities.top is None:
            self._show_home()
        self.resume()

    def end_process(self, package: str, reason: str) -> None:
        """End a process; its open activities remain and restart with a new one."""
        pid = self._state.processes.pop(package)
        self.exits.appendleft(ProcessExit(package, pid, self._state.clock.now, reason))
        self._state.write_log("I", "ActivityManager", f"Killing {pid}:{package} (adj 0): {reason}")
        self._forget_memory(package)
        for callback in self.ended:
            callback(package)
        self._state.processes_changed.emit(package)
        self._state.touch()

    def _forget_memory(self, package: str, *, stopped: bool = False) -> None:
        """Remove what an app has only while its process runs: overlays, and what it wanted to do later.

        ``stopped`` when its activities and notifications go too.
        """
        state, app = self._state, self._state.apps.get(package)
        state.overlays = tuple(shown for shown in state.overlays if shown[1].app.package != package)
        if app is not None and package in state.states:
            after = app.ended(state.states[package], stopped)
            if after is not state.states[package]:
                state.states[package] = after
                self.timers.drop(package)

    # ---- effects -------------------------------------------------------------------------------

    def _finish(self, app: App[Any], effect: fx.Finish) -> None:
        record = self._top_of(app, effect.activity, effect.extras)
        if record is not None:
            self.finish(record)

    def _top_of(
        self, app: App[Any], activity: str = "", extras: Mapping[str, object] | None = None
    ) -> ActivityRecord | None:
        for record in self._state.activities.records:
            named = activity in ("", record.activity.name) and extras in (None, record.extras)
            if record.app is app and named:
                return record
        return None

    def _show_overlay(self, app: App[Any], effect: fx.ShowOverlay) -> None:
        self._hide_overlay(app, fx.HideOverlay(effect.key))
        activity = Activity(effect.activity, dialog=True)
        record = self._state.activities.apart(app, activity, fx.Intent(extras=effect.extras))
        self._state.overlays = (*self._state.overlays, (effect.key, record))

    def _hide_overlay(self, app: App[Any], effect: fx.HideOverlay) -> None:
        self._state.overlays = tuple(
            shown for shown in self._state.overlays if shown[1].app is not app or shown[0] != effect.key
        )

    def _reply(self, _app: App[Any], effect: fx.Reply) -> None:
        self.reply = (effect.code, effect.text)

    def _focus(self, app: App[Any], effect: fx.Focus) -> None:
        self._state.touch()
        window = self._compositor.focused
        if window is None or window.record is None or window.record.app is not app:
            return
        path = window.path_of(effect.id) if effect.id else ""
        window.focus(path or "")
        self._state.keyboard_requested = bool(path)

    def _scroll_to(self, app: App[Any], effect: fx.ScrollTo) -> None:
        self._state.touch()
        for window in self._compositor.windows:
            path = window.path_of(effect.id)
            if path is not None and window.record is not None and window.record.app is app:
                share = float(effect.end) if effect.share is None else effect.share
                window.scroll_to(path, share, window.path_of(effect.of) if effect.of else None)

    def _copy(self, effect: fx.CopyText) -> None:
        self._state.copy(effect.text)

    def _log(self, app: App[Any], effect: fx.WriteLog) -> None:
        self._state.write_log(effect.priority, effect.tag, effect.text, self._state.pid(app.package))


_EFFECTS: dict[type, Callable[[ActivityManager, App[Any], Any], Any]] = {
    fx.StartActivity: ActivityManager._start_for,
    fx.SetResult: ActivityManager._set_result,
    fx.Finish: ActivityManager._finish,
    fx.GoHome: lambda manager, _app, _effect: manager.home(),
    fx.ShowToast: lambda manager, _app, effect: manager.timers.show_toast(effect.text, effect.seconds),
    fx.ShowSnackbar: lambda manager, app, effect: manager.timers.show_snackbar(app, effect),
    fx.WriteLog: ActivityManager._log,
    fx.PutSetting: lambda manager, _app, effect: manager.put_setting(
        effect.namespace, effect.key, effect.value
    ),
    fx.Later: lambda manager, app, effect: manager.timers.later(app, effect),
    fx.AtTime: lambda manager, app, effect: manager.timers.at_time(app, effect),
    fx.TakePicture: lambda manager, app, effect: manager.media(app, effect),
    fx.MoveFile: lambda manager, app, effect: manager.media(app, effect),
    fx.RemoveFile: lambda manager, app, effect: manager.media(app, effect),
    fx.MakeFolder: lambda manager, app, effect: manager.media(app, effect),
    fx.WriteFile: lambda manager, app, effect: manager.media(app, effect),
    fx.PlaceCall: lambda manager, _app, effect: manager.place_call(effect.number),
    fx.CopyText: lambda manager, _app, effect: manager._copy(effect),
    fx.Focus: ActivityManager._focus,
    fx.ScrollTo: ActivityManager._scroll_to,
    fx.Notify: lambda manager, app, effect: manager.notices.post_of(app.package, effect),
    fx.CancelNotice: lambda manager, app, effect: manager.notices.cancel(app.package, effect.tag),
    fx.ShowOverlay: ActivityManager._show_overlay,
    fx.HideOverlay: ActivityManager._hide_overlay,
    fx.Reply: ActivityManager._reply,
    fx.SendBroadcast: lambda manager, _app, effect: manager.send_broadcast(effect.intent),
    fx.RequestPermission: lambda manager, app, effect: manager.request_permission(app.package, effect),
}
