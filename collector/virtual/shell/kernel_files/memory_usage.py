"""The memory of processes and of the whole phone, as ``dumpsys meminfo`` and ``/proc`` show it.

Nothing is measured on the computer: the numbers follow from the names of the processes, from what is on the
screen and from the clock. They agree with each other: the parts of a process add up to its total, and the
processes with caches, kernel and free memory to the memory of the phone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collector.virtual.shell.proc import ProcessRow
    from collector.virtual.system.phone import Phone

TOTAL_KB = 3_882_108
SWAP_KB = 1_552_840
_BUFFERS, _CACHED, _MAPPED, _RECLAIMABLE = 6_744, 1_286_320, 642_880, 88_432
_SHMEM, _UNRECLAIMABLE, _PAGE_TABLES, _STACKS, _VMALLOC = 14_260, 126_708, 62_944, 28_416, 64_120
_LOST = 61_448
_GC_SECONDS = 47
"""How often an app's collector returns what the app allocated meanwhile."""


@dataclass(frozen=True, slots=True)
class HeapPart:
    """A line of ``dumpsys meminfo``, in kB."""

    name: str
    pss: int
    private_dirty: int
    private_clean: int
    rss: int
    heap_size: int = 0
    heap_allocated: int = 0

    @property
    def heap_free(self) -> int:
        return self.heap_size - self.heap_allocated


@dataclass(frozen=True, slots=True)
class ProcessMemory:
    """The memory of one process."""

    parts: tuple[HeapPart, ...]

    def sum(self, field: str, *names: str) -> int:
        """A field added up over the named parts; over all when none is named."""
        return sum(getattr(part, field) for part in self.parts if not names or part.name in names)

    @property
    def pss(self) -> int:
        return self.sum("pss")

    @property
    def rss(self) -> int:
        return self.sum("rss")

    @property
    def virtual(self) -> int:
        """The size of the address space in kB."""
        if not self.parts:
            return 0
        return (13_200_000 if len(self.parts) > 6 else 10_780_000) + 3 * self.rss


def _share(name: str, part: str) -> float:
    """A number from 0 to 1 that belongs to a process and a part of its memory."""
    return zlib.crc32(f"{name}/{part}".encode()) / 2**32


# Name, smallest size and how much more it may be in kB, the share that is private, RSS over PSS.
_APP_PARTS = (
    ("Native Heap", 11_200, 9_400, 0.99, 1.1),
    ("Dalvik Heap", 3_900, 3_200, 0.96, 2.3),
    ("Dalvik Other", 1_450, 1_100, 0.78, 1.9),
    ("Stack", 620, 560, 1.0, 1.01),
    ("Ashmem", 2, 16, 0.5, 6.0),
    ("Other dev", 18, 30, 0.9, 9.0),
    (".so mmap", 3_900, 2_800, 0.12, 9.4),
    (".jar mmap", 1_900, 900, 0.0, 12.0),
    (".apk mmap", 1_200, 2_900, 0.55, 2.6),
    (".ttf mmap", 70, 90, 0.0, 6.0),
    (".dex mmap", 2_600, 2_900, 0.97, 1.2),
    (".oat mmap", 210, 160, 0.05, 16.0),
    (".art mmap", 1_700, 900, 0.6, 5.2),
    ("Other mmap", 190, 240, 0.4, 5.0),
    ("Unknown", 480, 300, 0.97, 1.6),
)
_CLEAN = frozenset({".so mmap", ".jar mmap", ".apk mmap", ".ttf mmap", ".dex mmap", ".oat mmap"})
"""Parts whose private pages are copies of a file, which Android may drop."""
_NATIVE_SHARES = (("Native Heap", 0.52), ("Stack", 0.03), (".so mmap", 0.38), ("Unknown", 0.07))


def process_memory(phone: Phone, row: ProcessRow) -> ProcessMemory:
    """The memory of a process now."""
    if row.kernel:
        return ProcessMemory(())
    if row.package or (row.system is not None and row.system.pss > 30_000 and "." in row.name):
        return ProcessMemory(_app_parts(phone, row))
    pss = row.system.pss if row.system is not None else 2_140 + int(900 * _share(row.name, "pss"))
    return ProcessMemory(
        tuple(
            HeapPart(name, int(pss * share), int(pss * share * 0.8), int(pss * share * 0.05),
                     int(pss * share * (3.2 if name == ".so mmap" else 1.05)))
            for name, share in _NATIVE_SHARES
        )
    )  # fmt: skip


