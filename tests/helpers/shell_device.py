"""A virtual phone in this process as a device, without adb between: a call takes microseconds."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from collector.adb.quoting import join
from collector.anomalies.dialogs.answer_button import answer_node
from collector.anomalies.injected_anomaly import InjectedAnomaly
from collector.anomalies.injector import Injector
from collector.anomalies.journal import UndoJournal
from collector.anomalies.trust.trust import CommandGate
from collector.device.protocols import Cancel
from collector.device.transport.shell_result import ShellResult
from collector.hierarchy.parse import parse_tree
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.machine import Machine
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.system.phone import Phone
from tests.helpers.virtual import profile


class ShellDevice:
    """A device that records its commands in ``ran``; ``failing`` provokes errors."""

    serial = "virtual-1"

    def __init__(self, phone: Phone, machine: Machine | None = None) -> None:
        self.phone = phone
        self.ran: list[str] = []
        self.failing: dict[str, Exception] = {}
        """Pattern of a command -> what it raises instead of running."""
        self._machine = machine or Machine(phone)

    def shell(
        self, command: str | Sequence[str], *, timeout: float = 10.0, cancel: Cancel | None = None
    ) -> ShellResult:
        line = command if isinstance(command, str) else join(command)
        self.ran.append(line)
        for pattern, error in self.failing.items():
            if re.search(pattern, line):
                raise error
        out, err = Collector(), Collector()
        shell = Shell(self._machine, CancelScope(), self._machine.environment())
        status = shell.run_text(line, Streams(BytesReader(b""), out, err))
        return ShellResult(bytes(out.data), bytes(err.data), status)

    def exec_out(
        self, command: str | Sequence[str], *, timeout: float = 10.0, cancel: Cancel | None = None
    ) -> bytes:
        return self.shell(command).stdout

    def push(
        self, data: bytes | Iterable[bytes], target: PurePosixPath, *, timeout: float = 10.0,
        cancel: Cancel | None = None,
    ) -> None:  # fmt: skip
        raise NotImplementedError

    def press(self, anomaly: InjectedAnomaly, answer: str) -> None:
        """Tap the dialog's button for ``answer``."""
        node = answer_node(parse_tree(self.phone.hierarchy_xml()), anomaly.anomaly, answer)
        assert node is not None
        assert node.bounds is not None
        centre = node.bounds.center
        self.shell(f"input tap {centre.x} {centre.y}")

    def press_view(self, name: str) -> None:
        """Tap the view of the companion app with this id."""
        wanted = f"{COMPANION_PACKAGE}:id/{name}"
        nodes = parse_tree(self.phone.hierarchy_xml()).nodes
        bounds = next(node.bounds for node in nodes if node.resource_id == wanted)
        assert bounds is not None
        self.shell(f"input tap {bounds.center.x} {bounds.center.y}")

    def close(self) -> None:
        self._machine.close()


@contextlib.contextmanager
def shell_device(*apps: str, **changes: object) -> Iterator[ShellDevice]:
    """A phone with the named apps, the shop in front when it has one."""
    phone = Phone(profile(*apps, **changes))
    device = ShellDevice(phone)
    try:
        phone.launch("com.waymark.shop")
        yield device
    finally:
        device.close()
        phone.close()


@contextlib.contextmanager
def injector_on(device: ShellDevice, folder: Path, gate: CommandGate | None = None) -> Iterator[Injector]:
    """An injector whose journal lies in ``folder``."""
    injector = Injector(device, journal=lambda device: UndoJournal(device.serial, folder), gate=gate)
    try:
        yield injector
    finally:
        injector.close()
