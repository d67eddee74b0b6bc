"""Take the moving pictures of *What is this?*: each workspace on the sample project, with a virtual phone.

    workspace_pictures.py [WORKSPACE...]           take those of all workspaces, or of some
    workspace_pictures.py --check [WORKSPACE...]   name those that no longer look like the window

They go to ``assets/help`` as WebP, in light and in dark colours and in English, with the titles of the
toolbars that they show: a test compares these with the toolbars of now.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging" / "sample")]
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from doc_pictures import MOST_OTHER, difference  # noqa: E402
from PIL import Image  # noqa: E402
from PySide6.QtCore import QBuffer, QIODevice  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402
from record_sample import private_server  # noqa: E402
from workspace_scenes import SCENES, open_sample  # noqa: E402

from studio.app.studio import Studio  # noqa: E402
from studio.commands.registry import Registry  # noqa: E402
from studio.settings import Settings  # noqa: E402
from studio.theme import theme  # noqa: E402
from studio.views.workspace_help import HELP, help_picture  # noqa: E402

PICTURES = ROOT / "assets" / "help"
SCHEMES = ("light", "dark")
SIZE, WIDTH, QUALITY = (1440, 900), 1140, 72
_QUIET_MS, _MOST_QUIETS = 400, 12
SHOWN_MS = 5000
"""Six scenes are half a minute."""


def frame(studio: Studio) -> Image.Image:
    """Grab the window once nothing moves in it."""
    before = grabbed(studio)
    for _number in range(_MOST_QUIETS):
        QTest.qWait(_QUIET_MS)
        now = grabbed(studio)
        if now == before and not studio.tasks.titled and not studio.window.toasts.shown:
            return now
        before = now
    return before


def grabbed(studio: Studio) -> Image.Image:
    """Grab the window as it is."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    studio.window.grab().save(buffer, "PNG")
    return Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")


def take(studio: Studio, scenes: Iterator[None]) -> dict[str, list[Image.Image]]:
    """Take the pictures of one workspace in each scheme of colours."""
    taken: dict[str, list[Image.Image]] = {scheme: [] for scheme in SCHEMES}
    for _scene in scenes:
        for scheme in SCHEMES:
            studio.settings.set("appearance.theme", scheme)
            full = frame(studio)
            height = round(full.height * WIDTH / full.width)
            taken[scheme].append(full.resize((WIDTH, height), Image.Resampling.LANCZOS))
    return taken


def stale(workspace: str, taken: dict[str, list[Image.Image]]) -> list[str]:
    """A sentence for each picture of a workspace with a scene that no longer looks like the window."""
    found = []
    for scheme, frames in taken.items():
        path = help_picture(workspace, scheme)
        with Image.open(path) as kept:
            shares = [share_of(kept, number, fresh) for number, fresh in enumerate(frames)]
        if max(shares) > MOST_OTHER:
            found.append(f"{path.name} differs in {max(shares):.0%} of scene {shares.index(max(shares)) + 1}")
    return found


def share_of(kept: Image.Image, number: int, fresh: Image.Image) -> float:
    """The share of a scene that is another one; 1 when it is missing."""
    if number >= getattr(kept, "n_frames", 1):
        return 1.0
    kept.seek(number)
    return difference(kept, fresh)


def write(workspace: str, taken: dict[str, list[Image.Image]]) -> None:
    """Write the moving picture of a workspace in each scheme of colours."""
    for scheme, frames in taken.items():
        path = help_picture(workspace, scheme)
        frames[0].save(
            path, save_all=True, append_images=frames[1:], duration=SHOWN_MS, loop=0,
            quality=QUALITY, method=6,
        )  # fmt: skip
        print(f"{path.name}, {len(frames)} scenes, {path.stat().st_size // 1024} kB")


def main(words: list[str]) -> int:
    """Take the pictures, or compare them and return 1 when one is stale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("workspaces", nargs="*", metavar="WORKSPACE", help=", ".join(SCENES))
    parser.add_argument("--check", action="store_true", help="name those that no longer look like the window")
    given = parser.parse_args(words)
    if unknown := set(given.workspaces) - set(SCENES):
        parser.error(f"no such workspace: {', '.join(sorted(unknown))}")
    sentences: list[str] = []
    with window() as studio:
        open_sample(studio)
        for workspace in given.workspaces or SCENES:
            taken = take(studio, SCENES[workspace](studio))
            if given.check:
                sentences += stale(workspace, taken)
            else:
                write(workspace, taken)
    if not given.check:
        write_toolbars()
    print("\n".join([*sentences, "run make workspace-pictures"] if sentences else []))
    return 1 if sentences else 0


def write_toolbars() -> None:
    """Write what the toolbars of the workspaces hold that the pictures show."""
    registry = Registry()
    toolbars = {name: [command.title for command in registry.toolbar(name)] for name in HELP}
    text = json.dumps(toolbars, indent=1) + "\n"
    (PICTURES / "toolbars.json").write_text(text, encoding="utf-8")


@contextlib.contextmanager
def window() -> Iterator[Studio]:
    """Open a window on a private home folder and adb server."""
    app = QApplication(["waymark-studio"])
    with tempfile.TemporaryDirectory() as home, private_server():
        os.environ["WAYMARK_HOME"] = home
        theme.install(app, "light", motion=False)
        settings = Settings(Path(home) / "settings.yaml")
        settings.set("appearance.theme", "light")
        settings.set("recording.author", "lin")
        settings.set("window.tour-offered", True)
        studio = Studio(settings)
        studio.window.setWindowState(
            studio.window.windowState() & ~studio.window.windowState().WindowMaximized
        )
        studio.window.resize(*SIZE)
        studio.window.show()
        studio.start()
        try:
            yield studio
        finally:
            studio.window.close()
            studio.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
