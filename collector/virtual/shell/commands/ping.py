"""``ping``: the phone itself and its gateway answer; there is no network behind them."""

from __future__ import annotations

import re
import zlib

from collector.virtual.shell.commands.ip import GATEWAY, NAME_SERVER, interfaces
from collector.virtual.shell.options import CommandOptions, read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.process_table import Interrupted
from collector.virtual.shell.registry import command

_ADDRESS = re.compile(r"\d{1,3}(\.\d{1,3}){3}")
_NAMES = {"localhost": "127.0.0.1", "ip6-localhost": "127.0.0.1", "::1": "127.0.0.1"}
_SHORTEST_S, _WAIT_S, _ENDLESS = 0.2, 10.0, -1


@command("ping", "ping4", "ping6")
def ping(process: Process) -> int:
    """``-c`` times, ``-i`` seconds apart, ``-W`` seconds for an answer, ``-w`` at most, ``-s`` bytes."""
    options = read_options("ping", process.arguments, "4qnvaAbDLOrRUfd", "ciWwstIlMmpSTQ")
    if not options.operands:
        raise CommandError("ping: usage error: Destination address required", 1)
    host = options.operands[-1]
    address = _NAMES.get(host, host)
    outside = [item for item in interfaces(process) if item.address and item.name != "lo"]
    if not _ADDRESS.fullmatch(address):
        raise CommandError(f"ping: unknown host {host}", 2)
    own = address.startswith("127.") or address in {item.address for item in outside}
    if not own and not outside:
        raise CommandError("connect: Network is unreachable", 2)
    is_near = any(item.name == "wlan0" for item in outside) and address in (GATEWAY, NAME_SERVER)
    run = _Run(process, options, host, address, answers=own or is_near, ttl=64 if own else 255)
    return run.run()


def _number(options: CommandOptions, name: str, default: float) -> float:
    text = options.get(name)
    try:
        return float(text) if text else default
    except ValueError:
        raise CommandError(f"ping: invalid argument: '{text}'", 2) from None


class _Run:
    """One run of ``ping``."""

    def __init__(
        self, process: Process, options: CommandOptions, host: str, address: str, *, answers: bool, ttl: int
    ) -> None:
        self._process = process
        self._quiet = "q" in options
        self._host, self._address = host, address
        self._answers, self._ttl = answers, ttl
        self._count = int(_number(options, "c", _ENDLESS))
        self._interval = _number(options, "i", 1.0)
        self._wait = _number(options, "W", _WAIT_S)
        self._deadline = _number(options, "w", 0.0)
        self._size = int(_number(options, "s", 56))
        if self._interval < _SHORTEST_S:
            raise CommandError("ping: cannot flood; minimal interval, allowed for user, is 200ms", 2)
        if "c" in options and self._count < 1:
            raise CommandError(f"ping: bad number of packets to transmit.: {options.get('c')}", 2)
        self._sent = 0
        self._times: list[float] = []

    def run(self) -> int:
        """Send until the count or the deadline; Ctrl+C prints the statistics too."""
        process = self._process
        process.line(f"PING {self._host} ({self._address}) {self._size}({self._size + 28}) bytes of data.")
        begun = process.machine.phone.clock.uptime_ns
        try:
            self._send_all(begun)
        except Interrupted:
            self._print_statistics(begun)
            raise
        self._print_statistics(begun)
        return 0 if self._times else 1

    def _send_all(self, begun: int) -> None:
        process = self._process
        while True:
            self._sent += 1
            if self._answers:
                self._answer()
            done = self._sent == self._count
            left = self._wait if not self._answers else 0.0
            pause = left if done else self._interval
            if self._deadline:
                passed = (process.machine.phone.clock.uptime_ns - begun) / 1e9
                pause = min(pause, self._deadline - passed)
                done = done or pause < self._interval
            if pause > 0:
                process.sleep(pause)
            if done:
                return

    def _answer(self) -> None:
        share = zlib.crc32(f"{self._address} {self._sent}".encode()) / 2**32
        milliseconds = (0.05 + 0.04 * share) if self._ttl == 64 else (0.6 + 0.9 * share)
        self._times.append(milliseconds)
        if not self._quiet:
            self._process.line(
                f"{self._size + 8} bytes from {self._address}: icmp_seq={self._sent} ttl={self._ttl} "
                f"time={milliseconds:.3g} ms"
            )

    def _print_statistics(self, begun: int) -> None:
        process, count = self._process, len(self._times)
        passed = (process.machine.phone.clock.uptime_ns - begun) // 1_000_000
        lost = 100 * (self._sent - count) // self._sent
        process.out(
            f"\n--- {self._host} ping statistics ---\n{self._sent} packets transmitted, {count} received, "
            f"{lost}% packet loss, time {passed}ms\n"
        )
        if count:
            mean = sum(self._times) / count
            deviation = (sum(time * time for time in self._times) / count - mean * mean) ** 0.5
            values = (min(self._times), mean, max(self._times), abs(deviation))
            process.line(f"rtt min/avg/max/mdev = {'/'.join(f'{value:.3f}' for value in values)} ms")
        else:
            process.line()
