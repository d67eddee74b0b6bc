"""Find the service a client opens by its name; unknown services are refused."""

from __future__ import annotations

from collections.abc import Callable

from collector.virtual.daemon import framebuffer, reverse, shell_service, sync_service
from collector.virtual.daemon.connection import Connection, Service
from collector.virtual.daemon.stream import Stream
from collector.virtual.shell.machine import Machine

_SOCKETS = ("localabstract:", "localreserved:", "localfilesystem:", "local:", "tcp:")

# adbd sends this before a restart or reboot, then drops the connection.
_ROOT = "adbd cannot run as root in production builds\n"
_UNROOT = "adbd not running as root\n"


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
        if kind == "reverse":
            request = name.partition(":")[2]
            return lambda stream: reverse.serve(request, connection, machine.sockets, stream)
        if name.startswith(_SOCKETS):
            return self._socket(name)
        return self._restarting(name)

    def _socket(self, name: str) -> Service | None:
        # `tcp:9008:localhost` names a host, which can only be the phone itself.
        address = ":".join(name.split(":")[:2]) if name.startswith("tcp:") else name
        if not self._machine.sockets.is_listening(address):
            return None

        def pass_on(stream: Stream) -> None:
            if self._machine.sockets.offer(address, stream):
                stream.wait_closed()

        return pass_on

    def _restarting(self, name: str) -> Service | None:
        kind, _, argument = name.partition(":")
        texts = {
            "root": _ROOT,
            "unroot": _UNROOT,
            "usb": "restarting in USB mode\n",
            "tcpip": f"restarting in TCP mode port: {argument}\n",
            "reboot": "",
        }
        if kind not in texts or (kind == "tcpip" and not argument.isdecimal()):
            return None

        def announce(stream: Stream) -> None:
            if texts[kind]:
                stream.write(texts[kind].encode())
            stream.close()
            if kind not in ("root", "unroot"):
                self._drop()

        return announce
