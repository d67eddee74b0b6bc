"""*Hide this...*: ask what is hidden on the screen of a step, and hide it behind the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from studio.bridge.trajectories.redactions import Redactions
from studio.bridge.while_alive import while_alive
from studio.views.services import WindowServices
from studio.views.stored_screens import StoredScreen, StoredScreens

if TYPE_CHECKING:
    from collector.redaction_rules.project_redaction import RedactedTrajectory
    from collector.redaction_rules.redaction_rule import RedactionRule
    from collector.redaction_rules.rule_choice import RuleReach
    from studio.views.record.session import RecordSession
    from studio.widgets.redaction.hide_dialog import HideChoice, HideDialog


@dataclass(frozen=True, slots=True)
class HideSubject:
    """The step whose screen is on show, and its trajectory."""

    folder: Path
    step: Step


@dataclass(frozen=True, slots=True)
class LiveSubject:
    """The screen of a phone, of which nothing is stored yet."""

    screen: StoredScreen
    package: str


class HideController(QObject):
    """Runs one command of a workspace; the rules of the project are in Project."""

    def __init__(
        self, command: str, subject: Callable[[], HideSubject | LiveSubject | None],
        reopen: Callable[[Path, int], object], services: WindowServices, window: QWidget,
    ) -> None:  # fmt: skip
        """``subject`` says what is on show; ``reopen`` shows a trajectory again after it was changed."""
        super().__init__(window)
        self._find_subject, self._reopen, self._services, self._window = subject, reopen, services, window
        self._redactions = Redactions(services.tasks, services.project_library, services.trajectories, self)
        self._screens = StoredScreens(services.tasks, self, None)
        self._screens.arrived.connect(self._screen_read)
        self._subject: HideSubject | LiveSubject | None = None
        self._screen: StoredScreen | None = None
        self.dialog: HideDialog | None = None
        services.commander.handle(command, self.ask)

    def ask(self) -> None:
        """Read the screen of the step on show, then ask what is hidden on it."""
        subject = self._find_subject()
        if subject is None:
            return
        self._subject = subject
        if isinstance(subject, LiveSubject):
            self._screen_read(None, subject.screen)
            return
        if not subject.folder.is_dir():
            raise UserError(
                _("Nothing can be hidden in a zip file"), "", _("Unpack it into a project, and open that")
            )
        self._screens.open(subject.folder.name, subject.folder)
        self._screens.request(subject.step)

    @Slot(object, object)
    def _screen_read(self, _step: Step | None, screen: StoredScreen) -> None:
        self._screen = screen
        self._redactions.rules(self._open, self._services.toasts.show_error)

    def _open(self, rules: list[RedactionRule]) -> None:
        from studio.widgets.redaction.hide_dialog import HideDialog, HideScope

        subject, screen = self._subject, self._screen
        if subject is None or screen is None:
            return
        if isinstance(subject, LiveSubject):
            title, size, package = _("Hide this from now on"), screen.size, subject.package
            scopes: tuple[HideScope, ...] = (HideScope.PROJECT,)
        else:
            step = subject.step
            title, size = _("Hide this: step {number}", number=step.index + 1), _size_of(step, screen)
            package, scopes = step.state.package, tuple(HideScope)
        dialog = self.dialog = HideDialog(
            title, screen.image, size, screen.tree, screen.index, package,
            [rule.name for rule in rules], self._window.window(), scopes=scopes,
        )  # fmt: skip
        dialog.reach_asked.connect(self._count)
        dialog.chosen.connect(self._hide)
        dialog.finished.connect(self._closed)
        dialog.open()

    @Slot(object)
    def _count(self, choice: HideChoice | None) -> None:
        from studio.widgets.redaction.hide_dialog import HideScope

        subject = self._subject
        if choice is None or subject is None:
            self._redactions.stop_counting()
            return
        is_one = isinstance(subject, HideSubject) and choice.scope is HideScope.TRAJECTORY
        folder = subject.folder if isinstance(subject, HideSubject) and is_one else None
        self._redactions.count(choice.rule, folder, self._counted)

    def _counted(self, reach: RuleReach) -> None:
        if self.dialog is not None:
            self.dialog.show_reach(reach)

    @Slot()
    def _closed(self) -> None:
        self._redactions.stop_counting()
        self.dialog = self._screen = self._subject = None  # a picture takes 3 MB

    @Slot(object)
    def _hide(self, choice: HideChoice) -> None:
        from studio.widgets.redaction.hide_dialog import HideScope

        subject, redactions, fails = self._subject, self._redactions, self._services.toasts.show_error
        if choice.scope is HideScope.PROJECT:
            added = while_alive(self, partial(self._rule_added, choice.rule.name))
            redactions.add_rule(choice.rule, added, fails)
        if not isinstance(subject, HideSubject):
            return
        folder, number = subject.folder, subject.step.index
        if choice.scope is HideScope.SCREEN:
            done = while_alive(self, partial(self._hidden_on_screen, folder, number))
            redactions.hide_on_screen(folder, number, choice.places, done, fails)
        elif choice.scope is HideScope.TRAJECTORY:
            hidden = while_alive(self, partial(self._hidden_in_trajectory, folder, number))
            redactions.hide_in_trajectory(folder, choice.rule, hidden, fails)

    def _hidden_on_screen(self, folder: Path, number: int, others: int) -> None:
        self._reopen(folder, number)
        more = ngettext(
            "{count} other step shows the same and is redacted too",
            "{count} other steps show the same and are redacted too", others,
        )  # fmt: skip
        self._services.toasts.show(
            "ok", _("Step {index} is redacted", index=number + 1), more if others else ""
        )

    def _hidden_in_trajectory(self, folder: Path, number: int, done: RedactedTrajectory) -> None:
        self._reopen(folder, number)
        steps = ngettext("{count} step", "{count} steps", len(done.steps))
        words = ngettext("{count} text masked", "{count} texts masked", done.words)
        self._services.toasts.show("ok", _("Hidden: {steps}", steps=steps), words)

    def _rule_added(self, name: str, _result: object) -> None:
        self._services.toasts.show(
            "ok", _("{name} counts from the next step on", name=name),
            _("What was recorded before is as it was"), action=_("Redaction rules..."),
            act=partial(self._services.run_command, "project.redaction"),
        )  # fmt: skip


def hide_in_record(
    session: RecordSession, reopen: Callable[[Path, int], object], services: WindowServices, window: QWidget
) -> HideController:
    """Of the step that Record shows of a stored trajectory, else of the phone's screen."""

    def subject() -> HideSubject | LiveSubject | None:
        editor, number = session.editor, session.current
        if editor is not None and 0 <= number < len(session.steps):
            return HideSubject(editor.folder, session.steps[number])
        return _live(services)

    return HideController("step.hide", subject, reopen, services, window)


def _live(services: WindowServices) -> LiveSubject | None:
    """The newest screen of the phone in use."""
    phone = services.devices.current
    snapshot = phone.screen.newest_tree() if phone is not None else None
    frame = phone.screen.newest_frame() if phone is not None else None
    if frame is None:
        raise UserError(_("The screen of the phone is still being read"), "", _("Try again in a moment"))
    rgb = frame.rgb()
    height, width = rgb.shape[:2]
    image = QImage(rgb.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    tree = snapshot.tree if snapshot is not None else None
    index = SpatialIndex(tree) if tree is not None else None
    size = phone.screen.screen_size if phone is not None else Size(width, height)
    package = snapshot.package if snapshot is not None else ""
    return LiveSubject(StoredScreen(image, size, tree, index), package)


def _size_of(step: Step, screen: StoredScreen) -> Size:
    """The pixels in which places are: those of the device, else those of the picture."""
    return screen.size if step.state.size.is_empty else step.state.size
