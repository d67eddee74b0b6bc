"""``dumpsys meminfo``: the memory of one app in detail, or of all processes."""

from __future__ import annotations

from collections.abc import Iterable

from collector.virtual.android_versions import ANDROID_11, ANDROID_14
from collector.virtual.shell.kernel_files.memory_usage import (
    TOTAL_KB,
    HeapPart,
    ProcessMemory,
    process_memory,
    system_memory,
)
from collector.virtual.shell.proc import ProcessRow, process_rows
from collector.virtual.shell.process import Process

_HEADS = (
    ("", "Pss", "Private", "Private", "SwapPss", "Rss", "Heap", "Heap", "Heap"),
    ("", "Total", "Dirty", "Clean", "Dirty", "Total", "Size", "Alloc", "Free"),
    ("", *["------"] * 8),
)
_RSS_COLUMN = 5
_GRAPHICS = ("Gfx dev", "EGL mtrack", "GL mtrack")
_CODE = (".so mmap", ".jar mmap", ".apk mmap", ".ttf mmap", ".dex mmap", ".oat mmap")
_ADJUSTMENTS = (
    (-1000, "Native"),
    (-900, "System"),
    (-800, "Persistent"),
    (0, "Foreground"),
    (100, "Visible"),
    (600, "Home"),
    (700, "Previous"),
    (900, "Cached"),
)
_USAGE = """meminfo dump options: [-a] [-d] [-c] [-s] [--oom] [process]
  -a: include all available information for each process.
  -d: include dalvik details.
  -c: dump in a compact machine-parseable representation.
  -s: dump only summary of application memory usage.
  -S: dump also SwapPss.
  --oom: only show processes organized by oom adj.
  --local: only collect details locally, don't call process.
  --package: interpret process arg as package, dumping all
             processes that have loaded that package.
  --checkin: dump data for a checkin
  --proto: dump data to proto
If [process] is specified it can be the name or
pid of a specific process to dump.
"""


def dump_meminfo(process: Process, words: list[str]) -> int:
    """``[-a] [-s] [--oom] [--package] [PACKAGE or PID]``."""
    if "-h" in words:
        process.out(_USAGE)
        return 0
    named = [word for word in words if not word.startswith("-")]
    rows = process_rows(process.machine.phone, process.machine.processes)
    uptime = process.machine.phone.clock.uptime_ns // 1_000_000
    if not named:
        process.out(f"Applications Memory Usage (in Kilobytes):\nUptime: {uptime} Realtime: {uptime}\n")
        _dump_all(process, rows, only_adjustments="--oom" in words)
        return 0
    chosen = [row for row in rows if named[0] in (row.name, str(row.pid)) and not row.kernel]
    if named[0] == "system":
        chosen = [row for row in rows if row.name == "system_server"]
    if not chosen:
        process.line(f"No process found for: {named[0]}")
        return 0
    process.out(f"Applications Memory Usage (in Kilobytes):\nUptime: {uptime} Realtime: {uptime}\n")
    for row in chosen:
        _dump_process(process, row, summary_only="-s" in words)
    return 0


def _shown_name(row: ProcessRow) -> str:
    return "system" if row.name == "system_server" else row.name


def _dump_process(process: Process, row: ProcessRow, *, summary_only: bool) -> None:
    phone = process.machine.phone
    memory = process_memory(phone, row)
    has_rss = phone.profile.sdk >= ANDROID_11
    process.line(f"\n** MEMINFO in pid {row.pid} [{_shown_name(row)}] **")
    if not summary_only:
        for head in _HEADS:
            process.line(_columns(head, has_rss))
        for part in memory.parts:
            process.line(_columns(_cells(part), has_rss))
        process.line(_columns(_total(memory), has_rss))
        process.line(" ")
    _summary(process, memory, has_rss)
    if row.package and not summary_only:
        _objects(process, row)


def _columns(cells: Iterable[str], has_rss: bool) -> str:
    name, *values = cells
    if not has_rss:
        del values[_RSS_COLUMN - 1]
    return f"{name:>13} " + " ".join(f"{value:>8}" for value in values)


def _cells(part: HeapPart) -> list[str]:
    heap = (
        [str(part.heap_size), str(part.heap_allocated), str(part.heap_free)] if part.heap_size else [""] * 3
    )
    numbers = (part.pss, part.private_dirty, part.private_clean, 0, part.rss)
    return [part.name, *map(str, numbers), *heap]


def _total(memory: ProcessMemory) -> list[str]:
    fields = ("pss", "private_dirty", "private_clean", "", "rss", "heap_size", "heap_allocated", "heap_free")
    return ["TOTAL", *(str(memory.sum(field)) if field else "0" for field in fields)]


