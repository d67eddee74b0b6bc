"""What a scrcpy server lists: encoders, displays, cameras and apps, in the layout of each release."""

from __future__ import annotations

from collections.abc import Iterable

from collector.adb.scrcpy.version import ScrcpyVersion
from collector.virtual.video.phone import ScreenPhone
from collector.virtual.video.server_log import ServerLog

ENCODER = "c2.android.avc.encoder"
CODEC = "h264"
_NONE = "\n    (none)"
_APPS_COLUMN = 30
_ENCODERS_COLUMN = 69
CAMERAS = f"List of cameras:{_NONE}"


def print_list(phone: ScreenPhone, version: ScrcpyVersion, option: str, log: ServerLog) -> None:
    """Print what a ``list_*`` option asks for; nothing for an unknown one."""
    match option:
        case "list_encoders":
            log.info(video_encoders(version))
            log.info(audio_encoders(version))
        case "list_displays":
            log.info(displays(phone))
        case "list_cameras" | "list_camera_sizes":
            log.info(CAMERAS)
        case "list_apps":
            log.info("Processing Android apps... (this may take some time)")
            log.info(apps("List of apps:", launchable_apps(phone)))


def video_encoders(version: ScrcpyVersion) -> str:
    """The encoder of the virtual phone; 3.0 added whether it is software."""
    if not version.since(3):
        return f"List of video encoders:\n    --video-codec={CODEC} --video-encoder='{ENCODER}'"
    line = f"    --video-codec={CODEC} --video-encoder={ENCODER}"
    return f"List of video encoders:\n{line:<{_ENCODERS_COLUMN}} (sw)"


def audio_encoders(version: ScrcpyVersion) -> str:
    """No encoder: the virtual phone has no sound."""
    return "List of audio encoders:" + ("" if version.since(3) else _NONE)


def displays(phone: ScreenPhone) -> str:
    """The phone's only display."""
    return f"List of displays:\n    --display-id=0    ({phone.size})"


def launchable_apps(phone: ScreenPhone) -> list[tuple[str, str, bool]]:
    """Label, package and whether it is a system app, of the apps with an icon."""
    return [
        (app.label, app.package, app.system)
        for app in phone.packages
        if app.launcher is not None and not app.is_home
    ]


def apps(title: str, rows: Iterable[tuple[str, str, bool]]) -> str:
    """The apps in columns below ``title``: system apps first, each group by name."""
    lines = [title]
    for label, package, system in sorted(rows, key=lambda row: (not row[2], row[0], row[1])):
        mark = "*" if system else "-"
        if len(label) < _APPS_COLUMN:
            lines.append(f" {mark} {label:<{_APPS_COLUMN}} {package}")
        else:
            lines += [f" {mark} {label}", f"   {'':<{_APPS_COLUMN}} {package}"]
    return "\n".join(lines)
