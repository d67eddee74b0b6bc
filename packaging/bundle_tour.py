"""Let a built or installed program show the main job on a virtual screen, and check its pictures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

SCENES = 10
"""Of the main job, a picture each at least."""
LEAST_SIZE = (1280, 720)
LEAST_COLOURS = 200
"""A window that shows nothing has fewer."""
LONGEST_S = 600
REPORT = "tour.json"


class BundleTourError(Exception):
    """The program did not show what it should; the message says what it did."""


def take_tour(command: Sequence[str | Path], pictures: Path) -> str:
    """Run ``COMMAND demo`` far from the checkout, keep its pictures, and say what was seen.

    Raises BundleTourError.
    """
    with tempfile.TemporaryDirectory(prefix="waymark-") as place:
        home, shown = Path(place, "home"), Path(place, "tour")
        home.mkdir()
        done = subprocess.run(
            [*map(str, command), "demo", "--headless", str(shown)],
            cwd=place, env=_environment(home), capture_output=True, encoding="utf-8", errors="replace",
            timeout=LONGEST_S,
        )  # fmt: skip
        keep(shown, pictures)
        if done.returncode:
            raise BundleTourError(f"the tour gave {done.returncode}:\n{done.stdout}{done.stderr}".rstrip())
    return check(pictures)


def keep(shown: Path, pictures: Path) -> None:
    """Copy the pictures and the report of a tour; the recorded project and the logs are left."""
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(parents=True)
    for path in [*shown.glob("*.png"), *shown.glob(REPORT)]:
        shutil.copy2(path, pictures)


def check(pictures: Path) -> str:
    """Say how many scenes and pictures a tour has. Raises BundleTourError when some are missing or empty."""
    report = json.loads(_read(pictures / REPORT))
    scenes = [scene for part in report.get("parts", ()) for scene in part["scenes"]]
    if len(scenes) < SCENES or len(report["pictures"]) < SCENES:
        raise BundleTourError(f"the tour in {pictures} has {len(scenes)} scenes in place of {SCENES}")
    for name in report["pictures"]:
        _check_picture(pictures / name)
    return f"{len(report['pictures'])} pictures in {report['seconds']:.0f} s by {report['how']}"


def _check_picture(path: Path) -> None:
    try:
        with Image.open(path) as image:
            colours = image.convert("RGB").getcolors(1 << 24) or []
            size = image.size
    except OSError as error:
        raise BundleTourError(f"the picture {path} cannot be read: {error}") from error
    if size[0] < LEAST_SIZE[0] or size[1] < LEAST_SIZE[1] or len(colours) < LEAST_COLOURS:
        raise BundleTourError(f"the picture {path} shows nothing: {size}, {len(colours)} colours")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BundleTourError(f"the tour left no {path.name}: {error}") from error


def _environment(home: Path) -> dict[str, str]:
    """The variables of this process without those of Python and of this account's folders."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "WAYMARK_", "XDG_", "VIRTUAL_ENV", "QT_"))
    }
    return kept | {"HOME": str(home)}


if __name__ == "__main__":
    try:
        print(check(Path(sys.argv[1])))
    except BundleTourError as problem:
        sys.exit(str(problem))
