"""The first sample of an export or an import: its texts beside its picture, with the action drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.model.geometry import Size
from collector.model.i18n import _
from studio.widgets.controls import Label
from studio.widgets.device_view.highlight import Highlight, HighlightStyle, Overlay, Trace
from studio.widgets.device_view.view import DeviceView
from studio.widgets.device_view.view_frame import ViewFrame

if TYPE_CHECKING:
    from collector.exchange.format_sample import FormatSample

_PICTURE = (150, 220)
_SYSTEM = 240
"""Characters of a system prompt that are shown: it is long, and the same in every sample."""


class SampleView(QWidget):
    """Says that there is none until one is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.view = DeviceView()
        self.view.set_live(False)
        self.view.setMinimumSize(*_PICTURE)
        self.view.setMaximumWidth(_PICTURE[0] + 40)
        self.view.setAccessibleName(_("Picture of the first sample"))
        self._texts = QWidget()
        self._column = QVBoxLayout(self._texts)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(2)
        scroll = QScrollArea()
        scroll.setAccessibleName(_("Details"))
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self._texts)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(scroll, 1)
        row.addWidget(self.view)
        self.show_sample(None, QImage())

    def show_sample(self, sample: FormatSample | None, image: QImage) -> None:
        """Show a sample with its decoded picture; null for one without a picture."""
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if sample is None:
            self._column.addWidget(Label(_("There is no sample to show"), "body", "text-3", wrap=True))
        for message in sample.messages if sample is not None else ():
            self._column.addWidget(Label(message.who, "caption", "text-2"))
            is_cut = message.who == "system" and len(message.text) > _SYSTEM
            text = f"{message.text[:_SYSTEM]} ..." if is_cut else message.text
            self._column.addWidget(Label(text, "body", wrap=True))
            self._column.addSpacing(6)
        self._column.addStretch(1)
        self.view.setVisible(not image.isNull())
        has_picture = sample is not None and not image.isNull()
        self.view.show_frame(ViewFrame(image, Size(image.width(), image.height())) if has_picture else None)
        action = sample.action if sample is not None else None
        self.view.set_traces([Trace(action)] if has_picture and action is not None else [])
        boxes = sample.boxes if sample is not None and has_picture else ()
        self.view.set_marks(Overlay.TARGET, [Highlight(box, HighlightStyle.SELECTED) for box in boxes])
