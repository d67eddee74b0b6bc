"""Small recordings of an app, to be played as a phone: each screen has a picture and a tree of its own."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from collector.model.action import Action
from collector.model.geometry import Size
from collector.model.trajectory import State, Step, TrajectoryHeader
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import hierarchy, node

SIZE = Size(240, 480)
SHOP = "com.example.shop"
LAUNCHER = "com.example.launcher3"


def picture(shade: int, size: Size = SIZE) -> bytes:
    """A picture with stripes whose places depend on ``shade``."""
    pixels = np.full((size.height, size.width, 3), 240, np.uint8)
    top = size.height * (10 + shade % 80) // 100
    pixels[top : top + size.height // 10] = (shade * 37 % 200, 60, 160)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    return data.getvalue()


def tree(name: str, *rest: str, package: str = SHOP, size: Size = SIZE) -> bytes:
    """A dump with a title, a button in the upper half and a list that scrolls in the lower one."""
    width, middle, height = size.width, size.height // 2, size.height
    title = node(text=name, resource_id=f"{package}:id/title", bounds=f"[0,0][{width},{height // 16}]")
    button = node(
        text="Go", resource_id=f"{package}:id/go", clickable="true", class_="android.widget.Button",
        bounds=f"[{width // 4},{height // 8}][{width // 2},{height // 6}]",
    )  # fmt: skip
    list_view = node(
        resource_id=f"{package}:id/list", scrollable="true", bounds=f"[0,{middle}][{width},{height}]"
    )
    root = node(title, button, list_view, *rest, package=package, bounds=f"[0,0][{width},{height}]")
    return hierarchy(root).encode()


def field(text: str = "", *, password: bool = False, focused: bool = True) -> str:
    """A text field in the middle of the screen."""
    return node(
        text=text, class_="android.widget.EditText", resource_id=f"{SHOP}:id/field", clickable="true",
        focused=str(focused).lower(), password=str(password).lower(), bounds="[20,180][220,220]",
    )  # fmt: skip


class RecordedPath:
    """What somebody did, screen by screen."""

    def __init__(self, name: str = "golden", size: Size = SIZE, step_ms: int = 100) -> None:
        self.name, self.size, self._step_ms = name, size, step_ms
        self._steps: list[tuple[State, Action | None, bytes | None, bytes | None]] = []

    def on(
        self, screen: str, action: Action | None = None, *rest: str, package: str = SHOP,
        activity: str = ".Main", shade: int | None = None, with_tree: bool = True, with_picture: bool = True,
        size: Size | None = None,
    ) -> RecordedPath:  # fmt: skip
        """Add a state, and what was done on it. The picture follows the name of the screen."""
        size = size or self.size
        number = sum(map(ord, screen)) if shade is None else shade
        state = State(package=package, activity=activity, size=size)
        shot = picture(number, size) if with_picture else None
        dump = tree(screen, *rest, package=package, size=size) if with_tree else None
        self._steps.append((state, action, shot, dump))
        return self

    def write(self, folder: Path) -> StoredTrajectory:
        with TrajectoryWriter.create(folder / self.name, TrajectoryHeader(self.name, "task")) as writer:
            for index, (state, action, shot, dump) in enumerate(self._steps):
                moment = Step(index, self._step_ms * index, "2026-04-12T09:30:15.000+00:00", state, action)
                writer.append(moment, shot, dump)
            writer.finish()
        return open_trajectory(writer.folder)


def written(folder: Path, paths: Sequence[RecordedPath]) -> list[StoredTrajectory]:
    return [path.write(folder) for path in paths]