def _summary(process: Process, memory: ProcessMemory, has_rss: bool) -> None:
    """The app's memory by what it is for; the parts add up to TOTAL PSS."""

    def private(*names: str) -> int:
        return memory.sum("private_dirty", *names) + memory.sum("private_clean", *names)

    groups = {
        "Java Heap": ("Dalvik Heap", ".art mmap"),
        "Native Heap": ("Native Heap",),
        "Code": _CODE,
        "Stack": ("Stack",),
        "Graphics": _GRAPHICS,
    }
    named = {name for names in groups.values() for name in names}
    rest = tuple(part.name for part in memory.parts if part.name not in named)
    other = private(*rest) if rest else 0
    listed = sum(private(*names) for names in groups.values())
    process.line(" App Summary")
    process.line(f"{'':>21} {'Pss(KB)':>8}" + (f" {'':>21} {'Rss(KB)':>8}" if has_rss else ""))
    process.line(f"{'':>21} {'------':>8}" + (f" {'':>21} {'------':>8}" if has_rss else ""))
    for name, names in groups.items():
        resident = f" {'':>21} {memory.sum('rss', *names):>8}" if has_rss else ""
        process.line(f"{name + ':':>21} {private(*names):>8}{resident}")
    process.line(f"{'Private Other:':>21} {other:>8}")
    process.line(f"{'System:':>21} {memory.pss - listed - other:>8}")
    if has_rss:
        process.line(f"{'Unknown:':>21} {'':>8} {'':>21} {memory.sum('rss', *rest) if rest else 0:>8}")
    process.line(" ")
    if has_rss:
        process.line(
            f"{'TOTAL PSS:':>21} {memory.pss:>8} {'TOTAL RSS:':>21} {memory.rss:>8} "
            f"{'TOTAL SWAP PSS:':>21} {0:>8}"
        )
    else:
        process.line(f"{'TOTAL:':>21} {memory.pss:>8} {'TOTAL SWAP PSS:':>21} {0:>8}")
    process.line(" ")


def _objects(process: Process, row: ProcessRow) -> None:
    """Counts of an app's objects: its open activities, and the views of the one in front."""
    phone = process.machine.phone
    activities = sum(record.component.package == row.package for record in phone.stack())
    views = phone.hierarchy_xml().count(b"<node") if row.adjustment == 0 else 24 * activities
    last = "WebViews:" if phone.profile.sdk >= ANDROID_14 else "OpenSSL Sockets:"
    counts = (
        (("Views:", views), ("ViewRootImpl:", activities)),
        (("AppContexts:", 4 + activities), ("Activities:", activities)),
        (("Assets:", 19), ("AssetManagers:", 0)),
        (("Local Binders:", 14 + 3 * activities), ("Proxy Binders:", 34 + 2 * activities)),
        (("Parcel memory:", 9), ("Parcel count:", 36)),
        (("Death Recipients:", 1), (last, 0)),
    )
    process.line(" Objects")
    for pair in counts:
        process.line(" ".join(f"{name:>21} {count:>8}" for name, count in pair))
    process.line(" ")
    process.line(" SQL")
    process.line(f"{'MEMORY_USED:':>21} {0:>8}")
    process.line(f"{'PAGECACHE_OVERFLOW:':>21} {0:>8} {'MALLOC_SIZE:':>21} {0:>8}")
    process.line(" ")


# ---- all processes ----------------------------------------------------------------------------------


def _size(kilobytes: int) -> str:
    return f"{kilobytes:>9,}K"


def _dump_all(process: Process, rows: list[ProcessRow], *, only_adjustments: bool) -> None:
    phone = process.machine.phone
    memories = [(row, process_memory(phone, row)) for row in rows if not row.kernel]
    kinds = ("rss", "pss") if phone.profile.sdk >= ANDROID_11 else ("pss",)
    for kind in kinds:
        title = kind.upper()
        ordered = sorted(memories, key=lambda item: -item[1].sum(kind))
        if not only_adjustments:
            process.line(f"\nTotal {title} by process:")
            for row, memory in ordered:
                process.line(f"  {_size(memory.sum(kind))}: {_described(process, row)}")
        process.line(f"\nTotal {title} by OOM adjustment:")
        _by_adjustment(process, ordered, kind)
        if not only_adjustments:
            process.line(f"\nTotal {title} by category:")
            _by_category(process, ordered, kind)
    process.line()
    memory_now = system_memory(phone, rows)
    cached = sum(memory.pss for row, memory in memories if row.adjustment >= 900)
    used = memory_now.used_pss - cached
    kernel, free = memory_now.cached_kernel, memory_now.free
    process.out(
        f"Total RAM: {_size(TOTAL_KB)} (status normal)\n"
        f" Free RAM: {_size(cached + kernel + free)} ({_size(cached)} cached pss + {_size(kernel)} cached "
        f"kernel + {_size(free)} free)\n"
        f" Used RAM: {_size(used + memory_now.kernel)} ({_size(used)} used pss + {_size(memory_now.kernel)} "
        f"kernel)\n"
        f" Lost RAM: {_size(memory_now.lost)}\n"
        f"   Tuning: 256 (large 512), oom {_size(322_560)}, restore limit {_size(107_520)} (high-end-gfx)\n"
    )


def _described(process: Process, row: ProcessRow) -> str:
    opened = any(record.component.package == row.package for record in process.machine.phone.stack())
    return f"{_shown_name(row)} (pid {row.pid}{' / activities' if row.package and opened else ''})"


def _by_adjustment(process: Process, memories: list[tuple[ProcessRow, ProcessMemory]], kind: str) -> None:
    for adjustment, name in _ADJUSTMENTS:
        group = [(row, memory) for row, memory in memories if row.adjustment == adjustment]
        if not group:
            continue
        process.line(f"  {_size(sum(memory.sum(kind) for _row, memory in group))}: {name}")
        for row, memory in group:
            process.line(f"      {_size(memory.sum(kind))}: {_described(process, row)}")


def _by_category(process: Process, memories: list[tuple[ProcessRow, ProcessMemory]], kind: str) -> None:
    sums: dict[str, int] = {}
    for _row, memory in memories:
        for part in memory.parts:
            name = (
                part.name.removesuffix(" Heap") if part.name in ("Native Heap", "Dalvik Heap") else part.name
            )
            sums[name] = sums.get(name, 0) + getattr(part, kind)
    for name, value in sorted(sums.items(), key=lambda item: -item[1]):
        process.line(f"  {_size(value)}: {name}")
