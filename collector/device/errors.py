"""Errors of phones and adb, one class for each remedy.

DeviceError
+-- NoAdb            no adb program and no running server
+-- ServerGone       the adb server does not answer
|   +-- NotAnAdbServer another program holds its port
|   +-- UnreadableServer it answered what cannot be read
+-- DeviceNotFound   the server does not know this serial
+-- DeviceOffline    known, but it does not answer
|   +-- NotConnected nothing answers at an address
+-- Unauthorized     the phone has not allowed this computer
+-- DeviceTimeout    a call took longer than it may
+-- CallCancelled    the caller cancelled the call
+-- CommandFailed    the phone answered that it could not
+-- CaptureFailed    no picture
|   +-- SecureWindow the app forbids pictures
|   +-- UnreadableScreenshot the bytes are no picture that can be decoded
|   +-- ScrcpyFailed the scrcpy server did not start or spoke wrongly
+-- DumpFailed       no tree
|   +-- AutomationTaken another tool holds the phone's automation
+-- InputDenied      the phone refuses injected input
+-- DeviceTaken      another program has the lease of the phone
"""

# ruff: noqa: N818 - the design fixes these names; they read as states of a phone

from __future__ import annotations

from typing import Self

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.text.one_line import one_line
from collector.pictures.errors import PictureError

_LONGEST = 400
"""Characters of a sentence, which may repeat a phone's or a server's own words."""


class DeviceError(UserError):
    """Base of all failures of the device layer. Its sentences have one line and no control characters."""

    def __init__(self, what: str, why: str = "", to_do: str = "") -> None:
        super().__init__(one_line(what, _LONGEST), one_line(why, _LONGEST), to_do)


class NoAdb(DeviceError):
    """There is no adb program to start a server with."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("No adb program was found"),
            why,
            _("Install Android platform-tools, or set its path in the settings"),
        )


class ServerGone(DeviceError):
    """The adb server does not answer or hung up."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("The adb server does not answer"), why, _("It is started again by itself; wait a moment")
        )


class NotAnAdbServer(ServerGone):
    """Another program listens on the port of the adb server."""

    def __init__(self, port: int, why: str = "") -> None:
        super(ServerGone, self).__init__(
            _("What answers on port {port} is no adb server", port=port),
            why,
            _("Close that program, or choose another port in the settings or in ANDROID_ADB_SERVER_PORT"),
        )


class UnreadableServer(ServerGone):
    """The adb server answered with what its protocol does not have."""

    def __init__(self, port: int, why: str = "") -> None:
        super(ServerGone, self).__init__(
            _("The adb server on port {port} answered what cannot be read", port=port),
            why,
            _("Run adb kill-server, or choose another port in the settings or in ANDROID_ADB_SERVER_PORT"),
        )


class DeviceNotFound(DeviceError):
    """The adb server does not know the serial."""

    def __init__(self, serial: str) -> None:
        super().__init__(
            _("No device {serial} is connected", serial=serial),
            "",
            _("Plug it in, or connect to its address"),
        )


class DeviceOffline(DeviceError):
    """adb lists the device, but it does not answer."""

    def __init__(self, serial: str, why: str = "") -> None:
        super().__init__(
            _("Device {serial} is offline", serial=serial),
            why,
            _("See that it is on and in the same network, then connect to its address again")
            if ":" in serial
            else _("Unplug and plug its cable, or switch USB debugging off and on"),
        )


class NotConnected(DeviceOffline):
    """adb could not connect to an address."""

    def __init__(self, address: str, why: str = "") -> None:
        super(DeviceOffline, self).__init__(
            _("No phone answers at {address}", address=address),
            why,
            _("See that it is on, in the same network, and listens there for adb"),
        )


class Unauthorized(DeviceError):
    """The phone has not yet allowed USB debugging from this computer."""

    def __init__(self, serial: str) -> None:
        super().__init__(
            _("Device {serial} has not allowed this computer", serial=serial),
            _("USB debugging asks on the phone itself"),
            _("Unlock the phone and answer Allow to its question"),
        )


class DeviceTimeout(DeviceError):
    """A call took longer than it may."""

    def __init__(self, what: str, seconds: float) -> None:
        super().__init__(
            _("The device did not answer within {seconds:g} s: {what}", seconds=round(seconds, 1), what=what),
            "",
            _("Try again; if it stays so, reconnect the device"),
        )


class CallCancelled(DeviceError):
    """The caller cancelled the call; nothing to report to a person."""

    def __init__(self, what: str = "") -> None:
        super().__init__(_("Cancelled"), what)


class CommandFailed(DeviceError):
    """The phone refused a command, or the command failed."""

    def __init__(self, what: str, output: str = "", to_do: str = "") -> None:
        super().__init__(what, output, to_do)


class CaptureFailed(DeviceError):
    """The phone gave no picture."""


class SecureWindow(CaptureFailed):
    """The window in front is protected (FLAG_SECURE)."""

    def __init__(self) -> None:
        super().__init__(
            _("This screen is protected and cannot be shown"),
            _("The app forbids pictures of this window"),
            _("Its tree can still be read; act on the phone itself or go on to the next screen"),
        )


class UnreadableScreenshot(CaptureFailed):
    """The phone's screenshot is no whole PNG, or one over the limit of pictures."""

    def __init__(self, why: str) -> None:
        super().__init__(
            _("The phone gave no readable screenshot"),
            why,
            _("Try again; if it stays so, choose another frame source"),
        )

    @classmethod
    def because(cls, error: PictureError) -> Self:
        """The error for a picture that cannot be decoded."""
        return cls(str(UserError(error.what, error.why)))


class ScrcpyFailed(CaptureFailed):
    """The scrcpy server did not start, or closed the connection."""


class DumpFailed(DeviceError):
    """The phone gave no current tree."""


class AutomationTaken(DumpFailed):
    """Another program holds UiAutomation, which Android gives to one at a time."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("Another program holds the phone's automation"),
            why,
            _("Stop the other tool (uiautomator2, Appium, a second recorder) and try again"),
        )


class InputDenied(DeviceError):
    """The phone refuses injected input."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("The phone refuses input from this computer"),
            why,
            _('On Xiaomi phones switch on "USB debugging (Security settings)" in the developer options'),
        )


class DeviceTaken(DeviceError):
    """Another program has the lease of the phone."""

    def __init__(self, phone: str, owner: str, to_do: str = "") -> None:
        """``owner`` names program, process, what it does and since when."""
        super().__init__(
            _("{phone} is in use by {owner}", phone=phone, owner=owner),
            "",
            to_do or _("Wait until that is done, or close it there"),
        )


ABSENT = (DeviceNotFound, DeviceOffline, ServerGone, Unauthorized)
"""Errors that mean the phone or adb is absent: no other source or command would work either."""
GONE = (*ABSENT, DeviceTimeout)
"""Errors that may mean the phone is absent."""
