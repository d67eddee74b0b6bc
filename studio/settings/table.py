"""Every setting: key, default (and so its type), what it does and what it may be.

Renamed and removed keys stay known in ``migrations``.
"""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from typing import Any

from collector.model.i18n import N_, _

GROUPS = {
    "look": N_("Look"),
    "device": N_("Devices"),
    "virtual": N_("Virtual phone"),
    "recording": N_("Recording"),
    "privacy": N_("Privacy"),
    "keys": N_("Shortcuts"),
}


@dataclass(frozen=True)
class Setting:
    """One row. The type of ``default`` is the type of the value; ``choices`` maps values to labels."""

    key: str
    default: Any
    title: str
    doc: str
    choices: tuple[tuple[Any, str], ...] = ()
    least: float | None = None
    most: float | None = None
    restart: bool = False
    hidden: bool = False

    @property
    def group(self) -> str:
        return self.key.partition(".")[0]

    @property
    def label(self) -> str:
        return _(self.title)

    @property
    def help(self) -> str:
        return _(self.doc)

    def problem(self, value: object) -> str:
        """Why the value is not allowed, or nothing."""
        wanted = type(self.default)
        number = wanted is float and isinstance(value, int) and not isinstance(value, bool)
        if type(value) is not wanted and not number:
            return _("'{key}' must be a {type}", key=self.key, type=wanted.__name__)
        if self.choices and value not in [choice for choice, _label in self.choices]:
            allowed = ", ".join(str(choice) for choice, _label in self.choices)
            return _("'{key}' must be one of {allowed}", key=self.key, allowed=allowed)
        if isinstance(value, int | float) and not isinstance(value, bool):
            if self.least is not None and value < self.least:
                return _("'{key}' must be at least {least}", key=self.key, least=self.least)
            if self.most is not None and value > self.most:
                return _("'{key}' must be at most {most}", key=self.key, most=self.most)
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


SETTINGS = (
    Setting(
        "look.theme",
        "system",
        N_("Theme"),
        N_("Colours of the window"),
        (("system", N_("As the system")), ("dark", N_("Dark")), ("light", N_("Light"))),
    ),
    Setting(
        "look.language",
        "en",
        N_("Language"),
        N_("Language of the window"),
        (("en", "English"), ("zh_CN", "简体中文")),
        restart=True,
    ),
    Setting(
        "look.scale",
        1.0,
        N_("Scale"),
        N_("Size of everything, on top of the system's"),
        least=0.5,
        most=4.0,
        restart=True,
    ),
    Setting("look.motion", True, N_("Motion"), N_("Short animations that explain a change")),
    Setting(
        "device.tree-source",
        "auto",
        N_("Tree source"),
        N_("How the UI hierarchy is read"),
        (("auto", N_("Automatic")), ("uiautomator2", "uiautomator2"), ("uiautomator", "uiautomator dump")),
    ),
    Setting(
        "device.frame-source",
        "auto",
        N_("Frame source"),
        N_("How the screen is mirrored"),
        (
            ("auto", N_("Automatic")),
            ("scrcpy", "scrcpy"),
            ("screenrecord", "screenrecord"),
            ("screencap", "screencap"),
        ),
    ),
    Setting("device.adb-path", "", N_("adb"), N_("Path of the adb program; empty for the bundled one")),
    Setting(
        "device.adb-port",
        5037,
        N_("adb server port"),
        N_("Port of the adb server on this computer"),
        least=1,
        most=65535,
    ),
    Setting(
        "device.scrcpy-server",
        "",
        N_("scrcpy server"),
        N_("Path of the scrcpy server file; empty to search for it"),
    ),
    Setting(
        "virtual.size", "720x1600", N_("Screen size"), N_("Pixels of a new virtual phone, as WIDTHxHEIGHT")
    ),
    Setting(
        "virtual.density", 320, N_("Density"), N_("Dots per inch of a new virtual phone"), least=72, most=960
    ),
    Setting(
        "virtual.seed", 1, N_("Seed"), N_("Fixes the content and the delays of a new virtual phone"), least=0
    ),
    Setting(
        "virtual.locale",
        "en-US",
        N_("Locale"),
        N_("Language of a new virtual phone"),
        (("en-US", "English"), ("zh-CN", "简体中文")),
    ),
    Setting("recording.author", _user(), N_("Author"), N_("Name written into recordings and annotations")),
    Setting(
        "recording.settle-ms",
        400,
        N_("Settle time"),
        N_("Milliseconds without change before a state is captured"),
        least=50,
        most=10000,
    ),
    Setting(
        "recording.by-hand",
        True,
        N_("Record hands on the phone"),
        N_("What is done on the phone's own glass and keys becomes steps, as what is done on the mirror"),
    ),
    Setting("recording.video", False, N_("Keep the video"), N_("Write the mirror's stream beside the steps")),
    Setting(
        "recording.autosave-s",
        2,
        N_("Autosave"),
        N_("Seconds until an edit of a task or note is saved"),
        least=1,
        most=60,
    ),
    Setting(
        "privacy.redact-passwords",
        True,
        N_("Hide passwords"),
        N_("Black out password fields before anything is saved"),
    ),
    Setting(
        "privacy.log-typed-text",
        False,
        N_("Typed text in the log"),
        N_("Write typed text into the log file as well"),
    ),
    Setting("keys.own", {}, N_("Shortcuts"), N_("Keys you chose, by command"), hidden=True),
    Setting("inject.recent", [], N_("Anomalies"), N_("Anomalies injected lately"), hidden=True),
    Setting("device.addresses", [], N_("Addresses"), N_("Phones connected to by address"), hidden=True),
    Setting("window.places", {}, N_("Window"), N_("Where window and panels were"), hidden=True),
    Setting("window.reopen", True, N_("Reopen"), N_("Whether a project was open at the end"), hidden=True),
    Setting("window.recent", [], N_("Recent projects"), N_("Projects opened lately"), hidden=True),
)
