"""The files under ``/proc``, made when they are read."""

from __future__ import annotations

import datetime as dt
import stat
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from collector.virtual.shell.disk import mounts
from collector.virtual.shell.files import FileEntry, Files
from collector.virtual.shell.kernel_files.cpu_usage import (
    CORES,
    TICK_MS,
    load_averages,
    machine_time,
    process_time,
)
from collector.virtual.shell.kernel_files.memory_usage import ProcessMemory, process_memory, system_memory
from collector.virtual.shell.proc import ProcessRow, process_rows

if TYPE_CHECKING:
    from collector.virtual.shell.process_table import ProcessTable
    from collector.virtual.system.phone import Phone

KERNEL = "6.6.30-android15-8"
_MAX_NAME = 15
"""The kernel keeps this many characters of a name; of an app's name, the last ones."""
_STATES = {"R": "R (running)", "S": "S (sleeping)", "T": "T (stopped)"}
_PAGE_KB = 4
_FEATURES = (
    "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp"
)
_PARTS = {"little": (0x41, 0xD05), "big": (0x41, 0xD0A)}
"""Implementer and part of the phone's cores: Cortex-A55 and Cortex-A75."""


def install_proc_files(files: Files, phone: Phone, processes: ProcessTable) -> None:
    """Put the files of the whole phone into its file system."""
    texts: Mapping[str, Callable[[], str]] = {
        "cpuinfo": _cpuinfo,
        "loadavg": lambda: _loadavg(phone, processes),
        "meminfo": lambda: _meminfo(phone, processes),
        "mounts": lambda: "".join(
            f"{mount.device} {mount.path} {mount.kind} {mount.options} 0 0\n" for mount in mounts(files)
        ),
        "net/dev": lambda: _network_devices(phone),
        "stat": lambda: _stat(phone, processes),
        "uptime": lambda: _uptime(phone),
        "version": lambda: f"Linux version {KERNEL} (build-user@build-host) #1 SMP PREEMPT\n",
        "filesystems": lambda: "nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\n\text4\n\tf2fs\n\terofs\n",
    }
    for name, text in texts.items():
        files.install(f"/proc/{name}", _encoded(text), mode=stat.S_IFREG | 0o444)
    files.processes = lambda pid: _process_folder(phone, processes, pid)
    files.process_ids = lambda: [row.pid for row in process_rows(phone, processes)]


def _encoded(text: Callable[[], str]) -> Callable[[], bytes]:
    return lambda: text().encode()


def _cpuinfo() -> str:
    text = ""
    for core in range(CORES):
        implementer, part = _PARTS["big" if core >= 6 else "little"]
        text += (
            f"processor\t: {core}\nBogoMIPS\t: 38.40\nFeatures\t: {_FEATURES}\n"
            f"CPU implementer\t: {implementer:#x}\nCPU architecture: 8\nCPU variant\t: 0x1\n"
            f"CPU part\t: {part:#x}\nCPU revision\t: 0\n\n"
        )
    return f"{text}Hardware\t: Waymark virtual board\n"


def _meminfo(phone: Phone, processes: ProcessTable) -> str:
    fields = system_memory(phone, process_rows(phone, processes)).fields()
    return "".join(f"{name + ':':<16}{value:>8} kB\n" for name, value in fields.items())


def _uptime(phone: Phone) -> str:
    now = phone.clock.uptime_ns
    return f"{now / 1e9:.2f} {machine_time(phone, now).idle / 1000:.2f}\n"


def _loadavg(phone: Phone, processes: ProcessTable) -> str:
    rows = process_rows(phone, processes)
    running = sum(row.state == "R" for row in rows) or 1
    loads = " ".join(f"{load:.2f}" for load in load_averages(phone))
    return f"{loads} {running}/{sum(_threads(row) for row in rows)} {rows[-1].pid}\n"


