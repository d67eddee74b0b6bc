"""``pm install`` and its sessions, and ``pm uninstall``, for the apps that the phone can behave as."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from collector.virtual.apps import app_for_apk
from collector.virtual.shell.apk import ApkManifest, read_apk
from collector.virtual.shell.commands.dumpsys.package import package_named
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import thrown

if TYPE_CHECKING:
    from collector.virtual.ui.app import App

_REFUSED = "INSTALL_FAILED_USER_RESTRICTED: the virtual phone runs its own apps only"
_IN_MEMORY = 4 << 20
_BLOCK = 1 << 16
_WITH_VALUE = frozenset(
    {
        "-S",
        "-i",
        "--abi",
        "--install-location",
        "--install-reason",
        "--originating-uri",
        "--pkg",
        "--referrer",
    }
)


def install(process: Process, words: list[str]) -> int:
    """Install an APK from stdin, of ``-S`` bytes, or from a path."""
    with _uploaded(process, words) as file:
        return _finish(process, [[_manifest(file)]])


def install_create(process: Process, words: list[str]) -> int:
    """Begin an installation of several APKs; ``-S`` is the size of all, which follow one by one."""
    del words
    number = process.machine.install_sessions.open()
    process.line(f"Success: created install session [{number}]")
    return 0


def install_write(process: Process, words: list[str]) -> int:
    """``install-write [-S SIZE] SESSION NAME [PATH|-]``."""
    operands = _operands(words)
    parts = _session(process, operands)
    with _uploaded(process, [*words[: len(words) - len(operands)], *operands[2:]]) as file:
        size = file.seek(0, io.SEEK_END)
        parts.append(_manifest(file))
    process.line(f"Success: streamed {size} bytes")
    return 0


def install_add_session(process: Process, words: list[str]) -> int:
    """``install-add-session PARENT CHILD...``: install several apps together, with the parent's commit."""
    operands = _operands(words)
    for number in operands or [""]:
        _session(process, [number])
    process.machine.install_sessions.add_children(operands[0], operands[1:])
    process.line("Success")
    return 0


def install_commit(process: Process, words: list[str]) -> int:
    """Install what was written to the session, or to its children, and close it."""
    operands = _operands(words)
    _session(process, operands)
    return _finish(process, process.machine.install_sessions.close(operands[0]))


def install_abandon(process: Process, words: list[str]) -> int:
    """Close a session without installing."""
    process.machine.install_sessions.close(next(iter(_operands(words)), ""))
    process.line("Success")
    return 0


def uninstall(process: Process, words: list[str]) -> int:
    """Remove an app with its data; of the system's, the person's user alone can get rid, with ``--user``."""
    name = next(iter(_operands(words)), "")
    package = package_named(process, name)
    packages = process.machine.phone.services.packages
    for_user = "--user" in process.arguments
    if package is None or packages.state(name).uninstalled:
        missing = "not installed for 0" if for_user else "DELETE_FAILED_INTERNAL_ERROR"
        process.line(f"Failure [{missing}]")
        return 1
    if package.system:
        if not for_user:
            process.line("Failure [DELETE_FAILED_INTERNAL_ERROR]")
            return 1
        packages.set_state(name, replace(packages.state(name), uninstalled=True))
    else:
        packages.uninstall(name)
    process.line("Success")
    return 0


def install_existing(process: Process, words: list[str]) -> int:
    """Give the user a package back that the phone still has."""
    name = next(iter(_operands(words)), "")
    if not name:
        process.line("Error: package name not specified")
        return 1
    if package_named(process, name) is None:
        missing = f"android.content.pm.PackageManager$NameNotFoundException: Package {name} doesn't exist"
        process.err(missing)
        return 1
    packages = process.machine.phone.services.packages
    packages.set_state(name, replace(packages.state(name), uninstalled=False))
    process.line(f"Package {name} installed for user: 0")
    return 0


def _operands(words: list[str]) -> list[str]:
    """The words that are neither an option nor its value; ``-`` is standard input."""
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        del rest[: 2 if rest[0] in _WITH_VALUE else 1]
    return rest


def _session(process: Process, operands: list[str]) -> list[ApkManifest | None]:
    number = operands[0] if operands else ""
    parts = process.machine.install_sessions.parts(number)
    if parts is None:
        verb = process.arguments[0] if process.arguments else ""
        reason = f"java.lang.SecurityException: Caller has no access to session {number}"
        raise thrown(process, verb, reason)
    return parts


def _uploaded(process: Process, words: list[str]) -> IO[bytes]:
    """The file that is installed: the file of a path, or ``-S`` bytes of stdin."""
    operands = _operands(words)
    from_stdin = not operands or operands[0] == "-"
    if from_stdin and "-S" in words[:-1]:
        size = words[words.index("-S") + 1]
        return _received(process, int(size) if size.isdecimal() else 0)
    if from_stdin:
        reason = "Error: must either specify a package size or an APK file"
        raise thrown(process, "install", f"java.lang.IllegalArgumentException: {reason}")
    path = process.path(operands[0])
    try:
        return io.BytesIO(process.machine.files.read(path))
    except OSError:
        process.err(f"Error: Unable to open file: {path}\nConsider using a file under /data/local/tmp/")
        reason = f"java.lang.IllegalArgumentException: Error: Can't open file: {path}"
        raise thrown(process, "install", reason) from None


def _received(process: Process, size: int) -> IO[bytes]:
    """Read ``size`` bytes of stdin; adb waits for an answer until it has written all of them."""
    file: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the caller closes it
    left = size
    while left > 0 and (block := process.stdin.read(min(left, _BLOCK))):
        file.write(block)
        left -= len(block)
    return file


def _manifest(file: IO[bytes]) -> ApkManifest | None:
    """The manifest of an APK; None when the file is not one."""
    file.seek(0)
    try:
        return read_apk(file)
    except ValueError:
        return None


def _finish(process: Process, written: list[list[ApkManifest | None]]) -> int:
    """Install apps, each of one or several APKs, all or none; print the package manager's answer."""
    try:
        apps = [_app(parts) for parts in written]
    except CommandError as error:
        process.line(f"Failure [{error}]")
        return 1
    for app in apps:
        process.machine.phone.services.packages.install(app)
    process.line("Success")
    return 0


def _app(parts: list[ApkManifest | None]) -> App[Any]:
    """The app of these APKs; CommandError with the code and the reason of a failure."""
    manifests = [part for part in parts if part is not None]
    if not parts:
        raise CommandError("INSTALL_FAILED_INVALID_APK: Session has no content")
    if len(manifests) < len(parts):
        raise CommandError("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk")
    base = next((manifest for manifest in manifests if not manifest.split), None)
    if base is None:
        raise CommandError("INSTALL_FAILED_INVALID_APK: Full install must include a base package")
    for manifest in manifests:
        if manifest.package != base.package:
            raise CommandError(
                f"INSTALL_FAILED_INVALID_APK: {manifest.package} inconsistent with {base.package}"
            )
    app = app_for_apk(base.package)
    if app is None:
        raise CommandError(_REFUSED)
    # Other apps set these on the class; an installed one has the version of its APK.
    vars(app).update(
        version=base.version_name or app.version, version_code=base.version_code or app.version_code
    )
    return app
