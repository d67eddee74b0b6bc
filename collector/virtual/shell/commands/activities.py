"""``am`` and ``monkey``: start and stop activities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.virtual.shell.commands.intents import intent_text, read_intent
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import (
    ANDROID_7,
    ANDROID_8,
    required,
    thrown,
    unknown,
    without_user,
)
from collector.virtual.ui.effects import ACTION_MAIN, CATEGORY_LAUNCHER, Intent

_START_SECONDS = 0.15
_NEW_TASK = 0x10000000
_CLOSE_DIALOGS = "android.intent.action.CLOSE_SYSTEM_DIALOGS"
_AIRPLANE_CHANGED = "android.intent.action.AIRPLANE_MODE"


@command("am")
def am(process: Process) -> int:
    """The shell of the activity manager."""
    words = process.arguments
    action = _ACTIONS.get(words[0]) if words else None
    if action is None and words:
        return unknown(process, words[0])
    if action is None:
        raise CommandError("Activity manager (activity) commands:", 255)
    return action(process, words[1:])


def _start(process: Process, words: list[str]) -> int:
    request = read_intent(words)
    intent = request.intent
    phone = process.machine.phone
    process.simulate_duration(_START_SECONDS)
    if "-S" in request.switches:
        package = intent.component.package if intent.component else intent.package
        process.line(f"Stopping: {package}")
        phone.force_stop(package)
    process.line(f"Starting: {intent_text(intent)}")
    result = phone.start_activity(intent)
    if result.outcome == "not_exported":
        _say_not_exported(process, intent)
        return 255
    if result.outcome == "not_found" or result.component is None:
        _say_not_found(process, intent)
        return 1
    notes = {
        "brought_to_front": "Warning: Activity not started, its current task has been brought to the front",
        "delivered": "Warning: Activity not started, intent has been delivered to currently running "
        "top-most instance.",
    }
    if result.outcome in notes:
        process.line(notes[result.outcome])
    if "-W" in request.switches:
        process.out(
            f"Status: ok\nLaunchState: {result.launch_state}\nActivity: {result.component.short}\n"
            f"TotalTime: {result.total_ms}\nWaitTime: {result.total_ms + 3}\nComplete\n"
        )
    return 0


def _say_not_found(process: Process, intent: Intent) -> None:
    if intent.component:
        process.line("Error type 3")
        process.line(f"Error: Activity class {{{intent.component}}} does not exist.")
    else:
        process.line(f"Error: Activity not started, unable to resolve {intent_text(intent)}")


def _say_not_exported(process: Process, intent: Intent) -> None:
    """Print the exception of the activity manager for an activity that is not exported."""
    owner = intent.component.package if intent.component else intent.package
    uid = next((package.uid for package in process.machine.phone.packages if package.package == owner), 1000)
    shown = intent_text(replace(intent, flags=intent.flags | _NEW_TASK))
    process.err("\nException occurred while executing 'start':")
    process.err(
        f"java.lang.SecurityException: Permission Denial: starting {shown} from null "
        f"(pid={process.pid}, uid=2000) not exported from uid {uid}\n"
        "\tat com.android.server.wm.ActivityTaskSupervisor.checkStartAnyActivityPermission"
        "(ActivityTaskSupervisor.java:1172)"
    )


def _force_stop(process: Process, words: list[str]) -> int:
    packages = without_user(words)
    if not packages:
        raise CommandError('Error: Argument expected after "force-stop"', 255)
    process.machine.phone.force_stop(packages[0])
    return 0


def _kill(process: Process, words: list[str]) -> int:
    """Kill a package's process; only background processes may be killed this way."""
    packages = without_user(words)
    if not packages:
        raise CommandError('Error: Argument expected after "kill"', 255)
    process.machine.phone.services.processes.kill_background(packages[0])
    return 0


