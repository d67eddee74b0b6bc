"""``am``: start and stop activities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.virtual.android_versions import ANDROID_7, ANDROID_8, ANDROID_11, ANDROID_12
from collector.virtual.shell.commands.packages.intents import intent_text, intent_uri, read_intent
from collector.virtual.shell.commands.packages.standby import BACKGROUND_ACTIONS
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command
from collector.virtual.shell.services.service import required, thrown, unknown, without_user
from collector.virtual.ui.effects import Intent

_START_SECONDS = 0.15
_NEW_TASK, _FROM_SHELL = 0x10000000, 0x00400000
_CLOSE_DIALOGS = "android.intent.action.CLOSE_SYSTEM_DIALOGS"
_AIRPLANE_CHANGED = "android.intent.action.AIRPLANE_MODE"


_USAGE = """Activity manager (activity) commands:
  help
      Print this help text.
  start-activity [-D] [-N] [-W] [-P <FILE>] [--start-profiler <FILE>] [-S] <INTENT>
      Start an Activity.
  start-service [--user <USER_ID> | current] <INTENT>
      Start a Service.
  start-foreground-service [--user <USER_ID> | current] <INTENT>
      Start a foreground Service.
  broadcast [--user <USER_ID> | all | current] [--receiver-permission <PERMISSION>] <INTENT>
      Send a broadcast Intent.
  force-stop [--user <USER_ID> | all | current] <PACKAGE>
      Completely stop the given application package.
  stop-app [--user <USER_ID> | all | current] <PACKAGE>
      Stop an app and all of its services.
  kill [--user <USER_ID> | all | current] <PACKAGE>
      Kill all background processes associated with the given application.
  kill-all
      Kill all processes that are safe to kill (cached, etc).
  crash [--user <USER_ID>] <PACKAGE|PID>
      Induce a VM crash in the specified package or process
  stack list
      List all of the activity stacks and their sizes.
  get-current-user
      Returns id of the current foreground user.
  get-config
      Retrieve the configuration and any recent configurations of the device
  to-uri <INTENT>
      Print the given Intent specification as a URI.
"""


@command("am")
def am(process: Process) -> int:
    """The shell of the activity manager."""
    words = process.arguments
    action = _ACTIONS.get(words[0]) if words else None
    if words[:1] in (["help"], ["-h"]):
        process.out(_USAGE)
        return 0
    if action is None and words:
        return unknown(process, words[0])
    if action is None:
        process.out(_USAGE)
        return 255
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
    waits = "-W" in request.switches
    report = process.line if waits else process.err
    if result.outcome == "not_found" or result.component is None:
        for line in _not_found(intent):
            report(line)
        return 0
    notes = {
        "brought_to_front": "Warning: Activity not started, its current task has been brought to the front",
        "delivered": "Warning: Activity not started, intent has been delivered to currently running "
        "top-most instance.",
    }
    if result.outcome in notes:
        report(notes[result.outcome])
    if waits:
        process.out(
            f"Status: ok\nLaunchState: {result.launch_state}\nActivity: {result.component.short}\n"
            f"TotalTime: {result.total_ms}\nWaitTime: {result.total_ms + 3}\nComplete\n"
        )
    return 0


def _not_found(intent: Intent) -> tuple[str, ...]:
    if intent.component:
        return "Error type 3", f"Error: Activity class {{{intent.component}}} does not exist."
    shown = intent_text(replace(intent, flags=intent.flags | _NEW_TASK))
    return (f"Error: Activity not started, unable to resolve {shown}",)


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
    phone = process.machine.phone
    if phone.profile.sdk >= ANDROID_8:
        intent = replace(intent, flags=intent.flags | _FROM_SHELL)
    process.line(f"Broadcasting: {intent_text(intent)}")
    if intent.action == _AIRPLANE_CHANGED:
        if phone.profile.sdk >= ANDROID_7:
            reason = f"not allowed to send broadcast {intent.action} from pid={process.pid}, uid=2000"
            raise thrown(process, "broadcast", f"java.lang.SecurityException: Permission Denial: {reason}")
        # Older phones accepted this broadcast from any sender, and the radios followed the key.
        phone.services.radios.set_airplane(phone.settings.is_on("global", "airplane_mode_on"))
    elif intent.action == _CLOSE_DIALOGS:
        phone.close_system_dialogs()
    result = phone.services.broadcasts.send(intent)
    data = "" if result.data is None else f', data="{result.data}"'
    process.line(f"Broadcast completed: result={result.code}{data}")
    return 0


def _start_service(process: Process, words: list[str]) -> int:
    intent = read_intent(words).intent
    process.line(f"Starting service: {intent_text(intent)}")
    raise CommandError("Error: Not found; no service started.", 255)


def _switch_user(process: Process, words: list[str]) -> int:
    """There is one user, 0; Android 11 and later say that another cannot be switched to."""
    if not words:
        raise CommandError('Error: Argument expected after "switch-user"', 255)
    if not words[-1].isdecimal():
        process.err("\nException occurred while executing 'switch-user':")
        raise CommandError(f'java.lang.NumberFormatException: For input string: "{words[-1]}"', 255)
    if int(words[-1]) == 0 or process.machine.phone.profile.sdk < ANDROID_11:
        return 0
    process.line(f"Error: Failed to switch to user {int(words[-1])}")
    return 1


def _stack(process: Process, words: list[str]) -> int:
    if words[:1] not in (["list"], ["list-all"]):
        raise CommandError(f"Error: unknown command '{' '.join(words)}'", 255)
    phone = process.machine.phone
    bounds = f"[0,0][{phone.size.width},{phone.size.height}]"
    for number, task in enumerate(phone.services.tasks.tasks()):
        kind = "RootTask" if phone.profile.sdk >= ANDROID_12 else "Stack"
        process.out(
            f"{kind} id={task.number} bounds={bounds} displayId=0 userId=0\n"
            f"  taskId={task.number}: {task.root.component} bounds={bounds} userId=0 "
            f"visible={'true' if number == 0 else 'false'} "
            f"topActivity=ComponentInfo{{{task.records[0].component}}}\n\n"
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


def _uri(process: Process, words: list[str]) -> int:
    """Print an intent as ``intent:`` URI."""
    process.line(intent_uri(read_intent(words).intent))
    return 0


def _instrument(process: Process, words: list[str]) -> int:
    """Fail: no app of this phone has an instrumentation."""
    name = next((word for word in reversed(words) if "/" in word), words[-1] if words else "")
    process.out(
        f"android.util.AndroidException: INSTRUMENTATION_FAILED: {name}\n"
        "\tat com.android.commands.am.Instrument.run(Instrument.java:543)\n"
    )
    process.err(
        f"INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{{{name}}}\n"
        "INSTRUMENTATION_STATUS_CODE: -1"
    )
    return 1


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
    "task": _nothing,
    "switch-user": _switch_user,
    "to-uri": _uri,
    "to-intent-uri": _uri,
    "instrument": _instrument,
    "get-current-user": _current_user,
    "get-config": _configuration,
    "startforegroundservice": _start_service,
    **BACKGROUND_ACTIONS,
    "make-uid-idle": _nothing,
    "unlock-user": _nothing,
    "wait-for-broadcast-idle": _nothing,
    "wait-for-broadcast-barrier": _nothing,
    "wait-for-application-barrier": _nothing,
    "set-debug-app": _nothing,
    "clear-debug-app": _nothing,
    "send-trim-memory": _nothing,
}
