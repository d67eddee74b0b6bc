"""A ``Configuration`` as Android prints it, by Android version."""

from __future__ import annotations

from collector.virtual.android_versions import (
    ANDROID_7,
    ANDROID_8,
    ANDROID_9,
    ANDROID_10,
    ANDROID_12,
    ANDROID_13,
)
from collector.virtual.system.phone import Phone

_MCC, _MNC = 310, 260
_LARGE, _EXTRA_LARGE, _SMALL = 600, 720, 320
UNSET = (
    "{0.0 ?mcc0mnc ?localeList ?layoutDir ?swdp ?wdp ?hdp ?density ?lsize ?long ?round ?ldr "
    "?wideColorGamut ?orien ?uimode ?night ?touch ?keyb/?/? ?nav/? winConfig={ mBounds=Rect(0, 0 - 0, 0) "
    "mAppBounds=null mMaxBounds=Rect(0, 0 - 0, 0) mDisplayRotation=undefined mWindowingMode=undefined "
    "mActivityType=undefined mAlwaysOnTop=undefined mRotation=undefined} ?fontWeightAdjustment}"
)
"""A configuration that sets nothing."""


def configuration(phone: Phone, activity_type: str = "undefined") -> str:
    """The configuration of the phone now, as a window of this type has it."""
    sdk, size = phone.profile.sdk, phone.size
    scale = phone.density / 160
    width, height = round(size.width / scale), round(size.height / scale)
    shortest = min(width, height)
    locales = phone.locale.replace("-", "_")
    parts = [
        phone.settings.get("system", "font_scale") or "1.0",
        f"{_MCC}mcc{_MNC}mnc",
        f"[{locales}]" if sdk >= ANDROID_7 else locales,
        "ldltr",
        f"sw{shortest}dp w{width}dp h{height}dp {phone.density}dpi",
        _extent(shortest),
        "long" if max(width, height) * 3 >= shortest * 5 else "",
        "land" if width > height else "port",
        "night" if phone.dark else "",
        "finger -keyb/v/h -nav/h",
        _window_configuration(phone, activity_type),
        "as.2" if sdk >= ANDROID_8 else "",
        "s.5",
        "fontWeightAdjustment=0" if sdk >= ANDROID_12 else "",
    ]
    return "{" + " ".join(part for part in parts if part) + "}"


def _extent(shortest: int) -> str:
    """The class of a screen by its shorter side in dp."""
    if shortest >= _EXTRA_LARGE:
        return "xlrg"
    return "lrg" if shortest >= _LARGE else "smll" if shortest < _SMALL else "nrml"


def _window_configuration(phone: Phone, activity_type: str) -> str:
    sdk, size = phone.profile.sdk, phone.size
    whole = f"Rect(0, 0 - {size.width}, {size.height})"
    if sdk < ANDROID_8:
        return ""
    if sdk < ANDROID_9:
        return f"appBounds={whole}"
    turned = f"ROTATION_{phone.rotation * 90}"
    parts = [
        f"mBounds={whole} mAppBounds={whole}",
        f"mMaxBounds={whole}" if sdk >= ANDROID_12 else "",
        f"mDisplayRotation={turned}" if sdk >= ANDROID_13 else "",
        f"mWindowingMode=fullscreen mActivityType={activity_type}",
        f"mAlwaysOnTop=undefined mRotation={turned}" if sdk >= ANDROID_10 else "",
    ]
    return "winConfig={ " + " ".join(part for part in parts if part) + "}"
