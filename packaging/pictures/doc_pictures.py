"""Take the pictures of the documentation from those of the tour, or say which of them are stale.

    doc_pictures.py           take them from build/tour, and make the moving picture of README.md
    doc_pictures.py --check   name those that no longer look like the window; change nothing

Two pictures of one page differ in clocks, durations and the content of a phone. So they are compared small
and grey: a part that moved or is new makes a difference, a number does not.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
TOUR = ROOT / "build" / "tour"
IMAGES = ROOT / "docs" / "images"
PICTURES = {
    "inject": "interrupted",
    "rehearsal": "rules-rehearsal",
    "review": "review",
    "rules": "rules-success",
    "solvability": "solvability",
    "states": "states",
    "studio": "recording-paid",
}
"""The pictures of the pages by their names in docs/images, and their names in the tour."""
VARIANT = "dark-en"
MOVING = IMAGES / "tour.webp"
SCENES = ("recording-paid", "interrupted", "rules", "states", "run-watch", "review", "metrics-variations")
"""The moving picture, in the tour's names."""
MOVING_WIDTH, MOVING_BYTES = 1100, 2_000_000
SHOWN_MS = 2200
COLOURS = 128
SMALL = (160, 100)
BLURRED_CELL = 24
"""How much the grey of a cell may differ, of 255, before the cell counts as another one."""
MOST_OTHER = 0.05
"""The share of cells that may be others in a picture of the same page."""


def newest(name: str) -> Path:
    """The tour's last picture of this name. Raises FileNotFoundError."""
    found = sorted(TOUR.glob(f"[0-9]*-{name}-{VARIANT}.png"))
    exact = [path for path in found if path.name.split("-", 1)[1] == f"{name}-{VARIANT}.png"]
    if not exact:
        raise FileNotFoundError(f"build/tour has no picture {name}: run make tour first")
    return exact[-1]


def cells(image: Image.Image) -> np.ndarray:
    """A picture small and grey."""
    return np.asarray(image.convert("L").resize(SMALL, Image.Resampling.BOX), dtype=np.int16)


def difference(one: Image.Image, other: Image.Image) -> float:
    """The share of the picture that is another one."""
    return float((np.abs(cells(one) - cells(other)) > BLURRED_CELL).mean())


def stale() -> list[str]:
    """A sentence for each picture that is missing, of another size, or no longer like the window."""
    found = [problem(IMAGES / f"{name}.png", newest(scene)) for name, scene in PICTURES.items()]
    return [sentence for sentence in (*found, problem_of_moving()) if sentence]


def problem_of_moving() -> str:
    """What is wrong with the moving picture; empty when nothing is."""
    with Image.open(MOVING) as moving:
        if getattr(moving, "n_frames", 1) != len(SCENES):
            return f"{MOVING.name} has not the scenes {', '.join(SCENES)}"
        for number, scene in enumerate(SCENES):
            moving.seek(number)
            with Image.open(newest(scene)) as fresh:
                share = difference(moving, fresh)
            if share > MOST_OTHER:
                return f"{MOVING.name}: its scene {scene} differs in {share:.0%} of its area"
    return ""


def problem(kept: Path, fresh: Path) -> str:
    """What is wrong with a picture of the pages; empty when nothing is."""
    if not kept.is_file():
        return f"{kept.name} is missing"
    with Image.open(kept) as old, Image.open(fresh) as new:
        if old.size != new.size:
            return f"{kept.name} is {old.size}, the window's {new.size}"
        share = difference(old, new)
    return f"{kept.name} differs in {share:.0%} of its area" if share > MOST_OTHER else ""


def write() -> None:
    """Copy the pictures, with few colours, and make the moving one."""
    for name, scene in PICTURES.items():
        with Image.open(newest(scene)) as image:
            small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            small.save(IMAGES / f"{name}.png", optimize=True)
    frames = []
    for scene in SCENES:
        with Image.open(newest(scene)) as image:
            height = round(image.height * MOVING_WIDTH / image.width)
            frames.append(image.convert("RGB").resize((MOVING_WIDTH, height), Image.Resampling.LANCZOS))
    frames[0].save(
        MOVING, save_all=True, append_images=frames[1:], duration=SHOWN_MS, loop=0, quality=80, method=6
    )
    if MOVING.stat().st_size > MOVING_BYTES:
        sys.exit(f"{MOVING.relative_to(ROOT)} has more than {MOVING_BYTES} bytes")


def main(words: list[str]) -> int:
    """Write the pictures; with ``--check`` print which are stale and return 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="name those that no longer look like the window")
    given = parser.parse_args(words)
    try:
        if not given.check:
            write()
            return 0
        sentences = stale()
    except FileNotFoundError as error:
        sys.exit(str(error))
    print(
        "\n".join([*sentences, "run make pictures"]) if sentences else "the pictures are those of the window"
    )
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