def _kill_all(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.services.processes.kill_all_background()
    return 0


def _crash(process: Process, words: list[str]) -> int:
    """Crash a package or process; one that does not run is only logged, as on Android."""
    if process.machine.phone.profile.sdk < ANDROID_8:
        process.err("Error: unknown command 'crash'")
        return 0
    rest = without_user(words)
    if rest and rest[0].startswith("--"):
        raise CommandError(f"Error: Unknown option: {rest[0]}", 255)
    name = required(process, "crash", rest)
    processes = process.machine.phone.services.processes
    package = processes.package_of(int(name)) if name.isdecimal() else name
    if not processes.crash(package):
        pid, shown_name = (name, "null") if name.isdecimal() else ("-1", name)
        text = f"crashApplication: nothing for uid=-1 initialPid={pid} packageName={shown_name} userId=-1"
        process.machine.phone.log("W", "ActivityManager", text)
    return 0


def _broadcast(process: Process, words: list[str]) -> int:
    intent = read_intent(words).intent
    process.line(f"Broadcasting: {intent_text(intent)}")
    phone = process.machine.phone
    if intent.action == _AIRPLANE_CHANGED:
        if phone.profile.sdk >= ANDROID_7:
            reason = f"not allowed to send broadcast {intent.action} from pid={process.pid}, uid=2000"
            raise thrown(process, "broadcast", f"java.lang.SecurityException: Permission Denial: {reason}")
        # Older phones accepted this broadcast from any sender, and the radios followed the key.
        phone.services.radios.set_airplane(phone.settings.is_on("global", "airplane_mode_on"))
    elif intent.action == _CLOSE_DIALOGS:
        phone.close_system_dialogs()
    process.line("Broadcast completed: result=0")
    return 0


def _start_service(process: Process, words: list[str]) -> int:
    intent = read_intent(words).intent
    process.line(f"Starting service: {intent_text(intent)}")
    process.line("Error: Not found; no service started.")
    return 1


def _stack(process: Process, words: list[str]) -> int:
    if words[:1] not in (["list"], ["list-all"]):
        raise CommandError(f"Error: unknown command '{' '.join(words)}'", 255)
    size = process.machine.phone.size
    for number, record in enumerate(process.machine.phone.stack()):
        task = record.number
        bounds = f"[0,0][{size.width},{size.height}]"
        process.out(
            f"RootTask id={task} bounds={bounds} displayId=0 userId=0\n"
            f"  taskId={task}: {record.component.short} bounds={bounds} userId=0 "
            f"visible={'true' if number == 0 else 'false'} "
            f"topActivity=ComponentInfo{{{record.component}}}\n\n"
        )
    return 0


def _current_user(process: Process, words: list[str]) -> int:
    del words
    process.line("0")
    return 0


def _configuration(process: Process, words: list[str]) -> int:
    del words
    phone = process.machine.phone
    size, dark = phone.size, phone.dark
    scale = phone.density / 160
    language = phone.locale.replace("-", "-r", 1)
    turned = "land" if size.width > size.height else "port"
    process.line(
        f"config: {language}-ldltr-sw{round(min(size.width, size.height) / scale)}dp-"
        f"w{round(size.width / scale)}dp-h{round(size.height / scale)}dp-normal-long-{turned}-"
        f"{'night' if dark else 'notnight'}-{phone.density}dpi-finger-v{phone.profile.sdk}"
    )
    process.line("abi: arm64-v8a")
    return 0


def _nothing(process: Process, words: list[str]) -> int:
    del process, words
    return 0


_ACTIONS: dict[str, Callable[[Process, list[str]], int]] = {
    "start": _start,
    "start-activity": _start,
    "force-stop": _force_stop,
    "stop-app": _force_stop,
    "kill": _kill,
    "kill-all": _kill_all,
    "crash": _crash,
    "broadcast": _broadcast,
    "startservice": _start_service,
    "start-service": _start_service,
    "start-foreground-service": _start_service,
    "stack": _stack,
    "get-current-user": _current_user,
    "get-config": _configuration,
    "wait-for-broadcast-idle": _nothing,
    "set-debug-app": _nothing,
    "clear-debug-app": _nothing,
    "send-trim-memory": _nothing,
}


@command("monkey")
def monkey(process: Process) -> int:
    """Open an app with ``-p PACKAGE -c CATEGORY 1``, as tools do; no random events are made."""
    words = process.arguments
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    count = words[-1] if words and words[-1].isdecimal() else "1"
    launchers = [
        installed.launcher for installed in process.machine.phone.packages if installed.package == package
    ]
    component = launchers[0] if launchers else None
    process.out("  bash arg: " + "\n  bash arg: ".join(words) + "\n" if words else "")
    if component is None:
        process.err("** No activities found to run, monkey aborted.")
        return 252
    process.simulate_duration(_START_SECONDS)
    process.machine.phone.start_activity(Intent(ACTION_MAIN, component, categories=(CATEGORY_LAUNCHER,)))
    process.out(
        f"Events injected: {count}\n"
        "## Network stats: elapsed time=10ms (0ms mobile, 0ms wifi, 10ms not connected)\n"
    )
    return 0
