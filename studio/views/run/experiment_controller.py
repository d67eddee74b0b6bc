"""Commands on whole experiments: make, choose, duplicate, rename, delete, open the file."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.message import _, ngettext
from collector.store.files.layout import ProjectPaths
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from studio.views.conditions.popup_menus import ask_for_text, open_below
from studio.views.desktop_toast import open_or_say
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.session import RunSession
from studio.views.services import WindowServices
from studio.widgets.commands.command_menu import CommandMenu

_MORE = (("run.duplicate", "run.rename", "run.delete"), ("run.open-file", "run.open-log"), ("run.dry-run",))


class ExperimentController(QObject):
    """Handles the commands of the menu *Run* that concern files of experiments."""

    def __init__(
        self, session: RunSession, panel: ExperimentPanel, services: WindowServices, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session, self._panel, self._services, self._window = session, panel, services, window
        handle = services.commander.handle
        handle("run.new", self.ask_new)
        handle("run.choose", self.offer)
        handle("run.duplicate", self._duplicate)
        handle("run.rename", self._ask_rename)
        handle("run.delete", self._delete)
        handle("run.open-file", self._open_file)
        handle("run.open-log", self._open_log)
        panel.name.clicked.connect(self.offer)
        panel.rename.clicked.connect(partial(services.run_command, "run.rename"))
        panel.more.clicked.connect(self._open_more)
        panel.problem_opened.connect(self._open_problem)

    # -- choosing --------------------------------------------------------------
    @Slot()
    def offer(self) -> None:
        """Offer the experiments of the project; those that are being run say so."""
        session = self._session
        menu = PopupMenu(self._panel.name)
        for name in session.files:
            words = _("{name} (running)", name=name) if name in session.runs.running else name
            action = menu.addAction(menu_text(words))
            action.setCheckable(True)
            action.setChecked(name == session.name)
            action.triggered.connect(partial(session.choose, name))
        open_below(menu, self._panel.name)

    @Slot()
    def _open_more(self) -> None:
        menu = CommandMenu(self._services.commander, _MORE, self._services.run_command, self._panel)
        menu.popup(self._panel.more.mapToGlobal(self._panel.more.rect().bottomLeft()))

    # -- files -----------------------------------------------------------------
    def ask_new(self) -> None:
        """Ask for the name of a new experiment."""
        ask_for_text(
            self._window, _("New experiment"), _("Name, which is also that of its file"),
            free_name("exp-01", self._session.files), partial(self.with_new_name, self._make),
        )  # fmt: skip

    def with_new_name(self, act: Callable[[str], None], text: str) -> None:
        """Act with a name that a file can have and no experiment of the project has."""
        name = text.strip()
        if not name:
            return
        toasts = self._services.toasts
        if ProjectPaths(Path()).experiment(name).stem != name:
            toasts.show(
                "warn",
                _("A file cannot have the name {name}", name=name),
                _("Use letters, digits, hyphens and spaces"),
            )
        elif name in self._session.files:
            toasts.show(
                "warn",
                _("The project has an experiment {name} already", name=name),
                _("Choose another name"),
            )
        else:
            act(name)

    def _make(self, name: str) -> None:
        self._session.experiments.create(name, _("new experiment {name}", name=name))

    def _duplicate(self) -> None:
        document, session = self._session.experiments.document, self._session
        if document is not None:
            name = free_name(session.name, session.files)
            session.experiments.create(name, _("duplicate {name}", name=session.name), document.text)

    def _ask_rename(self) -> None:
        session = self._session
        stored = sum(1 for cell in session.progress.cells.values() if cell.trajectory)
        if stored:
            self._services.toasts.show(
                "info",
                ngettext(
                    "{count} stored run names this experiment",
                    "{count} stored runs name this experiment",
                    stored,
                ),
                _("Under another name it would begin without results: duplicate it for that"),
                action=_("Duplicate"),
                act=partial(self._services.run_command, "run.duplicate"),
            )
            return
        ask_for_text(
            self._window, _("Rename the experiment"), _("New name"), session.name,
            partial(self.with_new_name, self._rename),
        )  # fmt: skip

    def _rename(self, name: str) -> None:
        self._session.experiments.rename(self._session.name, name)

    def _delete(self) -> None:
        name = self._session.name
        self._session.experiments.delete(name)
        self._services.toasts.show(
            "info", _("The experiment {name} was deleted", name=name), _("Its runs are kept"),
            action=_("Undo"), act=self._session.undo, for_now=True,
        )  # fmt: skip

    def _open_file(self) -> None:
        paths = self._session.experiments.paths
        if paths is not None and self._session.name:
            self._open(paths.experiment(self._session.name))

    def _open_log(self) -> None:
        paths = self._session.experiments.paths
        if paths is not None and self._session.name:
            self._open(paths.runner_output(self._session.name))

    @Slot(object)
    def _open_problem(self, problem: Diagnostic) -> None:
        self._open_file()
        self._services.toasts.show("info", problem.sentence, _("line {line}", line=problem.place.line))

    def _open(self, path: Path) -> None:
        open_or_say(self._services, path)


def free_name(name: str, taken: Collection[str]) -> str:
    """``name``, or it with the next number that is free."""
    stem = name.rstrip("0123456789")
    digits = name[len(stem) :]
    number, width = (int(digits), len(digits)) if digits else (2, 1)
    candidate = name if digits else f"{name}-2"
    stem = stem if digits else f"{name}-"
    while candidate in taken:
        number += 1
        candidate = f"{stem}{number:0{width}}"
    return candidate
