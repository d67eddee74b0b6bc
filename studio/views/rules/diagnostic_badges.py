"""Badges for the number of errors and warnings, beside a rule and in the toolbar."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from collector.model.i18n import ngettext
from rule_editor.widgets.toolkit_icon import ToolkitIcon
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.widgets.controls import Label
from studio.widgets.painted_items import Role
from studio.widgets.painting import BADGE_HEIGHT, badge_width, draw_badge


def errors_named(count: int) -> str:
    """``3 errors``."""
    return ngettext("one error", "{count} errors", count)


def warnings_named(count: int) -> str:
    """``3 warnings``."""
    return ngettext("one warning", "{count} warnings", count)


class DiagnosticBadge(QWidget):
    """A text on a background of its tone; hidden while the text is empty."""

    spoken_role = Role.StaticText

    def __init__(self, tone: str) -> None:
        super().__init__()
        self._tone, self._text = tone, ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        self.hide()

    @property
    def text(self) -> str:
        return self._text

    def set_text(self, text: str) -> None:
        """Set the text; an empty one hides the badge."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()
        self.setVisible(bool(text))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(badge_width(self._text, ""), BADGE_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        draw_badge(painter_of(self), 0, 0, self._text, "", self._tone)


class DiagnosticTally(QWidget):
    """The errors and warnings of all files, each with an icon; a count of zero is hidden."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self._parts: list[tuple[ToolkitIcon, Label]] = []
        for icon in ("state-err", "state-warn"):
            part = ToolkitIcon(STUDIO_TOOLKIT, icon, 16), Label("")
            for widget in part:
                row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
                widget.hide()
            self._parts.append(part)

    def set_counts(self, errors: int, warnings: int) -> None:
        """Show how many there are."""
        texts = errors_named(errors) if errors else "", warnings_named(warnings) if warnings else ""
        for (icon, label), text in zip(self._parts, texts, strict=True):
            label.setText(text)
            for widget in (icon, label):
                widget.setVisible(bool(text))

    @property
    def texts(self) -> list[str]:
        """The texts on show."""
        return [label.text() for _icon, label in self._parts if label.text()]
