"""``dumpsys display``: the panel, its modes, brightness and viewports."""

from __future__ import annotations

from collector.virtual.android_versions import ANDROID_9, ANDROID_10, ANDROID_12
from collector.virtual.shell.commands.dumpsys.input_state import PHYSICAL_DISPLAY
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone

_NAME = "Built-in Screen"
_BRIGHTEST = 255
_DESKTOP = "desktop-display"
"""The quirk of a phone while its desktop runs on a second screen."""
_DESKTOP_ID = 2


def dump_display(process: Process, words: list[str]) -> int:
    """As ``DisplayManagerService`` prints it."""
    del words
    phone = process.machine.phone
    size, panel, natural = phone.size, phone.profile.size, phone.natural_size
    state = "ON" if phone.awake else "OFF"
    has_desktop = _DESKTOP in phone.profile.quirks
    process.out(
        "DISPLAY MANAGER (dumpsys display)\n  mOnlyCode=false\n  mSafeMode=false\n  mPendingTraversal=false\n"
        f"  mGlobalDisplayState={state}\n  mNextNonDefaultDisplayId=2\n{_viewports(phone)}"
        "  mDefaultDisplayDefaultColorMode=0\n  mSingleDisplayDemoMode=false\n"
        f"  mWifiDisplayScanRequestCount=0\n  mStableDisplaySize=Point({natural.width}, {natural.height})\n"
        "\nDisplay Adapters: size=4\n  LocalDisplayAdapter\n  OverlayDisplayAdapter\n  WifiDisplayAdapter\n"
        "  VirtualDisplayAdapter\n\nDisplay Devices: size=1\n"
        f'  DisplayDeviceInfo{{"{_NAME}": uniqueId="local:{PHYSICAL_DISPLAY}", '
        f"{panel.width} x {panel.height}, "
        f"modeId 1, renderFrameRate 60.0, defaultModeId 1, supportedModes [{_mode(phone)}], colorMode 0, "
        "supportedColorModes [0], hdrCapabilities "
        f"HdrCapabilities{{mSupportedHdrTypes=[], mMaxLuminance=500.0}}, "
        f"density {phone.profile.density}, {phone.profile.density}.0 x {phone.profile.density}.0 dpi, "
        "appVsyncOff 1000000, presDeadline 16666666, touch INTERNAL, rotation 0, type "
        f"INTERNAL, state {state}, "
        "FLAG_DEFAULT_DISPLAY, FLAG_ROTATES_WITH_CONTENT, FLAG_SECURE, FLAG_SUPPORTS_PROTECTED_BUFFERS}\n"
        "    mAdapter=LocalDisplayAdapter\n"
        f"    mUniqueId=local:{PHYSICAL_DISPLAY}\n"
        f"    mCurrentOrientation={phone.rotation}\n"
        f"    mCurrentLayerStackRect=Rect(0, 0 - {size.width}, {size.height})\n"
        f"    mCurrentDisplayRect=Rect(0, 0 - {size.width}, {size.height})\n"
        f"    mPhysicalDisplayId={PHYSICAL_DISPLAY}\n    mPowerMode={2 if phone.awake else 0}\n"
        f"    mState={state}\n    mBrightnessState={_brightness(phone):g}\n"
        "    mBacklightAdapter=BacklightAdapter [useSurfaceControl=true (force_anyway? "
        "false), backlight=null]\n"
        f"\nLogical Displays: size={1 + has_desktop}\n  Display 0:\n    mDisplayId=0\n    "
        "mLayerStack=0\n    mHasContent=true\n"
        f"    mPrimaryDisplayDevice={_NAME}\n"
        f"    mBaseDisplayInfo={_info(phone, panel.width, panel.height, 0)}\n"
        f"    mOverrideDisplayInfo={_info(phone, size.width, size.height, phone.rotation)}\n"
        f"{_desktop(phone)}\nDisplay Power Controller:\n  mDisplayId=0\n{_power(phone)}"
    )
    return 0


