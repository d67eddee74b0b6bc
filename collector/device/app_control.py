"""Starting and ending apps."""

from __future__ import annotations

from collector.adb.quoting import join
from collector.device.protocols import Cancel, Device
from collector.model.android_names import is_package

_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


def start_app(device: Device, package: str, cancel: Cancel | None = None) -> bool:
    """Start an app by its launcher activity; False when the phone has no such app.

    Raises ValueError for what is no package name, and DeviceError.
    """
    _require_package(package)
    component = _launcher_activity(device, package, cancel)
    if component:
        words = ["am", "start", "-a", _MAIN, "-c", _LAUNCHER, "-n", component]
        said = device.shell(join(words), cancel=cancel)
        return "Error" not in said.text + said.error_text
    # Monkey sets the screen's rotation free when it ends: only where nothing else finds the activity.
    said = device.shell(f"monkey -p {package} -c {_LAUNCHER} 1", cancel=cancel)
    # Releases differ in where they say it.
    return "No activities found" not in said.text + said.error_text


def stop_app(device: Device, package: str, cancel: Cancel | None = None) -> None:
    """End every process and activity of an app. Raises ValueError for what is no package name."""
    _require_package(package)
    device.shell(join(["am", "force-stop", package]), cancel=cancel)


def clear_app(device: Device, package: str, cancel: Cancel | None = None) -> bool:
    """Delete all of an app's data, as if it had just been installed; False when the phone did not."""
    _require_package(package)
    return "Success" in device.shell(join(["pm", "clear", package]), cancel=cancel).text


def _launcher_activity(device: Device, package: str, cancel: Cancel | None) -> str:
    """The one activity its icon starts; empty before Android 7, and where there are several or none."""
    words = ["cmd", "package", "resolve-activity", "--brief", "-a", _MAIN, "-c", _LAUNCHER, package]
    lines = device.shell(join(words), cancel=cancel).text.split()
    return lines[-1] if lines and lines[-1].startswith(f"{package}/") else ""


def _require_package(package: str) -> None:
    if not is_package(package):
        raise ValueError(f"not a package: {package!r}")
