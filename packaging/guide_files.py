"""The pages of the guide, which the wheel and the frozen application carry in ``collector/pages``.

Their places are those of the checkout. Everything that a page shows is there; what else it links is only
named (collector/guide/guide.py).
"""

from __future__ import annotations

import shutil
from pathlib import Path

SHIPPED = ("docs/**/*.md", "docs/images/*.png", "SECURITY.md", "CHANGELOG.md")


def files(root: Path) -> list[Path]:
    """The files of a checkout that are shipped, relative to it."""
    return sorted(file.relative_to(root) for pattern in SHIPPED for file in root.glob(pattern))


def copy(root: Path, folder: Path) -> None:
    """Copy them into a folder."""
    for file in files(root):
        place = folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, place)
