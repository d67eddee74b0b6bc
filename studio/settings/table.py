"""The table of settings: key, default (which gives the type), title, help and allowed values.

A renamed key needs a step in ``migrations``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collector.host.user_folders import user_name
from collector.model.i18n import N_, _, languages
from collector.model.resources import asset

GROUPS = {
    "appearance": N_("Appearance"),
    "device": N_("Devices"),
    "virtual": N_("Virtual phone"),
    "recording": N_("Recording"),
    "labels": N_("Labels"),
    "run": N_("Runs"),
    "privacy": N_("Privacy"),
    "shortcuts": N_("Shortcuts"),
}


@dataclass(frozen=True)
class Setting:
    """One setting. Its type is that of ``default``; ``choices`` are pairs of value and label."""

    key: str
    default: Any
    title: str
    doc: str
    choices: tuple[tuple[Any, str], ...] = ()
    least: float | None = None
    most: float | None = None
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
        """Return why the value is not allowed, or an empty text."""
        required = type(self.default)
        whole_number = required is float and type(value) is int
        if type(value) is not required and not whole_number:
            return _("'{key}' must be a {type}", key=self.key, type=required.__name__)
        if self.choices and value not in [choice for choice, _label in self.choices]:
            allowed = ", ".join(str(choice) for choice, _label in self.choices)
            return _("'{key}' must be one of {allowed}", key=self.key, allowed=allowed)
        if isinstance(value, int | float) and not isinstance(value, bool):
            if self.least is not None and value < self.least:
                return _("'{key}' must be at least {least}", key=self.key, least=self.least)
            if self.most is not None and value > self.most:
                return _("'{key}' must be at most {most}", key=self.key, most=self.most)
        return ""


SETTINGS = (
    Setting(
        "appearance.theme",
        "system",
        N_("Theme"),
        N_("Colours of the window"),
        (("system", N_("As the system")), ("dark", N_("Dark")), ("light", N_("Light"))),
    ),
    Setting(
        "appearance.language",
        "en",
        N_("Language"),
        N_("Language of the window"),
        tuple((code, code) for code in languages(asset("translations"))),
    ),
    Setting(
        "appearance.scale",
        1.0,
        N_("Scale"),
        N_("Size of everything, on top of the system's"),
        least=0.5,
        most=4.0,
    ),
    Setting("appearance.motion", True, N_("Motion"), N_("Short animations that explain a change")),
    Setting(
        "device.tree-source",
        "auto",
        N_("Tree source"),
        N_("How the UI tree is read"),
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
    Setting(
        "virtual.ask-permissions",
        False,
        N_("Permissions"),
        N_("Let apps of a new virtual phone ask for their permissions; else they have them"),
    ),
    Setting(
        "recording.author", user_name(), N_("Author"), N_("Name written into recordings and annotations")
    ),
    Setting(
        "recording.settle-ms",
        400,
        N_("Settle time"),
        N_("Milliseconds without change before a state is captured"),
        least=50,
        most=10000,
    ),
    Setting(
        "recording.on-device-input",
        True,
        N_("Record input on the phone"),
        N_("Touches and keys on the phone itself become steps, as input on the mirror does"),
    ),
    Setting(
        "recording.video",
        False,
        N_("Record a video"),
        N_("Keep the phone's own video beside the steps, a chapter for each; cut where text is hidden"),
    ),
    Setting(
        "recording.phones-side-by-side",
        True,
        N_("Phones side by side"),
        N_("The other phones of the window stand beside the one in front, where there is room"),
    ),
    Setting(
        "recording.autosave-ms",
        100,
        N_("Autosave"),
        N_("Milliseconds after the last key until the texts of a step are saved"),
        least=0,
        most=60000,
    ),
    Setting(
        "run.hold-ms",
        500,
        N_("Show actions before they happen"),
        N_("Milliseconds a run that this window starts waits before each action; 0 for no wait"),
        least=0,
        most=60000,
    ),
    Setting(
        "privacy.redact-passwords",
        True,
        N_("Hide passwords"),
        N_("Black out password fields before anything is saved"),
    ),
    Setting(
        "privacy.update-notice",
        False,
        N_("Tell of newer versions"),
        N_("Ask the Python Package Index once a day; nothing of you or your projects is sent"),
    ),
    Setting("window.last-update-check", "", N_("Update check"), N_("Day of the last one"), hidden=True),
    Setting(
        "recording.people", [], N_("People"), N_("Names that were worked under in this window"), hidden=True
    ),
    Setting("shortcuts.custom", {}, N_("Shortcuts"), N_("Keys you chose for commands"), hidden=True),
    Setting(
        "review.order",
        "name",
        N_("Order"),
        N_("Order of the queue in Review"),
        (("name", N_("In order of task and name")), ("teaching", N_("Where your word teaches most first"))),
        hidden=True,
    ),
    Setting("anomalies.recent", [], N_("Anomalies"), N_("Recently injected anomalies"), hidden=True),
    Setting(
        "device.recent-addresses", [], N_("Addresses"), N_("Recently used addresses of phones"), hidden=True
    ),
    Setting(
        "window.layout", {}, N_("Window"), N_("Position and size of the window and its panels"), hidden=True
    ),
    Setting(
        "window.reopen-project",
        True,
        N_("Reopen"),
        N_("Open the last project at the next start"),
        hidden=True,
    ),
    Setting(
        "window.last-crash-report", "", N_("Crash report"), N_("The newest that was told of"), hidden=True
    ),
    Setting("window.recent-projects", [], N_("Recent projects"), N_("Recently opened projects"), hidden=True),
    Setting("window.tour-offered", False, N_("Guided tour"), N_("Whether the tour was offered"), hidden=True),
    Setting("window.tour-project", "", N_("Guided tour"), N_("Project of the guided tour"), hidden=True),
)
