"""Cards in the device view: performance of the mirror (F12) and the node under the pointer."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from collector.model.geometry import Point
from collector.model.i18n import _
from collector.model.tree import Node
from studio.widgets.captions.node_text import node_size, size_in_dp
from studio.widgets.info_card import CardRow, InfoCard

_NONE = "–"


@dataclass(frozen=True, slots=True)
class MirrorFigures:
    """Recent measurements of the mirror; None where there is none. Times are per frame."""

    video_fps: float | None = None
    """Also None while the screen does not change."""
    decode_ms: float | None = None
    scale_ms: float | None = None
    paint_ms: float | None = None
    queue: int | None = None
    latency_ms: float | None = None
    """From the last byte of a packet to its pixels on the screen."""
    tree_age_s: float | None = None
    tree_fresh: bool = True
    """Whether the screen has not changed since the tree was read."""


class Hud(InfoCard):
    """Performance figures of the mirror."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=176, row_height=20, role="caption")
        self.setAccessibleName(_("Mirror figures"))
        self.set_foot(_("HUD"), "F12")
        self.show_figures(MirrorFigures())

    def show_figures(self, figures: MirrorFigures) -> None:
        self.set_rows(
            (
                CardRow(_("video"), _unit(figures.video_fps, "fps")),
                CardRow(_("decode"), _unit(figures.decode_ms, "ms")),
                CardRow(_("scale"), _unit(figures.scale_ms, "ms")),
                CardRow(_("paint"), _unit(figures.paint_ms, "ms")),
                CardRow(_("queue"), _NONE if figures.queue is None else str(figures.queue)),
                CardRow(_("latency"), _unit(figures.latency_ms, "ms")),
                CardRow(
                    _("tree age"), _unit(figures.tree_age_s, "s"), "" if figures.tree_fresh else "state-warn"
                ),
            )
        )


class PointerCard(InfoCard):
    """Position of the pointer, and bounds of the node under it or of the selected node, in pixels and dp."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, width=208, row_height=22, value_left=56)
        self.setAccessibleName(_("Under the pointer"))
        self.show_pointer(None, None, 0)

    def show_pointer(self, point: Point | None, node: Node | None, density: int) -> None:
        """Show a point and a node; ``density`` is in dots per inch, 0 when unknown."""
        bounds = node.bounds if node is not None else None
        pixels = _("{size} px", size=node_size(node)) if node is not None and bounds else _NONE
        self.set_rows(
            (
                CardRow(_("pointer"), f"{point.x}, {point.y}" if point is not None else _NONE),
                CardRow(_("node"), str(bounds) if bounds is not None else _NONE),
                CardRow(_("size"), pixels),
                CardRow(_("in dp"), size_in_dp(bounds.size, density) or _NONE if bounds else _NONE),
            )
        )


def _unit(value: float | None, unit: str) -> str:
    if value is None:
        return _NONE
    return f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"
