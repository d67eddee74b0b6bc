"""``dumpsys activity top`` and ``dumpsys activity PACKAGE``: activities with their views."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from collector.virtual.android_versions import ANDROID_10, ANDROID_11, ANDROID_14
from collector.virtual.shell.commands.dumpsys.activity.activities import activity_state
from collector.virtual.shell.commands.dumpsys.window.configuration import configuration
from collector.virtual.shell.commands.dumpsys.window.insets import insets_lines
from collector.virtual.shell.commands.dumpsys.window.records import affinity, hash_code, truth
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.task_report import OpenTask, ShownView


def dump_top(process: Process, words: list[str]) -> None:
    """The top activity of each task, the one in front last."""
    del words
    phone = process.machine.phone
    for task in reversed(phone.services.tasks.tasks()):
        _print_task(process, task, task.records[:1])


def dump_named(process: Process, name: str) -> bool:
    """The activities of a package, or those whose component has ``name``; False when none match."""
    phone = process.machine.phone
    found = False
    for task in phone.services.tasks.tasks():
        records = [
            record
            for record in task.records
            if name in ("all", record.component.package, record.token)
            or ("/" in name and name in (record.component.short, str(record.component)))
            or ("." in name and name in str(record.component))
        ]
        if records:
            _print_task(process, task, records)
            found = True
    return found


def _print_task(process: Process, task: OpenTask, records: Iterable[ActivityRecord]) -> None:
    phone = process.machine.phone
    sdk, owners = phone.profile.sdk, phone.services.packages.uids
    uid = owners.get(task.package, 1000)
    name = "null" if task.is_home else affinity(task, uid, sdk)[2:]
    display = " displayId=0(type=INTERNAL)" if sdk >= ANDROID_14 else ""
    process.line(f"TASK {name} id={task.number} userId=0{display}")
    front = phone.stack()
    for record in records:
        pid = phone.pid_of(record.component.package) or "(not running)"
        more = f" userId=0 uid={uid}{display}" if sdk >= ANDROID_14 else ""
        process.line(f"  ACTIVITY {record.component.short} {record.token} pid={pid}{more}")
        state = activity_state(phone, record, front=bool(front) and record is front[0])
        process.out("".join(f"    {line}\n" for line in _activity(phone, record, state)))
    process.line()


def _activity(phone: Phone, record: ActivityRecord, state: str) -> Iterator[str]:
    """What an app says of its activity, in the order of ``Activity.dump``."""
    sdk = phone.profile.sdk
    focused = truth(state == "RESUMED" and phone.focused_window == str(record.component))
    yield f"Local Activity {hash_code(f'local {record.token}')} State:"
    yield f"  mResumed={truth(state == 'RESUMED')} mStopped={truth(state == 'STOPPED')} mFinished=false"
    if sdk >= ANDROID_11:
        yield "  mIsInMultiWindowMode=false mIsInPictureInPictureMode=false"
    yield "  mChangingConfigurations=false"
    yield f"  mCurrentConfig={configuration(phone, 'home' if record.activity.home else 'standard')}"
    yield "  mLoadersStarted=true"
    yield "  FragmentManager misc state:"
    host = hash_code(f"host {record.token}")
    yield f"    mHost=android.app.Activity$HostCallbacks@{host}"
    yield f"    mContainer=android.app.Activity$HostCallbacks@{host}"
    yield (
        f"    mCurState={5 if state == 'RESUMED' else 3} "
        f"mStateSaved={truth(state != 'RESUMED')} mDestroyed=false"
    )
    yield "ViewRoot:"
    yield "  mAdded=true"
    yield "  mRemoved=false"
    yield f"  mStopped={truth(state == 'STOPPED')}"
    yield "  mTraversalScheduled=false"
    yield "  mIsAmbientMode=false"
    yield "  mAttachInfo=       AttachInfo:"
    yield f"    mHasWindowFocus={focused}"
    yield f"    mWindowVisibility={0 if state != 'STOPPED' else 8}"
    yield "    mInTouchMode=true"
    yield "Choreographer:"
    yield "  mFrameScheduled=false"
    if sdk >= ANDROID_11:
        yield "InsetsController:"
        state_lines = (line.removeprefix("  ") for line in insets_lines(phone)[2:])
        for line in state_lines:
            if line.startswith("  Control map"):
                break
            yield f"  {line}"
    yield from _hierarchy(phone, record)
    yield "Looper (main, tid 2) {" + window_token(f"looper {record.component.package}") + "}"
    yield "  (Total messages: 0, polling=false, quitting=false)"


def _hierarchy(phone: Phone, record: ActivityRecord) -> Iterator[str]:
    """The views of a window below its root; of an activity that cannot be seen only the root."""
    views = phone.services.tasks.views(record)
    size, name = phone.size, str(record.component).rpartition(".")[2]
    seen = "V.E...... R......D" if views else "I.E...... R.....ID"
    decor = hash_code(f"decor {record.token}")
    yield "View Hierarchy:"
    if phone.profile.sdk >= ANDROID_10:
        whole = f"0,0-{size.width},{size.height}"
        yield f"  com.android.internal.policy.DecorView{{{decor} {seen} {whole}}}[{name}]"
    else:
        yield f"  DecorView@{decor}[{name}]"
    for number, view in enumerate(views[1:]):
        yield "  " * (view.depth + 1) + _view(view, f"{record.token} {number}", record.component.package)


def _view(view: ShownView, key: str, package: str) -> str:
    """A view as ``View.toString`` prints it: state as letters, place, id."""
    state = "".join(
        letter if holds else "."
        for letter, holds in (
            ("V", True), ("F", view.focusable), ("E", view.enabled), ("D", view.draws), ("H", False),
            ("V", view.scrolls), ("C", view.clickable), ("L", view.long_clickable), ("X", False),
        )
    )  # fmt: skip
    private = "".join(
        letter if holds else "."
        for letter, holds in (("R", False), ("F", view.focused), ("S", view.selected), ("P", False))
    )
    place = view.place
    name = f" {_id(view.name, package)}" if view.name else ""
    return (
        f"{view.class_name}{{{hash_code(key)} {state} {private}.... "
        f"{place.left},{place.top}-{place.right},{place.bottom}{name}}}"
    )


def _id(name: str, package: str) -> str:
    """``#7f0a012c app:id/title``."""
    owner, _, entry = name.partition(":id/")
    number = zlib.crc32(name.encode()) & 0xFFFF
    if name == "android:id/content":
        return f"#1020002 {name}"
    if owner == "android":
        return f"#102{number & 0xFFF:04x} android:id/{entry}"
    return f"#7f0a{number:04x} {'app' if owner == package else owner}:id/{entry or owner}"
