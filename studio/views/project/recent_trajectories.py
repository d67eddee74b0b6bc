"""The latest trajectories as cards: picture, state, task, who or which agent, steps, when."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.catalogue_text import condition_text, is_run, status_of
from studio.theme import theme
from studio.theme.mirroring import logical_point, painter_of, visual_rect
from studio.views.project.relative_time import relative_time
from studio.views.project.trajectory_text import about_text, kind_text, maker_text, outcome_tone, state_icon
from studio.views.project.trajectory_thumbnails import TrajectoryThumbnails
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.controls import Button, Label
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import draw_badge, draw_text, elided
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.wrapped_text import tooltip_text

CARD_WIDTH, CARD_HEIGHT, GAP = 190, 162, 8
_THUMB = (65, 143)
_BADGE_SIDES = 28
"""Width of the icon and the margins of a badge."""


class RecentCards(PaintedItems, QWidget):
    """As many cards as fit into the width."""

    chosen = Signal(object)
    """The CatalogueRow of a card that was clicked."""
    activated = Signal(object)
    """The CatalogueRow of a card that was double-clicked, or chosen by Enter."""

    spoken_roles = (Role.List, Role.ListItem)

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[CatalogueRow, ...] = ()
        self.hidden: dict[str, str] = {}
        self._current = -1
        self._thumbnails = thumbnails
        thumbnails.arrived.connect(self.update)
        theme.changed.connect(self.update)
        self.setFixedHeight(CARD_HEIGHT)
        self.setMinimumWidth(CARD_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Recent trajectories"))

    def show_rows(self, rows: Sequence[CatalogueRow]) -> None:
        """Replace the trajectories; the chosen one stays chosen when it is among them."""
        before = self.current
        self.rows = tuple(rows)
        folders = [row.folder for row in self.rows]
        self._current = folders.index(before.folder) if before and before.folder in folders else -1
        self.update()

    def set_hidden(self, reasons: dict[str, str]) -> None:
        """Show no picture of these trajectories: by folder why the person may not see them yet."""
        if reasons != self.hidden:
            self.hidden = reasons
            self.update()

    @property
    def current(self) -> CatalogueRow | None:
        """The trajectory of the chosen card."""
        return self.rows[self._current] if 0 <= self._current < len(self.rows) else None

    def clear_choice(self) -> None:
        """Choose no card, without a signal."""
        self._current = -1
        self.update()

    def spoken_items(self) -> list[str]:
        return [f"{row.task} {row.id}" for row in self.rows[: len(self._card_rects())]]

    def item_place(self, number: int) -> QRect:
        return visual_rect(self, self._card_rects()[number])

    def current_item(self) -> int:
        return self._current

    def _card_rects(self) -> list[QRect]:
        fit = max(1, (self.width() + GAP) // (CARD_WIDTH + GAP))
        count = min(fit, len(self.rows))
        # The cards share the remaining width: the last one ends at the edge.
        width = (self.width() + GAP) // fit - GAP
        return [QRect(number * (width + GAP), 0, width, CARD_HEIGHT) for number in range(count)]

    def choose_at(self, at: QPoint | None) -> QPoint | None:
        """Choose the card at a point, or for None that of the keyboard; return where its menu belongs."""
        rects = self._card_rects()
        number = max(0, self._current) if at is None else self._number_at(at)
        if not 0 <= number < len(rects):
            return None
        self._choose(number)
        return rects[number].center() if at is None else at

    def _choose(self, number: int) -> None:
        if 0 <= number < len(self._card_rects()):
            self._current = number
            self.update()
            self.chosen.emit(self.rows[number])

    def _at(self, event: QMouseEvent) -> int:
        return self._number_at(event.position().toPoint())

    def _number_at(self, point: QPoint) -> int:
        point = logical_point(self, point)
        return next((number for number, place in enumerate(self._card_rects()) if place.contains(point)), -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._choose(self._at(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        number = self._at(event)
        if number >= 0:
            self._choose(number)
            self.activated.emit(self.rows[number])

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self._choose(max(0, self._current + step))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.activated.emit(self.current)
        else:
            super().keyPressEvent(event)

    # -- drawing -------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, place in enumerate(self._card_rects()):
            # The keyboard comes to the first card; an arrow chooses it.
            focused = self.hasFocus() and number == max(0, self._current)
            self._paint_card(
                painter, place, self.rows[number], chosen=number == self._current, focused=focused
            )

    def _paint_card(
        self, painter: QPainter, place: QRect, row: CatalogueRow, *, chosen: bool, focused: bool
    ) -> None:
        line = "accent" if chosen or focused else "line"
        wide = 2 if focused else 1
        painter.setPen(QPen(theme.color(line), wide))
        inset = wide / 2
        # The weak accent is transparent: it is painted over the background, as in rows.
        for background in ("bg-1", "accent-weak") if chosen else ("bg-1",):
            painter.setBrush(theme.color(background))
            painter.drawRoundedRect(QRectF(place).adjusted(inset, inset, -inset, -inset), 6, 6)
        thumb = QRect(place.left() + 9, place.top() + 9, *_THUMB)
        self._paint_thumb(painter, thumb, row)
        words = QRect(thumb.right() + 11, place.top() + 9, place.right() - thumb.right() - 18, 18)
        theme.draw_icon_in(painter, state_icon(row), QRect(words.left(), words.top(), 14, 18), 14)
        draw_text(painter, words.adjusted(20, 0, 0, 0), row.task, "name")
        below = words.translated(0, 18)
        if is_run(row):
            self._paint_run(painter, below, row)
        else:
            self._paint_words(painter, below, kind_text(row), 3)
        bottom = words.translated(0, 109 if is_run(row) else 91)
        steps = ngettext("{count} step", "{count} steps", row.steps)
        made = () if is_run(row) else (maker_text(row),)
        for text in (steps, *made, relative_time(row.started)):
            draw_text(painter, bottom, text, "body", "text-2")
            bottom.translate(0, 18)

    def _paint_run(self, painter: QPainter, line: QRect, row: CatalogueRow) -> None:
        """Paint agent and model, the anomaly, and the outcome as a badge."""
        badge = line.translated(0, 18 * 3 + 6)
        for text in dict.fromkeys(filter(None, (row.agent, row.model))) or (maker_text(row),):
            draw_text(painter, line, text, "body", "text-2")
            line = line.translated(0, 18)
        if condition := condition_text(row):
            theme.draw_icon_in(painter, "zap", QRect(line.left(), line.top(), 12, 18), 12, "warn")
            draw_text(painter, line.adjusted(18, 0, 0, 0), condition, "body", "text-2")
        icon = "state-warn" if row.infrastructure else verdict_icon(status_of(row))
        fault = _("stopped") if row.stopped else _("machine fault")
        text = fault if row.infrastructure else verdict_text(status_of(row))
        text = elided(theme.font("caption"), text, badge.width() - _BADGE_SIDES)
        draw_badge(painter, badge.left(), badge.top(), text, icon, outcome_tone(row))

    def _paint_thumb(self, painter: QPainter, place: QRect, row: CatalogueRow) -> None:
        picture = None
        if row.folder in self.hidden:
            theme.draw_icon_in(painter, "eyeoff", place, 20, "text-3")
        else:
            picture = self._thumbnails.pixmap(
                row.folder, place.width(), place.height(), painter.device().devicePixelRatioF()
            )
        if picture is not None:
            painter.drawPixmap(place, picture)
        style = Qt.PenStyle.DashLine if picture is None else Qt.PenStyle.SolidLine
        painter.setPen(QPen(theme.color("line-2"), 1, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))

    @staticmethod
    def _paint_words(painter: QPainter, line: QRect, text: str, most: int) -> int:
        """Paint up to ``most`` lines, broken between words; return how many."""
        font = theme.font("body")
        words, used = text.split(), 0
        while words and used < most:
            count = len(words)
            while count > 1 and elided(font, " ".join(words[:count]), line.width()) != " ".join(
                words[:count]
            ):
                count -= 1
            text = " ".join(words) if used == most - 1 else " ".join(words[:count])
            draw_text(painter, line, text, "body", "text-2")
            words, used = words[count:], used + 1
            line = line.translated(0, 18)
        return used

    def event(self, event: QEvent) -> bool:
        """Say all about the card under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._number_at(event.pos())
            row = self.rows[number] if number >= 0 else None
            lines = (about_text(row), self.hidden.get(row.folder, "")) if row is not None else ()
            text = tooltip_text("\n".join(filter(None, lines))) if lines else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(6 * (CARD_WIDTH + GAP), CARD_HEIGHT)


