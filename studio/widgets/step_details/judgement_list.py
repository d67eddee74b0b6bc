"""The verdicts about a step or a whole trajectory, one under the other: who says what, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from collector.model.episode_text import usage_facts
from collector.model.i18n import _
from collector.model.verdicts.judgement import Judgement
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.controls import Label
from studio.widgets.plain_text_box import PlainTextBox
from studio.widgets.theme_icon import ThemeIcon
from studio.widgets.timeline.verdicts import judgement_line


class JudgementList(QWidget):
    """Hidden while there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.judgements: tuple[Judgement, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 4)
        self._column.setSpacing(6)
        self.hide()

    def show_judgements(self, judgements: Sequence[Judgement], states: Mapping[str, str]) -> None:
        """Show judgements in their order, each with its proof or the model's answer.

        ``states`` are the sentences of essential states by id.
        """
        if tuple(judgements) == self.judgements:
            return
        self.judgements = tuple(judgements)
        while (item := self._column.takeAt(0)) is not None:
            if (line := item.widget()) is not None:
                line.hide()
                line.deleteLater()
        self.setVisible(bool(self.judgements))
        if self.judgements:
            self._column.addWidget(Label(_("Verdicts"), "heading"))
        for judgement in self.judgements:
            self._column.addWidget(_JudgementView(judgement, states))


class _JudgementView(QWidget):
    """One judgement: its icon, its judge, what it says; a model's answer or a rule's proof below."""

    def __init__(self, judgement: Judgement, states: Mapping[str, str]) -> None:
        super().__init__()
        judge = Label(judgement.judge, "name", wrap=True)
        says = Label(judgement_line(judgement, states), wrap=True)
        for label in (judge, says):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(judge)
        texts.addWidget(says)
        usage = (value for _name, value in usage_facts(judgement.usage))
        version = _("version {version}", version=judgement.version) if judgement.version else ""
        about = ", ".join(filter(None, (version, *usage)))
        if about:
            texts.addWidget(Label(about, "caption", "text-2", wrap=True))
        proof = json.dumps(dict(judgement.proof), ensure_ascii=False, indent=1) if judgement.proof else ""
        for title, text in ((_("Answer as received"), judgement.raw), (_("Proof"), proof)):
            box = PlainTextBox(title, code=True, parent=self)  # shown without a parent, it is a window
            texts.addWidget(box)
            box.set_text(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(ThemeIcon(verdict_icon(judgement.verdict)), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
