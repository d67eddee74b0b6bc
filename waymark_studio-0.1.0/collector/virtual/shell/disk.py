"""The phone's file systems with their sizes, as ``df`` and the storage service report them."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.shell.files import Files

_SYSTEM_KB, _VENDOR_KB, _TMPFS_KB = 1_021_208, 612_304, 1_941_052
_DATA_KB, _APPS_KB = 52_943_040, 11_983_040


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system; sizes in kB."""

    device: str
    path: str
    total: int
    used: int

    @property
    def kind(self) -> str:
        """The type of the file system."""
        return {"/": "erofs", "/vendor": "erofs", "/data": "f2fs"}.get(
            self.path, "tmpfs" if self.device == "tmpfs" else "fuse"
        )

    @property
    def options(self) -> str:
        return f"{'ro' if self.kind == 'erofs' else 'rw,nosuid,nodev,noatime'},seclabel"

    @property
    def free(self) -> int:
        return self.total - self.used

    @property
    def percent(self) -> int:
        """The used share, rounded up."""
        return -(-100 * self.used // self.total)


def mounts(files: Files) -> list[Mount]:
    """All mounts. Data and the shared storage are one file system."""
    used = _DATA_KB if files.full or files.used >= files.capacity else _APPS_KB + files.used // 1024
    return [
        Mount("/dev/block/dm-5", "/", _SYSTEM_KB, _SYSTEM_KB),
        Mount("tmpfs", "/dev", _TMPFS_KB, 1_396),
        Mount("tmpfs", "/mnt", _TMPFS_KB, 0),
        Mount("/dev/block/dm-6", "/vendor", _VENDOR_KB, _VENDOR_KB),
        Mount("/dev/block/dm-40", "/data", _DATA_KB, used),
        Mount("/dev/fuse", "/storage/emulated", _DATA_KB, used),
    ]


def mount_of(files: Files, path: str) -> Mount:
    """The mount that holds a path."""
    place = files.resolve(path)
    holders = [mount for mount in mounts(files) if f"{place}/".startswith(f"{mount.path.rstrip('/')}/")]
    return max(holders, key=lambda mount: len(mount.path))
