"""Processes of apps: crash, kill, not responding, resume."""

from __future__ import annotations

from collector.model.event_emitter import EventEmitter
from collector.virtual.android_versions import ANDROID_12
from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.phone_state.logcat import CRASH
from collector.virtual.system.phone_state.process_exits import NotResponding, ProcessExit
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.effects import Intent

REPEAT_SECONDS = 120.0
"""A second crash within this time is "again" (ProcessList.MIN_CRASH_INTERVAL)."""
_TAG = "ActivityManager"
_FRAMES = (
    "android.app.ActivityThread.throwRemoteServiceException(ActivityThread.java:2075)",
    "android.app.ActivityThread$H.handleMessage(ActivityThread.java:2384)",
    "android.os.Handler.dispatchMessage(Handler.java:107)",
    "android.os.Looper.loopOnce(Looper.java:232)",
    "android.os.Looper.loop(Looper.java:317)",
    "android.app.ActivityThread.main(ActivityThread.java:8705)",
    "java.lang.reflect.Method.invoke(Native Method)",
    "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run(RuntimeInit.java:580)",
    "com.android.internal.os.ZygoteInit.main(ZygoteInit.java:886)",
)


class Processes:
    """The effects of signals and the activity manager on apps. Every method may be called from any
    thread."""

    def __init__(self, state: SystemState, manager: ActivityManager, prompts: Prompts) -> None:
        self._state = state
        self._manager = manager
        self._prompts = prompts
        self._crashes: dict[str, float] = {}
        self._overdue: dict[str, int] = {}
        self._last_anr: NotResponding | None = None
        prompts.answers["crash"] = self._crash_answered
        prompts.answers["anr"] = self._anr_answered
        manager.input_blocked = self.on_input_blocked
        manager.ended.append(self._forget)

    def forget_crashes(self) -> None:
        """The next crash of an app is its first, as after a restart. The caller holds the phone's lock."""
        self._crashes.clear()

    @property
    def changed(self) -> EventEmitter[str]:
        """Emits the package whose process started or ended; subscribers must not wait."""
        return self._state.processes_changed

    @property
    def exits(self) -> list[ProcessExit]:
        """The latest ends of processes, the newest first."""
        with self._state.lock:
            return list(self._manager.exits)

    @property
    def last_anr(self) -> NotResponding | None:
        """The app that did not respond last; None while all did."""
        with self._state.lock:
            return self._last_anr

    def debuggable(self) -> list[int]:
        """The processes that a debugger may attach to: those of all apps but the system's."""
        with self._state.lock:
            apps, processes = self._state.apps, self._state.processes
            return sorted(
                pid for package, pid in processes.items() if package in apps and not apps[package].system
            )

    def package_of(self, pid: int) -> str:
        """The package of a process; empty when the process is not an app."""
        with self._state.lock:
            return next((name for name, process in self._state.processes.items() if process == pid), "")

    def started_ns(self, package: str) -> int:
        """Uptime in ns when the process of a package started; 0 when it does not run."""
        with self._state.lock:
            return self._state.started_ns.get(package, 0) if package in self._state.processes else 0

    def starts(self) -> list[int]:
        """Uptime in ns of every start of an app's process since the phone was switched on."""
        with self._state.lock:
            return list(self._state.starts)

    def stopped(self, package: str) -> bool:
        with self._state.lock:
            return package in self._state.stopped

    # ---- crash and kill ------------------------------------------------------------------------

    def crash(self, package: str) -> bool:
        """Crash the main thread with an uncaught exception; False when the package does not run."""
        with self._state.lock:
            pid = self._state.processes.get(package)
            if pid is None:
                return False
            self._log_exception(package, pid)
            top = next(
                (record for record in self._state.activities.records if record.app.package == package), None
            )
            if top is not None:
                name = top.component.short
                self._state.write_log("W", "ActivityTaskManager", f"  Force finishing activity {name}")
            self._manager.end_process(package, "crash")
            now, before = self._state.time.now_ns / 1e9, self._crashes.get(package)
            self._crashes[package] = now
            repeated = before is not None and now - before < REPEAT_SECONDS
            if top is not None:
                self._manager.finish(top)
            if self._shows_dialogs and (repeated or self._shows_first_crash):
                self._prompts.ask(Prompt("crash", package, repeated=repeated))
            return True

    @property
    def _shows_first_crash(self) -> bool:
        """Whether a setting asks for a dialog on the first crash; Android hides it by default."""
        settings = self._state.settings
        return settings.is_on("global", "show_first_crash_dialog") or settings.is_on(
            "secure", "show_first_crash_dialog_dev_option"
        )

    @property
    def _shows_dialogs(self) -> bool:
        return not self._state.settings.is_on("global", "hide_error_dialogs")

    def _log_exception(self, package: str, pid: int) -> None:
        kind = "android.app.RemoteServiceException"
        if self._state.profile.sdk >= ANDROID_12:
            kind += "$CrashedByAdbException"
        lines = [
            "FATAL EXCEPTION: main",
            f"Process: {package}, PID: {pid}",
            f"{kind}: shell-induced crash",
            *(f"\tat {frame}" for frame in _FRAMES),
        ]
        self._state.write_log("E", "AndroidRuntime", "\n".join(lines), pid, CRASH)
        self._state.write_log("I", "Process", f"Sending signal. PID: {pid} SIG: 9", pid)

    def _crash_answered(self, prompt: Prompt, answer: str) -> None:
        if answer == "info":
            data = f"package:{prompt.package}"
            self._manager.start(Intent("android.settings.APPLICATION_DETAILS_SETTINGS", data=data))

    def kill(self, package: str, reason: str = "signal 9") -> None:
        """End a process.

        The foreground activity closes, since its state was not saved; the others get a new process
        when they return to the foreground.
        """
        with self._state.lock:
            if package in self._state.processes:
                self._manager.end_process(package, reason)
                top = self._state.activities.top
                if top is not None and top.app.package == package:
                    self._manager.finish(top)

    def kill_background(self, package: str) -> None:
        """Kill a process in the background only, as ``am kill``."""
        with self._state.lock:
            if package not in {record.app.package for record in self._state.activities.visible}:
                self.kill(package, "kill background")

    def kill_all_background(self) -> None:
        with self._state.lock:
            for package in list(self._state.processes):
                self.kill_background(package)

    # ---- stop and continue ---------------------------------------------------------------------

    def stop(self, package: str) -> None:
        """SIGSTOP: the app does not respond until SIGCONT."""
        with self._state.lock:
            if package in self._state.processes:
                self._state.stopped.add(package)
                self._state.touch()

    def resume(self, package: str) -> None:
        """SIGCONT: run the postponed actions in order."""
        with self._state.lock:
            if package not in self._state.stopped:
                return
            waiting = self._state.waiting.get(package, [])
            self._forget(package)
            for act in waiting:
                act()
            self._state.touch()

    def on_input_blocked(self, package: str) -> None:
        """A person waits for a stopped app: after a while show the "not responding" dialog."""
        if package in self._overdue:
            return
        seconds = self._state.profile.input_timeout
        self._overdue[package] = self._state.ticker.after(seconds, lambda: self._not_responding(package))

    def _not_responding(self, package: str) -> None:
        self._overdue.pop(package, None)
        if package not in self._state.stopped or not self._shows_dialogs:
            return
        pid = self._state.pid(package)
        top = next(
            (record for record in self._state.activities.records if record.app.package == package), None
        )
        where = f" ({top.component.short})" if top is not None else ""
        seconds = round(self._state.profile.input_timeout * 1000)
        reason = f"Input dispatching timed out (Waited {seconds}ms for MotionEvent)"
        shown = top.component.short if top is not None else ""
        self._last_anr = NotResponding(package, shown, self._state.clock.now, reason)
        text = f"ANR in {package}{where}\nPID: {pid}\nReason: {reason}"
        self._state.write_log("E", _TAG, text)
        self._prompts.ask(Prompt("anr", package))

    def _anr_answered(self, prompt: Prompt, answer: str) -> None:
        if answer == "close":
            self._manager.force_stop(prompt.package)

    def _forget(self, package: str) -> None:
        """Close the dialog of a process that responds again or has ended."""
        self._state.stopped.discard(package)
        self._state.waiting.pop(package, None)
        self._state.ticker.cancel(self._overdue.pop(package, None))
        self._prompts.withdraw("anr", package)
