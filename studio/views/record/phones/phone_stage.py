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
        order: list[QWidget] = [self.tiles.get(facts.serial, self.mirror) for facts in phones]
        if [self._widget(place) for place in range(self._row.count())] != (order or [self.mirror]):
            for widget in order or [self.mirror]:
                self._row.removeWidget(widget)
            for widget in order or [self.mirror]:
                self._row.addWidget(widget, 1 if widget is self.mirror else 0)
        self._fit()

    def _widget(self, place: int) -> QWidget | None:
        item = self._row.itemAt(place)
        return item.widget() if item is not None else None

    def _add(self, serial: str) -> PhoneTile:
        tile = self.tiles[serial] = self.new_tile(serial)
        self._row.addWidget(tile)
        return tile

    def _drop(self, tile: PhoneTile, link: PhoneLink | None) -> None:
        tile.set_phone(None)
        if link is not None and link is not self.mirror.phone:
            link.set_view_size(Size(0, 0))  # nothing is scaled for nobody
        self._row.removeWidget(tile)
        tile.hide()
        tile.deleteLater()

    def close_tiles(self) -> None:
        """The window closes: let the phones go."""
        for tile in self.tiles.values():
            tile.set_phone(None)

    @Slot()
    def _fit(self) -> None:
        """Give each tile the width that its phone needs at this height, as far as there is room."""
        if not self.tiles:
            return
        room = self._room // len(self.tiles)
        for tile in self.tiles.values():
            # No larger than the phone in front.
            height = max(100, self.mirror.view.height() - 2 * self.mirror.view.margin)
            wanted = round(height * tile.ratio) + tile.width_around()
            tile.setFixedWidth(max(_LEAST_TILE, min(wanted, room, _MOST_TILE)))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.room_changed.emit()
        self._fit()
