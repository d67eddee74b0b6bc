"""Check whether a phone can take an episode: it answers in time and its screen is not black."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from collector.device.boot import ANSWER_SECONDS, has_booted
from collector.device.device_info import read_foreground
from collector.device.errors import GONE, CallCancelled, DeviceError
from collector.device.frame import Frame
from collector.device.protocols import Cancel, Device
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.screencap_source import take_screenshot
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.model.tree import Tree

_DARKEST = 16
"""The brightest value that counts as dark, of 255."""
_SPREAD = 2
"""The most that values of a black picture differ, as after a video's compression."""
_STRIDE = 8
_ATTEMPTS = 4
_PAUSE_S = 0.3
_WAKE = "input keyevent 224"


@dataclass(frozen=True, slots=True)
class PhoneHealth:
    """What a check found."""

    problem: str = ""
    """Why the phone cannot be used, in a sentence; empty when it can."""
    is_gone: bool = False
    """Whether it did not answer at all, so that only a restart or a person helps."""

    @property
    def is_usable(self) -> bool:
        return not self.problem


def check_phone(
    device: Device, cancel: Cancel | None = None, *, seconds: float = ANSWER_SECONDS
) -> PhoneHealth:
    """Check a phone between two episodes, or after a fault. Raises CallCancelled.

    It must answer within ``seconds``; the whole check takes a few times as long at most. A phone whose screen
    is off is woken. The screen of a protected window is black and no problem.
    """
    stopped = cancel or threading.Event()
    try:
        if not has_booted(device, stopped, seconds):
            return PhoneHealth(_("Android has not finished its start on this phone"))
        # An answer shows that the framework does not hang.
        protected = read_foreground(device, stopped).secure
        if not protected and _stays_black(device, stopped):
            return PhoneHealth(_("The phone's screen is black, and no app protects it"))
    except CallCancelled:
        raise
    except DeviceError as error:
        return PhoneHealth(str(error), is_gone=isinstance(error, GONE))
    return PhoneHealth()


def _stays_black(device: Device, cancel: Cancel) -> bool:
    """Whether the screen is black for longer than it takes to switch it on, or to draw a window."""
    frame = take_screenshot(device, cancel)
    if not is_black_in_the_middle(frame):
        return False
    device.shell(_WAKE, cancel=cancel)
    for _attempt in range(_ATTEMPTS):
        frame = take_screenshot(device, cancel)
        if not is_black_in_the_middle(frame) or read_foreground(device, cancel).secure:
            return False
        if cancel.wait(_PAUSE_S):
            raise CallCancelled("screencap")
    whole = Rect(0, 0, frame.size.width, frame.size.height)
    # An app may be black in the middle: only text that is there, but not to be seen, shows a fault.
    return is_black(frame, whole) or _shows_text(device, centre_of(frame), cancel)


def centre_of(frame: Frame) -> Rect:
    """The middle of a picture, half as wide and half as high: without the bars of the system."""
    width, height = frame.size.width, frame.size.height
    return Rect(width // 4, height // 4, width - width // 4, height - height // 4)


def is_black_in_the_middle(frame: Frame) -> bool:
    """Whether the middle of a picture is black, as the whole is when its source fails."""
    return is_black(frame, centre_of(frame))


def is_black(frame: Frame, area: Rect) -> bool:
    """Whether all of ``area`` has one dark value. An emulator whose graphics failed shows such a picture."""
    pixels = frame.rgb()[area.top : area.bottom : _STRIDE, area.left : area.right : _STRIDE]
    if not pixels.size:
        return True
    brightest, darkest = int(pixels.max()), int(pixels.min())
    return brightest <= _DARKEST and brightest - darkest <= _SPREAD


def _shows_text(device: Device, area: Rect, cancel: Cancel) -> bool:
    """Whether the tree has text where the picture is black: then the picture is wrong, not a dark app."""
    try:
        tree = UiautomatorSource(device, tries=1).snapshot(cancel).tree
    except CallCancelled:
        raise
    except DeviceError:
        return False
    return tree is not None and _has_text_in(tree, area)


def _has_text_in(tree: Tree, area: Rect) -> bool:
    for node in tree.nodes:
        if node.text and node.bounds is not None and area.contains(node.bounds.center):
            return True
    return False
