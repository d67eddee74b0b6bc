"""Keep an import inside its source: links that lead out of it are left out and named."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog
from collector.model.cancellation import check_cancelled
from collector.model.i18n import _
from collector.store.files.links import leads_outside


@contextlib.contextmanager
def without_links_outside(root: Path, log: ExchangeLog) -> Iterator[Path]:
    """The folder to read instead of ``root``: itself, or a stand-in without the links that lead outside.

    The stand-in has real folders, and links to the single files of the source that may be read. Raises
    Cancelled, between two folders: a person may choose a whole disk.
    """
    refused = _links_outside(root) if root.is_dir() else []
    if not refused:
        yield root
        return
    log.where = ""
    for path in refused:
        log.add(
            "link-refused",
            _("Links that lead out of the source were not followed"),
            step=path.relative_to(root).as_posix(),
        )
    with tempfile.TemporaryDirectory(prefix="waymark-import-") as folder:
        stand_in = Path(folder) / root.name
        _mirror(root.resolve(), root, stand_in, frozenset(refused))
        yield stand_in


def _links_outside(root: Path) -> list[Path]:
    outside: list[Path] = []
    for top, folders, files in os.walk(root):
        check_cancelled()
        outside += [path for name in (*folders, *files) if leads_outside(path := Path(top) / name, root)]
    return sorted(outside)


def _mirror(real: Path, folder: Path, target: Path, refused: frozenset[Path]) -> None:
    check_cancelled()
    target.mkdir()
    for entry in os.scandir(folder):
        path = Path(entry.path)
        if path in refused:
            continue
        if entry.is_dir(follow_symlinks=False):
            _mirror(real, path, target / entry.name, refused)
        elif entry.is_file():
            _stand_in(path.resolve(), target / entry.name)


def _stand_in(file: Path, target: Path) -> None:
    """A link to a file, or a copy where this account may make none, as on most Windows."""
    try:
        target.symlink_to(file)
    except OSError:
        shutil.copyfile(file, target)
