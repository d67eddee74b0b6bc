"""Two screens of a shop, compared: a dialog opened over the second, a chip is off and a hint is gone."""

from __future__ import annotations

import cv2
import numpy as np

from studio.bridge.review.state_comparisons import ComparedStep, ScreenComparison, compared_screens, read_step
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

SHOP = (
    node(text="Sort", resource_id="a:id/chip_sort", class_="android.widget.Button", bounds="[0,80][60,100]"),
    node(
        text="Sort by", resource_id="a:id/tooltip", class_="android.widget.TextView", bounds="[0,110][60,120]"
    ),
)
DIALOG = node(
    node(text="Battery low", class_="android.widget.TextView", bounds="[20,200][100,220]"),
    node(text="Ignore", resource_id="a:id/no", class_="android.widget.Button", bounds="[20,230][60,250]"),
    resource_id="a:id/dialog", class_="android.widget.FrameLayout", bounds="[10,190][110,260]",
)  # fmt: skip
FIRST = hierarchy(node(*SHOP, class_="android.widget.FrameLayout", bounds="[0,0][120,300]"))
SECOND = hierarchy(
    node(
        node(text="Sort", resource_id="a:id/chip_sort", class_="android.widget.Button", enabled="false",
             bounds="[0,80][60,100]"),
        DIALOG, class_="android.widget.FrameLayout", bounds="[0,0][120,300]",
    )
)  # fmt: skip


def screenshot(*boxes: tuple[int, int, int, int], width: int = 120, height: int = 300) -> bytes:
    """A grey screenshot as PNG with white boxes (left, top, right, bottom)."""
    picture = np.full((height, width, 3), 90, np.uint8)
    for left, top, right, bottom in boxes:
        picture[top:bottom, left:right] = 255
    return cv2.imencode(".png", picture)[1].tobytes()


def step_of(
    side: int, xml: str, picture: bytes = b"", *, package: str = "com.example.shop", step: int = 0
) -> ComparedStep:
    """A step of a recording in memory, of which all steps show the same screen."""
    screens = [RecordedScreen(xml.encode(), package=package)] * (step + 1)
    stored = MemoryTrajectory("shop-14", screens, pictures=[picture] * (step + 1))
    return ComparedStep(side, step, stored)  # type: ignore[arg-type]


def comparison(first: ComparedStep | None = None, second: ComparedStep | None = None) -> ScreenComparison:
    """The two screens, or others, compared."""
    before = first or step_of(0, FIRST, screenshot())
    after = second or step_of(2, SECOND, screenshot((10, 190, 110, 260)))
    return compared_screens(read_step(before), read_step(after))
