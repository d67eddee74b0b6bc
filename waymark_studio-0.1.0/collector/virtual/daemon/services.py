"""Find the service a client opens by its name; unknown services are refused."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.daemon import framebuffer, jdwp, reverse, shell_service, sync_service
from collector.virtual.daemon.connection import Connection, Service
from collector.virtual.daemon.stream import Stream
from collector.virtual.shell.machine import Machine

_SOCKETS = ("localabstract:", "localreserved:", "localfilesystem:", "local:", "tcp:")

_VERITY = "verity cannot be disabled/enabled - USER build\n"
_REFUSALS = {
    "root": "adbd cannot run as root in production builds\n",
    "unroot": "adbd not running as root\n",
    "remount": 'Not running as root. Try "adb root" first.\n',
    "disable-verity": _VERITY,
    "enable-verity": _VERITY,
}
"""What adbd of a phone that people can buy says to what it does not do."""


class DeviceServices:
    """The adb services of one phone."""

    def __init__(self, machine: Machine, drop: Callable[[], None]) -> None:
        self._machine = machine
        self._drop = drop

    def find(self, name: str, connection: Connection) -> Service | None:
        """The service called ``name``; None refuses it."""
        kind = name.partition(":")[0].partition(",")[0]
        machine = self._machine
        if kind == "shell":
            return lambda stream: shell_service.serve_shell(machine, name, stream)
        if kind == "exec":
            return lambda stream: shell_service.serve_exec(machine, name.partition(":")[2], stream)
        if kind == "sync":
            return lambda stream: sync_service.serve(machine.files, stream)
        if kind == "framebuffer":
            return lambda stream: framebuffer.serve(machine.phone, stream)
        if name == "jdwp":
            return lambda stream: jdwp.serve_list(machine.phone, stream)
        if name == "track-jdwp":
            return lambda stream: jdwp.serve_tracking(machine.phone, stream)
        if kind == "reverse":
            request = name.partition(":")[2]
            return lambda stream: reverse.serve(request, connection, machine.sockets, stream)
        if name.startswith(_SOCKETS):
            return self._socket(name)
        return self._announcing(name)

    def _socket(self, name: str) -> Service | None:
        # `tcp:9008:localhost` names a host, which can only be the phone itself.
        address = ":".join(name.split(":")[:2]) if name.startswith("tcp:") else name
        if not self._machine.sockets.is_listening(address):
            return None

        def pass_on(stream: Stream) -> None:
            if self._machine.sockets.offer(address, stream):
                stream.wait_closed()

        return pass_on

    def _announcing(self, name: str) -> Service | None:
        """A service that prints one sentence; some of them restart adbd or the phone after it."""
        kind, _, argument = name.partition(":")
        restarting = {
            "usb": "restarting in USB mode\n",
            "tcpip": f"restarting in TCP mode port: {argument}\n",
            "reboot": "",
            "reconnect": "done",
        }
        text = (_REFUSALS | restarting).get(kind)
        if text is None or (kind == "tcpip" and not argument.isdecimal()):
            return None

        def announce(stream: Stream) -> None:
            if kind == "reboot":
                # The restart ends the connection, and the stream with it.
                self._machine.restart()
                stream.wait_closed()
                return
            if text:
                stream.write(text.encode())
            stream.close()
            if kind in restarting:
                self._drop()

        return announce
