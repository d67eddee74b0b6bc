"""Write the header of a trajectory, with when it was written and by which programs."""

from __future__ import annotations

import datetime as dt
import platform
from pathlib import Path

from collector import __version__
from collector.model.trajectory import TrajectoryHeader
from collector.store.files import format_versions as versions
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.trajectory import codec


def now() -> str:
    """The current time as ISO 8601 in UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")


def software() -> dict[str, str]:
    """The versions of the programs that write the trajectory, for its header."""
    return {
        "waymark": __version__,
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
    }


def write_header(disk: Disk, folder: Path, header: TrajectoryHeader) -> None:
    """Write ``trajectory.json``. Raises StoreError."""
    document = versions.TRAJECTORY.stamp(codec.header_to_document(header))
    disk.write(folder / layout.HEADER, codec.dump_document(document))
