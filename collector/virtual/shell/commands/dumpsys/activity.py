"""``dumpsys activity [activities|top|recents|processes]``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_12, ANDROID_13
from collector.virtual.shell.commands.dumpsys.window import record_name, window_name
from collector.virtual.shell.commands.packages.intents import intent_text
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.input_log import window_token

_EMPTY = {
    **dict.fromkeys(("services", "s"), "ACTIVITY MANAGER SERVICES"),
    **dict.fromkeys(("broadcasts", "b"), "ACTIVITY MANAGER BROADCAST STATE"),
    **dict.fromkeys(("providers", "prov"), "ACTIVITY MANAGER CONTENT PROVIDERS"),
    **dict.fromkeys(("intents", "i"), "ACTIVITY MANAGER PENDING INTENTS"),
}
"""Sections about what no app of this phone has."""


def dump_activity(process: Process, words: list[str]) -> int:
    """The requested section; activities when none is named."""
    section = next((word for word in words if not word.startswith("-")), "activities")
    chosen = _SECTIONS.get(section)
    if chosen:
        chosen(process)
    elif section in _EMPTY:
        title = {"s": "services", "b": "broadcasts", "prov": "providers", "i": "intents"}.get(
            section, section
        )
        process.line(f"{_EMPTY[section]} (dumpsys activity {title})\n  (nothing)")
    else:
        process.line(f"Bad activity command, or no activities match: {section}")
    return 0


def _tasks(process: Process) -> list[tuple[str, list[ActivityRecord]]]:
    """Open activities by package, the front one first."""
    tasks: dict[str, list[ActivityRecord]] = {}
    for record in process.machine.phone.stack():
        tasks.setdefault(record.component.package, []).append(record)
    return list(tasks.items())


def _activities(process: Process) -> None:
    phone = process.machine.phone
    sdk = phone.profile.sdk
    process.line("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)")
    process.line("Display #0 (activities from top to bottom):")
    uids = {package.package: package.uid for package in phone.packages}
    for number, (package, records) in enumerate(_tasks(process)):
        user = _user(uids.get(package, 1000))
        shown = "true" if number == 0 else "false"
        task = f"{window_token(package)} #{records[-1].number} type=standard A={package} U=0"
        process.line(f"  * Task{{{task} visible={shown} sz={len(records)}}}")
        process.line(f"    mLastPausedActivity: {record_name(records[0], sdk)}")
        for place, record in enumerate(records):
            process.out(
                f"    * Hist  #{len(records) - 1 - place}: {record_name(record, sdk)}\n"
                f"      packageName={package} processName={package}\n"
                f"      app=ProcessRecord{{{window_token(package)} "
                f"{phone.pid_of(package) or 0}:{package}/{user}}}\n"
                f"      {intent_text(record.intent)}\n"
                f"      mActivityComponent={record.component.short}\n"
                f"      state={'RESUMED' if number == 0 and place == 0 else 'STOPPED'}\n"
            )
        if number == 0:
            key = "topResumedActivity=" if sdk >= ANDROID_13 else "mResumedActivity: "
            process.line(f"    {key}{record_name(records[0], sdk)}")
    stack = phone.stack()
    if stack:
        if sdk >= ANDROID_12:
            process.out(
                "\n  Resumed activities in task display areas (from top to bottom):\n"
                f"    Resumed: {record_name(stack[0], sdk)}\n"
            )
        process.line(f"\n  ResumedActivity: {record_name(stack[0], sdk)}")
        process.line(f"  mFocusedApp={record_name(stack[0], sdk)}")
    title = phone.focused_window
    process.line(f"  mCurrentFocus={window_name(title) if title else 'null'}")


def _top(process: Process) -> None:
    phone = process.machine.phone
    tasks = _tasks(process)
    for package, records in reversed(tasks):
        is_front = "true" if records is tasks[0][1] else "false"
        is_behind = "false" if records is tasks[0][1] else "true"
        process.line(f"TASK {package} id={records[-1].number} userId=0")
        record, pid = records[0], phone.pid_of(package) or "(not running)"
        process.out(
            f"  ACTIVITY {record.component.short} {record.token} pid={pid}\n"
            f"    Local Activity {record.token} State:\n"
            f"      mResumed={is_front} mStopped={is_behind} mFinished=false\n\n"
        )


def _recents(process: Process) -> None:
    process.line("ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)")
    uids = {package.package: package.uid for package in process.machine.phone.packages}
    for number, (package, records) in enumerate(_tasks(process)):
        task = f"Task{{{window_token(package)} #{records[-1].number} type=standard A={package}}}"
        process.out(
            f"  * Recent #{number}: {task}\n"
            f"    userId=0 effectiveUid={_user(uids.get(package, 1000))}\n"
            f"    realActivity={{{records[-1].component.short}}}\n"
        )


def _processes(process: Process) -> None:
    phone = process.machine.phone
    process.line("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)")
    for package in phone.packages:
        pid = phone.pid_of(package.package)
        if pid is not None:
            name = package.package
            process.line(
                f"  *APP* UID {package.uid} "
                f"ProcessRecord{{{window_token(name)} {pid}:{name}/{_user(package.uid)}}}"
            )


def _user(uid: int) -> str:
    """The user of an app as the activity manager prints it: ``u0a124``."""
    return f"u0a{uid - 10_000}" if uid >= 10_000 else str(uid)


_SECTIONS = {
    "activities": _activities,
    "a": _activities,
    "top": _top,
    "recents": _recents,
    "r": _recents,
    "processes": _processes,
    "p": _processes,
}
