"""Starting and ending apps."""

from __future__ import annotations

from collector.adb.quoting import is_package, join
from collector.device.protocols import Cancel, Device


def start_app(device: Device, package: str, cancel: Cancel | None = None) -> bool:
    """Start an app by its launcher activity; False when the phone has no such app.

    Raises ValueError for what is no package name, and DeviceError.
    """
    _require_package(package)
    said = device.shell(f"monkey -p {package} -c android.intent.category.LAUNCHER 1", cancel=cancel)
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


def _require_package(package: str) -> None:
    if not is_package(package):
        raise ValueError(f"not a package: {package!r}")
