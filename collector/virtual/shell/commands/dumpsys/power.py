"""``dumpsys power``: what Android 14's sources and a phone with Android 16 both print, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.virtual.android_versions import ANDROID_9
from collector.virtual.shell.proc import process_rows
from collector.virtual.shell.process import Process

if TYPE_CHECKING:
    from collector.virtual.system.phone import Phone

_FIRST_APP_UID = 10_000
_TOP, _CACHED, _PERSISTENT = 2, 16, 0
"""States of processes, of android.app.ActivityManager."""
_SUSPEND_BLOCKERS = ("Booting", "WakeLocks", "Display", "Broadcasts", "WirelessChargerDetector")
_SHORTEST_TIMEOUT, _LONGEST_DIM, _DIM_SHARE = 10_000, 7_000, 0.2
_FOREVER = "9223372036854775807"
_CONFIGURATION = """  mDecoupleHalAutoSuspendModeFromDisplayConfig=false
  mDecoupleHalInteractiveModeFromDisplayConfig=true
  mWakeUpWhenPluggedOrUnpluggedConfig=true
  mWakeUpWhenPluggedOrUnpluggedInTheaterModeConfig=false
  mTheaterModeEnabled=false
  mSuspendWhenScreenOffDueToProximityConfig=false
  mDreamsSupportedConfig=true
  mDreamsEnabledByDefaultConfig=true
  mDreamsActivatedOnSleepByDefaultConfig=false
  mDreamsActivatedOnDockByDefaultConfig=true
  mDreamsEnabledOnBatteryConfig=false
  mDreamsBatteryLevelMinimumWhenPoweredConfig=-1
  mDreamsBatteryLevelMinimumWhenNotPoweredConfig=15
  mDreamsBatteryLevelDrainCutoffConfig=5
  mDreamsEnabledSetting=false
  mDreamsActivateOnSleepSetting=false
  mDreamsActivateOnDockSetting=false
  mDozeAfterScreenOff=true
  mMinimumScreenOffTimeoutConfig=10000
  mMaximumScreenDimDurationConfig=7000
  mMaximumScreenDimRatioConfig=0.20000005
  mAttentiveTimeoutConfig=-1
  mAttentiveTimeoutSetting=-1
  mAttentiveWarningDurationConfig=30000
"""
"""What AOSP's resources and new settings say."""


def dump_power(process: Process, words: list[str]) -> int:
    """The state of screen, charger and battery saver, with the timeouts and the users of the processor."""
    del words
    phone = process.machine.phone
    is_old = phone.profile.sdk < ANDROID_9
    process.out("POWER MANAGER (dumpsys power)\n\n" + _state(phone))
    process.out("\n" + _settings(phone))
    process.out("\n" + _users(process))
    blocking = "Display" if phone.awake else ""
    process.out(f"\nWake Locks: size=0\n\nSuspend Blockers: size={len(_SUSPEND_BLOCKERS)}\n")
    for name in _SUSPEND_BLOCKERS:
        process.line(f"  PowerManagerService.{name}: ref count={int(name == blocking)}")
    process.line(f"\nDisplay Power: state={'ON' if phone.awake else 'OFF'}")
    saver = phone.services.power.saver
    process.out(f"  mLowPowerModeEnabled={_boolean(saver)}\n" if is_old else _saver(phone))
    process.out(
        "\nProfile power states: size=0\nDisplay Group User Activity:\n  displayGroupId=0\n"
        f"  userActivitySummary=0x{int(phone.awake)}\n"
    )
    return 0


def _boolean(on: bool) -> str:
    return "true" if on else "false"


def _ago(phone: Phone, at_ms: int) -> str:
    """A moment of the uptime, as TimeUtils.formatUptime says it."""
    ago = phone.clock.uptime_ns // 1_000_000 - at_ms
    return f"{at_ms} ({ago} ms ago)" if ago else f"{at_ms} (now)"


def _stay_on(phone: Phone) -> int:
    """The chargers with which the screen stays on, as bits."""
    text = phone.settings.get("global", "stay_on_while_plugged_in") or "0"
    return int(text) if text.isdecimal() else 0


