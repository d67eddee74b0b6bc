"""Check what this computer needs for phones: adb and a scrcpy server."""

from __future__ import annotations

import logging
import re

from collector.device.errors import DeviceError, ScrcpyFailed
from collector.device.transport.adb_server import AdbServer
from collector.device.video.scrcpy_server_jar import find_server_jar, place_words
from collector.host.programs import run_program
from collector.host.sockets import is_trusted_listener
from collector.model.finding import Finding
from collector.model.i18n import _

_log = logging.getLogger(__name__)
_VERSION = re.compile(r"^Version (\d+(?:\.\d+)*)", re.MULTILINE)
_TIMEOUT = 10.0


def check_host(server: AdbServer, jar: str = "") -> list[Finding]:
    """Start adb when it does not run, and look for a scrcpy server. Waits: call it from a job."""
    return [_adb(server), check_scrcpy(jar)]


def _adb(server: AdbServer) -> Finding:
    try:
        server.ensure()
        if not is_trusted_listener(server.port):
            return _foreign_adb(server.port)
        server.version()
    except DeviceError as error:
        return Finding("no_adb", "problem", error.what, error.why, error.to_do)
    title = _("adb {version}", version=_program_version(server)).strip()
    return Finding("adb", "ok", title, _("server answers on port {port}", port=server.port))


def _foreign_adb(port: int) -> Finding:
    return Finding(
        "foreign_adb", "problem", _("The adb server belongs to another account of this computer"),
        _("it listens on port {port}, and sees all that is sent to phones", port=port),
        _("Ask that account to end it, or set ANDROID_ADB_SERVER_PORT to another port"),
    )  # fmt: skip


def _program_version(server: AdbServer) -> str:
    """Return what ``adb version`` prints; empty when it fails."""
    try:
        result = run_program([server.program, "version"], seconds=_TIMEOUT)
    except (OSError, DeviceError) as error:
        _log.info("adb does not print its version: %s", error)
        return ""
    match = _VERSION.search(result.stdout.decode("utf-8", "replace"))
    return match[1] if match else ""


def check_scrcpy(chosen: str = "", *, virtual: bool = False) -> Finding:
    """Say which scrcpy server is used, its version and where it is; or how to get one."""
    try:
        jar = find_server_jar(chosen, virtual=virtual)
    except ScrcpyFailed as error:
        return Finding("no_scrcpy", "notice", error.what, error.why, error.to_do)
    words = jar.origin if virtual else place_words(jar)
    return Finding("scrcpy", "ok", _("scrcpy server {version}", version=jar.version), words)