class RecentPanel(QWidget):
    """Heading, counts, cards, and a button that opens the list of all trajectories."""

    show_all = Signal()

    def __init__(self, thumbnails: TrajectoryThumbnails) -> None:
        super().__init__()
        self.setProperty("surface", "canvas")
        self.setProperty("edge", "top")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.cards = RecentCards(thumbnails.thumbnails)
        self._counts = Label("", "body", "text-2")
        self._show_all = Button(_("Show all"), small=True)
        self._show_all.clicked.connect(self.show_all)
        self._no_trajectories = Label("", "body", "text-3")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Label(_("Recent trajectories"), "heading"))
        head.addWidget(self._counts)
        head.addStretch()
        head.addWidget(self._show_all)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 12)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._no_trajectories)
        column.addWidget(self.cards)
        column.addStretch()

    def show_rows(
        self, rows: Sequence[CatalogueRow], counts: dict[str, int], *, is_known: bool = True
    ) -> None:  # fmt: skip
        """Show the latest trajectories and the number of each kind, unless they are not known yet."""
        golden = ngettext("{count} golden", "{count} golden", counts.get("golden", 0))
        runs = ngettext("{count} run", "{count} runs", counts.get("run", 0))
        left = counts.get("unfinished", 0)
        unfinished = ngettext("{count} unfinished", "{count} unfinished", left) if left else ""
        self._counts.setText(", ".join(filter(None, (golden, runs, unfinished))) if is_known else "")
        none = _("No trajectories yet; record one, or drop some on the window")
        self._no_trajectories.setText(none if is_known else _("The trajectories are being read..."))
        self.cards.show_rows(rows)
        self.cards.setVisible(bool(rows))
        self._no_trajectories.setVisible(not rows)
        self._show_all.setVisible(bool(rows))