def _app_parts(phone: Phone, row: ProcessRow) -> tuple[HeapPart, ...]:
    seconds = (phone.clock.uptime_ns - row.started_ns) // 1_000_000_000
    scale = max(1.0, row.system.pss / 42_000) if row.system is not None else 1.0
    frames = phone.services.graphics.frames(row.package).drawn if row.package else 0
    parts = []
    for name, least, more, private, resident in _APP_PARTS:
        size = int((least + more * _share(row.name, name)) * scale)
        if name == "Dalvik Heap":
            size += 24 * (seconds % _GC_SECONDS)
        if name == "Native Heap":
            size += min(frames, 400) * 6
        dirty, clean = int(size * private), 0
        if name in _CLEAN:
            dirty, clean = dirty // 8, dirty - dirty // 8
        heap = (int(size * 1.34), int(size * 0.98)) if name.endswith("Heap") else (0, 0)
        parts.append(HeapPart(name, size, dirty, clean, int(size * resident), *heap))
    if row.package and row.adjustment == 0:
        # The window's three buffers, and the textures of what it shows.
        buffers = 3 * phone.size.width * phone.size.height * 4 // 1024
        textures = 2_300 + int(1_800 * _share(row.name, "GL mtrack"))
        parts[-1:-1] = [
            HeapPart("EGL mtrack", buffers, buffers, 0, buffers),
            HeapPart("GL mtrack", textures, textures, 0, textures),
        ]
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class SystemMemory:
    """The memory of the phone in kB, as in ``/proc/meminfo``."""

    used_pss: int

    @property
    def kernel(self) -> int:
        """What the kernel uses for itself."""
        return _SHMEM + _UNRECLAIMABLE + _PAGE_TABLES + _STACKS + _VMALLOC

    @property
    def cached_kernel(self) -> int:
        """Caches that belong to no process."""
        return _BUFFERS + _CACHED + _RECLAIMABLE - _MAPPED

    @property
    def lost(self) -> int:
        return _LOST

    @property
    def free(self) -> int:
        return TOTAL_KB - self.used_pss - self.kernel - self.cached_kernel - self.lost

    @property
    def buffers(self) -> int:
        return _BUFFERS

    @property
    def cached(self) -> int:
        return _CACHED

    def fields(self) -> dict[str, int]:
        """The lines of ``/proc/meminfo``."""
        anonymous = self.used_pss - _MAPPED // 2
        return {
            "MemTotal": TOTAL_KB,
            "MemFree": self.free,
            "MemAvailable": self.free + _BUFFERS + _CACHED + _RECLAIMABLE - 92_160,
            "Buffers": _BUFFERS,
            "Cached": _CACHED,
            "SwapCached": 0,
            "Active": anonymous // 2 + _CACHED // 2,
            "Inactive": anonymous - anonymous // 2 + _CACHED - _CACHED // 2,
            "Active(anon)": anonymous // 2,
            "Inactive(anon)": anonymous - anonymous // 2,
            "Active(file)": _CACHED // 2,
            "Inactive(file)": _CACHED - _CACHED // 2,
            "Unevictable": 0,
            "Mlocked": 0,
            "SwapTotal": SWAP_KB,
            "SwapFree": SWAP_KB,
            "Dirty": 244,
            "Writeback": 0,
            "AnonPages": anonymous,
            "Mapped": _MAPPED,
            "Shmem": _SHMEM,
            "KReclaimable": _RECLAIMABLE + 11_204,
            "Slab": _RECLAIMABLE + _UNRECLAIMABLE,
            "SReclaimable": _RECLAIMABLE,
            "SUnreclaim": _UNRECLAIMABLE,
            "KernelStack": _STACKS,
            "PageTables": _PAGE_TABLES,
            "NFS_Unstable": 0,
            "Bounce": 0,
            "WritebackTmp": 0,
            "CommitLimit": TOTAL_KB // 2 + SWAP_KB,
            "Committed_AS": 41_208_556,
            "VmallocTotal": 262_930_368,
            "VmallocUsed": _VMALLOC,
            "VmallocChunk": 0,
            "CmaTotal": 262_144,
            "CmaFree": 4_132,
        }


def system_memory(phone: Phone, rows: Iterable[ProcessRow]) -> SystemMemory:
    """The memory of the phone with these processes."""
    return SystemMemory(sum(process_memory(phone, row).pss for row in rows))


def human_size(size: float) -> str:
    """A size as toybox prints it, of at most four characters: ``512``, ``3.1M``, ``91M``, ``13G``."""
    for unit in ("", "K", "M", "G", "T"):
        if round(size) < 1000:
            return f"{size:.1f}{unit}" if size < 10 and unit else f"{size:.0f}{unit}"
        size /= 1024
    return f"{size:.0f}P"
