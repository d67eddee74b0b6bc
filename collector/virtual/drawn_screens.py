"""Screens of the virtual phone under variations, drawn in this process: no ADB, no clock, no device."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
import skia

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED
from collector.model.variation.phone_variation import PhoneVariation
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile
from collector.virtual.ui.app import App
from collector.virtual.ui.drawing.canvas import Pixels
from collector.virtual.ui.effects import Component, Intent
from collector.virtual.ui.text import TextStyle, lay_text

HOME = "home"
_BACK, _INK, _EDGE = 0xFFFFFFFF, 0xFF22282C, 0xFFC9D1D6
_GAP, _LABEL = 16, 26
"""Px between pictures, and of a line of text above them."""


@dataclass(frozen=True, slots=True)
class ScreenName:
    """The first screen of an app, one of its activities, or a page within; without an app the home screen."""

    app: str = ""
    activity: str = ""
    """The name of an activity, which begins with a full stop, or of one of the app's pages."""

    @classmethod
    def parse(cls, text: str) -> ScreenName:
        """Read ``home``, ``APP``, ``APP/ACTIVITY`` or ``APP/PAGE``. Raises ValueError for others."""
        if text == HOME:
            return cls()
        name, _slash, activity = text.partition("/")
        apps = {app.name: app for app in varied_apps()}
        if name not in apps:
            raise ValueError(_("there is no app {word} (there are: {known})", word=name,
                               known=", ".join((HOME, *apps))))  # fmt: skip
        exported = (known.name for known in apps[name].activities if known.exported)
        names = [*exported, *apps[name].pages]
        if activity and activity not in names:
            raise ValueError(_("{app} has no screen {word} (it has: {known})", app=name, word=activity,
                               known=", ".join(names)))  # fmt: skip
        return cls(name, activity)

    def __str__(self) -> str:
        return f"{self.app}/{self.activity}" if self.activity else self.app or HOME


@dataclass(frozen=True, slots=True)
class PhoneLook:
    """What is drawn besides the variation. ``density`` in dpi."""

    seed: int = DEFAULT_SEED
    locale: str = "en-US"
    size: Size = field(default_factory=lambda: Size(480, 1064))
    density: int = 213


@dataclass(frozen=True, slots=True)
class DrawnScreen:
    """The pixels of a screen, RGBA as (height, width, 4), and its tree as XML."""

    name: ScreenName
    pixels: Pixels
    tree: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of pixels and tree."""
        return hashlib.sha256(self.pixels.tobytes() + self.tree).hexdigest()


def varied_apps() -> tuple[App[object], ...]:
    """The apps with screens of their own, in the order of a phone."""
    return tuple(app for app in make_apps() if app.launcher_activity is not None and app.name != "launcher")


def first_screens() -> tuple[ScreenName, ...]:
    """The home screen, and the first screen of each app that is on it."""
    apps = (app.name for app in varied_apps() if app.on_home and not app.system)
    return (ScreenName(), *map(ScreenName, apps))


def screens_of(app: App[object]) -> tuple[ScreenName, ...]:
    """All screens of an app that can be started by themselves, the first one first, and its pages."""
    others = (known.name for known in app.activities if known.exported and not known.launcher)
    return (ScreenName(app.name), *(ScreenName(app.name, name) for name in (*others, *app.pages)))


def draw_screens(
    variation: PhoneVariation, names: Sequence[ScreenName], look: PhoneLook | None = None
) -> Iterator[DrawnScreen]:
    """Draw screens one after the other, each on a phone that is as new."""
    look = look or PhoneLook()
    for name in names:
        profile = PhoneProfile(
            seed=look.seed, locale=look.locale, size=look.size, density=look.density, variation=variation,
            apps=make_apps(),
        )  # fmt: skip
        phone = Phone(profile)
        try:
            _show(phone, name)
            yield DrawnScreen(name, phone.capture().rgba, phone.hierarchy_xml())
        finally:
            phone.close()


def _show(phone: Phone, name: ScreenName) -> None:
    app = next((app for app in phone.profile.apps if app.name == name.app), None)
    if app is None:
        return
    if not name.activity:
        phone.launch(app.package)
        return
    page = app.pages.get(name.activity)
    activity = app.activity(page.activity if page is not None else name.activity)
    assert activity is not None
    component: Component = app.component(activity)
    phone.start_activity(Intent(component=component, extras=page.extras if page is not None else {}))
    if page is not None:
        phone.set_app_state(app.name, {**phone.app_state(app.name), **page.state})


# ---- the contact sheet -----------------------------------------------------------------------------


def contact_sheet(rows: Sequence[tuple[str, Sequence[DrawnScreen]]], width: int) -> bytes:
    """A PNG with a row for each variation and a picture for each screen, ``width`` px wide.

    A row is as tall as its tallest picture.
    """
    tall = [max(_scaled(screen, width)[1] for screen in screens) for _name, screens in rows]
    columns = max(len(screens) for _name, screens in rows)
    tops = [_GAP, *(_GAP + end for end in accumulate(2 * _LABEL + height + _GAP for height in tall))]
    size = (_GAP + columns * (width + _GAP), tops[-1])
    surface = skia.Surface(*size)
    canvas = surface.getCanvas()
    canvas.clear(_BACK)
    for top, (name, screens) in zip(tops, rows, strict=False):
        _write(canvas, name, (_GAP, top), size[0] - 2 * _GAP, bold=True)
        for column, screen in enumerate(screens):
            left = _GAP + column * (width + _GAP)
            _write(canvas, str(screen.name), (left, top + _LABEL), width, bold=False)
            _place(canvas, screen, (left, top + 2 * _LABEL), width)
    return bytes(surface.makeImageSnapshot().encodeToData(skia.kPNG, 100))


def _scaled(screen: DrawnScreen, width: int) -> tuple[int, int]:
    height, natural = screen.pixels.shape[:2]
    return width, max(1, round(height * width / natural))


def _place(canvas: skia.Canvas, screen: DrawnScreen, at: tuple[int, int], width: int) -> None:
    image = skia.Image.fromarray(np.ascontiguousarray(screen.pixels), skia.kRGBA_8888_ColorType)
    frame = skia.Rect.MakeXYWH(*at, *_scaled(screen, width))
    canvas.drawImageRect(image, frame, skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear))
    canvas.drawRect(frame, skia.Paint(Color=_EDGE, Style=skia.Paint.kStroke_Style, StrokeWidth=1))


def _write(canvas: skia.Canvas, text: str, at: tuple[int, int], room: int, *, bold: bool) -> None:
    style = TextStyle(16.0 if bold else 13.0, _INK, bold=bold)
    lay_text(text, style, room, 1).draw(canvas, *at)
