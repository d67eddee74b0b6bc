"""Quirks of phones: what makers do otherwise, how a person mends it, and who reported it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from collector.model.i18n import N_, _

_GITHUB = "https://github.com/"
_SEEING, _TREES = ("record", "run", "review"), ("record", "run", "rules")
_ACTING, _INJECTING, _ALL = ("record", "run"), ("rules", "run"), ("record", "rules", "run")


@dataclass(frozen=True, slots=True)
class Quirk:
    """What some phones do otherwise. ``workspaces`` are those of the window that it concerns, by id."""

    id: str
    name: str
    what: str
    """What happens on such a phone."""
    remedy: str
    """What a person does about it, in a sentence."""
    workspaces: tuple[str, ...]
    sources: tuple[str, ...]
    """Addresses of public reports or documents that say so."""

    @property
    def title(self) -> str:
        return _(self.name)

    @property
    def effect(self) -> str:
        return _(self.what)

    @property
    def mend(self) -> str:
        return _(self.remedy)


def _quirk(
    name: str, title: str, effect: str, mend: str, workspaces: tuple[str, ...], *issues: str
) -> Quirk:  # fmt: skip
    return Quirk(name, title, effect, mend, workspaces, tuple(_GITHUB + issue for issue in issues))


_INPUT = (
    _quirk(
        "input-refused", N_("USB debugging may not simulate input"),
        N_("Xiaomi, Redmi and POCO refuse each injected touch and key for want of INJECT_EVENTS"),
        N_("Turn on USB debugging (Security settings) in the developer options, and restart the phone"),
        _ACTING, "Genymobile/scrcpy/issues/4199", "Genymobile/scrcpy/issues/5032",
    ),
    _quirk(
        "keyboards-refused", N_("The shell may not list or choose keyboards"),
        N_("OPPO refuses ime for want of WRITE_SECURE_SETTINGS, so that no keyboard for Unicode is chosen"),
        N_("Turn on Disable permission monitoring in the developer options, or choose the keyboard by hand"),
        _ACTING, "zai-org/Open-AutoGLM/issues/106", "RikkaApps/Shizuku/issues/374",
    ),
    _quirk(
        "clipboard-refused", N_("The clipboard takes no text of the mirror"),
        N_("On iQOO and Honor scrcpy's server does not reach the clipboard, and pasted text never arrives"),
        N_("Use a newer scrcpy server, or type Unicode with AdbKeyboard"),
        _ACTING, "Genymobile/scrcpy/issues/4703", "viarotel-org/escrcpy/issues/201",
    ),
    _quirk(
        "touch-units-differ", N_("The touchscreen counts in other units than pixels"),
        N_("Samsung and others report touches in the units of the digitizer, which getevent shows"),
        N_("Nothing is to be done: touches on the phone are converted by the ranges that it reports"),
        ("record",), "openstf/minitouch/issues/18",
    ),
    _quirk(
        "touches-unreadable", N_("The shell may not read the touchscreen"),
        N_("Its nodes belong to another group, as on the Redmi Note 8 Pro, and getevent is refused"),
        N_("Act on the mirror: touches on the phone itself cannot be recorded"),
        ("record",), "openstf/minitouch/issues/52", "openstf/minitouch/issues/70",
    ),
    _quirk(
        "no-touchscreen", N_("The screen takes no touch"),
        N_("A television is operated by the arrow keys of a remote control, and has no touchscreen"),
        N_("Act with the arrow keys and Enter; tasks that tap need a phone"),
        _ACTING, "mobile-next/mobile-mcp/issues/39", "xiaocong/uiautomator/issues/176",
    ),
)  # fmt: skip

_PICTURES = (
    _quirk(
        "slow-screenshots", N_("A screenshot takes seconds"),
        N_("screencap packs the picture so slowly that each state waits for it"),
        N_("Use scrcpy as frame source; the profile of the phone does so"),
        _SEEING, "Genymobile/scrcpy/issues/112", "Genymobile/scrcpy/issues/469",
    ),
    _quirk(
        "black-screenshots", N_("Screenshots show a display that is off"),
        N_("With a second display, as on the Xiaomi 17 Pro Max, screencap takes the one that is dark"),
        N_("Use scrcpy as frame source, which mirrors the display in use"),
        _SEEING, "suyiiyii/AutoGLM-GUI/issues/426", "mobile-next/mobile-mcp/issues/158",
    ),
    _quirk(
        "screenshot-warning", N_("Screenshots begin with a warning"),
        N_("On a foldable screencap prints a warning about its displays, in one stream with the picture"),
        N_("Nothing is to be done: the warning is skipped"),
        _SEEING, "MaaAssistantArknights/MaaAssistantArknights/pull/16927",
        "mobile-next/mobile-mcp/issues/158",
    ),
    _quirk(
        "no-screenrecord", N_("The phone has no screen recorder"),
        N_("Huawei and others leave out screenrecord, so that there is no video without scrcpy"),
        N_("Install a scrcpy server; without one pictures come one by one"),
        _SEEING, "appium/appium-desktop/issues/992", "mortenjust/androidtool-mac/issues/123",
    ),
    _quirk(
        "encoder-limit", N_("The video encoder is too small for the screen"),
        N_("The encoder refuses the size of the screen, and scrcpy's server tries smaller ones"),
        N_("Nothing is to be done: the video is smaller, and screenshots have the full size"),
        _SEEING, "Genymobile/scrcpy/pull/2947", "Genymobile/scrcpy/issues/2440",
    ),
    _quirk(
        "no-encoder", N_("The device has no video encoder"),
        N_("Watches fail to initialize video/avc, so that neither scrcpy nor screenrecord gives a video"),
        N_("Use screencap as frame source; the profile of the device does so"),
        _SEEING, "Genymobile/scrcpy/issues/2613", "Genymobile/scrcpy/issues/725",
    ),
)  # fmt: skip

_SCREENS = (
    _quirk(
        "resolution-override", N_("The screen shows fewer pixels than it has"),
        N_("Samsung lowers the resolution by an override: wm size names two sizes, and one is in use"),
        N_("Nothing is to be done; the full resolution in the phone's settings gives sharper pictures"),
        ("record", "review"), "openstf/minicap/issues/83", "TencentQQGYLab/AppAgent/pull/116",
    ),
    _quirk(
        "landscape-natural", N_("The screen is wide when it is upright"),
        N_("A tablet's natural orientation is landscape: rotation 0 is wide, and a quarter turn is high"),
        N_("Nothing is to be done; tasks recorded on a phone show other layouts here"),
        ("record", "run", "review"), "Genymobile/scrcpy/issues/4219", "srevinsaju/guiscrcpy/issues/81",
    ),
    _quirk(
        "several-displays", N_("The phone has more than one display"),
        N_("A foldable has two displays, and commands that name none may mean the dark one"),
        N_("Keep it folded or unfolded while you record, as its screen changes its size with it"),
        _ALL, "MaaAssistantArknights/MaaAssistantArknights/issues/9942", "shamanec/GADS/pull/310",
    ),
    _quirk(
        "desktop-display", N_("A desktop runs on a second screen"),
        N_("While Samsung DeX runs, apps may be on a display whose id is not 0 and another one each time"),
        N_("End DeX before you record or run"),
        _ALL, "Genymobile/scrcpy/issues/6432", "Genymobile/scrcpy/issues/397",
    ),
    _quirk(
        "several-focus-lines", N_("Each display has a focus of its own"),
        N_("dumpsys window prints several lines mCurrentFocus, of which most are null"),
        N_("Nothing is to be done: the line that names an activity counts"),
        _ALL, "BlueArchiveArisHelper/BAAH/pull/197", "SonicCloudOrg/sonic-agent/pull/359",
    ),
)  # fmt: skip

_DUMPS = (
    _quirk(
        "never-idle", N_("The screen never comes to rest"),
        N_("Something on the screen always moves, and uiautomator dump gives up: could not get idle state"),
        N_("Use uiautomator2 as tree source, and turn off live wallpapers and animations"),
        _TREES, "mobile-next/mobilewright/issues/117", "openatx/uiautomator2/issues/116",
    ),
    _quirk(
        "empty-dumps", N_("Every other tree is empty"),
        N_("uiautomator dump of Android 9 often answers: null root node returned by UiTestAutomationBridge"),
        N_("Nothing is to be done: the tree is asked for again; uiautomator2 as tree source avoids it"),
        _TREES, "android/testing-samples/issues/283", "dtmilano/AndroidViewClient/issues/257",
    ),
    _quirk(
        "automation-taken", N_("Another tool holds the phone's automation"),
        N_("Android has one UiAutomation: a server of Appium or another tool keeps it, and dumps are killed"),
        N_("Stop the other tool's server, or restart the phone"),
        _TREES, "openatx/uiautomator2/issues/1013", "xiaocong/uiautomator/issues/218",
    ),
    _quirk(
        "noisy-dumps", N_("Trees come with a stack trace"),
        N_("MIUI misses a file of its themes, and uiautomator dump prints an exception before it succeeds"),
        N_("Nothing is to be done: the exception is ignored"),
        _TREES, "badabing2005/PixelFlasher/issues/137",
    ),
)  # fmt: skip

_SHELL = (
    _quirk(
        "settings-refused", N_("The shell may not change settings"),
        N_("OPPO, realme and OnePlus refuse settings put and delete for want of WRITE_SECURE_SETTINGS"),
        N_("Turn on Disable permission monitoring in the developer options, and restart the phone"),
        _ALL, "appium/appium/issues/13802", "RikkaApps/Shizuku/issues/374",
    ),
    _quirk(
        "grants-refused", N_("The shell may not grant permissions"),
        N_("pm grant and revoke fail for want of GRANT_RUNTIME_PERMISSIONS"),
        N_("Turn on Disable permission monitoring, or on Xiaomi USB debugging (Security settings)"),
        _INJECTING, "joshuawolfsohn/Private-DNS-Quick-Tile/issues/16", "PhilippC/kp2a_keyboardswap/issues/13",
    ),
    _quirk(
        "app-ops-refused", N_("The shell may not change what apps may do"),
        N_("appops set fails for want of MANAGE_APP_OPS_MODES, so that access to camera or place stays"),
        N_("Turn on Disable permission monitoring in the developer options"),
        _INJECTING, "mirfatif/PermissionManagerX/issues/22",
    ),
    _quirk(
        "clear-refused", N_("The shell may not clear the data of an app"),
        N_("pm clear fails for want of CLEAR_APP_USER_DATA, so that an app is not reset before a task"),
        N_("Turn on USB debugging (Security settings) on Xiaomi, Disable permission monitoring on OPPO"),
        _ACTING, "appium/appium-desktop/issues/393", "appium/appium-desktop/issues/1340",
    ),
    _quirk(
        "installs-refused", N_("Apps may not be installed over USB"),
        N_("Xiaomi answers each installation with INSTALL_FAILED_USER_RESTRICTED unless a person allows it"),
        N_("Turn on Install via USB in the developer options, and allow it on the phone when it asks"),
        ("rules", "run"), "Genymobile/gnirehtet/issues/514", "flutter/flutter/issues/49053",
    ),
    _quirk(
        "other-users-refused", N_("A second user hides the list of apps"),
        N_("With Samsung's Secure Folder pm list packages fails: the shell may not access user 150"),
        N_("Nothing is to be done: the apps of the first user are asked for"),
        _ACTING, "mobile-dev-inc/Maestro/issues/418", "mozilla/web-ext/pull/2904",
    ),
    _quirk(
        "run-as-refused", N_("run-as does not work"),
        N_("Samsung's run-as could not set capabilities, so that files of debuggable apps are not read"),
        N_("Choose the app under Select debug app in the developer options"),
        ("rules",), "facebook/flipper/issues/92",
    ),
    _quirk(
        "log-disabled", N_("The phone keeps no log"),
        N_("Huawei and LeEco turn the log off, and logcat cannot open it: answers of dialogs are not seen"),
        N_("Turn the log on: dial *#*#2846579#*#* on Huawei, or look for it in the developer options"),
        _INJECTING, "rovo89/XposedInstaller/issues/415", "liudongmiao/Brevent/issues/422",
    ),
    _quirk(
        "tools-missing", N_("Commands of the shell are missing"),
        N_("The maker left out tools of toybox that every other phone has"),
        N_("Update the phone's system; what needs the missing tools stays out of use"),
        _ALL, "NeoApplications/Neo-Backup/pull/50",
    ),
    _quirk(
        "low-memory", N_("Apps may not draw over others"),
        N_("Android Go declares little memory, and gives no app the permission to draw over others"),
        N_("Choose anomalies that open a dialog of their own, not an overlay"),
        ("rules",), "appdevforall/CodeOnTheGo/pull/1157", "phhusson/treble_experimentations/issues/1463",
    ),
)  # fmt: skip

QUIRKS: dict[str, Quirk] = {
    quirk.id: quirk for quirk in (*_INPUT, *_PICTURES, *_SCREENS, *_DUMPS, *_SHELL)
}  # fmt: skip
"""All known quirks by id, in the order of the documentation."""


def known_quirks(ids: Iterable[str]) -> list[Quirk]:
    """The quirks of these ids in the order of :data:`QUIRKS`; unknown ids are left out."""
    wanted = set(ids)
    return [quirk for quirk in QUIRKS.values() if quirk.id in wanted]
