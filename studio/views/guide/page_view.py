"""A page of the guide: its text in the colours of the theme, its links, pictures no wider than the page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QImage, QKeyEvent, QPixmap, QResizeEvent, QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from collector.guide.guide import GuidePage, anchor_of, resolved
from collector.model.i18n import _
from studio.theme import theme
from studio.views.guide.page_style import body_font, dress

_WIDEST, _LEAST_MARGIN = 860, 24
_MOST_MARKS = 500


class PageView(QTextBrowser):
    """Emits where links lead: they are followed by whoever has the pages."""

    link_followed = Signal(str)

    def __init__(self, root: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._root = root
        self._page: GuidePage | None = None
        self._words: list[str] = []
        self._marks: list[QTextCursor] = []
        self._pictures: dict[str, QPixmap] = {}
        self.setAccessibleName(_("Page of the guide"))
        self.setProperty("plain", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._follow)
        theme.changed.connect(self._show_again)

    def show_page(self, page: GuidePage, anchor: str = "", words: str = "") -> None:
        """Show a page from its beginning, or from a heading; mark words in it."""
        if page is not self._page:
            self._page = page
            self._render()
        self._words = words.split()
        self._mark()
        self._go_to(anchor)

    def _render(self) -> None:
        assert self._page is not None
        self._pictures.clear()
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(body_font())
        document.setDocumentMargin(16)
        document.setMarkdown(self._page.text)
        dress(document)  # before it is shown, or it is laid out at each change
        self.setDocument(document)  # which deletes the one before
        self._fit()

    @Slot()
    def _show_again(self) -> None:
        """Render the page in other colours, where it is."""
        if self._page is not None:
            place = self.verticalScrollBar().value()
            self._render()
            self._mark()
            self.verticalScrollBar().setValue(place)

    @Slot(QUrl)
    def _follow(self, link: QUrl) -> None:
        self.link_followed.emit(link.toString())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Tab walks through the links; Ctrl+Tab leaves the page, which may have a hundred."""
        if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            QWidget.focusNextPrevChild(self, event.key() == Qt.Key.Key_Tab)
        else:
            super().keyPressEvent(event)

    # -- headings and words --------------------------------------------------
    def _go_to(self, anchor: str) -> None:
        """Bring a heading to the top, and the first of the words behind it into view."""
        heading = self._heading(anchor) if anchor else None
        cursor = QTextCursor(heading) if heading is not None else QTextCursor(self.document())
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - 8 if heading is not None else 0)
        behind = (mark for mark in self._marks if mark.position() >= cursor.position())
        first = next(behind, None)
        if first is not None:
            self._bring_into_view(first)

    def _bring_into_view(self, cursor: QTextCursor) -> None:
        below = self.cursorRect(cursor).bottom() - self.viewport().height() + 40
        if below > 0:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + below)

    def _heading(self, anchor: str) -> QTextBlock | None:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
                return block
            block = block.next()
        return None

    def _mark(self) -> None:
        """Mark every place of the words."""
        self._marks = []
        for word in self._words:
            cursor = self.document().find(word)
            while not cursor.isNull() and len(self._marks) < _MOST_MARKS:
                self._marks.append(cursor)
                cursor = self.document().find(word, cursor)
        self._marks.sort(key=QTextCursor.position)
        self.setExtraSelections([_marked(cursor) for cursor in self._marks])

    # -- width and pictures ----------------------------------------------------
    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep lines short enough to read on wide windows."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        spare = max(_LEAST_MARGIN, (self.width() - _WIDEST) // 2)
        self.setViewportMargins(spare, 0, max(0, spare - 10), 0)
        widest = self.viewport().width() - 48
        for name, picture in self._pictures.items():
            self.document().addResource(
                QTextDocument.ResourceType.ImageResource.value, QUrl(name), _narrowed(picture, widest)
            )
        if self._pictures:
            self.document().markContentsDirty(0, self.document().characterCount())

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 - Qt's name
        """A picture of the page; nothing else is read."""
        name = QUrl(name)
        if kind != QTextDocument.ResourceType.ImageResource.value or self._page is None or name.scheme():
            return None
        # From the file a pixmap would go into Qt's cache of pixmaps, and stay there.
        picture = QPixmap.fromImage(QImage(str(self._root / resolved(self._page.path, name.path()))))
        self._pictures[name.toString()] = picture
        return _narrowed(picture, self.viewport().width() - 48)


def _narrowed(picture: QPixmap, widest: int) -> QPixmap:
    if picture.width() <= widest or widest <= 0:
        return picture
    return picture.scaledToWidth(widest, Qt.TransformationMode.SmoothTransformation)


def _marked(cursor: QTextCursor) -> QTextEdit.ExtraSelection:
    mark = QTextEdit.ExtraSelection()
    mark.cursor = cursor
    mark.format.setBackground(theme.color("warn-weak"))
    return mark
