"""Names for the files of ``states/``: in the order of the steps, and never used twice.

Recorded steps count ``0000, 0001, ...``. A step put between two others gets a name
that sorts between theirs (``0003_0001``), so nothing on disk is ever renamed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from pathlib import Path

_DEEPEST = 40
_STEM = re.compile(r"\d{4,}(_\d{4})*")


def screenshot_suffix(data: bytes) -> str:
    """The file ending of a screenshot; ``.png`` for other data, and never the ending of a tree."""
    if data.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    return ".png"


def tree_suffix(data: bytes) -> str:
    """The file ending of a hierarchy dump: ``.json`` or ``.xml``."""
    return ".json" if data.lstrip()[:1] in (b"{", b"[") else ".xml"


def digest(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def stems(folder: Path) -> set[str]:
    """The stems in use in a folder of states."""
    return {path.stem for path in folder.iterdir()} if folder.is_dir() else set()


def next_stem(used: Collection[str]) -> str:
    """The stem of the next recorded step."""
    heads = [int(stem.partition("_")[0]) for stem in used if _STEM.fullmatch(stem)]
    return f"{max(heads, default=-1) + 1:04}"


def stem_between(before: str, after: str, used: Collection[str]) -> str:
    """A new stem that sorts after ``before`` and ahead of ``after``; either may be empty for the end."""
    if not after:
        return next_stem(used)
    if not before:
        return _ahead_of(after, used)
    head, _, tail = before.rpartition("_")
    if head:
        following = f"{head}_{int(tail) + 1:04}"
        if following not in used and following < after and len(following) == len(before):
            return following
    stem = f"{before}_0001"
    for _depth in range(_DEEPEST):
        if stem not in used and (stem < after or not after.startswith(before)):
            return stem
        stem = f"{stem.rpartition('_')[0]}_0000_0001"
    return next_stem(used)  # names somebody else gave, in no order to keep


def _ahead_of(after: str, used: Collection[str]) -> str:
    # "-" sorts before every digit and "_", so "000-0001" comes ahead of "0000".
    for number in range(9999, 0, -1):
        stem = f"{after[:3]}-{number:04}"
        if stem < after and stem not in used:
            return stem
    raise ValueError("ten thousand steps were inserted at the beginning")
