"""How much processor time a process and the whole phone have used, as ``/proc`` counts it.

Nothing is measured on the computer: the time follows from what the phone did (started processes, drawn
frames) and from how long it is on, so that equal phones give equal numbers and no counter runs back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collector.virtual.shell.proc import ProcessRow
    from collector.virtual.system.phone import Phone

CORES = 8
TICK_MS = 10
_START_MS = (420.0, 180.0)
_START_PACE = 0.8
"""Cores that a starting process keeps busy until it has started."""
_FRAME_MS = (4.0, 2.0)
_COMPOSE_MS = (1.5, 1.0)
"""The time an app takes for a frame, and then SurfaceFlinger; each as (user, system)."""
_IDLE_APP = (0.4, 0.2)
_COMMAND = (0.3, 0.4)
_OTHERS = (45.0, 35.0)
"""ms a second: an app in the background, a command of a shell, and all else that runs on a phone."""
_IOWAIT, _IRQ, _SOFTIRQ = 2.0, 4.0, 3.0


@dataclass(frozen=True, slots=True)
class CpuTime:
    """Processor time in ms."""

    user: float
    system: float

    @property
    def total(self) -> float:
        return self.user + self.system

    @property
    def user_ticks(self) -> int:
        return int(self.user / TICK_MS)

    @property
    def system_ticks(self) -> int:
        return int(self.system / TICK_MS)

    def __sub__(self, earlier: CpuTime) -> CpuTime:
        return CpuTime(self.user - earlier.user, self.system - earlier.system)


@dataclass(frozen=True, slots=True)
class MachineTime:
    """The time of all cores in ms, by what they did."""

    user: float
    system: float
    idle: float
    iowait: float
    irq: float
    softirq: float

    @property
    def busy(self) -> float:
        return self.user + self.system + self.irq + self.softirq

    def __sub__(self, earlier: MachineTime) -> MachineTime:
        return MachineTime(
            self.user - earlier.user,
            self.system - earlier.system,
            self.idle - earlier.idle,
            self.iowait - earlier.iowait,
            self.irq - earlier.irq,
            self.softirq - earlier.softirq,
        )


def process_time(phone: Phone, row: ProcessRow, at_ns: int) -> CpuTime:
    """The time a process has used until ``at_ns`` of uptime."""
    age = max(0, at_ns - row.started_ns) / 1e9
    if row.package:
        frames = phone.services.graphics.drawn_until(at_ns, row.package)
        return CpuTime(*(
            min(start, start / sum(_START_MS) * _START_PACE * 1000 * age) + idle * age + frame * frames
            for start, idle, frame in zip(_START_MS, _IDLE_APP, _FRAME_MS, strict=True)
        ))  # fmt: skip
    if row.system is None:
        return CpuTime(*(min(4.0, 1000 * age * rate) + rate * age for rate in _COMMAND))
    frames = phone.services.graphics.drawn_until(at_ns) if row.name == "surfaceflinger" else 0.0
    rates = (row.system.user_ms, row.system.system_ms)
    return CpuTime(*(rate * age + cost * frames for rate, cost in zip(rates, _COMPOSE_MS, strict=True)))


def machine_time(phone: Phone, at_ns: int) -> MachineTime:
    """The time of all cores since the phone was switched on."""
    seconds = at_ns / 1e9
    frames = phone.services.graphics.drawn_until(at_ns)
    starts = sum(
        min(1.0, _START_PACE * 1000 * max(0, at_ns - started) / 1e9 / sum(_START_MS))
        for started in phone.services.processes.starts()
    )
    user, system = (
        other * seconds + start * starts + (frame + compose) * frames
        for other, start, frame, compose in zip(_OTHERS, _START_MS, _FRAME_MS, _COMPOSE_MS, strict=True)
    )
    iowait, irq, softirq = _IOWAIT * seconds, _IRQ * seconds, _SOFTIRQ * seconds
    idle = max(0.0, CORES * 1000 * seconds - user - system - iowait - irq - softirq)
    return MachineTime(user, system, idle, iowait, irq, softirq)


def load_averages(phone: Phone) -> tuple[float, float, float]:
    """The processes that wanted to run in the last 1, 5 and 15 minutes, on average."""
    now = phone.clock.uptime_ns
    loads = []
    for minutes in (1, 5, 15):
        since = max(0, now - minutes * 60_000_000_000)
        spent = machine_time(phone, now).busy - machine_time(phone, since).busy
        loads.append(round(4 * spent / max(1.0, (now - since) / 1e6), 2))
    return (loads[0], loads[1], loads[2])
