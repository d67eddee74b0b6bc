"""One Undo and one Redo: they serve the text that is written, or else the workspace in front."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QMetaObject, QObject, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from collector.model.errors import UserError
from collector.model.i18n import _
from studio.views.services import WindowServices
from studio.views.undo_source import TextField, UndoNote, UndoSource, as_text_field, text_history
from studio.views.workspace import Workspace
from studio.widgets.window_frame.toasts import Toast


class UndoController(QObject):
    """Names ``edit.undo`` and ``edit.redo`` after the edit they change, runs them, and says what they did."""

    def __init__(
        self, services: WindowServices, current: Callable[[], Workspace | None], parent: QObject
    ) -> None:
        """``current`` returns the workspace in front."""
        super().__init__(parent)
        self._commander, self._toasts, self._current = services.commander, services.toasts, current
        self._run_command = services.run_command
        self._field: TextField | None = None
        self._link = QMetaObject.Connection()
        """From the text of the field to :meth:`update`."""
        self._undone = self._redone = ""
        """The edit whose undo or redo was asked for and is not yet done."""
        self._note: UndoNote | None = None
        self._toast: Toast | None = None
        self._commander.handle("edit.undo", self.undo)
        self._commander.handle("edit.redo", self.redo)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)

    def close(self) -> None:
        """Stop following the focus, which still moves while the window is destroyed."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.disconnect(self._focus_changed)

    def follow(self, workspace: Workspace) -> None:
        """Follow the edits made in a workspace."""
        workspace.history_changed.connect(self._edited)

    # -- what is undone ----------------------------------------------------
    def _history(self) -> UndoSource | None:
        if self._field is not None and isValid(self._field):
            history = text_history(self._field)
            if history.undo_title or history.redo_title:
                return history
        workspace = self._current()
        return workspace.history if workspace is not None else None

    @Slot()
    def update(self) -> None:
        """Name the commands after the newest edits of what has the focus."""
        history = self._history()
        undo, redo = (history.undo_title, history.redo_title) if history is not None else ("", "")
        self._commander.retitle("edit.undo", _("Undo {edit}", edit=undo) if undo else "")
        self._commander.retitle("edit.redo", _("Redo {edit}", edit=redo) if redo else "")
        self._commander.set_context(undo__possible=bool(undo), redo__possible=bool(redo))

    @Slot("QWidget*", "QWidget*")
    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        field = as_text_field(new)
        if field is self._field:
            return
        if self._field is not None and isValid(self._field):
            # By its handle: a field that Qt is destroying has lost the signal, and its name is an error then.
            QObject.disconnect(self._link)
            self._field.removeEventFilter(self)
        self._field = field
        if field is not None:
            self._link = field.textChanged.connect(self.update)
            field.installEventFilter(self)
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Leave Undo and Redo to the commands: a text field takes them also when it has nothing to undo."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keys = QKeySequence.StandardKey
            if event.matches(keys.Undo) or event.matches(keys.Redo):
                event.ignore()
                return True
        return super().eventFilter(watched, event)

    # -- commands ----------------------------------------------------------
    def undo(self) -> None:
        """Undo the newest edit of what has the focus; a toast names it and offers to redo it."""
        history = self._history()
        if history is not None and history.undo_title:
            self._undone, self._redone, self._note = history.undo_title, "", history.undo_note
            self._run(history.undo)

    def redo(self) -> None:
        """Repeat the edit that was undone last; a toast names it and offers to undo it."""
        history = self._history()
        if history is not None and history.redo_title:
            self._undone, self._redone = "", history.redo_title
            self._run(history.redo)

    def _run(self, call: Callable[[], object]) -> None:
        try:
            call()
        except UserError:
            self._undone = self._redone = ""  # else the next change would be said to be this one
            raise
        self.update()

    def _end_errors(self) -> None:
        """Close what said that an edit cannot be undone or redone: another one just was."""
        for command in ("edit.undo", "edit.redo"):
            self._toasts.end(command)

    @Slot()
    def _edited(self) -> None:
        """Say what was undone once it is: trajectories are edited behind the window."""
        self.update()
        workspace = self._current()
        history = workspace.history if workspace is not None else None
        if history is None or history.is_waiting:
            return
        undone, redone = self._undone, self._redone
        if undone and history.redo_title == undone:
            self._undone, note = "", self._note or UndoNote("", _("Redo"), "edit.redo")
            self._end_errors()
            self._show(_("Undone: {edit}", edit=undone), note)
        elif redone and history.undo_title == redone:
            self._redone = ""
            self._end_errors()
            self._show(_("Redone: {edit}", edit=redone), UndoNote("", _("Undo"), "edit.undo"))

    def _show(self, sentence: str, note: UndoNote) -> None:
        if self._toast is not None and self._toast in self._toasts.shown:
            self._toast.close_toast()
        self._toast = self._toasts.show(
            "ok", sentence, note.sentence, action=note.action,
            act=partial(self._run_command, note.command), for_now=True,
        )  # fmt: skip
