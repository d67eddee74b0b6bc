"""Paints an episode of the list behind a number: last screen, task, seed, reason, icon of its outcome."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from studio.theme import theme
from studio.theme.mirroring import mirrored
from studio.views.metrics.counted_episode_model import DIFFERENT, EPISODE_ROLE, FAULT, ListedEpisode
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.painting import draw_item_ground, draw_text, text_width
from studio.widgets.thumbnail_cache import ThumbnailCache

_SIDE, _GAP, _ICON = 12, 10, 16
_THUMB = QSize(25, 53)
_Index = QModelIndex | QPersistentModelIndex


class CountedEpisodeDelegate(QStyledItemDelegate):
    """Rows of 64 pixels."""

    def __init__(self, thumbnails: ThumbnailCache, parent: QObject) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(160, theme.size("row_episode"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        with mirrored(painter, option.rect):
            self._paint_item(painter, option, index)

    def _paint_item(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        episode: ListedEpisode = index.data(EPISODE_ROLE)
        rect = option.rect
        draw_item_ground(painter, option)
        thumb = QRect(rect.left() + _SIDE, rect.top() + (rect.height() - _THUMB.height()) // 2, 0, 0)
        thumb.setSize(_THUMB)
        self._thumbnails.draw(painter, thumb, episode.folder or None)
        icon = QRect(rect.right() - _SIDE - _ICON, rect.top(), _ICON, rect.height())
        is_warning = episode.outcome in (FAULT, DIFFERENT)
        name = "state-warn" if is_warning else verdict_icon(episode.outcome)
        theme.draw_icon_in(painter, name, icon, _ICON)
        left = thumb.right() + _GAP
        words = QRect(left, rect.top() + 12, icon.left() - _GAP - left, 20)
        about = text_width(episode.about, "caption") + 8 if episode.about else 0
        title = words.adjusted(0, 0, -min(about, words.width() // 2), 0)
        used = draw_text(painter, title, episode.title, "name")
        if episode.about:
            draw_text(painter, words.adjusted(used + 8, 1, 0, 1), episode.about, "caption", "text-2")
        draw_text(painter, words.translated(0, 20), episode.line, "body", "text-2")