def _stat(phone: Phone, processes: ProcessTable) -> str:
    """Ticks of all cores, and of each: the work is spread over the cores evenly."""
    now = phone.clock.uptime_ns
    time = machine_time(phone, now)
    values = [int(value / TICK_MS) for value in (time.user, 0, time.system, time.idle, time.iowait)]
    values += [int(time.irq / TICK_MS), int(time.softirq / TICK_MS), 0, 0, 0]
    lines = ["cpu  " + " ".join(map(str, values))]
    for core in range(CORES):
        part = [value // CORES + (core < value % CORES) for value in values]
        lines.append(f"cpu{core} " + " ".join(map(str, part)))
    rows, milliseconds = process_rows(phone, processes), now // 1_000_000
    booted = phone.clock.now.replace(tzinfo=dt.UTC).timestamp() - now / 1e9
    lines += [
        f"intr {milliseconds * 3 // 5}",
        f"ctxt {milliseconds * 9 // 4}",
        f"btime {int(booted)}",
        f"processes {rows[-1].pid}",
        f"procs_running {sum(row.state == 'R' for row in rows) or 1}",
        "procs_blocked 0",
        f"softirq {milliseconds // 3}",
    ]
    return "\n".join(lines) + "\n"


def _network_devices(phone: Phone) -> str:
    """Bytes and packets of the interfaces; nothing real passes them, so they grow with the uptime alone."""
    seconds = phone.clock.uptime_ns // 1_000_000_000
    rates = {"lo": (0, 0), "wlan0": (412, 3) if phone.services.radios.connected else (0, 0)}
    text = (
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo "
        "colls carrier compressed\n"
    )
    for name, (rate, packets) in rates.items():
        received, sent = f"{rate * seconds:>8} {packets * seconds:>7}", f"{rate * seconds // 4:>8}"
        text += f"{name:>6}: {received}    0    0    0     0          0         0 {sent} "
        text += f"{packets * seconds // 2:>7}    0    0    0     0       0          0\n"
    return text


# ---- processes --------------------------------------------------------------------------------------


def _threads(row: ProcessRow) -> int:
    if row.kernel:
        return 1
    if row.name == "system_server":
        return 148
    return 18 + zlib.crc32(row.name.encode()) % 16 if "." in row.name else 1 + len(row.name) % 4


def _process_folder(phone: Phone, processes: ProcessTable, pid: int) -> FileEntry | None:
    """Create ``/proc/PID`` on access; None when there is no such process."""
    row = next((row for row in process_rows(phone, processes) if row.pid == pid), None)
    if row is None:
        return None
    memory = process_memory(phone, row)
    short = row.command[-_MAX_NAME:]
    files = {
        "cmdline": "" if row.kernel else "".join(f"{word}\0" for word in row.arguments),
        "comm": f"{short}\n",
        "oom_score_adj": f"{row.adjustment}\n",
        "oom_score": f"{max(0, row.adjustment + 667)}\n",
        "stat": _process_stat(phone, row, memory, short),
        "statm": f"{memory.virtual // _PAGE_KB} {memory.rss // _PAGE_KB} {memory.rss // 2 // _PAGE_KB} "
        f"4 0 {memory.rss // _PAGE_KB} 0\n",
        "status": _process_status(row, memory, short),
        "cgroup": f"0::/uid_{row.uid}/pid_{pid}\n",
    }
    folder = _folder(files, row.uid)
    folder.children["net"] = _folder({"dev": _network_devices(phone)}, row.uid)
    thread = _folder({name: files[name] for name in ("comm", "stat", "status")}, row.uid)
    folder.children["task"] = task = _folder({}, row.uid)
    task.children[str(pid)] = thread
    return folder


def _folder(files: Mapping[str, str], uid: int) -> FileEntry:
    folder = FileEntry(stat.S_IFDIR | 0o555, uid, uid)
    folder.children = {
        name: FileEntry(stat.S_IFREG | 0o444, uid, uid, data=bytearray(text.encode()))
        for name, text in files.items()
    }
    return folder


def _process_stat(phone: Phone, row: ProcessRow, memory: ProcessMemory, short: str) -> str:
    """The 52 fields of ``proc(5)``; unknown addresses are 0, as for a process of another user."""
    time = process_time(phone, row, phone.clock.uptime_ns)
    faults = memory.rss // _PAGE_KB
    fields: list[object] = [row.pid, f"({short})", row.state, row.parent, row.parent or row.pid, 0, 0, -1]
    fields += [4_211_008, faults, 0, faults // 90, 0]
    fields += [time.user_ticks, time.system_ticks, 0, 0, priority(row), priority(row) - 20, _threads(row), 0]
    fields += [row.started_ns // 10_000_000, memory.virtual * 1024, memory.rss // _PAGE_KB]
    fields += [18446744073709551615, 1, 1, *[0] * 10, 17, 0, 0, 0, 0, *[0] * 10]
    return " ".join(map(str, fields)) + "\n"


def priority(row: ProcessRow) -> int:
    """The kernel's priority: 20 for most, less for what draws in the foreground."""
    if row.name in ("surfaceflinger", "audioserver"):
        return 12
    if row.name == "system_server":
        return 18
    return 10 if row.package and row.adjustment == 0 else 20


def _process_status(row: ProcessRow, memory: ProcessMemory, short: str) -> str:
    ids = "\t".join([str(row.uid)] * 4)
    text = (
        f"Name:\t{short}\nUmask:\t0077\nState:\t{_STATES[row.state]}\nTgid:\t{row.pid}\nNgid:\t0\n"
        f"Pid:\t{row.pid}\nPPid:\t{row.parent}\nTracerPid:\t0\nUid:\t{ids}\nGid:\t{ids}\nFDSize:\t256\n"
        f"Groups:\t{row.uid} \n"
    )
    if memory.parts:
        anonymous = memory.sum("private_dirty")
        text += (
            f"VmPeak:\t{memory.virtual + 4096:>8} kB\nVmSize:\t{memory.virtual:>8} kB\n"
            f"VmLck:\t{0:>8} kB\nVmPin:\t{0:>8} kB\nVmHWM:\t{memory.rss + 1024:>8} kB\n"
            f"VmRSS:\t{memory.rss:>8} kB\nRssAnon:\t{anonymous:>8} kB\n"
            f"RssFile:\t{memory.rss - anonymous:>8} kB\nRssShmem:\t{0:>8} kB\nVmSwap:\t{0:>8} kB\n"
        )
    return text + f"Threads:\t{_threads(row)}\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n"
