"""Start, stop and clear apps."""

from __future__ import annotations

from collector.adb.quoting import join
from collector.device.protocols import Cancel, Device
from collector.model.phone.android_names import is_package

MAIN, LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
HOME = "android.intent.category.HOME"

_RECORDED = "recorded"
_BEGIN = (
    "input keyevent 224; "  # WAKEUP
    f"if cmd waymark practice start >/dev/null 2>&1; then echo {_RECORDED}; else input keyevent 3; fi"  # HOME
)


def start_app(device: Device, package: str, cancel: Cancel | None = None) -> bool:
    """Start an app by its launcher activity; return False when the phone has no such app.

    Raises ValueError for an invalid package name, and DeviceError.
    """
    _require_package(package)
    component = _launcher_activity(device, package, cancel)
    if component:
        words = ["am", "start", "-a", MAIN, "-c", LAUNCHER, "-n", component]
        result = device.shell(join(words), cancel=cancel)
        return "Error" not in result.text + result.error_text
    # Monkey unlocks the rotation of the screen when it ends: use it only when no activity is found.
    result = device.shell(f"monkey -p {package} -c {LAUNCHER} 1", cancel=cancel)
    # Android releases differ in which stream they use.
    return "No activities found" not in result.text + result.error_text


def show_beginning(device: Device, cancel: Cancel | None = None) -> bool:
    """Wake the phone and show its home screen.

    A virtual phone that plays recordings shows the first screen of them instead: True. Raises DeviceError.
    """
    return _RECORDED in device.shell(_BEGIN, cancel=cancel).text


def is_home_app(device: Device, package: str, cancel: Cancel | None = None) -> bool:
    """Whether an app is what the home key shows; such an app has no icon to start it by."""
    _require_package(package)
    words = ["cmd", "package", "resolve-activity", "--brief", "-a", MAIN, "-c", HOME]
    lines = device.shell(join(words), cancel=cancel).text.split()
    return bool(lines) and lines[-1].startswith(f"{package}/")


def stop_app(device: Device, package: str, cancel: Cancel | None = None) -> None:
    """End every process and activity of an app. Raises ValueError for an invalid package name."""
    _require_package(package)
    device.shell(join(["am", "force-stop", package]), cancel=cancel)


def clear_app(device: Device, package: str, cancel: Cancel | None = None) -> bool:
    """Delete all data of an app, as if it had just been installed; return whether the phone did."""
    _require_package(package)
    return "Success" in device.shell(join(["pm", "clear", package]), cancel=cancel).text


def _launcher_activity(device: Device, package: str, cancel: Cancel | None) -> str:
    """Return the activity of the app's icon; empty before Android 7 and unless there is exactly one."""
    words = ["cmd", "package", "resolve-activity", "--brief", "-a", MAIN, "-c", LAUNCHER, package]
    lines = device.shell(join(words), cancel=cancel).text.split()
    return lines[-1] if lines and lines[-1].startswith(f"{package}/") else ""


def _require_package(package: str) -> None:
    if not is_package(package):
        raise ValueError(f"not a package: {package!r}")
