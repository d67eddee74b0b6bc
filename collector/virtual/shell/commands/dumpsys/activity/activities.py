"""``dumpsys activity activities``, ``recents`` and ``containers``: the tasks, by Android version."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from collector.virtual.android_versions import (
    ANDROID_6,
    ANDROID_9,
    ANDROID_10,
    ANDROID_11,
    ANDROID_12,
    ANDROID_13,
    ANDROID_15,
)
from collector.virtual.shell.commands.dumpsys.window.configuration import configuration
from collector.virtual.shell.commands.dumpsys.window.displays import display_contents
from collector.virtual.shell.commands.dumpsys.window.records import (
    affinity,
    front_record,
    process_name,
    record_name,
    task_kind,
    task_name,
    truth,
    window_name,
)
from collector.virtual.shell.commands.packages.intents import intent_text
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.task_report import OpenTask
from collector.virtual.ui.effects import Intent

NEW_TASK = 0x10000000


def dump_activities(process: Process, words: list[str]) -> None:
    """The tasks from top to bottom with their activities; then what is in front."""
    del words
    phone = process.machine.phone
    sdk = phone.profile.sdk
    process.line("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)")
    process.line("Display #0 (activities from top to bottom):")
    tasks = phone.services.tasks.tasks()
    for number, task in enumerate(tasks):
        lines = _task(phone, task, number == 0) if sdk >= ANDROID_12 else _stack(phone, task, number == 0)
        process.out("".join(f"{line}\n" for line in lines) + "\n")
    front = front_record(phone)
    if sdk >= ANDROID_12 and front:
        process.out(
            f"  Resumed activities in task display areas (from top to bottom):\n    Resumed: {front}\n\n"
        )
    process.line(f"  ResumedActivity: {front or 'null'}")
    process.out("".join(f"{line}\n" for line in _supervisor(phone, tasks)))


def task_intent(task: OpenTask) -> Intent:
    """The intent that began a task, as it is kept: with its component."""
    root = task.root
    return replace(root.intent, component=root.component, flags=root.intent.flags | NEW_TASK)


def activity_state(phone: Phone, record: ActivityRecord, *, front: bool) -> str:
    """RESUMED in front, PAUSED below a dialog, else STOPPED; all are stopped while the screen is off."""
    if not phone.awake or phone.services.lock_screen.showing:
        return "STOPPED"
    if front:
        return "RESUMED"
    return "PAUSED" if record.number in phone.services.tasks.visible() else "STOPPED"


def _task(phone: Phone, task: OpenTask, front: bool) -> Iterator[str]:
    """A task as Android 12 and later print it."""
    sdk, uid = phone.profile.sdk, phone.services.packages.uids.get(task.package, 1000)
    top = task.records[0]
    yield f"  * {task_name(task, uid, sdk, visible=front, whole=True)}"
    if sdk >= ANDROID_15:
        yield "    fullscreenRequestAllowMode=NONE"
    yield f"    mLastPausedActivity: {record_name(top, task.number, sdk)}"
    yield f"    isSleeping={truth(not phone.awake)}"
    resumed = front and activity_state(phone, top, front=True) == "RESUMED"
    if resumed:
        key = "topResumedActivity=" if sdk >= ANDROID_13 else "mResumedActivity: "
        yield f"    {key}{record_name(top, task.number, sdk)}"
    for place, record in enumerate(task.records):
        is_front = front and place == 0
        yield f"    * Hist  #{len(task.records) - 1 - place}: {record_name(record, task.number, sdk)}"
        for line in _activity(phone, task, record, uid, is_front):
            yield f"      {line}"


def _stack(phone: Phone, task: OpenTask, front: bool) -> Iterator[str]:
    """A stack with its task as Android 5 to 11 print it."""
    sdk, uid = phone.profile.sdk, phone.services.packages.uids.get(task.package, 1000)
    top = task.records[0]
    kind = f": type={task_kind(task)} mode=fullscreen" if sdk >= ANDROID_9 else ":"
    yield f"  Stack #{task.number}{kind}"
    if sdk >= ANDROID_9:
        yield f"  isSleeping={truth(not phone.awake)}"
        yield "  mBounds=Rect(0, 0 - 0, 0)"
    if sdk < ANDROID_11:
        yield f"    Task id #{task.number}"
    yield f"    * {task_name(task, uid, sdk, visible=front)}"
    if sdk < ANDROID_11:
        yield from (f"      {line}" for line in _task_record(phone, task))
    for place, record in enumerate(task.records):
        yield f"      * Hist #{len(task.records) - 1 - place}: {record_name(record, task.number, sdk)}"
        for line in _activity(phone, task, record, uid, front and place == 0):
            yield f"          {line}"
    yield ""
    yield "    Running activities (most recent first):"
    yield f"      {task_name(task, uid, sdk, visible=front)}"
    for place, record in enumerate(task.records):
        yield f"        Run #{len(task.records) - 1 - place}: {record_name(record, task.number, sdk)}"
    yield ""
    if front and activity_state(phone, top, front=True) == "RESUMED":
        yield f"    mResumedActivity: {record_name(top, task.number, sdk)}"
    yield f"    mLastPausedActivity: {record_name(top, task.number, sdk)}"


def _task_record(phone: Phone, task: OpenTask) -> Iterator[str]:
    sdk, uid = phone.profile.sdk, phone.services.packages.uids.get(task.package, 1000)
    yield f"userId=0 effectiveUid={_user(uid)} mCallingUid=2000 mUserSetupComplete=true mCallingPackage=null"
    yield f"affinity={task.package}"
    yield f"intent={{{_inside(task_intent(task))}}}"
    yield f"realActivity={_real(task.root, sdk)}"
    names = ", ".join(record_name(record, task.number, sdk) for record in reversed(task.records))
    yield f"Activities=[{names}]"
    yield "askedCompatMode=false inRecents=true isAvailable=true"
    yield f"stackId={task.number}"
    yield (
        "hasBeenVisible=true mResizeMode=RESIZE_MODE_RESIZEABLE "
        "mSupportsPictureInPicture=false isResizeable=true"
    )


def _real(record: ActivityRecord, sdk: int) -> str:
    """The real activity of a task; since Android 10 in braces."""
    return f"{{{record.component}}}" if sdk >= ANDROID_10 else record.component.short


def _user(uid: int) -> str:
    return f"u0a{uid - 10_000}" if uid >= 10_000 else str(uid)


def _inside(intent: Intent) -> str:
    """An intent without the word and the braces around it."""
    return intent_text(intent).removeprefix("Intent { ").removesuffix(" }")


def _activity(phone: Phone, task: OpenTask, record: ActivityRecord, uid: int, front: bool) -> Iterator[str]:
    """What an activity says of itself, in the order of ``ActivityRecord.dump``."""
    sdk, package = phone.profile.sdk, record.component.package
    state = activity_state(phone, record, front=front)
    visible = truth(record.number in phone.services.tasks.visible() and state != "STOPPED")
    of_root = "rootOfTask" if sdk >= ANDROID_11 else "frontOfTask"
    home, known = "home" if record.activity.home else "standard", phone.packages
    apk = next((info.apk for info in known if info.package == package), "")
    component = "mActivityComponent" if sdk >= ANDROID_10 else "realActivity"
    kind = "mActivityType"
    yield f"packageName={package} processName={package}"
    feature = " launchedFromFeature=null" if sdk >= ANDROID_11 else ""
    yield f"launchedFromUid=2000 launchedFromPackage=com.android.shell{feature} userId=0"
    yield f"app={process_name(phone, package, uid)}"
    yield intent_text(replace(record.intent, component=record.component))
    yield f"{of_root}={truth(record is task.root)} task={task_name(task, uid, sdk)}"
    yield f"taskAffinity={f'{uid}:{package}' if sdk >= ANDROID_11 else package}"
    yield f"{component}={record.component.short}"
    yield f"baseDir={apk}"
    yield f"dataDir=/data/user/0/{package}" if sdk > ANDROID_6 else f"dataDir=/data/data/{package}"
    explicit = truth(record.intent.component is not None)
    yield f"stateNotNeeded={truth(record.activity.home)} componentSpecified={explicit} {kind}={home}"
    yield f"compat={{{phone.density}dpi}} labelRes=0x7f100031 icon=0x7f0d0000 theme=0x7f11000c"
    text = configuration(phone, home)
    yield "mLastReportedConfigurations:"
    yield f"  mGlobalConfig={text}"
    yield f"  mOverrideConfig={text}"
    yield f"CurrentConfiguration={text}"
    yield 'taskDescription: label="null" icon=null iconResource=/0 iconFilename=null primaryColor=fff5f5f5'
    yield "  backgroundColor=fffafafa statusBarColor=0 navigationBarColor=0"
    yield "launchFailed=false launchCount=0 lastLaunchTime=0"
    yield (
        f"mHaveState={truth(not front)} mIcicle={'null' if front else 'Bundle[mParcelledData.dataSize=1024]'}"
    )
    if sdk >= ANDROID_15:
        yield f"state={state} finishing=false"
    else:
        yield f"state={state} stopped={truth(state == 'STOPPED')} delayedResume=false finishing=false"
    yield "keysPaused=false inHistory=true idle=true"
    fullscreen = truth(not record.activity.dialog)
    if sdk >= ANDROID_12:
        yield f"occludesParent={fullscreen} mNoDisplay=false immersive=false launchMode={_mode(record)}"
    else:
        yield f"fullscreen={fullscreen} noDisplay=false immersive=false launchMode={_mode(record)}"
    yield f"mActivityType={home}"
    if sdk >= ANDROID_10:
        windows = window_name(str(record.component))
        yield f"windows=[{windows}]"
        yield "windowType=2"
        yield (
            f"mVisibleRequested={visible} mVisible={visible} mClientVisible={visible} "
            f"reportedDrawn={visible} reportedVisible={visible}"
        )
        yield "mNumInterestingWindows=1 mNumDrawnWindows=1 allDrawn=true)"
    yield f"nowVisible={visible} lastVisibleTime=0"
    yield "resizeMode=RESIZE_MODE_RESIZEABLE"
    yield "mLastReportedMultiWindowMode=false mLastReportedPictureInPictureMode=false"


def _mode(record: ActivityRecord) -> int:
    return 2 if record.activity.home else int(record.activity.single_top)


def _supervisor(phone: Phone, tasks: list[OpenTask]) -> Iterator[str]:
    """What follows the tasks: the supervisor's state, with the display since Android 12."""
    sdk, owners = phone.profile.sdk, phone.services.packages.uids
    if sdk >= ANDROID_12:
        yield ""
        yield "ActivityTaskSupervisor state:"
        if tasks:
            name = task_name(tasks[0], owners.get(tasks[0].package, 1000), sdk, visible=True)
            yield f"  topDisplayFocusedRootTask={name}"
        yield from display_contents(phone).splitlines()
    elif tasks:
        stack = f"ActivityStack{{{window_token(f'stack {tasks[0].number}')} stackId={tasks[0].number}}}"
        yield f"  mFocusedStack={stack} mLastFocusedStack={stack}"
    showing = truth(phone.services.lock_screen.showing)
    if sdk < ANDROID_12:
        yield f"  mCurTaskIdForUser={{0={max((task.number for task in tasks), default=0)}}}"
    yield ""
    yield "  KeyguardController:"
    yield f"    mKeyguardShowing={showing}"
    yield "    mAodShowing=false"
    yield "    mKeyguardGoingAway=false"
    yield "    mDismissalRequested=false"
    yield ""
    yield "  LockTaskController:" if sdk >= ANDROID_11 else "  LockTaskController"
    yield "    mLockTaskModeState=NONE"
    yield "    mLockTaskModeTasks="
    yield "    mLockTaskPackages (userId:packages)="
    yield ""
    if sdk >= ANDROID_12:
        yield f"  mCurTaskIdForUser={{0={max((task.number for task in tasks), default=0)}}}"
        yield "  mUserRootTaskInFront={}"
        yield "  mVisibilityTransactionDepth=0"
    yield "  isHomeRecentsComponent=false"
    if sdk >= ANDROID_12 and tasks:
        uid = owners.get(tasks[0].package, 1000)
        yield ""
        yield f"  VisibleActivityProcess:[ {process_name(phone, tasks[0].package, uid)}]"


