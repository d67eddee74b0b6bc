"""Draw screens of the virtual phone under a variation, as the command ``waymark variations render`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from collector.model.variation.phone_variation import PhoneVariation


def draw_varied_screen(variation: PhoneVariation, screen: str, locale: str, seed: int) -> QImage:
    """Return the picture of a screen by its name. Any thread; the phone is imported by the first picture."""
    from collector.virtual.drawn_screens import PhoneLook, ScreenName, draw_screens
    from collector.virtual.ui.drawing.drawing_memory import forget_drawn

    (drawn,) = draw_screens(variation, [ScreenName.parse(screen)], PhoneLook(seed, locale))
    forget_drawn()
    height, width = drawn.pixels.shape[:2]
    image = QImage(drawn.pixels.tobytes(), width, height, width * 4, QImage.Format.Format_RGBA8888)
    return image.copy()  # the bytes go


def varied_screens() -> tuple[str, ...]:
    """Return the names of all screens that can be drawn, in the order of a phone."""
    from collector.virtual.drawn_screens import HOME, screens_of, varied_apps

    shown = (app for app in varied_apps() if app.on_home and not app.system)
    return (HOME, *(str(screen) for app in shown for screen in screens_of(app)))