def _state(phone: Phone) -> str:
    power, awake = phone.services.power, phone.awake
    supply = power.supply
    plug = 1 * supply.ac | 2 * supply.usb | 4 * supply.wireless | 8 * supply.dock
    woke, slept = phone.services.power.screen_times_ms
    return (
        "Power Manager State:\n  Settings power_manager_constants:\n    no_cached_wake_locks=true\n"
        f"  mDirty=0x0\n  mWakefulness={'Awake' if awake else 'Asleep'}\n  mWakefulnessChanging=false\n"
        f"  mIsPowered={_boolean(supply.plugged)}\n  mPlugType={plug}\n  mBatteryLevel={supply.level}\n"
        f"  mDockState=0\n  mStayOn={_boolean(bool(_stay_on(phone) & plug))}\n"
        "  mProximityPositive=false\n  mBootCompleted=true\n  mSystemReady=true\n"
        "  mEnhancedDischargeTimeElapsed=0\n  mLastEnhancedDischargeTimeUpdatedElapsed=0\n"
        "  mEnhancedDischargePredictionIsPersonalized=false\n"
        f"  mHalAutoSuspendModeEnabled={_boolean(not awake)}\n"
        f"  mHalInteractiveModeEnabled={_boolean(awake)}\n  mWakeLockSummary=0x0\n"
        "  mNotifyLongScheduled=(none)\n  mNotifyLongDispatched=(none)\n  mNotifyLongNextCheck=(none)\n"
        "  mRequestWaitForNegativeProximity=false\n  mSandmanScheduled=false\n"
        f"  mBatteryLevelLow={_boolean(power.low)}\n  mLightDeviceIdleMode=false\n  mDeviceIdleMode=false\n"
        "  mDeviceIdleWhitelist=[1000, 1001, 2000]\n  mDeviceIdleTempWhitelist=[]\n"
        f"  mLastWakeTime={_ago(phone, woke)}\n  mLastSleepTime={_ago(phone, slept)}\n"
        f"  mLastSleepReason={'power_button' if slept else 'application'}\n"
        f"  mLastInteractivePowerHintTime={_ago(phone, woke)}\n"
        f"  mLastScreenBrightnessBoostTime={_ago(phone, 0)}\n  mScreenBrightnessBoostInProgress=false\n"
        f"  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={_boolean(awake)}\n"
        "  mLastFlipTime=0\n  mIsFaceDown=false\n"
    )


def _settings(phone: Phone) -> str:
    text = phone.settings.get("system", "screen_off_timeout") or ""
    wanted = int(text) if text.isdecimal() else _SHORTEST_TIMEOUT
    timeout = max(wanted, _SHORTEST_TIMEOUT)
    return (
        f"Settings and Configuration:\n{_CONFIGURATION}"
        f"  mScreenOffTimeoutSetting={wanted}\n  mSleepTimeoutSetting=-1\n"
        f"  mMaximumScreenOffTimeoutFromDeviceAdmin={_FOREVER} (enforced=false)\n"
        f"  mStayOnWhilePluggedInSetting={_stay_on(phone)}\n"
        "  mUserActivityTimeoutOverrideFromWindowManager=-1\n"
        "  mUserInactiveOverrideFromWindowManager=false\n  mDozeScreenStateOverrideFromDreamManager=0\n"
        "  mDrawWakeLockOverrideFromSidekick=false\n  mDozeScreenBrightnessOverrideFromDreamManager=-1\n"
        "  mScreenBrightnessMinimum=0.0\n  mScreenBrightnessMaximum=1.0\n"
        "  mScreenBrightnessDefault=0.39763778\n"
        "  mDoubleTapWakeEnabled=false\n  mForegroundProfile=0\n  mUserId=0\n\n"
        f"Attentive timeout: -1 ms\nSleep timeout: -1 ms\nScreen off timeout: {timeout} ms\n"
        f"Screen dim duration: {min(_LONGEST_DIM, int(timeout * _DIM_SHARE))} ms\n"
    )


def _users(process: Process) -> str:
    """Users of processes: those of the system, the app in front, and the others."""
    phone = process.machine.phone
    front = phone.focused.package if phone.focused is not None else ""
    states: dict[int, int] = {}
    for row in process_rows(phone, process.machine.processes):
        state = _TOP if row.command == front else _CACHED if row.uid >= _FIRST_APP_UID else _PERSISTENT
        states[row.uid] = min(state, states.get(row.uid, _CACHED))
    lines = ["UID states (changing=false changed=false):\n"]
    for uid, state in sorted(states.items()):
        name = f"u0a{uid - _FIRST_APP_UID}" if uid >= _FIRST_APP_UID else str(uid)
        active = "INACTIVE " if state == _CACHED else "  ACTIVE "
        lines.append(f"  UID {name}: {active} count=0 state={state}\n")
    return "".join(lines)


def _saver(phone: Phone) -> str:
    power = phone.services.power
    on, supply = _boolean(power.saver), power.supply
    return (
        f"\nBattery saving stats:\n  Battery Saver is currently: {'ON' if power.saver else 'OFF'}\n"
        f"\nBattery saver state machine:\n  Enabled={on}\n    full={on}\n    adaptive=false\n"
        f"  mIsPowered={_boolean(supply.plugged)}\n  mBatteryLevel={supply.level}\n"
        f"  mIsBatteryLevelLow={_boolean(power.low)}\n  mSettingBatterySaverEnabled={on}\n"
    )