def dump_recents(process: Process, words: list[str]) -> None:
    """The tasks that the overview shows, the one used last first."""
    del words
    phone = process.machine.phone
    sdk, owners = phone.profile.sdk, phone.services.packages.uids
    process.line("ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)")
    if sdk >= ANDROID_9:
        process.line("mRecentsUid=-1\nmRecentsComponent=null")
    process.line("  Recent tasks:")
    for number, task in enumerate(phone.services.tasks.tasks()):
        uid = owners.get(task.package, 1000)
        process.line(f"  * Recent #{number}: {task_name(task, uid, sdk, visible=number == 0, whole=True)}")
        process.out("".join(f"    {line}\n" for line in _recent(phone, task, uid, number == 0)))


def _recent(phone: Phone, task: OpenTask, uid: int, front: bool) -> Iterator[str]:
    sdk = phone.profile.sdk
    feature = " mCallingFeatureId=null" if sdk >= ANDROID_11 else ""
    yield (
        f"userId=0 effectiveUid={_user(uid)} mCallingUid=2000 mUserSetupComplete=true "
        f"mCallingPackage=com.android.shell{feature}"
    )
    if not task.is_home:
        yield f"affinity={affinity(task, uid, sdk)[2:]}"
    yield f"intent={{{_inside(task_intent(task))}}}"
    yield (
        f"mActivityComponent={task.root.component.short}"
        if sdk >= ANDROID_10
        else f"realActivity={_real(task.root, sdk)}"
    )
    yield (
        "rootWasReset=false mNeverRelinquishIdentity=true mReuseTask=false "
        "mLockTaskAuth=LOCK_TASK_AUTH_PINNABLE"
    )
    names = ", ".join(record_name(record, task.number, sdk) for record in reversed(task.records))
    yield f"Activities=[{names}]"
    yield "askedCompatMode=false inRecents=true isAvailable=true"
    root = "mRootProcess" if sdk >= ANDROID_9 else "process"
    yield f"{root}={process_name(phone, task.package, uid)}"
    yield f"taskId={task.number} rootTaskId={task.number}" if sdk >= ANDROID_12 else f"stackId={task.number}"
    yield (
        ("hasChildPipActivity=false " if sdk >= ANDROID_12 else "")
        + "mHasBeenVisible=true mResizeMode=RESIZE_MODE_RESIZEABLE "
        "mSupportsPictureInPicture=false isResizeable=true"
    )
    if front:
        yield "lastActiveTime=0 (inactive for 0s)"


def dump_containers(process: Process, words: list[str]) -> None:
    """The tree of displays, tasks and activities."""
    del words
    phone = process.machine.phone
    sdk = phone.profile.sdk
    process.line("ACTIVITY MANAGER CONTAINERS (dumpsys activity containers)")
    process.line("ROOT type=undefined mode=fullscreen override-mode=undefined")
    size = phone.size
    bounds = f"requested-bounds=[0,0][0,0] bounds=[0,0][{size.width},{size.height}]"
    process.line(f'  #0 Display 0 name="Built-in Screen" type=undefined mode=fullscreen {bounds}')
    process.line(f"   #0 DefaultTaskDisplayArea type=undefined mode=fullscreen {bounds}")
    tasks = phone.services.tasks.tasks()
    for place, task in enumerate(tasks):
        kind = task_kind(task)
        process.line(f"    #{len(tasks) - 1 - place} Task={task.number} type={kind} mode=fullscreen {bounds}")
        for inner, record in enumerate(task.records):
            name = record_name(record, task.number, sdk)
            process.line(f"     #{len(task.records) - 1 - inner} {name} type={kind} mode=fullscreen {bounds}")
