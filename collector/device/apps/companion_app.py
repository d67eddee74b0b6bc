"""The companion app on a phone: which it is, installed and removed, and what it may do there.

It shows the dialogs of anomalies. D-GARA's AdbSmartTest has the same package, shows fewer dialogs, and does
not say how a dialog ended.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from collector.adb.quoting import join
from collector.device.device_info import read_app_version
from collector.device.protocols import Cancel, Device
from collector.device.transport.file_transfer import Progress, install_app
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion import contract
from collector.model.companion.activities import OVERLAY
from collector.model.companion.status import CompanionStatus
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset

_GRANTED = re.compile(r"\b([a-z]+)=(true|false)\b")
_CONTRACT = re.compile(r"\bcontract=(\d{1,6})\b")


class CompanionApp:
    """Installs the app on one phone, and removes it. Every method blocks and raises DeviceError."""

    def __init__(self, device: Device) -> None:
        self._device = device

    def status(self, cancel: Cancel | None = None) -> CompanionStatus:
        """Read which version the phone has, and what it may do."""
        version = read_app_version(self._device, COMPANION_PACKAGE, cancel)
        if not version:
            return CompanionStatus()
        spoken = read_contract(self._device, cancel)
        return CompanionStatus(version, spoken, self._allowed(cancel) if spoken else frozenset())

    def _allowed(self, cancel: Cancel | None) -> frozenset[str]:
        call = [
            "content", "call", "--uri", f"content://{contract.AUTHORITY}", "--method", contract.GRANTS_METHOD,
        ]  # fmt: skip
        said = dict(_GRANTED.findall(self._device.shell(join(call), cancel=cancel).text))
        words = contract.PERMISSION_WORDS.items()
        return frozenset(permission for word, permission in words if said.get(word) == "true")

    def install(self, progress: Progress | None = None, cancel: Cancel | None = None) -> CompanionStatus:
        """Install the app that this program brings; return what the phone has then.

        Raises UserError when the file is damaged, and when the phone refuses it: for one, when it has
        D-GARA's app, or one that was signed with another key.
        """
        install_app(self._device, shipped_app(), progress, cancel)
        status = self.status(cancel)
        if not status.is_current:
            raise UserError(
                _("The companion app was sent, and the phone does not have it"),
                _("it has version {version}", version=status.version) if status.version else "",
                _("Look at the phone: it may ask whether the app may be installed"),
            )
        return status

    def remove(self, cancel: Cancel | None = None) -> None:
        """Uninstall the app, with its answers and permissions. Raises UserError when the phone keeps it."""
        result = self._device.shell(join(["pm", "uninstall", COMPANION_PACKAGE]), cancel=cancel)
        if read_app_version(self._device, COMPANION_PACKAGE, cancel):
            raise UserError(
                _("The companion app was not removed"),
                (result.text + result.error_text).strip()[-200:],
                _("Remove {package} in the settings of the phone", package=COMPANION_PACKAGE),
            )

    def allow(self, permission: str, *, allowed: bool, cancel: Cancel | None = None) -> CompanionStatus:
        """Give the app a permission, or take it away, and return what the phone says then.

        Raises UserError when nothing changed.
        """
        self._device.shell(self._allow_command(permission, allowed=allowed), cancel=cancel)
        status = self.status(cancel)
        if (permission in status.allowed) != allowed:
            raise UserError(
                _("The phone did not change what the companion app may do"),
                permission,
                _("Change it in the settings of the phone, on the page of the app"),
            )
        return status

    def _allow_command(self, permission: str, *, allowed: bool) -> str:
        if permission == OVERLAY:
            mode = "allow" if allowed else "deny"
            return join(["appops", "set", COMPANION_PACKAGE, "SYSTEM_ALERT_WINDOW", mode])
        return join(["pm", "grant" if allowed else "revoke", COMPANION_PACKAGE, permission])


def read_contract(device: Device, cancel: Cancel | None = None) -> int:
    """The version of the contract that the app on a phone speaks; 0 for D-GARA's app, and for none."""
    query = ["content", "query", "--uri", f"content://{contract.AUTHORITY}/{contract.VERSION_PATH}"]
    answer = _CONTRACT.search(device.shell(join(query), cancel=cancel).text)
    return int(answer[1]) if answer else 0


def shipped_app() -> Path:
    """The APK that this program brings. Raises UserError when it is not what was shipped."""
    path, written = asset("companion", "companion.apk"), asset("companion", "companion.apk.sha256")
    try:
        wanted = written.read_text("ascii").split()[:1]
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise _damaged(error.strerror or str(error)) from None
    except UnicodeDecodeError:
        wanted, found = [], ""
    if [found] != wanted:
        raise _damaged(_("its checksum is another one"))
    return path


def _damaged(why: str) -> UserError:
    return UserError(
        _("The companion app that this program brings cannot be used"), why, _("Install the program again")
    )
