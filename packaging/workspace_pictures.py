"""Take the pictures of *What is this?*: each workspace on the sample project, with a virtual phone.

They go to ``assets/help`` as WebP, a workspace each, in light colours and English.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PIL import Image  # noqa: E402
from PySide6.QtCore import QBuffer, QIODevice  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402
from record_sample import private_server  # noqa: E402

if TYPE_CHECKING:
    from studio.app.studio import Studio

PICTURES = ROOT / "assets" / "help"
SIZE, WIDTH, QUALITY = (1440, 900), 1140, 82
_WAIT_MS, _STEP_MS, _QUIET_MS = 90_000, 100, 6000
_TASK = "shop-14"


def wait(condition: Callable[[], object]) -> None:
    """Handle events until a condition holds."""
    for _number in range(_WAIT_MS // _STEP_MS):
        if condition():
            return
        QTest.qWait(_STEP_MS)
    raise SystemExit("the window did not get there")


def save(studio: Studio, workspace: str) -> None:
    """Write the picture of a workspace once nothing moves in it."""
    wait(lambda: not studio.tasks.titled)
    QTest.qWait(_QUIET_MS)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    studio.window.grab().save(buffer, "PNG")
    picture = Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")
    height = round(picture.height * WIDTH / picture.width)
    small = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
    small.save(PICTURES / f"{workspace}.webp", quality=QUALITY, method=6)
    print(f"{workspace}.webp, {(PICTURES / f'{workspace}.webp').stat().st_size // 1024} kB")


def take(studio: Studio) -> None:
    """Bring each workspace to the front, with something to look at."""
    run = studio.commander.run
    run("project.open-sample", quiet="yes")
    wait(lambda: studio.project_library.snapshot is not None and studio.project_library.snapshot.is_read)
    run("device.start-virtual")
    wait(lambda: studio.devices.current is not None and studio.devices.current.is_live)
    studio.selection.choose_task(_TASK)
    run("view.project")
    wait(lambda: not studio.window.toasts.shown)
    save(studio, "project")
    run("view.record")
    run("record.task", task=_TASK)
    wait(lambda: studio.recording.is_running)
    save(studio, "record")
    run("record.discard")
    wait(lambda: not studio.recording.is_active)
    wait(lambda: not studio.window.toasts.shown)
    run("view.rules")
    wait(lambda: studio.commander.context.get("rules.recorded"))
    run("view.states")
    QTest.qWait(_QUIET_MS)  # the film strip comes last
    for workspace in ("rules", "states", "metrics"):
        run(f"view.{workspace}")
        save(studio, workspace)
    compared = next((studio.project_library.folder or ROOT).glob("trajectories/todo-04/quick__golden__*low*"))
    run("review.open", folder=str(compared))
    save(studio, "review")
    run("project.open-robustness", quiet="yes")  # its first experiment is finished
    wait(lambda: studio.project_library.folder is not None and studio.project_library.folder.name != "sample")
    run("view.run")
    save(studio, "run")


def main() -> None:
    """Take all pictures on a private home folder and adb server."""
    from studio.app.studio import Studio
    from studio.settings import Settings
    from studio.theme import theme

    app = QApplication(["waymark-studio"])
    PICTURES.mkdir(exist_ok=True)
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
            take(studio)
        finally:
            studio.window.close()
            studio.close()


if __name__ == "__main__":
    main()
