"""Make a distribution depend on the sources alone: not on who builds it, when, and in which folder."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

_EPOCH = "SOURCE_DATE_EPOCH"
_PACKING = 6
"""Nine takes twice the time for half a percent."""


def time_of_sources(root: Path) -> int:
    """Seconds since 1970: what the environment says, the last commit, or the time of pyproject.toml."""
    if said := os.environ.get(_EPOCH):
        return int(said)
    if (root / ".git").exists():
        return int(_git(root, "log", "-1", "--format=%ct"))
    return int((root / "pyproject.toml").stat().st_mtime)


def copy_sources(root: Path, folder: Path) -> None:
    """Copy what git keeps or would keep; without git, everything. What git ignores stays in the checkout."""
    if not (root / ".git").exists():
        shutil.copytree(root, folder, dirs_exist_ok=True)
        return
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        source, target = root / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def repack(archive: Path, time: int) -> None:
    """Write a .tar.gz anew: files in order of name, of nobody, with the same rights and time."""
    packed = io.BytesIO()
    after = tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT)  # noqa: SIM115 - closed by `with`
    with tarfile.open(archive) as before, after:
        for member in sorted(before.getmembers(), key=lambda each: each.name):
            plain = tarfile.TarInfo(member.name)
            plain.type, plain.size, plain.mtime = member.type, member.size, time
            plain.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            after.addfile(plain, before.extractfile(member) if member.isfile() else None)
    with archive.open("wb") as file, gzip.GzipFile("", "wb", _PACKING, file, mtime=time) as compressed:
        compressed.write(packed.getvalue())
