"""``df``, ``free`` and ``vmstat``: how full the phone's storage and memory are."""

from __future__ import annotations

from collector.virtual.shell.disk import Mount, mount_of, mounts
from collector.virtual.shell.kernel_files.cpu_usage import CORES, machine_time
from collector.virtual.shell.kernel_files.memory_usage import SWAP_KB, TOTAL_KB, human_size, system_memory
from collector.virtual.shell.options import read_options
from collector.virtual.shell.proc import process_rows
from collector.virtual.shell.process import Process
from collector.virtual.shell.registry import command

_SHARED_KB = 14_260


@command("df")
def df(process: Process) -> int:
    """Print the file systems: ``-h`` for people, ``-k`` in kB, ``-i`` inodes; those of paths only."""
    options = read_options("df", process.arguments, "hHPkai", "t")
    files = process.machine.files
    shown: list[Mount] = []
    status = 0
    for name in options.operands:
        path = process.path(name)
        if files.exists(path):
            shown.append(mount_of(files, path))
        else:
            process.err(f"df: {name}: No such file or directory")
            status = 1
    if not options.operands:
        shown = mounts(files)
    if not shown:
        return status
    inodes, people = "i" in options, "h" in options or "H" in options
    heads = ["Filesystem", "Size" if people else "1K-blocks", "Used", "Avail" if people else "Available"]
    heads = ["Filesystem", "Inodes", "Used", "Avail"] if inodes else heads

    def sizes(mount: Mount) -> list[str]:
        kilobytes = [mount.total, mount.used, mount.free]
        values = [size // 16 for size in kilobytes] if inodes else kilobytes
        return [human_size(value * 1024) if people and not inodes else str(value) for value in values]

    rows = [heads, *([mount.device, *sizes(mount)] for mount in shown)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    ends = ["Use% Mounted on", *(f"{mount.percent:>3}% {mount.path}" for mount in shown)]
    for row, end in zip(rows, ends, strict=True):
        cells = [f"{row[0]:<{widths[0]}}"]
        cells += [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        process.line(" ".join([*cells, end]))
    return status


@command("free")
def free(process: Process) -> int:
    """Print the memory in bytes; ``-k``, ``-m``, ``-g`` in larger units, ``-h`` for people."""
    options = read_options("free", process.arguments, "bkmgth")
    phone = process.machine.phone
    memory = system_memory(phone, process_rows(phone, process.machine.processes))
    shift = {"k": 10, "m": 20, "g": 30}.get(next((letter for letter in "kmg" if letter in options), ""), 0)

    def show(kilobytes: int) -> str:
        return human_size(kilobytes * 1024) if "h" in options else str(kilobytes * 1024 >> shift)

    used = TOTAL_KB - memory.free
    buffers = memory.buffers + memory.cached
    process.out(
        "\t\ttotal        used        free      shared     buffers\n"
        f"Mem:{show(TOTAL_KB):>17}{show(used):>12}{show(memory.free):>12}{show(_SHARED_KB):>12}"
        f"{show(memory.buffers):>12}\n"
        f"-/+ buffers/cache:{show(used - buffers):>15}{show(memory.free + buffers):>12}\n"
        f"Swap:{show(SWAP_KB):>16}{show(0):>12}{show(SWAP_KB):>12}\n"
    )
    return 0


@command("vmstat")
def vmstat(process: Process) -> int:
    """Print memory and processor use: ``[DELAY [COUNT]]``, the first line since the start."""
    options = read_options("vmstat", process.arguments, "n")
    phone = process.machine.phone
    numbers = [int(word) if word.isdecimal() else 0 for word in options.operands]
    delay = numbers[0] if numbers else 0
    count = numbers[1] if len(numbers) > 1 else 0 if delay else 1
    process.out(
        "procs ------------memory------------ ---swap-- -----io---- ---system-- ----cpu----\n"
        " r  b    swpd    free    buff   cache   si   so    bi    bo    in    cs us sy id wa\n"
    )
    then, before = 0, machine_time(phone, 0)
    while True:
        now = phone.clock.uptime_ns
        time = machine_time(phone, now)
        rows = process_rows(phone, process.machine.processes)
        memory, passed = system_memory(phone, rows), max(1.0, (now - then) / 1e6)
        spent, whole = time - before, passed * CORES
        user, kernel, waiting = (
            int(100 * value / whole) for value in (spent.user, spent.system, spent.iowait)
        )
        process.line(
            f"{sum(row.state == 'R' for row in rows):>2} {0:>2} {0:>7} {memory.free:>7} {memory.buffers:>7} "
            f"{memory.cached:>7} {0:>4} {0:>4} {3:>5} {8:>5} {600:>5} {2250:>5} {user:>2} {kernel:>2} "
            f"{100 - user - kernel - waiting:>2} {waiting:>2}"
        )
        then, before, count = now, time, count - 1
        if count == 0:
            return 0
        process.sleep(delay)
