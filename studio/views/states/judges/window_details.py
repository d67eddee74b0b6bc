"""One question of a judge: what was asked, the pictures as they were sent, the answer and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from studio.bridge.judges.asked_windows import SentQuestion
from studio.views.states.judges.judge_texts import steps_text, usage_text
from studio.widgets.controls import Label
from studio.widgets.plain_text_box import PlainTextBox

if TYPE_CHECKING:
    from collector.model_judges.asked_questions import AskedQuestion

_PICTURE = QSize(150, 190)


class WindowDetails(QScrollArea):
    """Shows the chosen question; its words and pictures come a moment later."""

    def __init__(self) -> None:
        super().__init__()
        self.title = Label("", "heading", wrap=True)
        self.verdict = Label("", "body", wrap=True)
        self.facts = Label("", "caption", "text-2", wrap=True)
        self.fault = Label("", "body", "err", wrap=True)
        self.question = PlainTextBox(_("Question"))
        self.answer = PlainTextBox(_("Answer"))
        self.first_answer = PlainTextBox(_("First answer, which could not be read"))
        self.pictures: list[QLabel] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(6)
        self._row.setAlignment(Qt.AlignmentFlag.AlignLeft)
        strip = QWidget()
        strip.setLayout(self._row)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._strip = QScrollArea()
        self._strip.setFrameShape(QFrame.Shape.NoFrame)
        self._strip.setWidgetResizable(True)
        self._strip.setWidget(strip)
        self._strip.setFixedHeight(_PICTURE.height() + 14)
        self._strip.setAccessibleName(_("Pictures as they were sent"))
        self._strip.hide()
        self._lay_out()
        self.show_nothing("")

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        for widget in (
            self.title, self.verdict, self.fault, self.facts, self._strip, self.answer, self.first_answer,
            self.question,
        ):  # fmt: skip
            column.addWidget(widget)
        column.addStretch(1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(_("The chosen question"))
        self.setWidget(inner)

    def show_nothing(self, words: str) -> None:
        """No question is chosen; say what can be done."""
        self.title.setText("")
        self.title.hide()
        self._say(self.verdict, words)
        self.verdict.set_tone("text-3")
        for label in (self.facts, self.fault):
            self._say(label, "")
        for box in (self.question, self.answer, self.first_answer):
            box.set_text("")
        self._show_pictures(())

    def show_answer(self, asked: AskedQuestion, names: Sequence[str]) -> None:
        """Show the answer to a question about the states with these names."""
        window, reply = asked.question.window, asked.reply
        about = ", ".join(names) or asked.question.model.judge
        where = steps_text(window.first, window.last) if window is not None else ""
        self._say(self.title, " · ".join(filter(None, (about, where))))
        lines = []
        for state, found in asked.verdicts.items():
            name = names[asked.question.states.index(state)] if len(names) > 1 else ""
            says = ": ".join(filter(None, (name, verdict_text(found.verdict))))
            lines.append(" - ".join(filter(None, (says, found.reason))))
        self.verdict.set_tone("text")
        self._say(self.verdict, "\n".join(lines))
        self._say(
            self.fault,
            _("The answer is none of the allowed ones: {why}", why=reply.fault) if reply.fault else "",
        )
        self._say(self.facts, usage_text(reply.usage, reply.model))
        self.answer.set_text(reply.raw)
        self.first_answer.set_text(reply.first_raw)
        self.question.set_text("")
        self._show_pictures(())

    def show_question(self, sent: SentQuestion) -> None:
        """Show the words and the pictures."""
        self.question.set_text(sent.words)
        self._show_pictures(sent.pictures)

    @staticmethod
    def _say(label: Label, words: str) -> None:
        label.setText(words)
        label.setVisible(bool(words))

    def _show_pictures(self, images: Sequence[QImage]) -> None:
        for label in self.pictures:
            self._row.removeWidget(label)
            label.hide()
            label.deleteLater()
        self.pictures = []
        ratio = self.devicePixelRatioF()
        for number, image in enumerate(images, start=1):
            label = QLabel()
            label.setAccessibleName(_("Picture {number}", number=number))
            if not image.isNull():
                pixmap = QPixmap.fromImage(image).scaled(
                    _PICTURE * ratio, Qt.AspectRatioMode.KeepAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )  # fmt: skip
                pixmap.setDevicePixelRatio(ratio)
                label.setPixmap(pixmap)
            label.setToolTip(_("Picture {number}, {width} x {height}", number=number, width=image.width(),
                               height=image.height()))  # fmt: skip
            self._row.addWidget(label)
            self.pictures.append(label)
        self._strip.setVisible(bool(images))
