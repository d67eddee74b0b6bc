"""Lay the frozen application out as Linux has programs: ``usr/`` with everything a desktop looks for.

The .deb and the AppImage are made of this folder.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "packaging" / "linux"
PROGRAM = "waymark-studio"
FROZEN = ROOT / "dist" / PROGRAM
COMMANDS = ("waymark", PROGRAM)
LICENCES = Path("_internal", "collector", "assets", "licences", "bundled.txt")
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
METAINFO = "org.waymark.studio.metainfo.xml"
MIME = f"{PROGRAM}.mime.xml"
# Draws the icon in every size; Qt comes with the environment of the checkout.
DRAW_ICONS = """
import sys
from pathlib import Path
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
application = QGuiApplication(["icons", "-platform", "offscreen"])
source, folder, *sizes = sys.argv[1:]
for size in map(int, sizes):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(source).render(painter)
    painter.end()
    place = Path(folder, f"{size}x{size}", "apps", "waymark-studio.png")
    place.parent.mkdir(parents=True)
    if not image.save(str(place)):
        sys.exit(f"{place} cannot be written")
"""


def version() -> str:
    """The version of the checkout."""
    text = (ROOT / "collector" / "__init__.py").read_text(encoding="utf-8")
    return text.split('__version__ = "')[1].split('"')[0]


def moment() -> int:
    """The date of every file: SOURCE_DATE_EPOCH, or that of the last commit. A rebuild is the same then."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    return int(asked.stdout) if asked.returncode == 0 and asked.stdout.strip() else int(time.time())


def lay_out(root: Path) -> None:
    """Fill a new folder with ``usr/``."""
    library = root / "usr" / "lib" / PROGRAM
    shutil.copytree(FROZEN, library, symlinks=True)
    share = root / "usr" / "share"
    places = {
        f"{PROGRAM}.desktop": share / "applications" / f"{PROGRAM}.desktop",
        f"{PROGRAM}.svg": share / "icons" / "hicolor" / "scalable" / "apps" / f"{PROGRAM}.svg",
        METAINFO: share / "metainfo" / METAINFO,
        MIME: share / "mime" / "packages" / f"{PROGRAM}.xml",
    }
    for name, place in places.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_filled_in(SOURCES / name), encoding="utf-8")
    _draw_icons(share / "icons" / "hicolor")
    _write_manual(share / "man" / "man1")
    _link_licences(share / "doc" / PROGRAM)
    commands = root / "usr" / "bin"
    commands.mkdir()
    for name in COMMANDS:
        (commands / name).symlink_to(f"../lib/{PROGRAM}/{name}")
    _set_modes(root)


def _filled_in(source: Path) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime(moment()))
    return source.read_text(encoding="utf-8").replace("@VERSION@", version()).replace("@DATE@", day)


def _draw_icons(folder: Path) -> None:
    words = [sys.executable, "-c", DRAW_ICONS, str(SOURCES / f"{PROGRAM}.svg"), str(folder)]
    subprocess.run([*words, *map(str, ICON_SIZES)], check=True)


def _write_manual(folder: Path) -> None:
    folder.mkdir(parents=True)
    page = _filled_in(SOURCES / "waymark.1").encode()
    (folder / "waymark.1.gz").write_bytes(gzip.compress(page, mtime=0))
    (folder / f"{PROGRAM}.1.gz").symlink_to("waymark.1.gz")


def _link_licences(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "licences.txt").symlink_to(Path("../../..", "lib", PROGRAM, LICENCES))


def _set_modes(root: Path) -> None:
    """Programs 755, other files 644, and of one date."""
    when = moment()
    for path in sorted(root.rglob("*"), reverse=True):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or _is_program(path) else 0o644)
        os.utime(path, (when, when), follow_symlinks=False)
    os.utime(root, (when, when))


def _is_program(path: Path) -> bool:
    """Whether the owner may run a file, and it is no library, which Debian keeps without that."""
    return bool(path.stat().st_mode & 0o100) and ".so" not in path.name
