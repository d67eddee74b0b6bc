"""The ``shell`` and ``exec`` services: a command line or a terminal, with and without packets."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable

from collector.adb.messages import ProtocolError
from collector.adb.shell_protocol import ShellPacket, ShellPacketDecoder, ShellPacketId, ShellService
from collector.virtual.daemon.stream import Stream
from collector.virtual.shell.language.control_flow import INTERRUPTED
from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import InputPipe, Streams, Writer
from collector.virtual.shell.process_table import CancelScope, Interrupted
from collector.virtual.shell.session import run_prompt, run_script
from collector.virtual.shell.terminal.terminal import Terminal

_log = logging.getLogger(__name__)

_CHUNK = 64 * 1024


_WINDOW_SIZE = re.compile(rb"(\d{1,5})x(\d{1,5}),")
Resize = Callable[[int, int], None]


class _PacketReader:
    """Read stdin from the client's packets, only when a command reads; pass on the size of its window."""

    def __init__(self, stream: Stream, resize: Resize = lambda _rows, _columns: None) -> None:
        self._stream = stream
        self._resize = resize
        self._decoder = ShellPacketDecoder()
        self._data = b""
        self._ended = False

    def read(self, limit: int = 65536) -> bytes:
        while not self._data and not self._ended:
            received = self._stream.read()
            self._ended = not received
            for packet in self._decoder.feed(received):
                if packet.id == ShellPacketId.STDIN:
                    self._data += packet.data
                elif packet.id == ShellPacketId.CLOSE_STDIN:
                    self._ended = True
                elif packet.id == ShellPacketId.WINDOW_SIZE and (size := _WINDOW_SIZE.match(packet.data)):
                    self._resize(int(size[1]), int(size[2]))
        taken, self._data = self._data[:limit], self._data[limit:]
        return taken


class _PacketWriter:
    """Write stdout or stderr as packets."""

    def __init__(self, stream: Stream, identifier: ShellPacketId) -> None:
        self._stream = stream
        self._id = identifier

    def write(self, data: bytes) -> None:
        for start in range(0, len(data), _CHUNK):
            self._stream.write(ShellPacket(self._id, data[start : start + _CHUNK]).encode())


def serve_exec(machine: Machine, command: str, stream: Stream) -> None:
    """Run ``command`` and send both outputs raw over the stream."""
    _run(machine, command, Streams(stream, stream, stream), stream, "")


def serve_shell(machine: Machine, name: str, stream: Stream) -> None:
    """Run a ``shell`` service with any of its options."""
    service = ShellService.parse(name)
    if service.pty:
        status = _run_terminal(machine, service, stream)
    else:
        status = _run(machine, service.command, _plain_streams(service, stream), stream, service.term)
    if service.v2 and not stream.closed:
        stream.write(ShellPacket(ShellPacketId.EXIT, bytes([status & 0xFF])).encode())


def _plain_streams(service: ShellService, stream: Stream) -> Streams:
    if not service.v2:
        return Streams(stream, stream, stream)
    return Streams(
        _PacketReader(stream),
        _PacketWriter(stream, ShellPacketId.STDOUT),
        _PacketWriter(stream, ShellPacketId.STDERR),
    )


def _run(machine: Machine, command: str, streams: Streams, stream: Stream, term: str) -> int:
    interruption = CancelScope(machine.halted)
    stream.on_close(interruption.set)
    shell = Shell(machine, interruption, machine.environment(term))
    entry = machine.processes.start("sh", interruption)
    shell.pid = entry.pid
    try:
        if interruption.wait(machine.faults.value("slow-shell", "ms") / 1000):
            raise Interrupted
        if command:
            return shell.run_text(command, streams)
        return run_script(shell, streams)
    except Interrupted:
        return INTERRUPTED
    finally:
        machine.processes.end(entry)
        machine.halted.leave(interruption)


def _run_terminal(machine: Machine, service: ShellService, stream: Stream) -> int:
    screen: Writer = _PacketWriter(stream, ShellPacketId.STDOUT) if service.v2 else stream
    interruption = CancelScope(machine.halted)
    terminal = machine.terminals.open(screen, interruption)
    keyboard: InputPipe = _PacketReader(stream, terminal.resize) if service.v2 else stream
    threading.Thread(target=_pump, args=(keyboard, terminal), name="adb keyboard", daemon=True).start()

    def hang_up() -> None:
        terminal.hang_up()
        interruption.set()

    stream.on_close(hang_up)
    streams = Streams(terminal, terminal, terminal)
    shell = Shell(machine, interruption, machine.environment(service.term))
    shell.terminal = terminal
    entry = machine.processes.start("-/bin/sh", interruption)
    shell.pid = entry.pid
    try:
        if service.command:
            return shell.run_text(service.command, streams)
        return run_prompt(shell, terminal)
    except Interrupted:
        return INTERRUPTED
    finally:
        machine.processes.end(entry)
        machine.terminals.close(terminal)
        machine.halted.leave(interruption)


def _pump(keyboard: InputPipe, terminal: Terminal) -> None:
    try:
        while data := keyboard.read():
            terminal.typed(data)
    except (BrokenPipeError, ProtocolError) as error:
        _log.debug("the keyboard went away: %s", error)
    finally:
        terminal.hang_up()
