"""Convert dp and roles to px and colours: density, font scale, theme, package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from collector.model.variation.phone_variation import PLAIN_APPEARANCE, Appearance
from collector.virtual.ui import widgets as w
from collector.virtual.ui.text import LaidText, TextStyle, lay_text, natural_width
from collector.virtual.ui.theme import Theme, faded


@dataclass(frozen=True, slots=True)
class Look:
    """The metrics and colours of one window."""

    theme: Theme
    density: float
    """px per dp."""
    font_scale: float = 1.0
    package: str = "android"
    language: str = "en"
    appearance: Appearance = PLAIN_APPEARANCE

    @property
    def mirrored(self) -> bool:
        """Whether it is laid out from right to left."""
        return self.appearance.mirrored

    def px(self, dp: float) -> int:
        return round(dp * self.density)

    def space(self, dp: float) -> int:
        """The px between elements."""
        return round(dp * self.density * self.appearance.spacing)

    def color(self, name: str) -> int:
        saturation = self.appearance.saturation
        color = self.theme.color(name)
        return color if saturation == 1.0 else faded(color, saturation)

    def padding(self, insets: w.Insets) -> tuple[int, int, int, int]:
        """As :meth:`insets`, for the space inside of elements."""
        spacing = self.appearance.spacing
        return (self if spacing == 1.0 else replace(self, density=self.density * spacing)).insets(insets)

    def insets(self, insets: w.Insets) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in px."""
        if not isinstance(insets, tuple):
            side = self.px(insets)
            return side, side, side, side
        if len(insets) == 2:
            across, down = self.px(insets[0]), self.px(insets[1])
            return across, down, across, down
        left, top, right, bottom = map(self.px, insets)
        return left, top, right, bottom

    def style(self, text: w.Text) -> TextStyle:
        varied = self.appearance
        return TextStyle(
            round(text.size * self.font_scale * self.density, 2),
            self.color(text.color),
            text.bold,
            text.italic or varied.italic,
            text.mono,
            text.strike,
            text.underline,
            _OPPOSITE[text.align] if varied.mirrored and text.mirrors else text.align,
            text.line_height,
            self.language,
            varied.font,
            varied.weight,
            varied.letter_spacing,
        )

    def line_style(self, text: w.Text) -> TextStyle:
        """The style of a text in one line, whose place is computed."""
        return replace(self.style(text), align="start")

    def text(self, text: w.Text) -> tuple[int, Callable[[int], LaidText]]:
        """The width of a text in one line, in px, and a function that breaks it into lines."""
        style = self.style(text)
        colors = tuple(self.color(span.color or text.color) for span in text.spans)
        natural = natural_width(text.text, style, text.spans, colors)
        return natural, lambda width: lay_text(text.text, style, width, text.max_lines, text.spans, colors)

    def field_inset(self, field: w.TextField) -> float:
        """Padding in dp between a text field's edge and its text."""
        return {"outlined": 16.0, "filled": 20.0, "plain": 0.0, "unseen": 8.0}[field.style]


_OPPOSITE: dict[w.TextAlign, w.TextAlign] = {"start": "end", "center": "center", "end": "start"}
