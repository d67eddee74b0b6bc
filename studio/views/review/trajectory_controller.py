"""The commands that open, arrange and close the trajectories of Review, and that move the cursor."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from collector.comparison.alignment.aligned import REFERENCE
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.review_link import SCHEME, ReviewLink, parse_link
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.files.names import inside
from studio.bridge.while_alive import while_alive
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.views.review.session import Moment, ReviewSession
from studio.views.services import WindowServices
from studio.widgets.commands.command_menu import CommandMenu

SIDE_MENU = (
    ("review.make-reference", "review.edit"),
    ("review.hide",),
    ("review.copy-link", "review.copy-path"),
    ("review.close-side",),
)
_FAR = 10


class ReviewTrajectoryController(QObject):
    """Handles commands; the session says what is open."""

    def __init__(self, session: ReviewSession, services: WindowServices, workspace: QWidget) -> None:
        super().__init__(workspace)
        self._session, self._services, self._workspace = session, services, workspace
        handle = services.commander.handle
        # The trajectory and the number of the step that other workspaces follow.
        self._followed: tuple[str, int] | None = None
        session.trajectories_changed.connect(self._show_problems)
        session.trajectories_changed.connect(self._follow_anew)
        for signal in (session.aligned_changed, session.slot_changed, session.side_changed):
            signal.connect(self._tell_state)
        services.state_reviews.visibility_changed.connect(self._hide_from_operator)
        handle("review.add", self.add)
        handle("review.close-side", lambda: session.remove(session.side))
        handle("review.close", session.close_all)
        handle("review.make-reference", lambda: session.make_reference(session.side))
        handle("review.copy-link", self.copy_link)
        handle("review.copy-path", self.copy_path)
        handle("review.edit", self.edit)
        handle("review.run-from-step", self.run_from_step)
        handle("review.previous-step", lambda: session.move(-1))
        handle("review.next-step", lambda: session.move(1))
        handle("review.ten-back", lambda: session.move(-_FAR))
        handle("review.ten-on", lambda: session.move(_FAR))
        handle("review.last-step", session.go_to_end)
        handle("review.first-divergence", self.go_to_divergence)
        handle("review.next-difference", self.go_to_next)
        handle("review.previous-difference", self.go_to_previous)
        handle("review.next-side", self.next_side)
        for moment in Moment:
            handle(f"review.{moment}", lambda chosen=moment: session.show_moment(chosen))

    def run_from_step(self) -> None:
        """Bring Run to the front, which asks for the experiment that is to begin at the step at the cursor.

        Raises UserError where the chosen side has no step.
        """
        session = self._session
        number = session.step_number(session.side)
        if number is None:
            raise UserError(
                _("This trajectory has no step here"), "", _("Go to the step that agents begin at")
            )
        header, commander = session.stored[session.side].header, self._services.commander
        commander.run("view.run")
        commander.run("run.add-start", start=f"{header.id}@{number + 1}", task=header.task_id)

    # -- opening -------------------------------------------------------------
    def open(self, folder: str, step: str = "", beside: str = "") -> None:
        """Open a trajectory by its folder, the latest one without; ``step`` counts from 0.

        With ``beside`` it is put beside those that are open. In place of a folder a link can be given.
        """
        if not folder:
            self._open_latest()
            return
        if folder.startswith(f"{SCHEME}:"):
            link = parse_link(folder)
            places = [self._place(each) for each in link.trajectories]
            if places == [each.folder for each in self._session.stored]:
                self._session.go_to_step(link.side, link.step)
                return
            self._session.open(places, step=link.step, side=link.side, with_companions=False)
            return
        path = self._place(folder)
        if beside:
            self._session.add(path)
        else:
            self._session.open([path], step=int(step) if step.isdecimal() else None)

    def _place(self, folder: str) -> Path:
        """The folder of a trajectory that may be named relative to the project."""
        path, project = Path(folder), self._services.project_library.project
        if path.is_absolute():
            return path
        if project is None:
            raise UserError(_("No project is open"))
        return inside(project.folder, folder)

    def add(self) -> None:
        """Choose a trajectory to be put beside those that are open, first among those of the task."""
        stored = self._session.stored
        query = f'task:"={stored[0].header.task_id}"' if stored else ""
        dialog = TrajectoryListDialog(
            self._services.project_library,
            self._services.trajectories,
            self._workspace.window(),
            query,
            changes=False,
        )
        dialog.model.as_seen = self._services.state_reviews.without_names
        dialog.opened.connect(self._add)
        dialog.open()

    @Slot(object)
    def _add(self, row: CatalogueRow) -> None:
        self.open(row.folder, beside="yes" if self._session.stored else "")

    def _open_latest(self) -> None:
        toasts, library = self._services.toasts, self._services.project_library

        def show(page: tuple[int, list[CatalogueRow]]) -> None:
            if library.project is not None and page[1]:
                self._session.open([library.project.folder / page[1][0].folder])
            else:
                toasts.show_error(UserError(_("This project has no trajectory yet"), "", _("Record one")))

        asked = self._services.trajectories.page(
            "", 0, 1, while_alive(self, show), toasts.show_error, after_refresh=True
        )
        if asked is None:
            raise UserError(_("No project is open"))

    @Slot()
    def _show_problems(self) -> None:
        """Say what of the trajectories could not be read."""
        problems = [problem for stored in self._session.stored for problem in stored.problems]
        if problems:
            sentence = ngettext(
                "{count} problem in these trajectories", "{count} problems in these trajectories",
                len(problems),
            )  # fmt: skip
            self._services.toasts.show("warn", sentence, problems[0])

    @Slot()
    def _follow_anew(self) -> None:
        self._followed = None

    @Slot()
    def _tell_state(self) -> None:
        """Let other workspaces follow the task and the step of the chosen side.

        An alignment that ends, or a trajectory that grows, moves nothing: what the person chose
        elsewhere meanwhile stays.
        """
        session, selection = self._session, self._services.selection
        number = session.step_number(session.side) if session.stored else None
        if number is None:
            return
        header = session.stored[session.side].header
        selection.front_folder = session.stored[session.side].folder
        if self._followed != (header.id, number):
            self._followed = header.id, number
            selection.choose_task(header.task_id)
            selection.choose_state(header.id, number)

    @Slot()
    def _hide_from_operator(self) -> None:
        """Close golden trajectories of other operators while the person's own proposal is open."""
        reviews = self._services.state_reviews
        for side, stored in reversed(list(enumerate(self._session.stored))):
            header = stored.header
            reason = reviews.hidden_reason(header.task_id, header.kind, header.who)
            if reason:
                self._session.remove(side)
                self._services.toasts.show("info", _("{id} is not shown", id=header.id), reason)

    def open_menu(self, _side: int, at: QPoint) -> None:
        """Open the menu of the chosen side."""
        commander = self._services.commander
        CommandMenu(commander, SIDE_MENU, self._services.run_command, self._workspace).popup(at)

    # -- the chosen side -----------------------------------------------------
    def copy_link(self) -> None:
        """Copy a link to the step that is shown."""
        session, library = self._session, self._services.project_library
        project = str(library.project.folder) if library.project is not None else ""
        folders = tuple(str(each.folder) for each in session.stored)
        link = ReviewLink(folders, session.nearest_step(session.side) or 0, session.side, project)
        QGuiApplication.clipboard().setText(link.text)
        self._services.toasts.show("ok", _("Link copied"))

    def copy_path(self) -> None:
        """Copy the folder of the chosen trajectory."""
        QGuiApplication.clipboard().setText(str(self._session.stored[self._session.side].folder))
        self._services.toasts.show("ok", _("Path copied"))

    def edit(self) -> None:
        """Open the chosen golden trajectory in Record, where its steps can be changed."""
        session = self._session
        folder, number = session.stored[session.side].folder, session.step_number(session.side)
        self._services.commander.run("record.open-trajectory", folder=str(folder), step=str(number or 0))

    # -- moving --------------------------------------------------------------
    @Slot()
    def go_to_divergence(self) -> None:
        """Go to the first divergence; of trajectories that do the same, to the first slot."""
        if not self._session.go_to_divergence():
            self._session.go(0)
            if len(self._session.stored) > 1 and self._session.is_aligned:
                self._services.toasts.show("info", _("All trajectories do the same"))

    @Slot()
    def go_to_next(self) -> None:
        if not self._session.go_to_difference():
            self._services.toasts.show("info", _("No difference after this step"))

    @Slot()
    def go_to_previous(self) -> None:
        if not self._session.go_to_difference(back=True):
            self._services.toasts.show("info", _("No difference before this step"))

    def next_side(self) -> None:
        """Choose the next side, from the last one the reference."""
        session = self._session
        session.choose_side((session.side + 1) % len(session.stored) if session.stored else REFERENCE)
