"""A plot with its title, legend and sentences as one figure, and its bytes as PNG and SVG."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRect, QSize, Qt
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from studio.theme import theme
from studio.widgets.metric_plots.mark_legend import LegendEntry, legend_boxes, paint_legend
from studio.widgets.painting import draw_text

SVG, PNG = "svg", "png"
PNG_SCALE = 3
"""Pixels of a PNG for each logical pixel: sharp in print."""
_DPI, _INCH = 96, 0.0254
_MARGIN, _LINE = 16, 20


@dataclass(frozen=True)
class Figure:
    """What is saved of a plot. ``paint_plot`` draws the plot from 0, 0 in ``plot_size``."""

    title: str
    note: str
    legend: tuple[LegendEntry, ...]
    plot_size: QSize
    paint_plot: Callable[[QPainter], None]
    sentences: tuple[str, ...] = ()
    """Lines below the plot."""

    @property
    def size(self) -> QSize:
        """The size of the whole figure in logical pixels."""
        height = self._plot_top + self.plot_size.height() + 8 + _LINE * len(self.sentences) + _MARGIN
        return QSize(self.plot_size.width() + 2 * _MARGIN, height)

    @property
    def _legend_height(self) -> int:
        boxes = legend_boxes(self.legend, self.plot_size.width())
        return boxes[-1].bottom() + 1 if boxes else 0

    @property
    def _plot_top(self) -> int:
        return _MARGIN + 2 * _LINE + self._legend_height + 8

    def paint(self, painter: QPainter) -> None:
        """Draw everything in the colours of the theme."""
        width = self.plot_size.width()
        painter.fillRect(QRect(0, 0, self.size.width(), self.size.height()), theme.color("bg-1"))
        draw_text(painter, QRect(_MARGIN, _MARGIN, width, _LINE), self.title, "heading")
        draw_text(painter, QRect(_MARGIN, _MARGIN + _LINE, width, _LINE), self.note, "body", "text-2")
        paint_legend(painter, _MARGIN, _MARGIN + 2 * _LINE + 2, width, self.legend)
        painter.save()
        painter.translate(_MARGIN, self._plot_top)
        self.paint_plot(painter)
        painter.restore()
        top = self._plot_top + self.plot_size.height() + 8
        for sentence in self.sentences:
            draw_text(painter, QRect(_MARGIN, top, width, _LINE), sentence, "body", "text-2")
            top += _LINE


def image_of(figure: Figure) -> QImage:
    """The figure as pixels."""
    image = QImage(figure.size * PNG_SCALE, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(PNG_SCALE)
    image.fill(Qt.GlobalColor.transparent)
    for set_density in (image.setDotsPerMeterX, image.setDotsPerMeterY):
        set_density(round(_DPI * PNG_SCALE / _INCH))
    painter = QPainter(image)
    figure.paint(painter)
    painter.end()
    return image


def png_of(image: QImage) -> bytes:
    """An image as the bytes of a PNG file. Any thread."""

    def write(buffer: QBuffer) -> None:
        writer = QImageWriter(buffer, b"png")
        writer.write(image)

    return _written(write)


def svg_of(figure: Figure) -> bytes:
    """The figure as the bytes of an SVG file: vectors, with text as text."""

    def write(buffer: QBuffer) -> None:
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setResolution(_DPI)
        generator.setSize(figure.size)
        generator.setViewBox(QRect(0, 0, figure.size.width(), figure.size.height()))
        generator.setTitle(figure.title)
        painter = QPainter(generator)
        figure.paint(painter)
        painter.end()

    return _written(write)


def format_of(path: str) -> str:
    """``svg`` for the name of an SVG file, else ``png``."""
    return SVG if PurePath(path).suffix.casefold() == ".svg" else PNG


def _written(write: Callable[[QBuffer], None]) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(content.data())