def _desktop(phone: Phone) -> str:
    """The logical display of a desktop; nothing while none runs."""
    if _DESKTOP not in phone.profile.quirks:
        return ""
    return (
        f"  Display {_DESKTOP_ID}:\n    mDisplayId={_DESKTOP_ID}\n    mLayerStack={_DESKTOP_ID}\n"
        "    mHasContent=true\n    mPrimaryDisplayDevice=Desktop\n"
        f'    mBaseDisplayInfo=DisplayInfo{{"Desktop", displayId {_DESKTOP_ID}, real 1920 x 1080}}\n'
    )


def _mode(phone: Phone) -> str:
    panel, sdk = phone.profile.size, phone.profile.sdk
    more = ", alternativeRefreshRates=[]" if sdk >= ANDROID_12 else ""
    return f"{{id=1, width={panel.width}, height={panel.height}, fps=60.0{more}}}"


def _viewports(phone: Phone) -> str:
    size, natural, sdk = phone.size, phone.natural_size, phone.profile.sdk
    kind = "type=INTERNAL, " if sdk >= ANDROID_10 else ""
    active = f"isActive={str(phone.awake).lower()}, " if sdk >= ANDROID_12 else ""
    unique = f"uniqueId='local:{PHYSICAL_DISPLAY}', " if sdk >= ANDROID_9 else ""
    port = "physicalPort=0, " if sdk >= ANDROID_10 else ""
    viewport = (
        f"DisplayViewport{{{kind}valid=true, {active}displayId=0, {unique}{port}"
        f"orientation={phone.rotation}, "
        f"logicalFrame=Rect(0, 0 - {size.width}, {size.height}), "
        f"physicalFrame=Rect(0, 0 - {size.width}, {size.height}), "
        f"deviceWidth={natural.width}, deviceHeight={natural.height}}}"
    )
    return f"  mViewports=[{viewport}]\n" if sdk >= ANDROID_9 else f"  mDefaultViewport={viewport}\n"


def _info(phone: Phone, width: int, height: int, rotation: int) -> str:
    short, long = sorted((width, height))
    density = phone.density
    state = "ON" if phone.awake else "OFF"
    return (
        f'DisplayInfo{{"{_NAME}", displayId 0, displayGroupId 0, FLAG_SECURE, '
        "FLAG_SUPPORTS_PROTECTED_BUFFERS, "
        f"FLAG_TRUSTED, real {width} x {height}, largest app {long} x {long}, smallest "
        f"app {short} x {short}, "
        f"appVsyncOff 1000000, presDeadline 16666666, mode 1, defaultMode 1, modes [{_mode(phone)}], "
        f"hdrCapabilities HdrCapabilities{{mSupportedHdrTypes=[], mMaxLuminance=500.0}}, "
        f"rotation {rotation}, "
        f'state {state}, type INTERNAL, uniqueId "local:{PHYSICAL_DISPLAY}", app {width} x {height}, '
        f"density {density} ({density}.0 x {density}.0) dpi, layerStack 0, colorMode 0, "
        f"supportedColorModes [0], removeMode 0, refreshRateOverride 0.0, brightnessMinimum 0.0, "
        f"brightnessMaximum 1.0, brightnessDefault 0.4}}"
    )


def _brightness(phone: Phone) -> float:
    """The brightness that was set, from 0 to 1."""
    text = phone.settings.get("system", "screen_brightness") or "102"
    level = int(text) if text.isdecimal() else _BRIGHTEST
    return round(min(level, _BRIGHTEST) / _BRIGHTEST, 4) if phone.awake else 0.0


def _power(phone: Phone) -> str:
    automatic = phone.settings.get("system", "screen_brightness_mode") == "1"
    level, on = _brightness(phone), str(phone.awake).lower()
    policy = "BRIGHT" if phone.awake else "OFF"
    return (
        '  mLightSensor={Sensor name="Light sensor"}\n'
        f"  mDisplayReadyLocked={on}\n"
        f"  mPowerRequest=policy={policy}, useProximitySensor=false, screenBrightnessOverride=NaN, "
        f"useAutoBrightness={str(automatic).lower()}, "
        f"lowPowerMode={str(phone.services.power.saver).lower()}\n"
        f"  mScreenBrightness={level:g}\n  mBrightness={level:g}\n"
        f"  mScreenState={'ON' if phone.awake else 'OFF'}\n"
    )
