"""The middle of the Record workspace: the bar of phones, the mirror of the one in front, tiles beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.model.geometry import Size
from studio.bridge.phones.phone import PhoneLink
from studio.views.record.phones.mirror import MirrorPane
from studio.views.record.phones.phone_bar import PhoneBar
from studio.views.record.phones.phone_tile import PhoneTile
from studio.views.record.phones.window_phone import WindowPhone

_LEAST_MIRROR, _LEAST_TILE, _MOST_TILE = 400, 96, 420
"""Widths in logical pixels."""
_LEAST_PICTURE = 100
"""Height of the picture of a tile in logical pixels."""


class PhoneStage(QWidget):
    """The mirror stands where its phone is among the others; tiles are there only where there is room."""

    room_changed = Signal()
    """:meth:`has_room` may say something else."""

    def __init__(self, mirror: MirrorPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mirror, self.bar = mirror, PhoneBar()
        self.tiles: dict[str, PhoneTile] = {}
        self.new_tile: Callable[[str], PhoneTile] = PhoneTile
        self._row = QHBoxLayout()
        self._row.setSpacing(0)
        self._row.addWidget(mirror, 1)
        self._order: list[QWidget] = [mirror]
        """The mirror among the tiles."""
        self._columns: list[list[QWidget]] = [[mirror]]
        """What stands above one another, from left to right."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addLayout(self._row, 1)

    def has_room(self, phones: int) -> bool:
        """Whether so many phones beside the one in front have room."""
        return phones > 0 and self._room >= phones * _LEAST_TILE

    @property
    def _room(self) -> int:
        """Logical pixels across for tiles beside a mirror that can still be used."""
        return self.width() - max(_LEAST_MIRROR, self.mirror.minimumSizeHint().width())

    def show_tiles(
        self, phones: Sequence[WindowPhone], front: str, links: dict[str, PhoneLink], mirrored: int
    ) -> None:
        """Show these phones side by side; with the one in front alone, its mirror has all the room."""
        beside = [facts for facts in phones if facts.serial != front]
        for serial in [serial for serial in self.tiles if serial not in {facts.serial for facts in beside}]:
            self._drop(self.tiles.pop(serial), links.get(serial))
        for facts in beside:
            tile = self.tiles.get(facts.serial) or self._add(facts.serial)
            tile.set_phone(links.get(facts.serial))
            tile.show_facts(facts, is_mirrored=bool(mirrored))
        self._order = [self.tiles.get(facts.serial, self.mirror) for facts in phones]
        if self.mirror not in self._order:
            self._order.append(self.mirror)
        self._fit()

    def _add(self, serial: str) -> PhoneTile:
        tile = self.tiles[serial] = self.new_tile(serial)
        tile.setParent(self)
        return tile

    def _drop(self, tile: PhoneTile, link: PhoneLink | None) -> None:
        tile.set_phone(None)
        if link is not None and link is not self.mirror.phone:
            link.set_view_size(Size(0, 0))  # nothing is scaled for nobody
        tile.hide()
        tile.deleteLater()

    def close_tiles(self) -> None:
        """The window closes: let the phones go."""
        for tile in self.tiles.values():
            tile.set_phone(None)

    @Slot()
    def _fit(self) -> None:
        """Put the tiles above one another where their pictures are larger so than all side by side."""
        counts = range(1, len(self.tiles) + 1)
        rows = max(counts, key=lambda rows: (self._least_picture(rows), -rows), default=1)
        columns = self._columns_of(rows)
        if columns != self._columns:
            self._put(columns)
        width = self._column_width(columns)
        for column in columns:
            tiles = [tile for tile in column if isinstance(tile, PhoneTile)]
            wanted = [round(self._most_height(rows) * tile.ratio) + tile.width_around() for tile in tiles]
            for tile in tiles:
                tile.setFixedWidth(max(_LEAST_TILE, min(max(wanted), width)))

    def _columns_of(self, rows: int) -> list[list[QWidget]]:
        """The tiles in columns of so many rows, and the mirror alone in one.

        Side by side it stands where its phone is among the others, and else behind them all.
        """
        if rows > 1:
            return [*_chunks([each for each in self._order if each is not self.mirror], rows), [self.mirror]]
        at = self._order.index(self.mirror)
        before, after = self._order[:at], self._order[at + 1 :]
        return [*_chunks(before, rows), [self.mirror], *_chunks(after, rows)]

    def _column_width(self, columns: list[list[QWidget]]) -> int:
        """Logical pixels that each column of tiles may have."""
        return min(_MOST_TILE, self._room // max(1, len(columns) - 1))

    def _most_height(self, rows: int) -> int:
        """Logical pixels that a picture has from top to bottom: no more than that of the phone in front."""
        front = self.mirror.view.height() - 2 * self.mirror.view.margin
        around = max(tile.height_around() for tile in self.tiles.values())
        return max(_LEAST_PICTURE, min(front, self.mirror.height() // rows - around))

    def _least_picture(self, rows: int) -> int:
        """The height of the smallest picture when so many tiles stand above one another."""
        width, height = self._column_width(self._columns_of(rows)), self._most_height(rows)
        return min(
            min(height, round((width - tile.width_around()) / tile.ratio)) for tile in self.tiles.values()
        )

    def _put(self, columns: list[list[QWidget]]) -> None:
        """Lay the columns out from left to right."""
        while (item := self._row.takeAt(0)) is not None:
            if (layout := item.layout()) is not None:
                while layout.takeAt(0) is not None:
                    pass
                layout.deleteLater()
        for column in columns:
            if column == [self.mirror]:
                self._row.addWidget(self.mirror, 1)
                continue
            above = QVBoxLayout()
            above.setSpacing(0)
            for widget in column:
                above.addWidget(widget)
                widget.show()
            self._row.addLayout(above)
        self._columns = columns

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.room_changed.emit()
        self._fit()


def _chunks(widgets: list[QWidget], size: int) -> list[list[QWidget]]:
    return [widgets[start : start + size] for start in range(0, len(widgets), size)]
