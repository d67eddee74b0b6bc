"""``dumpsys window windows``: every window, then what the window manager has in common for them."""

from __future__ import annotations

from collections.abc import Iterable

from collector.virtual.android_versions import (
    ANDROID_8,
    ANDROID_10,
    ANDROID_11,
    ANDROID_12,
    ANDROID_13,
    ANDROID_14,
    ANDROID_15,
)
from collector.virtual.shell.commands.dumpsys.window.configuration import configuration
from collector.virtual.shell.commands.dumpsys.window.records import (
    focused_app,
    hash_code,
    pid_in,
    record_name,
    truth,
    window_name,
)
from collector.virtual.shell.commands.dumpsys.window.shown_windows import WindowRow, window_rows
from collector.virtual.shell.process import Process
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.input_log import window_token

_ANDROID_16 = ANDROID_15 + 1
_APP_FLAGS = "LAYOUT_IN_SCREEN{secure} LAYOUT_INSET_DECOR SPLIT_TOUCH HARDWARE_ACCELERATED"
_LOOKS: dict[str, tuple[str, int, int, str, str]] = {
    "status_bar": ("STATUS_BAR", 2000, 151_000, "fillx{height}", "NOT_FOCUSABLE{secure} SPLIT_TOUCH"),
    "navigation": ("NAVIGATION_BAR", 2019, 241_000, "fillx{height}", "NOT_FOCUSABLE{secure} SPLIT_TOUCH"),
    "keyboard": (
        "INPUT_METHOD",
        2011,
        131_000,
        "fillxfill",
        "NOT_FOCUSABLE LAYOUT_IN_SCREEN{secure} SPLIT_TOUCH",
    ),
    "shade": ("NOTIFICATION_SHADE", 2040, 171_000, "fillxfill", "NOT_TOUCH_MODAL{secure} SPLIT_TOUCH"),
    "heads_up": ("NOTIFICATION_SHADE", 2040, 171_000, "fillxwrap", "NOT_FOCUSABLE{secure} SPLIT_TOUCH"),
    "keyguard": ("NOTIFICATION_SHADE", 2040, 171_000, "fillxfill", "NOT_TOUCH_MODAL{secure} SPLIT_TOUCH"),
    "overlay": (
        "APPLICATION_OVERLAY",
        2038,
        111_000,
        "fillxwrap",
        "SPLIT_TOUCH{secure} HARDWARE_ACCELERATED",
    ),
    "toast": ("TOAST", 2005, 71_000, "wrapxwrap", "NOT_FOCUSABLE NOT_TOUCHABLE{secure}"),
    "wallpaper": (
        "WALLPAPER",
        2013,
        11_000,
        "fillxfill",
        "NOT_FOCUSABLE NOT_TOUCHABLE LAYOUT_IN_SCREEN{secure}",
    ),
}
"""By kind: type of the window with its number, layer, size that it asks for, and flags."""
_APP = ("BASE_APPLICATION", 1, 21_000, "fillxfill", _APP_FLAGS)
_FLOATING = ("APPLICATION", 2, 21_000, "wrapxwrap", f"DIM_BEHIND {_APP_FLAGS}")
_FLAG_VALUES = {
    "DIM_BEHIND": 0x2,
    "NOT_FOCUSABLE": 0x8,
    "NOT_TOUCHABLE": 0x10,
    "NOT_TOUCH_MODAL": 0x20,
    "LAYOUT_IN_SCREEN": 0x100,
    "SECURE": 0x2000,
    "LAYOUT_INSET_DECOR": 0x10000,
    "SPLIT_TOUCH": 0x800000,
    "HARDWARE_ACCELERATED": 0x1000000,
}


def dump_windows(process: Process, rows: Iterable[WindowRow] | None = None, *, whole: bool = True) -> None:
    """All windows, or those of ``rows``; ``whole`` with what Android leaves out of a dump of everything."""
    phone = process.machine.phone
    process.line("WINDOW MANAGER WINDOWS (dumpsys window windows)")
    secure, owners = phone.secure_windows(), phone.services.packages.uids
    for number, row in enumerate(window_rows(phone) if rows is None else rows):
        process.line(f"  Window #{number} {window_name(row.title)}:")
        process.out(_window(phone, row, owners.get(row.package, 1000), row.title in secure, whole))
    _common(process, whole)


def look_of(row: WindowRow) -> tuple[str, int, int, str, str]:
    """Type of a window with its number, its layer, the size that it asks for, and its flags."""
    if row.kind in _LOOKS:
        return _LOOKS[row.kind]
    return _APP if row.kind == "activity" else _FLOATING


def session_name(phone: Phone, package: str, uid: int) -> str:
    """``Session{1a2b3c4 4285:u0a10124}``."""
    user = f"u0a{uid}" if uid >= 10_000 else str(uid)
    return f"Session{{{window_token(f'session {package}')} {pid_in(phone, package)}:{user}}}"


