"""``dumpsys window displays``: the display, what has its focus, its areas, policy, rotation and insets."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_10, ANDROID_11, ANDROID_12, ANDROID_13, ANDROID_15
from collector.virtual.shell.commands.dumpsys.window.configuration import UNSET, configuration
from collector.virtual.shell.commands.dumpsys.window.insets import insets_lines
from collector.virtual.shell.commands.dumpsys.window.records import (
    affinity,
    focused_app,
    front_record,
    record_name,
    task_name,
    truth,
    window_name,
)
from collector.virtual.shell.commands.dumpsys.window.shown_windows import window_rows
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.input_log import window_token

_AREAS = (
    "* Leaf:36:36",
    "* OneHanded:34:35",
    "  * Leaf:34:35",
    "* Leaf:33:33",
    "* OneHanded:32:32",
    "  * Leaf:32:32",
    "* WindowedMagnification:0:31",
    "  * OneHanded:26:31",
    "    * Leaf:26:31",
    "  * Leaf:24:25",
    "  * OneHanded:0:23",
    "    * Leaf:15:23",
    "    * ImePlaceholder:13:14",
    "      * ImeContainer",
    "    * Leaf:3:12",
    "    * DefaultTaskDisplayArea",
    "    * Leaf:0:1",
)


def dump_displays(process: Process) -> None:
    """The one display of the phone."""
    process.line("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)")
    process.out(display_contents(process.machine.phone))


def display_contents(phone: Phone) -> str:
    """What the display says of itself, by Android version."""
    sdk = phone.profile.sdk
    lines = [_heading(phone), *_sizes(phone)]
    if sdk >= ANDROID_12:
        lines += [
            f"  mLastOrientationSource=WindowedMagnification:0:31@{window_token('magnification')}",
            f"  deepestLastOrientationSource={front_record(phone) or 'null'}",
            f"  overrideConfig={configuration(phone)}",
        ]
    if sdk >= ANDROID_13:
        lines.append(f"  mSleeping={truth(not phone.awake)} mAllSleepTokens=[]")
    lines.append("  mLayoutSeq=1")
    if sdk >= ANDROID_10:
        lines += _focus(phone)
        lines += _wallpaper(phone)
        lines += _areas(phone) if sdk >= ANDROID_12 else _tokens(phone)
        lines += _pinned(phone)
    lines += ["", f"  DisplayFrames w={phone.size.width} h={phone.size.height} r={phone.rotation}", ""]
    if sdk >= ANDROID_10:
        lines += _policy(phone)
    lines += _rotation(phone)
    if sdk >= ANDROID_10:
        lines += insets_lines(phone)
    return "".join(f"{line}\n" for line in lines)


def _heading(phone: Phone) -> str:
    sdk = phone.profile.sdk
    count = len(phone.services.tasks.tasks())
    of_version = " (organized)" if sdk >= ANDROID_15 else f" rootTasks={count}" if sdk >= ANDROID_12 else ""
    return f"  Display: mDisplayId=0{of_version}"


def _sizes(phone: Phone) -> list[str]:
    size, natural, sdk = phone.size, phone.natural_size, phone.profile.sdk
    changed = phone.size_override or phone.density_override
    override = f" base={natural.width}x{natural.height} {phone.density}dpi" if changed else ""
    smallest = " mMinSizeOfResizeableTaskDp=220" if sdk >= ANDROID_12 else ""
    short, long = sorted((size.width, size.height))
    region = f" mTouchExcludeRegion=SkRegion((0,0,{size.width},{size.height}))" if sdk < ANDROID_15 else ""
    state = "isRemovalRequested" if sdk > ANDROID_15 else "deferred"
    return [
        f"    init={phone.profile.size} {phone.profile.density}dpi{smallest}{override} cur={size} app={size} "
        f"rng={short}x{short}-{long}x{long}",
        f"    {state}=false mLayoutNeeded=false{region}",
        "",
    ]


def _focus(phone: Phone) -> list[str]:
    title, sdk = phone.focused_window, phone.profile.sdk
    window = window_name(title) if title else "null"
    lines = []
    if sdk > ANDROID_15:
        lines = [
            f"  mImeWindow={window_name('InputMethod')}",
            *(f"  mIme{target}Target={window}" for target in ("Layering", "Input", "Control")),
        ]
    others = ["  mCurrentFocus=null"] * (2 * ("several-focus-lines" in phone.profile.quirks))
    return [*others, *lines, f"  mCurrentFocus={window}", f"  mFocusedApp={focused_app(phone)}"]


def _wallpaper(phone: Phone) -> list[str]:
    home = next((row for row in window_rows(phone) if row.kind == "wallpaper"), None)
    target = window_name(phone.focused_window) if home is not None and home.visible else "null"
    return ["", "  displayId=0", f"  mWallpaperTarget={target}", "  mLastWallpaperZoomOut=0.0", ""]


def _areas(phone: Phone) -> list[str]:
    """The areas of the display and, in the one of tasks, all activities from top to bottom."""
    sdk, owners, visible = phone.profile.sdk, phone.services.packages.uids, phone.services.tasks.visible()
    tasks = phone.services.tasks.tasks()
    lines = ["  Display areas in top down Z order:", *(f"    {area}" for area in _AREAS), ""]
    lines += ["  Task display areas in top down Z order:", "    TaskDisplayArea DefaultTaskDisplayArea"]
    if sdk > ANDROID_15:
        lines.append(f"      overrideConfig={UNSET}")
    if tasks:
        front = tasks[0]
        name = task_name(front, owners.get(front.package, 1000), sdk, visible=True)
        lines += [f"      mPreferredTopFocusableRootTask={name}", f"      mLastFocusedRootTask={name}"]
    lines.append("      Application tokens in top down Z order:")
    for task in tasks:
        shown = any(record.number in visible for record in task.records)
        heading = task_name(task, owners.get(task.package, 1000), sdk, visible=shown, whole=True)
        lines += [f"      * {heading}", f"        bounds=[0,0][{phone.size.width},{phone.size.height}]"]
        lines += [f"        * {record_name(record, task.number, sdk)}" for record in task.records]
    home = next((task.number for task in tasks if task.is_home), None)
    return [*lines, "", *([f"  rootHomeTask=Task={home}", ""] if home is not None else [])]


def _tokens(phone: Phone) -> list[str]:
    """The activities from top to bottom, as Android 10 and 11 list them."""
    lines = ["  Application tokens in top down Z order:"]
    sdk, owners = phone.profile.sdk, phone.services.packages.uids
    size = phone.size
    for task in phone.services.tasks.tasks():
        tokens = ", ".join(record_name(record, task.number, sdk) for record in task.records)
        lines += [
            f"    mStackId={task.number}",
            "      mDeferRemoval=false",
            f"      mBounds=[0,0][{size.width},{size.height}]",
            f"      taskId={task.number}",
            f"        mBounds=[0,0][{size.width},{size.height}]",
            "        mdr=false",
            f"        appTokens=[{tokens}]",
            f"        affinity={affinity(task, owners.get(task.package, 1000), sdk)[2:]}",
        ]
    return [*lines, ""]


def _pinned(phone: Phone) -> list[str]:
    frame = phone.input_method.frame
    shown = phone.input_method.shown
    if phone.profile.sdk < ANDROID_11:
        return ["  PinnedStackController", f"    mIsImeShowing={truth(shown)}"]
    return [
        "  PinnedTaskController" if phone.profile.sdk >= ANDROID_12 else "  PinnedStackController",
        f"    mIsImeShowing={truth(shown)}",
        f"    mImeHeight={frame[3] - frame[1] if shown else 0}",
        "    mMinAspectRatio=0.41841003",
        "    mMaxAspectRatio=2.39",
    ]


def _policy(phone: Phone) -> list[str]:
    sdk, lock = phone.profile.sdk, phone.services.lock_screen
    awake, title = truth(phone.awake), phone.focused_window
    focused = window_name(title) if title else "null"
    lines = [
        "  DisplayPolicy",
        "    mCarDockEnablesAccelerometer=true mDeskDockEnablesAccelerometer=true",
        "    mDockMode=EXTRA_DOCK_STATE_UNDOCKED mLidState=LID_ABSENT",
        f"    mAwake={awake} mScreenOnEarly={awake} mScreenOnFully={awake}",
        f"    mKeyguardDrawComplete={awake} mWindowManagerDrawComplete={awake}",
        "    mHdmiPlugged=false",
    ]
    if sdk >= ANDROID_13:
        lines.append("    mLastBehavior=DEFAULT")
    lines += [
        f"    mShowingDream=false mDreamingLockscreen={truth(lock.showing)}",
        f"    mStatusBar={window_name('StatusBar')}",
    ]
    if sdk >= ANDROID_11:
        lines.append(f"    mExpandedPanel={window_name('NotificationShade')}")
    lines += [
        f"    isKeyguardShowing={truth(lock.showing)}",
        f"    mNavigationBar={window_name('NavigationBar0')}",
        "    mNavBarOpacityMode=2",
        "    mNavigationBarCanMove=false",
        "    mNavigationBarPosition=4" if sdk < ANDROID_15 else "    mHasBottomNavigationBar=true",
        f"    mFocusedWindow={focused}",
    ]
    if phone.awake and not lock.showing and title:
        lines.append(f"    mTopFullscreenOpaqueWindowState={focused}")
    lines += ["    mForceShowNavigationBarEnabled=false mAllowLockscreenWhenOn=false", ""]
    return lines


def _rotation(phone: Phone) -> list[str]:
    sdk = phone.profile.sdk
    free = phone.settings.is_on("system", "accelerometer_rotation")
    turned = phone.rotation
    lines = [
        "  DisplayRotation",
        "    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED",
    ]
    if sdk >= ANDROID_10:
        lines.append("    mLastOrientation=-1")
    lines.append(f"    mRotation={turned} mDeferredRotationPauseCount=0")
    if sdk >= ANDROID_10:
        lines += [
            "    mLandscapeRotation=ROTATION_90 mSeascapeRotation=ROTATION_270",
            "    mPortraitRotation=ROTATION_0 mUpsideDownRotation=ROTATION_180",
            "    mSupportAutoRotation=true",
            "    WindowOrientationListener",
            f"      mEnabled={truth(free and phone.awake)}",
            f"      mCurrentRotation=ROTATION_{turned * 90}",
            "      mSensorType=null",
            "      mRate=2",
            "",
            "    mCarDockRotation=-1 mDeskDockRotation=-1",
        ]
    mode = "FREE" if free else "LOCKED"
    more = " mCameraRotationMode=0" if sdk >= ANDROID_12 else ""
    more += " mAllowAllRotations=unknown" if sdk >= ANDROID_10 else ""
    lines.append(f"    mUserRotationMode=USER_ROTATION_{mode} mUserRotation=ROTATION_{turned * 90}{more}")
    if sdk >= ANDROID_10:
        lines += [
            "    mDemoHdmiRotation=ROTATION_90 mDemoHdmiRotationLock=false mUndockedHdmiRotation=-1",
            "    mLidOpenRotation=-1",
            f"    mFixedToUserRotation={'false' if sdk >= ANDROID_12 else '0'}",
        ]
    return lines
