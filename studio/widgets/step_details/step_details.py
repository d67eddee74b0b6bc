"""The Details tab: all recorded facts of a step, and fields for its caption, intention and note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from collector.model.episode import BEFORE_START
from collector.model.i18n import _
from collector.model.message import in_language
from collector.model.trajectory import Step
from collector.model.user_reply import REPLY, UserReply, reply_text
from collector.store.trajectory.interruptions import Interruption
from studio.widgets.captions.interruption_text import interruption_facts
from studio.widgets.captions.step_text import action_detail, format_time, step_caption
from studio.widgets.controls import Label, divider
from studio.widgets.step_details.agent_turn_view import AgentTurnView, turn_facts
from studio.widgets.step_details.judgement_list import JudgementList

_NOTE_HEIGHT = 64
_LABEL, _FIELD = QFormLayout.ItemRole.LabelRole, QFormLayout.ItemRole.FieldRole
_TYPING_MS = 2000
"""The pause after which typing on is an edit of its own, for undo."""


class StepDetails(QScrollArea):
    """Texts are emitted a moment after the last key, and at once when the caption loses the focus."""

    reworded = Signal(int, dict, bool)
    """Index of the step, its new ``description``, ``intention`` or ``note``, and whether typing goes on: then
    one undo takes this back with what was emitted just before."""

    def __init__(self, autosave_ms: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step: Step | None = None
        self._interruptions: Sequence[Interruption] = ()
        self._loading = False
        self.caption = QLineEdit()
        self.intention = QPlainTextEdit()
        self.note = QPlainTextEdit()
        self.agent = AgentTurnView()
        self.judgements = JudgementList()
        self._line = divider()
        self._texts = QWidget()
        self._facts = QFormLayout()
        self._selectors = QVBoxLayout()
        self._shown_selectors: tuple[str, ...] = ()
        self._saving = QTimer(self)
        self._saving.setSingleShot(True)
        self._saving.setInterval(autosave_ms)
        self._saving.timeout.connect(self.save)
        # Saving after each key must not make each key an undo.
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._saved_names: set[str] = set()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lay_out()
        self.caption.textEdited.connect(self._edited)
        self.caption.editingFinished.connect(self.save)
        for field in (self.intention, self.note):
            field.textChanged.connect(self._edited)
        self.show_step(None)

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(6)
        column.addWidget(self.agent)
        texts = QVBoxLayout(self._texts)
        texts.setContentsMargins(0, 0, 0, 0)
        texts.setSpacing(6)
        fields = (
            (self.caption, _("Caption")),
            (self.intention, _("Intention")),
            (self.note, _("Note")),
        )
        for field, name in fields:
            texts.addWidget(Label(name, "caption", "text-2"))
            field.setAccessibleName(name)
            texts.addWidget(field)
            texts.addSpacing(4)
        column.addWidget(self._texts)
        self.intention.setPlaceholderText(_("What this step is for"))
        self.note.setPlaceholderText(_("What a reviewer should know"))
        for text in (self.intention, self.note):
            text.setFixedHeight(_NOTE_HEIGHT)
            text.setTabChangesFocus(True)
        column.addWidget(self.judgements)
        column.addWidget(self._line)
        self._facts.setContentsMargins(0, 6, 0, 6)
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(6)
        column.addLayout(self._facts)
        column.addLayout(self._selectors)
        column.addStretch(1)
        self._inner = inner
        self._hint = Label(_("Choose a step to read and write about it"), tone="text-3", wrap=True)
        whole = QWidget()
        self._whole = under = QVBoxLayout(whole)
        under.setContentsMargins(0, 0, 0, 0)
        under.setSpacing(0)
        under.addWidget(self._hint)
        under.addWidget(inner, 1)
        self._hint.setContentsMargins(12, 12, 12, 12)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setWidget(whole)

    def add_above(self, widget: QWidget) -> None:
        """Show a widget above the step; it scrolls with it."""
        self._whole.insertWidget(0, widget)

    # -- content ---------------------------------------------------------------
    def show_step(self, step: Step | None) -> None:
        """Show a step. When it is the same step again, a text that is being typed stays."""
        same = step is not None and self._step is not None and step.index == self._step.index
        if not same:
            self.save()
            self._typing.stop()
        self._step = step
        self._line.setVisible(not self._texts.isHidden() or (step is not None and step.agent is not None))
        self._inner.setVisible(step is not None)
        self._hint.setVisible(step is None)
        self._fill_fields(step, keep=same)
        self.agent.show_step(step)
        self._show_facts(step)

    def _fill_fields(self, step: Step | None, *, keep: bool) -> None:
        self._loading = True
        texts = (step_caption(step), step.intention, step.note) if step is not None else ("", "", "")
        if not (keep and self.caption.hasFocus()) and self.caption.text() != texts[0]:
            self.caption.setText(texts[0])
        for field, text in zip((self.intention, self.note), texts[1:], strict=True):
            if not (keep and field.hasFocus()) and field.toPlainText() != text:
                field.setPlainText(text)
        self._loading = False

    def focus_texts(self) -> None:
        """Put the keyboard focus into the intention; the note follows it."""
        self.intention.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_read_only(self, read_only: bool) -> None:
        """Leave out the fields of a trajectory that nobody writes in: a run."""
        self._texts.setVisible(not read_only)

    def set_interruptions(self, interruptions: Sequence[Interruption]) -> None:
        """Set the anomalies of the trajectory; a step shows those that were open when it was taken."""
        self._interruptions = interruptions
        self._show_facts(self._step)

    # -- saving --------------------------------------------------------------
    @Slot()
    def _edited(self) -> None:
        if not self._loading:
            if not self._typing.isActive():
                self._saved_names.clear()
            self._typing.start()
            self._saving.start()

    @Slot()
    def save(self) -> None:
        """Emit the texts that were changed, if any."""
        self._saving.stop()
        step = self._step
        if step is None or self._loading:
            return
        written = {
            "description": self.caption.text().strip(),
            "intention": self.intention.toPlainText().strip(),
            "note": self.note.toPlainText().strip(),
        }
        before = {"description": step_caption(step), "intention": step.intention, "note": step.note}
        changed = {
            name: text
            for name, text in written.items()
            if text != before[name] and (text or name != "description")
        }
        if changed:
            continues = self._typing.isActive() and self._saved_names == set(changed)
            self._saved_names = set(changed)
            self.reworded.emit(step.index, changed, continues)

    # -- facts ---------------------------------------------------------------
    def _show_facts(self, step: Step | None) -> None:
        rows = self._rows(step) if step is not None else []
        for place, (name, value) in enumerate(rows[: self._facts.rowCount()]):
            # Labels that are there take another text in a tenth of the time that new ones need.
            for role, text in ((_LABEL, name), (_FIELD, value)):
                item = self._facts.itemAt(place, role)
                assert item is not None
                _say(cast(Label, item.widget()), text)
        for name, value in rows[self._facts.rowCount() :]:
            self._facts.addRow(Label(name, "body", "text-2"), _value(value, "body"))
        while self._facts.rowCount() > len(rows):
            self._facts.removeRow(len(rows))
        self._show_selectors(step.target.selectors if step is not None and step.target is not None else ())

    def _rows(self, step: Step) -> list[tuple[str, str]]:
        """Name and value of each fact that is shown."""
        under = [interruption for interruption in self._interruptions if step.index in interruption.steps]
        return [
            *(_texts_of(step) if self._texts.isHidden() else ()),
            *_facts(step),
            *(fact for anomaly in under for fact in interruption_facts(anomaly)),
        ]

    def _show_selectors(self, selectors: Sequence[str]) -> None:
        if tuple(selectors) == self._shown_selectors:
            return
        self._shown_selectors = tuple(selectors)
        while (item := self._selectors.takeAt(0)) is not None:
            if (line := item.widget()) is not None:
                line.deleteLater()
        if selectors:
            self._selectors.addWidget(Label(_("Selectors"), "heading"))
            for selector in selectors:
                self._selectors.addWidget(_value(selector, "code"))


def _texts_of(step: Step) -> list[tuple[str, str]]:
    """What was written about a step that can only be read."""
    texts = [(_("Caption"), step_caption(step)), (_("Intention"), step.intention), (_("Note"), step.note)]
    return [(name, text) for name, text in texts if text]


def _value(text: str, role: str) -> Label:
    """A text that can be copied. It wraps and never widens the panel."""
    label = Label(text, role, wrap=True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    label.setToolTip(text)
    return label


def _say(label: Label, text: str) -> None:
    """Show another text in a label; one that can be copied has it as its tooltip too."""
    if label.text() != text:
        label.setText(text)
        if label.toolTip():
            label.setToolTip(text)


def _facts(step: Step) -> list[tuple[str, str]]:
    """Return name and value of every recorded fact that is not empty."""
    state, target = step.state, step.target
    age = _("{milliseconds} ms old", milliseconds=state.tree_age_ms) if state.tree_age_ms is not None else ""
    skew = _("{percent} % changed", percent=round(state.skew * 100)) if state.skew is not None else ""
    before = str(step.extra.get(BEFORE_START) or "")
    reply = UserReply.read(step.extra.get(REPLY))
    named = [
        (_("Action"), action_detail(step.action)),
        (_("Answer of the user"), reply_text(reply) if reply is not None else ""),
        (_("Before the start"), _("copy of {step}", step=before) if before else ""),
        (_("Time"), format_time(step.t_ms)),
        (_("Package"), state.package),
        (_("Activity"), state.activity),
        (_("Screen"), "" if state.size.is_empty else str(state.size)),
        (_("Target"), str(target.bounds) if target is not None and target.bounds is not None else ""),
        (_("Picture"), state.source.get("frame", "")),
        (_("Tree"), " · ".join(filter(None, (state.source.get("tree", ""), age)))),
        (_("Input"), _("on the phone") if state.source.get("input") else ""),
        (_("Skew"), skew),
        (_("Problem"), in_language(state.problem)),
        *(turn_facts(step.agent) if step.agent is not None else ()),
    ]
    if target is not None:
        named += [(name, text) for name, text in target.attributes.items()]
    return [(name, value) for name, value in named if value]
