"""``dumpsys window [windows|displays|policy]``."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_10, ANDROID_11, ANDROID_12, ANDROID_13, ANDROID_14
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.activities import ActivityRecord
from collector.virtual.system.phone_state.input_log import window_token
from collector.virtual.system.phone_state.state import SYSTEM_PID

_KINDS = {
    "status": "STATUS_BAR",
    "navigation": "NAVIGATION_BAR",
    "keyboard": "INPUT_METHOD",
    "shade": "NOTIFICATION_SHADE",
    "toast": "TOAST",
    "heads_up": "NOTIFICATION_SHADE",
    "keyguard": "NOTIFICATION_SHADE",
}

_STRAY_BRACE = (ANDROID_13, ANDROID_14)


def window_name(title: str) -> str:
    """``Window{1a2b3c4 u0 com.example/com.example.Main}``."""
    return f"Window{{{window_token(title)} u0 {title}}}"


def record_name(record: ActivityRecord, sdk: int) -> str:
    """``ActivityRecord{1a2b3c4 u0 com.example/.Main t7}``; Android 13 and 14 close the brace twice."""
    stray = "}" if sdk in _STRAY_BRACE else ""
    return f"ActivityRecord{{{record.token} u0 {record.component.short}{stray} t{record.number}}}"


def dump_window(process: Process, words: list[str]) -> int:
    """All sections, or the requested one."""
    sections = {"windows": _windows, "w": _windows, "displays": _displays, "d": _displays, "policy": _policy}
    chosen = sections.get(words[0]) if words else None
    if chosen:
        chosen(process)
        return 0
    for section in (_policy, _displays, _windows):
        section(process)
    return 0


def _windows(process: Process) -> None:
    phone = process.machine.phone
    secure = phone.secure_windows()
    process.line("WINDOW MANAGER WINDOWS (dumpsys window windows)")
    for number, (title, kind, package, frame) in enumerate(phone.windows()):
        name = "InputMethod" if kind == "keyboard" else title
        left, top, right, bottom = frame
        bounds = f"[{left},{top}][{right},{bottom}]"
        flags = "LAYOUT_IN_SCREEN SECURE" if title in secure else "LAYOUT_IN_SCREEN"
        process.out(
            f"  Window #{number} {window_name(name)}:\n"
            f"    mDisplayId=0 rootTaskId=1 mSession=Session{{{window_token(package)} {SYSTEM_PID}:1000}}\n"
            f"    mOwnerUid=1000 showForAllUsers=false package={package} appop=NONE\n"
            f"    mAttrs={{(0,0)(fillxfill) ty={_KINDS.get(kind, 'BASE_APPLICATION')} fmt=TRANSLUCENT\n"
            f"      fl={flags} HARDWARE_ACCELERATED}}\n"
            f"    Requested w={right - left} h={bottom - top} mLayoutSeq=1\n"
            f"    Frames: parent={bounds} display={bounds} frame={bounds}\n"
            "    isOnScreen=true\n    isVisible=true\n"
        )
    _state_behind_windows(process)


def _state_behind_windows(process: Process) -> None:
    """What follows the windows: since Android 10 the focus is with the displays alone.

    Read from real phones with Android 9, 11, 12, 14 and 15.
    """
    phone = process.machine.phone
    sdk, title = phone.profile.sdk, phone.focused_window
    target = window_name(title) if title else ""
    process.line("\n  mHasPermanentDpad=false")
    if sdk < ANDROID_10:
        _focus(process, "  ")
        if target:
            process.line(f"  mInputMethodTarget={target}")
    else:
        process.line("  mTopFocusedDisplayId=0")
        for key in _input_method_targets(sdk) if target else ():
            process.line(f"  {key} in display# 0 {target}")
    if sdk >= ANDROID_14:
        process.line("  Minimum task size of display#0 220")
    if sdk < ANDROID_13:
        process.line("  mInTouchMode=true")
    if sdk >= ANDROID_12:
        process.line("  mBlurEnabled=true")
    if sdk < ANDROID_14:
        process.line("  mLastDisplayFreezeDuration=0")
    process.line(f"  mInputMethodWindow={window_name('InputMethod') if phone.input_method.shown else 'null'}")
    process.line("  mTraversalScheduled=false\n  mSystemBooted=true mDisplayEnabled=true")


def _input_method_targets(sdk: int) -> tuple[str, ...]:
    if sdk >= ANDROID_12:
        return "imeLayeringTarget", "imeInputTarget", "imeControlTarget"
    return ("mInputMethodTarget", "inputMethodControlTarget")[: 1 + (sdk >= ANDROID_11)]


def _focus(process: Process, indent: str) -> None:
    phone = process.machine.phone
    title, records = phone.focused_window, phone.stack()
    process.line(f"{indent}mCurrentFocus={window_name(title) if title else 'null'}")
    app = record_name(records[0], phone.profile.sdk) if records else "null"
    process.line(f"{indent}mFocusedApp={app}")


def _displays(process: Process) -> None:
    phone = process.machine.phone
    size, natural = phone.size, phone.natural_size
    free = phone.settings.is_on("system", "accelerometer_rotation")
    override = f" base={natural.width}x{natural.height} {phone.density}dpi" if phone.size_override else ""
    process.out(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0 (organized)\n"
        f"    init={phone.profile.size} {phone.profile.density}dpi{override} cur={size} app={size} "
        f"rng={min(size.width, size.height)}x{min(size.width, size.height)}-"
        f"{max(size.width, size.height)}x{max(size.width, size.height)}\n"
        "    deferred=false mLayoutNeeded=false\n"
    )
    if phone.profile.sdk >= ANDROID_10:
        _focus(process, "  ")
    process.out(
        f"\n  DisplayRotation\n    mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n"
        f"    mRotation={phone.rotation} mDeferredRotationPauseCount=0\n"
        f"    mUserRotationMode=USER_ROTATION_{'FREE' if free else 'LOCKED'} "
        f"mUserRotation=ROTATION_{phone.rotation * 90}\n"
    )


def _policy(process: Process) -> None:
    """The state of screen and lock screen, as ``KeyguardServiceDelegate`` prints it."""
    phone = process.machine.phone
    lock, sdk = phone.services.lock_screen, phone.profile.sdk
    awake, showing, secure = (str(value).lower() for value in (phone.awake, lock.showing, lock.secure))
    screen, interactive = ("ON", "AWAKE") if phone.awake else ("OFF", "SLEEP")
    process.out(
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mSystemReady=true mSystemBooted=true\n"
        f"    mAwake={awake} mScreenOnEarly={awake} mScreenOnFully={awake}\n"
        f"    mShowingLockscreen={showing}\n    mShowingDream=false mDreamingLockscreen={showing}\n"
    )
    if sdk < ANDROID_11:
        process.line(f"    isStatusBarKeyguard={showing}")
    process.out(
        f"    KeyguardServiceDelegate\n      showing={showing}\n"
        f"      showingAndNotOccluded={showing}\n"
        f"      inputRestricted={showing}\n      occluded=false\n      secure={secure}\n"
        "      dreaming=false\n"
        "      systemIsReady=true\n      deviceHasKeyguard=true\n      enabled=true\n"
        "      offReason=OFF_BECAUSE_OF_USER\n      currentUser=-10000\n      bootCompleted=true\n"
        f"      screenState=SCREEN_STATE_{screen}\n"
        f"      interactiveState=INTERACTIVE_STATE_{interactive}\n"
        f"      KeyguardStateMonitor\n        mIsShowing={showing}\n        mSimSecure=false\n"
        f"        mInputRestricted={showing}\n        mTrusted=false\n        mCurrentUserId=0\n"
        f"      isKeyguardShowing={showing}\n"
    )
