"""Lead a person through the guided tour: a callout beside the next control, until all is really done."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from collector.model.i18n import _
from studio.app.guided_tour.facts_watcher import PROJECT, TourFactsWatcher
from studio.app.guided_tour.tour_facts import TourFacts
from studio.app.guided_tour.tour_steps import STEPS, TourStep, current_step, fact_of
from studio.app.main_window.window import MainWindow
from studio.commands.commander import Commander
from studio.settings import Settings
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.window_frame.callout import Callout, CalloutText

_LOOK_MS = 150
"""How often the window is looked at: nobody tells that a control moved, or that a phone is live."""


class GuidedTour(QObject):
    """Handles the commands of the tour. It does nothing by itself, and notes nothing that it has not seen."""

    def __init__(
        self, commander: Commander, settings: Settings, watcher: TourFactsWatcher, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._commander, self._settings, self._watcher = commander, settings, watcher
        self._callout: Callout | None = None
        self._shown = (-1, "")
        """The step, and the workspace it was shown in."""
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self._show)
        watcher.changed.connect(self._show)
        commander.handle("tour.start", self.start)
        commander.handle("tour.restart", self.restart)
        commander.handle("tour.open-recording", self._open_recording)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._focus_changed)

    def attach(self, window: MainWindow) -> None:
        """Set the window; a tour that runs goes on in it."""
        self._window = window
        self._callout = None
        window.installEventFilter(self)
        if self._watcher.active:
            self._begin()

    # -- commands ------------------------------------------------------------
    def start(self) -> None:
        """Begin the tour, or go on where it was left: what is done stays done."""
        self._settings.set("window.tour-offered", True)
        folder = self._settings[PROJECT]
        library = self._window.services.project_library
        self._watcher.begin()
        self._begin()
        if folder and (library.folder is None or str(library.folder) != folder):
            self._commander.run("project.open", path=folder)

    def restart(self) -> None:
        """Begin the tour anew, with another project; the one before stays as it is."""
        self._watcher.forget_project()
        if self._window.services.project_library.project is not None:
            self._commander.run("project.close")
        self._commander.run("view.project")
        self.start()

    @Slot()
    def stop(self) -> None:
        """Put the tour away; the Help menu goes on with it."""
        if not self._watcher.active:
            return
        is_over = current_step(self._watcher.facts) == len(STEPS)
        self._put_away()
        if not is_over:
            self._window.toasts.show(
                "info",
                _("The tour is put away"),
                _("Go on with it in the Help menu"),
                action=_("Go on"),
                act=partial(self._window.services.run_command, "tour.start"),
            )

    def _put_away(self) -> None:
        self._watcher.active = False
        self._look.stop()
        self._commander.set_context(tour__running=False)
        if self._callout is not None:
            self._callout.end()
            self._callout = None
        if self._window.current is not None:
            self._window.current.take_keyboard()

    def close(self) -> None:
        """Stop looking, when the program ends."""
        self._watcher.active = False
        self._look.stop()

    def _open_recording(self) -> None:
        """Open the judged recording; the person has read the verdict."""
        recorded = self._watcher.facts.recorded
        if recorded is not None:
            self._window.services.run_command("review.open", folder=str(recorded.folder))
            self._watcher.note_read()

    # -- callout -------------------------------------------------------------
    def _begin(self) -> None:
        if self._callout is None:
            callout = self._callout = Callout(self._window)
            callout.pressed.connect(self._press)
            callout.other_pressed.connect(self._press_other)
            callout.closed.connect(self.stop)
        self._shown = (-1, "")
        self._commander.set_context(tour__running=True)
        self._look.start()
        self._show()

    @Slot()
    def _show(self) -> None:
        """Show the first step that is not done."""
        callout, facts = self._callout, self._watcher.facts
        if callout is None or not self._window.isVisible():
            return
        place = current_step(facts)
        callout.show_text(self._text(place, facts))
        current = self._window.current
        seen = place, current.scope if current is not None else ""
        is_new, self._shown = seen != self._shown, seen
        self._place()
        if is_new:
            self._note_in_dialog()
            self._take_keyboard(callout)

    def _text(self, place: int, facts: TourFacts) -> CalloutText:
        if place == len(STEPS):
            return CalloutText(
                _("The tour is over"),
                _("Your project holds a recorded, finished and judged task"),
                _("Add tasks of your own, say when they are done in Rules, and let agents try them in Run."),
                button=_("Done"),
            )
        step = STEPS[place]
        head = _("Step {number} of {count}", number=place + 1, count=len(STEPS))
        has_failed = facts.recorded is not None and not facts.recorded.is_success
        return CalloutText(
            head, _(step.title), _(step.sentence), fact_of(step, facts), self._button_text(step),
            self._commander.shown_keys(step.command) if step.command else "",
            _("Record it again") if has_failed else "",
        )  # fmt: skip

    def _button_text(self, step: TourStep) -> str:
        return self._commander.registry[step.command].label if step.command else ""

    @Slot()
    def _press(self) -> None:
        place = current_step(self._watcher.facts)
        if place == len(STEPS):
            self.stop()
            return
        step, task = STEPS[place], self._watcher.facts.task
        arguments = {"task": task.id} if step.id == "record" and task is not None else {}
        if self._commander.enabled(step.command):
            self._window.services.run_command(step.command, **arguments)

    @Slot()
    def _press_other(self) -> None:
        task = self._watcher.facts.task
        if task is not None:
            self._watcher.record_again()
            self._window.services.run_command("record.task", task=task.id)

    def _take_keyboard(self, callout: Callout) -> None:
        """Let Enter do the next step, unless somebody types, also on the phone, or a dialog is open."""
        is_free = QApplication.activeModalWidget() is None and not self._commander.keyboard.types
        if callout.button.isVisible() and callout.button.isEnabled() and is_free:
            callout.button.setFocus()

    @Slot("QWidget*", "QWidget*")
    def _focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and self._callout is not None:
            self._note_in_dialog()

    def _note_in_dialog(self) -> None:
        """Say in a dialog of the step what to do in it."""
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, Dialog):
            facts, name = self._watcher.facts, type(dialog).__name__
            notes = (step.dialog_notes.get(name, "") for step in STEPS if not step.is_done(facts))
            note = next(filter(None, notes), "")
            dialog.show_note(_(note) if note else "")

    # -- place ---------------------------------------------------------------
    @Slot()
    def _place(self) -> None:
        """Stand beside the next control, wherever it is now."""
        callout, window = self._callout, self._window
        if callout is None:
            return
        place, current = current_step(self._watcher.facts), window.current
        if current is None:  # the settings are in front
            callout.hide()
            return
        phone = callout.area_of(current, current.phone_rect)
        target = QRect()
        if place < len(STEPS):
            step = STEPS[place]
            button = self._target(step)
            if step.on_phone:
                target = phone
            elif button is not None:
                target = callout.area_of(button, button.rect())
            callout.button.setEnabled(not step.command or self._commander.enabled(step.command))
        callout.place(callout.area_of(current, current.open_area), target, phone)

    def _target(self, step: TourStep) -> QAbstractButton | None:
        """The button that the step points to; None where none is seen."""
        current = self._window.current
        for name in step.targets:
            toolbar = current.toolbar.buttons.get(name) if current is not None else None
            if toolbar is not None and toolbar.isVisible():
                return toolbar
            registry = self._commander.registry
            words = registry[name].label if self._commander.exists(name) else _(name)
            for button in current.findChildren(QAbstractButton) if current is not None else ():
                if button.text() == words and button.isVisible() and not button.visibleRegion().isEmpty():
                    return button
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Esc that nothing in the window had a use for puts the tour away."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        is_pressed = is_escape and event.type() == QEvent.Type.KeyPress
        if is_pressed and self._watcher.active and not self._commander.keyboard.types:
            self.stop()
            return True
        return super().eventFilter(watched, event)