def token_name(row: WindowRow, sdk: int) -> str:
    """The token that a window belongs to: an activity, or one of the system."""
    if row.record is not None:
        return record_name(row.record, row.task, sdk)
    if row.kind == "wallpaper":
        return f"WallpaperWindowToken{{{window_token('wallpaper')} showWhenLocked=true}}"
    kind = f"type={look_of(row)[1]} " if sdk >= ANDROID_11 else ""
    return f"WindowToken{{{window_token(f'token {row.title}')} {kind}{_proxy(row)}}}"


def _proxy(row: WindowRow) -> str:
    return f"android.os.BinderProxy@{hash_code(f'binder {row.title}')}"


def animator_name(row: WindowRow) -> str:
    """``WindowStateAnimator{1a2b3c4 StatusBar}``."""
    return f"WindowStateAnimator{{{window_token(f'animator {row.title}')} {row.title}}}"


def _window(phone: Phone, row: WindowRow, uid: int, secure: bool, whole: bool) -> str:
    sdk = phone.profile.sdk
    task = f" {'taskId' if sdk >= _ANDROID_16 else 'rootTaskId'}={row.task}" if row.task else ""
    if row.task and sdk < ANDROID_12:
        task = f" stackId={row.task}"
    of_all = truth(row.package == "com.android.systemui")
    frame = row.frame
    lines = [
        f"    mDisplayId=0{task} mSession={session_name(phone, row.package, uid)} mClient={_proxy(row)}",
        f"    mOwnerUid={uid} showForAllUsers={of_all} package={row.package} appop=NONE",
        *_attributes(row, secure, sdk),
        f"    Requested w={frame.width} h={frame.height} mLayoutSeq=1",
    ]
    if row.kind in ("keyboard", "wallpaper"):
        lines.append(
            f"    mIsImWindow={truth(row.kind == 'keyboard')} mIsWallpaper={truth(row.kind == 'wallpaper')} "
            "mIsFloatingLayer=true"
        )
    lines += _whole(phone, row) if whole else ()
    lines += [
        f"    mHasSurface={truth(row.visible)} isReadyForDisplay()={truth(row.visible)} "
        "mWindowRemovalAllowed=false",
        *(_frames(phone, row) if whole else ()),
        f"    {animator_name(row)}:",
        *_animator(row),
        f"    isOnScreen={truth(row.visible)}",
        f"    isVisible={truth(row.visible)}",
    ]
    if sdk >= ANDROID_13:
        lines.append("    keepClearAreas: restricted=[], unrestricted=[]")
    if sdk >= ANDROID_14 and whole:
        lines.append("    mPrepareSyncSeqId=0")
    if sdk >= _ANDROID_16 and whole:
        lines.append("    mBufferSeqId=0")
    return "".join(f"{line}\n" for line in lines)


def _attributes(row: WindowRow, secure: bool, sdk: int) -> list[str]:
    kind, number, _layer, asked, flags = look_of(row)
    size = asked.format(height=row.frame.height)
    names = flags.format(secure=" SECURE" if secure else "")
    if row.kind not in ("toast", "activity") and "HARDWARE" not in names:
        names += " HARDWARE_ACCELERATED"
    adjust = "resize" if row.kind == "activity" else "pan"
    if sdk < ANDROID_8:
        value = sum(_FLAG_VALUES[name] for name in names.split())
        sim = "#10" if adjust == "resize" else "#20"
        return [f"    mAttrs=WM.LayoutParams{{(0,0)({size}) sim={sim} ty={number} fl=#{value:x} fmt=-3}}"]
    translucent = "" if row.kind == "activity" else " fmt=TRANSLUCENT"
    lines = [
        f"    mAttrs={{(0,0)({size}) sim={{adjust={adjust}}} ty={kind}{translucent}",
        f"      fl={names}",
    ]
    if sdk >= ANDROID_11:
        lines += ["      pfl=FIT_INSETS_CONTROLLED", "      bhv=DEFAULT"]
    if sdk >= ANDROID_15:
        lines += ["      frameRateBoostOnTouch=true", "      dvrrWindowFrameRateHint=true"]
    lines[-1] += "}"
    return lines


def _whole(phone: Phone, row: WindowRow) -> list[str]:
    """What a dump of the windows alone adds."""
    sdk, kind = phone.profile.sdk, "undefined"
    token = token_name(row, sdk)
    lines = [f"    mBaseLayer={look_of(row)[2]} mSubLayer=0    mToken={token}"]
    if row.record is not None:
        kind = "home" if row.record.activity.home else "standard"
        lines += [
            f"    mActivityRecord={token}",
            f"    drawnStateEvaluated={truth(row.visible)}    mightAffectAllDrawn={truth(row.visible)}",
        ]
    lines.append(
        f"    mViewVisibility={'0x0' if row.visible else '0x8'} mHaveFrame=true "
        f"mObscured={truth(not row.visible)}"
    )
    keys = row.keys
    insets = f"[0,{keys.top - row.frame.top}][0,0]" if keys is not None else "[0,0][0,0]"
    lines.append(f"    mGivenContentInsets={insets} mGivenVisibleInsets={insets}")
    if keys is not None:
        lines += [
            "    mTouchableInsets=3 mGivenInsetsPending=false",
            f"    touchable region=SkRegion(({keys.left},{keys.top},{keys.right},{keys.bottom}))",
        ]
    text = configuration(phone, kind)
    lines += [f"    mFullConfiguration={text}", f"    mLastReportedConfiguration={text}"]
    if sdk >= ANDROID_15 and row.record is not None:
        size = phone.size
        bounds = f"Rect(0, 0 - {size.width}, {size.height})"
        lines.append(
            "    mLastReportedActivityWindowInfo=ActivityWindowInfo{isEmbedded=false, "
            f"taskBounds={bounds}, taskFragmentBounds={bounds}}}"
        )
    return lines


