"""``dumpsys window policy``: the state of screen and lock screen."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_6, ANDROID_7, ANDROID_10, ANDROID_11
from collector.virtual.shell.commands.dumpsys.window.records import focused_app, truth, window_name
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone


def dump_policy(process: Process) -> None:
    """What the policy says; since Android 10 the screen's state is with the display."""
    phone = process.machine.phone
    process.line("WINDOW MANAGER POLICY STATE (dumpsys window policy)")
    lines = ["mSafeMode=false mSystemReady=true mSystemBooted=true"]
    lines += _behaviour(phone) if phone.profile.sdk >= ANDROID_10 else _screen(phone)
    lines += [*_keyguard(phone), *_looper()]
    process.out("".join(f"    {line}\n" for line in lines))


def _behaviour(phone: Phone) -> list[str]:
    showing = truth(phone.services.lock_screen.showing)
    return [
        "mCameraLensCoverState=CAMERA_LENS_COVER_ABSENT",
        "mWakeGestureEnabledSetting=true",
        f"mUiMode=UI_MODE_TYPE_NORMAL|UI_MODE_NIGHT_{'YES' if phone.dark else 'NO'} "
            "mEnableCarDockHomeCapture=true",
        "mLidKeyboardAccessibility=0 mLidNavigationAccessibility=0 getLidBehavior=LID_BEHAVIOR_NONE",
        "mLongPressOnBackBehavior=LONG_PRESS_BACK_NOTHING",
        "mLongPressOnHomeBehavior=LONG_PRESS_HOME_ASSIST",
        "mDoubleTapOnHomeBehavior=DOUBLE_TAP_HOME_NOTHING",
        "mShortPressOnPowerBehavior=SHORT_PRESS_POWER_GO_TO_SLEEP",
        "mLongPressOnPowerBehavior=LONG_PRESS_POWER_GLOBAL_ACTIONS",
        "mVeryLongPressOnPowerBehavior=VERY_LONG_PRESS_POWER_NOTHING",
        "mDoublePressOnPowerBehavior=MULTI_PRESS_POWER_NOTHING",
        "mTriplePressOnPowerBehavior=MULTI_PRESS_POWER_NOTHING",
        "mShortPressOnSleepBehavior=SHORT_PRESS_SLEEP_GO_TO_SLEEP",
        "mAllowStartActivityForLongPressOnPowerDuringSetup=false",
        "mHasSoftInput=true mHapticTextHandleEnabled=true",
        "mDismissImeOnBackKeyPressed=false mIncallPowerBehavior=sleep",
        "mIncallBackBehavior=<nothing> mEndcallBehavior=sleep",
        "mDisplayHomeButtonHandlers=",
        "mKeyguardOccluded=false mKeyguardOccludedChanged=false",
        f"mAllowLockscreenWhenOnDisplays=false mLockScreenTimeout={_timeout(phone)} "
            f"mLockScreenTimerActive={showing}",
    ]  # fmt: skip


def _timeout(phone: Phone) -> str:
    return phone.settings.get("system", "screen_off_timeout") or "60000"


def _screen(phone: Phone) -> list[str]:
    """The screen's state as Android 5 to 9 print it here."""
    sdk, title = phone.profile.sdk, phone.focused_window
    awake, showing = truth(phone.awake), truth(phone.services.lock_screen.showing)
    free = phone.settings.is_on("system", "accelerometer_rotation")
    before = f"mShowingLockscreen={showing} " if sdk <= ANDROID_6 else ""
    return [
        "mLidState=LID_ABSENT mCameraLensCoverState=CAMERA_LENS_COVER_ABSENT mHdmiPlugged=false",
        "mWakeGestureEnabledSetting=true",
        "mSupportAutoRotation=true",
        f"mUserRotationMode={'USER_ROTATION_FREE' if free else 'USER_ROTATION_LOCKED'} "
        f"mUserRotation=ROTATION_{phone.rotation * 90} mAllowAllRotations=unknown",
        "mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED",
        f"mAwake={awake}",
        f"mScreenOnEarly={awake} mScreenOnFully={awake}",
        f"mKeyguardDrawComplete={awake} mWindowManagerDrawComplete={awake}",
        f"{before}mShowingDream=false mDreamingLockscreen={showing} mDreamingSleepToken=null",
        f"mStatusBar={window_name('StatusBar')} isStatusBarKeyguard={showing}",
        f"mNavigationBar={window_name('NavigationBar0')}",
        f"mFocusedWindow={window_name(title) if title else 'null'}",
        f"mFocusedApp={focused_app(phone)}",
        "mTopIsFullscreen=false mKeyguardOccluded=false "
        f"{'' if sdk < ANDROID_7 else 'mKeyguardOccludedChanged=false'}",
    ]


def _keyguard(phone: Phone) -> list[str]:
    """As ``KeyguardServiceDelegate`` prints it."""
    lock = phone.services.lock_screen
    showing, secure = truth(lock.showing), truth(lock.secure)
    screen, interactive = ("ON", "AWAKE") if phone.awake else ("OFF", "SLEEP")
    lines = [
        "KeyguardServiceDelegate",
        f"  showing={showing}",
        f"  showingAndNotOccluded={showing}",
        f"  inputRestricted={showing}",
        "  occluded=false",
        f"  secure={secure}",
        "  dreaming=false",
        "  systemIsReady=true",
        "  deviceHasKeyguard=true",
        "  enabled=true",
        "  offReason=OFF_BECAUSE_OF_USER",
        "  currentUser=-10000",
        "  bootCompleted=true",
        f"  screenState=SCREEN_STATE_{screen}",
        f"  interactiveState=INTERACTIVE_STATE_{interactive}",
        "  KeyguardStateMonitor",
        f"    mIsShowing={showing}",
        "    mSimSecure=false",
        f"    mInputRestricted={showing}",
    ]
    if phone.profile.sdk < ANDROID_11:
        lines.append("    mTrusted=false")
    return [*lines, "    mCurrentUserId=0"]


def _looper() -> list[str]:
    return [
        "Looper state:",
        "  Looper (android.ui, tid 21) {16cc725}",
        "    (Total messages: 0, polling=true, quitting=false)",
    ]
