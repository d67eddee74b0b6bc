"""``pm install`` and its sessions, ``pm uninstall`` and ``install-existing``."""

from __future__ import annotations

import io
import tempfile
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from collector.virtual.android_versions import ANDROID_9
from collector.virtual.apk.apk_reader import ApkManifest, MissingManifestError, read_apk
from collector.virtual.apps import app_for_apk
from collector.virtual.apps.foreign import ForeignApp
from collector.virtual.shell.commands.dumpsys.package import package_named
from collector.virtual.shell.install_sessions import ApkPart, Switches
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import thrown

if TYPE_CHECKING:
    from collector.virtual.ui.app import App

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
    return _finish(process, [[_part(_uploaded(process, words))]], _switches(words))


def install_create(process: Process, words: list[str]) -> int:
    """Begin an installation of several APKs; ``-S`` is the size of all, which follow one by one."""
    number = process.machine.install_sessions.open(_switches(words))
    process.line(f"Success: created install session [{number}]")
    return 0


def install_write(process: Process, words: list[str]) -> int:
    """``install-write [-S SIZE] SESSION NAME [PATH|-]``."""
    operands = _operands(words)
    parts = _session(process, operands)
    file = _uploaded(process, [*words[: len(words) - len(operands)], *operands[2:]])
    size = file.seek(0, io.SEEK_END)
    parts.append(_part(file))
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
    sessions = process.machine.install_sessions
    switches = sessions.switches(operands[0])
    return _finish(process, sessions.close(operands[0]), switches)


def install_abandon(process: Process, words: list[str]) -> int:
    """Close a session without installing."""
    for parts in process.machine.install_sessions.close(next(iter(_operands(words)), "")):
        for part in parts:
            part.file.close()
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
        process.machine.uploaded_apks.forget(name)
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


def _session(process: Process, operands: list[str]) -> list[ApkPart]:
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


def _switches(words: list[str]) -> Switches:
    """The switches of an installation with their values: ``-r``, ``-d``, ``-t``, ``-i PACKAGE``."""
    given = words[: len(words) - len(_operands(words))]
    after = dict(zip(given, [*given[1:], ""], strict=False))
    return {word: after[word] if word in _WITH_VALUE else "" for word in given if word.startswith("-")}


def _part(file: IO[bytes]) -> ApkPart:
    """An APK that was uploaded, with its manifest or the code of the failure."""
    file.seek(0)
    try:
        return ApkPart(file, read_apk(file))
    except MissingManifestError as error:
        return ApkPart(file, None, f"INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk: {error}")
    except ValueError:
        return ApkPart(file, None, "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk")


def _finish(process: Process, written: list[list[ApkPart]], switches: Switches) -> int:
    """Install apps, each of one or several APKs, all or none; print the package manager's answer."""
    try:
        apps = [_app(process, parts, switches) for parts in written]
    except CommandError as error:
        process.line(f"Failure [{error}]")
        for part in (part for parts in written for part in parts):
            part.file.close()
        return 1
    for (app, base), parts in zip(apps, written, strict=True):
        process.machine.phone.services.packages.install(app, switches.get("-i", ""))
        process.machine.uploaded_apks.keep(app.package, base.file)
        for part in parts:
            if part is not base:
                part.file.close()
    process.line("Success")
    return 0


def _app(process: Process, parts: list[ApkPart], switches: Switches) -> tuple[App[Any], ApkPart]:
    """The app of these APKs and its base; CommandError with the code and the reason of a failure."""
    if not parts:
        raise CommandError("INSTALL_FAILED_INVALID_APK: Session has no content")
    manifests = []
    for part in parts:
        if part.manifest is None:
            raise CommandError(part.failure)
        manifests.append(part.manifest)
    base = next((part for part in parts if part.manifest is not None and not part.manifest.split), None)
    if base is None or base.manifest is None:
        raise CommandError("INSTALL_FAILED_INVALID_APK: Full install must include a base package")
    for manifest in manifests:
        if manifest.package != base.manifest.package:
            raise CommandError(
                f"INSTALL_FAILED_INVALID_APK: {manifest.package} inconsistent with {base.manifest.package}"
            )
    _require_allowed(process, base.manifest, switches)
    return _made(base.manifest), base


def _made(manifest: ApkManifest) -> App[Any]:
    """The app that the phone can behave as, or one that stands in for that of others."""
    app = app_for_apk(manifest.package, manifest.version_code)
    if app is None:
        return ForeignApp(manifest)
    # Other apps set these on the class; an installed one has the version of its APK.
    vars(app).update(
        version=manifest.version_name or app.version, version_code=manifest.version_code or app.version_code
    )
    return app


def _require_allowed(process: Process, manifest: ApkManifest, switches: Switches) -> None:
    """Refuse what the package manager refuses, in its words."""
    sdk, name = process.machine.phone.profile.sdk, manifest.package
    if manifest.min_sdk > sdk:
        raise CommandError(
            "INSTALL_FAILED_OLDER_SDK: Failed parse during installPackageLI: "
            f"Requires newer sdk version #{manifest.min_sdk} (current version is #{sdk})"
        )
    if manifest.test_only and "-t" not in switches:
        raise CommandError("INSTALL_FAILED_TEST_ONLY: installPackageLI")
    before = package_named(process, name)
    if before is None:
        return
    if before.system:
        raise CommandError(
            f"INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package {name} signatures do not match newer "
            "version; ignoring!"
        )
    if "-R" in switches or (sdk < ANDROID_9 and "-r" not in switches):
        raise CommandError(
            f"INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install {name} without first uninstalling."
        )
    if manifest.version_code < before.version_code and "-d" not in switches:
        raise CommandError(
            "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code "
            f"{manifest.version_code} is older than current {before.version_code}"
        )