def _frames(phone: Phone, row: WindowRow) -> list[str]:
    size, frame, sdk = phone.size, row.frame, phone.profile.sdk
    whole = f"[0,0][{size.width},{size.height}]"
    if sdk < ANDROID_10:
        return [
            f"    mFrame={frame} last={frame}",
            f"    Frames: containing={frame} parent={frame}",
            f"        display={frame}",
            f"        content={frame} visible={frame}",
        ]
    changed = " insetsChanged=false" if sdk >= ANDROID_11 else ""
    return [
        f"    Frames: parent={whole} display={whole} frame={frame} last={frame}{changed}",
        "     surface=[0,0][0,0]",
    ]


def _animator(row: WindowRow) -> list[str]:
    if not row.visible:
        return [
            "      mDrawState=NO_SURFACE       mLastHidden=true",
            "      mEnterAnimationPending=false      mSystemDecorRect=[0,0][0,0]",
        ]
    surface = hash_code(f"surface {row.title}")
    return [
        f"      mSurface=Surface(name={row.title})/@0x{surface}",
        "      Surface: shown=true      mDrawState=HAS_DRAWN       mLastHidden=false",
        "      mEnterAnimationPending=false      mSystemDecorRect=[0,0][0,0]",
    ]


def _common(process: Process, whole: bool) -> None:
    """What follows the windows: since Android 10 the focus is with the displays alone.

    Read from real phones with Android 9, 11, 12, 14, 15 and 16.
    """
    phone = process.machine.phone
    sdk, title = phone.profile.sdk, phone.focused_window
    target = window_name(title) if title else ""
    process.line(f"\n  mGlobalConfiguration={configuration(phone)}\n  mHasPermanentDpad=false")
    if sdk < ANDROID_10:
        dump_focus(process, "  ")
        if target:
            process.line(f"  mInputMethodTarget={target}")
    else:
        process.line("  mTopFocusedDisplayId=0")
        for key in _input_method_targets(sdk) if target and sdk < _ANDROID_16 else ():
            process.line(f"  {key} in display# 0 {target}")
    if sdk >= ANDROID_14:
        process.line("  Minimum task size of display#0 220")
    if sdk < ANDROID_13:
        process.line("  mInTouchMode=true")
    if sdk >= ANDROID_12:
        process.line("  mBlurEnabled=true")
    if sdk < ANDROID_14:
        process.line("  mLastDisplayFreezeDuration=0")
    if sdk >= ANDROID_15:
        process.line("  mDisableSecureWindows=false")
    if whole:
        _internals(process)


def _internals(process: Process) -> None:
    phone = process.machine.phone
    sdk, settings = phone.profile.sdk, phone.settings
    process.line(f"  mInputMethodWindow={window_name('InputMethod')}")
    process.line("  mTraversalScheduled=false\n  mSystemBooted=true mDisplayEnabled=true")
    if sdk >= ANDROID_11:
        process.line("  mTransactionSequence=1")
    if sdk < ANDROID_14:
        process.line("  mDisplayFrozen=false windows=0 client=false apps=0")
    process.line(f"  mRotation={phone.rotation}")
    process.line("  mLastOrientation=-1\n  mWaitingForConfig=false")
    if sdk >= ANDROID_12:
        process.line("  mWindowsInsetsChanged=0")
    window, transition, animator = (
        f"{float(settings.get('global', f'{name}_scale') or 1):g}"
        for name in ("window_animation", "transition_animation", "animator_duration")
    )
    scales = (value if "." in value else f"{value}.0" for value in (window, transition, animator))
    process.line("  Animation settings: disabled=false window={} transition={} animator={}".format(*scales))


def _input_method_targets(sdk: int) -> tuple[str, ...]:
    if sdk >= ANDROID_12:
        return "imeLayeringTarget", "imeInputTarget", "imeControlTarget"
    return ("mInputMethodTarget", "inputMethodControlTarget")[: 1 + (sdk >= ANDROID_11)]


def dump_focus(process: Process, indent: str) -> None:
    """The window and the activity that have the focus."""
    phone = process.machine.phone
    title = phone.focused_window
    if "several-focus-lines" in phone.profile.quirks:
        process.out(f"{indent}mCurrentFocus=null\n" * 2)
    process.line(f"{indent}mCurrentFocus={window_name(title) if title else 'null'}")
    process.line(f"{indent}mFocusedApp={focused_app(phone)}")
