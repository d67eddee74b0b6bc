"""``nc``: connect to a program of the phone, or to the computer through ``adb reverse``, or listen."""

from __future__ import annotations

import threading

from collector.virtual.daemon.datagrams import DatagramEnd
from collector.virtual.daemon.sockets import PipeEnd
from collector.virtual.daemon.stream import Channel
from collector.virtual.shell.commands.ip import interfaces
from collector.virtual.shell.options import read_options
from collector.virtual.shell.pipes import Streams
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command

_POLL_S = 0.1
_FIRST_FREE = 40_000


@command("nc", "netcat")
def netcat(process: Process) -> int:
    """``nc HOST PORT``, ``-l -p PORT`` for one connection, ``-L COMMAND`` for each, ``-U`` for a name, ``-u``
    for UDP."""
    options = read_options(process.name, process.arguments, "46ElLntuU", "fpqswW", until_operand=True)
    words, protocol = options.operands, "udp" if "u" in options else "tcp"
    if "l" in options or "L" in options:
        return _listen(process, protocol, options.get("p"), words, forever="L" in options)
    if len(words) != 2 and not ("U" in options and len(words) == 1):
        raise CommandError(f'{process.name}: bad argument count (see "{process.name} --help")')
    address = f"localabstract:{words[0].lstrip('@')}" if "U" in options else f"{protocol}:{words[1]}"
    if "U" not in options and words[0] not in ("localhost", "127.0.0.1", "::1", "0.0.0.0"):  # noqa: S104
        outside = any(item.address and item.name != "lo" for item in interfaces(process))
        reason = "Connection timed out" if outside else "Network is unreachable"
        raise CommandError(f"{process.name}: connect: {reason}")
    try:
        channel = process.machine.sockets.connect(address)
    except ConnectionRefusedError:
        raise CommandError(f"{process.name}: connect: Connection refused") from None
    _forward(process, channel)
    return 0


def _listen(process: Process, protocol: str, port: str, words: list[str], *, forever: bool) -> int:
    sockets = process.machine.sockets
    numbers = range(_FIRST_FREE, 1 << 16)
    free = next(number for number in numbers if not sockets.is_listening(f"{protocol}:{number}"))
    try:
        listener = sockets.listen(f"{protocol}:{port or free}")
    except OSError:
        raise CommandError(f"{process.name}: bind: Address already in use") from None
    if not port:
        process.line(str(free))
    try:
        while True:
            channel = None
            while channel is None:
                if process.interruption.is_set:
                    raise Interrupted
                channel = listener.accept(_POLL_S)
            _serve(process, channel, words)
            if not forever:
                return 0
    finally:
        listener.close()


def _serve(process: Process, channel: Channel, words: list[str]) -> None:
    """Run a command with the connection as its input and output, or forward the streams."""
    if not words:
        _forward(process, channel)
        return
    try:
        process.shell.execute(words, Streams(channel, channel, process.stderr), process.environment)
    except BrokenPipeError:
        pass  # the other side left
    finally:
        channel.close()


def _forward(process: Process, channel: Channel) -> None:
    """Copy both ways until the other side closes, or the input has ended and nothing comes any more."""
    process.interruption.on_set(channel.close)

    def send() -> None:
        try:
            while data := process.stdin.read():
                channel.write(data)
        except BrokenPipeError:
            return  # the other side left
        # Through "adb reverse" there is no half of a connection to close.
        channel.finish() if isinstance(channel, PipeEnd | DatagramEnd) else channel.close()

    threading.Thread(target=send, name="nc", daemon=True).start()
    while data := channel.read():
        process.stdout.write(data)
    channel.close()
    if process.interruption.is_set:
        raise Interrupted
