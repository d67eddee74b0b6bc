"""Send files to a phone, and install apps from APK files."""

from __future__ import annotations

import contextlib
import hashlib
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from collector.adb.quoting import join
from collector.device.errors import CallCancelled, CommandFailed, DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.model.errors import UserError
from collector.model.i18n import N_, _

DOWNLOADS = PurePosixPath("/sdcard/Download")
Progress = Callable[[int, int], None]
"""Called with the bytes sent and the bytes in all."""
_TEMPORARY = PurePosixPath("/data/local/tmp")
_CHUNK = 1 << 16
_INSTALL_TIMEOUT = 300.0
_STALL_TIMEOUT = 30.0
_REMOVE_TIMEOUT = 1.0
_REASONS = {
    "INSTALL_FAILED_USER_RESTRICTED": N_("the phone does not allow apps from a computer"),
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": N_(
        "the phone has the app with another signature; uninstall it first"
    ),
    "INSTALL_FAILED_VERSION_DOWNGRADE": N_("the phone has a newer version; uninstall it first"),
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": N_("the phone has no room for it"),
    "INSTALL_FAILED_NO_MATCHING_ABIS": N_("it is built for another processor"),
    "INSTALL_FAILED_OLDER_SDK": N_("it needs a newer Android"),
    "INSTALL_FAILED_TEST_ONLY": N_("it is a test version"),
    "INSTALL_FAILED_MISSING_SPLIT": N_("it is one part of several; the other parts are missing"),
    "INSTALL_PARSE_FAILED": N_("Android cannot read the file"),
}
"""What the codes of the package manager mean, by their beginning."""


def is_app_file(path: Path) -> bool:
    """Whether a file is installed rather than copied: by its name."""
    return path.suffix.lower() == ".apk"


def push_file(
    device: Device, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> PurePosixPath:
    """Copy a file to the phone's Download folder, and return its place there; one of that name is replaced.

    Blocks. Raises UserError, DeviceError, and CallCancelled, which leaves nothing behind.
    """
    if not path.is_file():
        raise UserError(
            _("{name} cannot be sent", name=path.name), _("it is not a file"), _("Choose files, not folders")
        )
    # A name that is no UTF-8 on this computer is still sent: the phone's names are UTF-8.
    target = DOWNLOADS / path.name.encode(errors="replace").decode()
    _send(device, path, target, progress, cancel)
    return target


def install_app(
    device: Device, path: Path, progress: Progress | None = None, cancel: Cancel | None = None
) -> None:
    """Install an APK, or update the app and keep its data. Blocks.

    Raises UserError when it is no APK or the phone refuses it, and DeviceError.
    """
    _require_apk(path)
    target = _TEMPORARY / f"waymark-{hashlib.sha256(str(path).encode(errors='replace')).hexdigest()[:12]}.apk"
    try:
        _send(device, path, target, progress, cancel)
        result = device.shell(["pm", "install", "-r", str(target)], timeout=_INSTALL_TIMEOUT, cancel=cancel)
    finally:
        _remove(device, target)
    answer = (result.text + result.error_text).strip()
    if "Success" not in answer:
        raise UserError(_("{name} was not installed", name=path.name), _reason(answer))


def _reason(answer: str) -> str:
    """The reason in words, and Android's own words behind it."""
    failure = next((line for line in answer.splitlines() if "Failure" in line), answer[-300:])
    inner = failure.partition("[")[2].rpartition("]")[0] or failure
    meaning = next((text for code, text in _REASONS.items() if inner.startswith(code)), "")
    return f"{_(meaning)} ({inner})" if meaning else inner


def _require_apk(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            archive.getinfo("AndroidManifest.xml")
    except (OSError, zipfile.BadZipFile, KeyError):
        raise UserError(
            _("{name} is no Android app", name=path.name),
            _("it has no manifest, or cannot be read"),
            _("Choose an .apk file"),
        ) from None


def _remove(device: Device, target: PurePosixPath) -> None:
    """Remove what was sent, of a transfer that was cancelled too; a silent phone keeps it."""
    with contextlib.suppress(DeviceTimeout):
        device.shell(join(["rm", "-f", str(target)]), timeout=_REMOVE_TIMEOUT)


def _send(
    device: Device, path: Path, target: PurePosixPath, progress: Progress | None, cancel: Cancel | None
) -> None:
    try:
        total = path.stat().st_size
        with path.open("rb") as file:

            def chunks() -> Iterator[bytes]:
                sent = 0
                while data := file.read(_CHUNK):
                    if cancel is not None and cancel.is_set():
                        raise CallCancelled(str(target))
                    yield data
                    sent += len(data)
                    if progress is not None:
                        progress(sent, total)

            device.push(chunks(), target, timeout=_STALL_TIMEOUT, cancel=cancel)
    except CallCancelled:
        _remove(device, target)
        raise
    except CommandFailed as error:
        raise UserError(_("{name} could not be sent", name=path.name), error.why or error.what) from None
    except OSError as error:
        raise UserError(_("{name} cannot be read", name=path.name), error.strerror or str(error)) from None
