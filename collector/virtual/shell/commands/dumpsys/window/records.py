"""Names of windows, activities, tasks and processes as the services print them, by Android version."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_10, ANDROID_11, ANDROID_12, ANDROID_13, ANDROID_14
from collector.virtual.shell.system_processes import SYSTEM_PROCESSES
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.phone_state.state import SYSTEM_PID
from collector.virtual.system.task_report import OpenTask

_STRAY_BRACE = (ANDROID_13, ANDROID_14)
SYSTEM_UI = "com.android.systemui"


def truth(value: object) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"


def hash_code(name: str) -> str:
    """The hexadecimal hash code of an object; equal names give equal codes."""
    return window_token(name).lstrip("0") or "0"


def window_name(title: str) -> str:
    """``Window{1a2b3c4 u0 com.example/com.example.Main}``."""
    return f"Window{{{window_token(title)} u0 {title}}}"


def record_name(record: ActivityRecord, task: int, sdk: int) -> str:
    """``ActivityRecord{1a2b3c4 u0 com.example/.Main t7}``; Android 13 and 14 close the brace twice."""
    stray = "}" if sdk in _STRAY_BRACE else ""
    return f"ActivityRecord{{{record.token} u0 {record.component.short}{stray} t{task}}}"


def front_record(phone: Phone) -> str:
    """The name of the activity in front; empty while there is none."""
    tasks = phone.services.tasks.tasks()
    return record_name(tasks[0].records[0], tasks[0].number, phone.profile.sdk) if tasks else ""


def focused_app(phone: Phone) -> str:
    """The activity with the focus, in the token that held it before Android 10; ``null`` for none."""
    name = front_record(phone)
    if name and phone.profile.sdk < ANDROID_10:
        tokens = window_token(f"app {name}"), window_token(f"token {name}")
        return f"AppWindowToken{{{tokens[0]} token=Token{{{tokens[1]} {name}}}}}"
    return name or "null"


def user_of(uid: int) -> str:
    """The user of an app as the activity manager prints it: ``u0a124``."""
    return f"u0a{uid - 10_000}" if uid >= 10_000 else str(uid)


def pid_in(phone: Phone, package: str) -> int:
    """The process of a package; that of the system for a package without one."""
    system = next((row.pid for row in SYSTEM_PROCESSES if row.name == package), SYSTEM_PID)
    return phone.pid_of(package) or system


def process_name(phone: Phone, package: str, uid: int) -> str:
    """``ProcessRecord{1a2b3c4 4285:com.example/u0a124}``; ``null`` for a package that does not run."""
    pid = phone.pid_of(package)
    if pid is None:
        return "null"
    return f"ProcessRecord{{{window_token(f'process {package}')} {pid}:{package}/{user_of(uid)}}}"


def task_kind(task: OpenTask) -> str:
    """``home`` or ``standard``."""
    return "home" if task.is_home else "standard"


def affinity(task: OpenTask, uid: int, sdk: int) -> str:
    """``A=10124:com.example``; a home screen has none and is named by its activity."""
    if task.is_home:
        return f"I={task.root.component.short}"
    return f"A={uid}:{task.package}" if sdk >= ANDROID_11 else f"A={task.package}"


def task_name(task: OpenTask, uid: int, sdk: int, *, visible: bool = False, whole: bool = False) -> str:
    """``Task{1a2b3c4 #7 type=standard A=10124:com.example}``; ``whole`` with its state, as in a heading."""
    token, size = window_token(f"task {task.number}"), len(task.records)
    known = f"{token} #{task.number}"
    if sdk < ANDROID_11:
        return f"TaskRecord{{{known} {affinity(task, uid, sdk)} U=0 StackId={task.number} sz={size}}}"
    if sdk < ANDROID_12:
        state = f"visible={truth(visible)} type={task_kind(task)} mode=fullscreen"
        named = f"translucent={truth(not visible)} {affinity(task, uid, sdk)}"
        return f"Task{{{known} {state} {named} U=0 StackId={task.number} sz={size}}}"
    named = f"{known} type={task_kind(task)} {affinity(task, uid, sdk)}"
    if sdk >= ANDROID_14 and not whole:
        return f"Task{{{named}}}"
    shown = truth(visible)
    return (
        f"Task{{{named} U=0 visible={shown} visibleRequested={shown} mode=fullscreen "
        f"translucent={truth(not visible)} sz={size}}}"
    )
