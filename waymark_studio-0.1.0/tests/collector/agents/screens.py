"""Screens with a picture and a tree, as agents of models and programs are shown them."""

from __future__ import annotations

import datetime as dt

import numpy as np

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
from collector.recorder.screen_moment import ScreenMoment
from tests.helpers.dumps import hierarchy, node

PHONE = Size(540, 1200)
BUTTON = node(text="OK", class_="android.widget.Button", clickable="true", bounds="[100,200][300,300]")
FIELD = node(class_="android.widget.EditText", clickable="true", resource_id="a:id/name", password="true",
             text="hunter2", bounds="[0,400][540,500]")  # fmt: skip


def screen(
    *nodes: str, size: Size = PHONE, colour: int = 200, picture: bool = True, noisy: bool = False
) -> ScreenMoment:
    """A screen of nodes in one colour; ``noisy`` makes a picture that no format makes small."""
    xml = hierarchy(*(nodes or (BUTTON, FIELD))).encode()
    snapshot = TreeSnapshot(xml, parse_tree(xml), 0, 0, "fake", "com.example.shop", ".Main")
    pixels = np.full((size.height, size.width, 3), colour, np.uint8)
    if noisy:
        pixels = np.random.default_rng(1).integers(0, 255, pixels.shape, np.uint8)
    frame = Frame(pixels, sequence=1, received_ns=0) if picture else None
    return ScreenMoment(0, dt.datetime.now(dt.UTC), frame, snapshot, "com.example.shop", ".Main", size)
