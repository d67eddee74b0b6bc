"""The dialog of suggested essential states: a list with ticks, and why and where for the current one."""

from __future__ import annotations

from collections.abc import Mapping

import yaml
from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _, ngettext
from collector.states.suggestions.suggestion import FROM_SUCCESS_RULE, StateSuggestion, StateSuggestions
from studio.theme import theme
from studio.widgets.controls import Label, Switch, surface
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.plain_text_box import PlainTextBox

_SIZE, _AROUND = QSize(1040, 720), QSize(48, 48)
_TICKED_FROM = 55
"""Suggestions of this score or a higher one are ticked at first."""
_PICTURE_HEIGHT = 220
_KEY = Qt.ItemDataRole.UserRole
_COLUMNS = (("", 0), ("from", 150), ("steps", 130), ("score", 64))


class SuggestionDialog(Dialog):
    """Emits ``added`` with the ids that were ticked, ``shown`` with the suggestion in front."""

    added = Signal(list)
    shown = Signal(object)
    """The :class:`StateSuggestion` that is current, or None."""
    shared_changed = Signal(bool)
    """Whether suggestions that other tasks share are wanted."""

    def __init__(self, parent: QWidget, task: str) -> None:
        sentence = _(
            "What two golden trajectories have in common and other tasks have not, and what the success rule "
            "says. Tick what is an essential state of the task; sentences and conditions can be edited "
            "afterwards."
        )
        super().__init__(
            _("Suggested states of {task}", task=task), _("Add"), parent, sentence=sentence, width=760
        )
        self.result_shown = StateSuggestions(task)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(_("Suggested states"))
        self.status = Label(_("Reading the golden trajectories..."), "body", "text-2", wrap=True)
        self.shared = Switch(_("Also what other tasks went through"))
        self._reason = Label("", "body", "text-2", wrap=True)
        self._after = Label("", "body", "text-2", wrap=True)
        self._conditions = PlainTextBox(_("Conditions"), code=True)
        self._pictures = QHBoxLayout()
        self.frames: dict[str, QLabel] = {}
        self._dress()
        self._lay_out()
        self.tree.itemChanged.connect(self._show_count)
        self.tree.currentItemChanged.connect(self._show_current)
        self.shared.toggled.connect(self._ask_again)
        self.yes.setEnabled(False)
        self.resize(_SIZE.boundedTo(parent.size() - _AROUND))

    def _dress(self) -> None:
        tree = self.tree
        tree.setColumnCount(len(_COLUMNS))
        tree.setHeaderLabels([_("State"), _("From"), _("Steps"), _("Score")])
        tree.setUniformRowHeights(True)
        tree.setRootIsDecorated(False)
        tree.setFrameShape(QFrame.Shape.NoFrame)
        tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, (_name, width) in enumerate(_COLUMNS[1:], start=1):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)

    def _lay_out(self) -> None:
        frame = surface("card")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.tree)
        switch = QHBoxLayout()
        switch.setSpacing(8)
        switch.addWidget(self.status, 1)
        switch.addWidget(self.shared)
        switch.addWidget(Label(self.shared.accessibleName(), "body"))
        texts = QVBoxLayout()
        texts.setSpacing(6)
        texts.addWidget(self._reason)
        texts.addWidget(self._after)
        texts.addWidget(self._conditions)
        texts.addStretch()
        details = QHBoxLayout()
        details.setSpacing(16)
        details.addLayout(texts, 1)
        details.addLayout(self._pictures)
        self.body.addLayout(switch)
        self.body.addWidget(frame, 1)
        self.body.addLayout(details)

    # -- what is shown -------------------------------------------------------
    @property
    def current(self) -> StateSuggestion | None:
        """The suggestion whose row is selected."""
        item = self.tree.currentItem()
        return self._suggestion(item.data(0, _KEY)) if item is not None else None

    @property
    def ticked(self) -> list[str]:
        """Ids of the ticked suggestions."""
        return [
            str(item.data(0, _KEY)) for item in self._items if item.checkState(0) is Qt.CheckState.Checked
        ]

    @property
    def sentences(self) -> list[str]:
        """The sentences in their order, for people who do not see the list and for tests."""
        return [item.text(0) for item in self._items]

    @property
    def _items(self) -> list[QTreeWidgetItem]:
        items = (self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount()))
        return [item for item in items if item is not None]

    def _suggestion(self, state_id: str) -> StateSuggestion | None:
        return next((item for item in self.result_shown.suggestions if item.id == state_id), None)

    def show_result(self, result: StateSuggestions) -> None:
        """Show suggestions; the better ones are ticked."""
        self.result_shown = result
        self.tree.blockSignals(True)
        self.tree.clear()
        for suggestion in result.suggestions:
            self.tree.addTopLevelItem(self._row(suggestion))
        self.tree.blockSignals(False)
        self._show_goldens(result)
        notes = [*result.missing, *result.left_out]
        if not result.suggestions:
            notes.insert(0, _("There is nothing to suggest"))
        self.status.setText("\n".join(notes))
        if items := self._items:
            self.tree.setCurrentItem(items[0])
            self.tree.setFocus()
        else:
            self._show_current()
        self._show_count()

    def show_problem(self, sentence: str) -> None:
        """Say why nothing could be suggested."""
        self.status.setText(sentence)
        self.status.set_tone("err")

    def _row(self, suggestion: StateSuggestion) -> QTreeWidgetItem:
        of_rule = suggestion.source == FROM_SUCCESS_RULE
        source = _("success rule") if of_rule else _("golden trajectories")
        steps = " · ".join(str(step + 1) for step in suggestion.steps.values()) or "–"
        row = QTreeWidgetItem([suggestion.sentence, source, steps, str(suggestion.score)])
        row.setData(0, _KEY, suggestion.id)
        row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        on = suggestion.score >= _TICKED_FROM
        row.setCheckState(0, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        row.setToolTip(0, suggestion.reason)
        for column in range(len(_COLUMNS)):
            row.setSizeHint(column, QSize(0, theme.size("row_list")))
            if column:
                row.setForeground(column, theme.color("text-2"))
        return row

    def _show_goldens(self, result: StateSuggestions) -> None:
        """A place for the screen of each golden trajectory."""
        while (item := self._pictures.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.frames = {}
        for golden in result.goldens:
            box = QWidget()
            column = QVBoxLayout(box)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(4)
            picture = QLabel()
            picture.setFixedHeight(_PICTURE_HEIGHT)
            picture.setMinimumWidth(_PICTURE_HEIGHT // 2)
            picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(picture)
            column.addWidget(Label(f"{golden.title} · {golden.who or '-'}", "caption", "text-2"))
            self._pictures.addWidget(box)
            self.frames[golden.id] = picture

    @Slot()
    def _show_current(self) -> None:
        suggestion = self.current
        self._reason.setText(suggestion.reason if suggestion is not None else "")
        after = ", ".join(self._named(name) for name in suggestion.after) if suggestion is not None else ""
        self._after.setText(_("After: {states}", states=after) if after else "")
        plain = (
            yaml.safe_dump(suggestion.plain_conditions, allow_unicode=True, sort_keys=False)
            if suggestion is not None
            else ""
        )
        self._conditions.set_text(plain.rstrip())
        for picture in self.frames.values():
            picture.clear()
        self.shown.emit(suggestion)

    def _named(self, state_id: str) -> str:
        suggestion = self._suggestion(state_id)
        return suggestion.sentence if suggestion is not None else state_id

    def show_pictures(self, state_id: str, pictures: Mapping[str, QImage]) -> None:
        """Show the screens that reach a suggestion, by golden trajectory, while it is still current."""
        if self.current is None or self.current.id != state_id:
            return
        ratio = self.devicePixelRatioF()
        for golden, image in pictures.items():
            if (frame := self.frames.get(golden)) is not None and not image.isNull():
                scaled = image.scaledToHeight(
                    round(_PICTURE_HEIGHT * ratio), Qt.TransformationMode.SmoothTransformation
                )
                scaled.setDevicePixelRatio(ratio)
                frame.setPixmap(QPixmap.fromImage(scaled))

    @Slot()
    def _show_count(self) -> None:
        count = len(self.ticked)
        self.yes.setEnabled(bool(count))
        self.yes.setText(ngettext("Add {count} state", "Add {count} states", count) if count else _("Add"))

    @Slot(bool)
    def _ask_again(self, shared: bool) -> None:
        self.status.setText(_("Reading the golden trajectories..."))
        self.status.set_tone("text-2")
        self.shared_changed.emit(shared)

    @Slot()
    def accept(self) -> None:
        """Add what is ticked."""
        self.added.emit(self.ticked)
        super().accept()
