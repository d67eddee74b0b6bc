"""A screen from files: a screenshot and a dump, as what the recorder sees of a phone."""

from __future__ import annotations

import datetime as dt
import time

from collector.device.frame import Frame, ScreenshotFrame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.pictures.decoding import rgb_pixels
from collector.pictures.formats import read_picture_file
from collector.recorder.screen_moment import ScreenMoment
from collector.store.trajectory.reader import StoredTrajectory

_FILE = "file"
"""Source of a picture or a tree that no phone sent."""


def moment_of_files(
    stored: StoredTrajectory, step: Step, screenshot: bytes | None, tree: bytes | None
) -> ScreenMoment:
    """The state of a step with another screenshot, another tree, or both; what is not given stays.

    Passwords are hidden as while recording. Raises PictureError and HierarchyError for files that cannot be
    read, and Damaged when a file that stays cannot.
    """
    state, now = step.state, time.monotonic_ns()
    picture = screenshot if screenshot is not None else stored.screenshot(step)
    dump = tree if tree is not None else stored.tree(step)
    frame = _frame(picture, now) if picture is not None else None
    parsed = parse_tree(dump) if dump is not None else None
    package = (_package_of(parsed) if tree is not None and parsed is not None else "") or state.package
    activity = state.activity if package == state.package else ""
    snapshot = None
    if dump is not None:
        source = _FILE if tree is not None else str(state.source.get("tree", ""))
        snapshot = TreeSnapshot(dump, parsed, now, now, source, package, activity)
    size = frame.size if frame is not None and screenshot is not None else state.size
    return ScreenMoment(
        now, dt.datetime.now(dt.UTC), frame, snapshot, package, activity, size, state.rotation,
        frame_source=_FILE if screenshot is not None else str(state.source.get("frame", "")),
        skew=0.0, secure=state.secure and screenshot is None,
    )  # fmt: skip


def _frame(picture: bytes, now: int) -> Frame:
    if read_picture_file(picture).format == "PNG":
        return ScreenshotFrame(picture, sequence=0, received_ns=now)
    return Frame(rgb_pixels(picture), sequence=0, received_ns=now)


def _package_of(tree: Tree) -> str:
    """The app of most nodes; empty when none says one."""
    packages = [node.package for node in tree.nodes if node.package]
    return max(set(packages), key=packages.count, default="")
