"""Open the person's copy of a sample project, and say what to look at in it first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QRect, Slot

from collector.model.i18n import N_, _
from collector.store.files.layout import TRAJECTORIES
from collector.store.project.sample_project import SampleCopy, open_sample_copy
from collector.store.project.samples import ESSENTIAL_STATES, ROBUSTNESS, SAMPLES, VARIATIONS, SampleProject
from studio.app.main_window.window import MainWindow
from studio.bridge import Job, JobRunner
from studio.commands.commander import Commander
from studio.widgets.window_frame.callout import Callout, CalloutText


@dataclass(frozen=True, slots=True)
class SampleSuggestion:
    """What to look at in a sample, and the one thing to do then."""

    workspace: str
    """The workspace that comes to the front."""
    sentence: str
    button: str
    commands: tuple[str, ...]
    """What the button runs."""
    task: str = ""
    """The task that is chosen."""
    run: str = ""
    """The trajectory that the last command opens, as a pattern of its folder."""


_SUGGESTIONS: Mapping[str, SampleSuggestion] = {
    ROBUSTNESS.id: SampleSuggestion(
        "metrics",
        N_("Plain replay fails once something interrupts it, careful replay answers and goes on. "
           "Look at one interrupted run beside the same one without interruption."),
        N_("Compare the two runs"),
        ("review.open",),
        run="todo-04/quick__golden__todo-04__battery-low__*",
    ),
    ESSENTIAL_STATES.id: SampleSuggestion(
        "states",
        N_("Lin and Sara recorded the same task, and each said which states it must reach. "
           "Here they still differ: look at both proposals side by side."),
        N_("Compare the proposals"),
        ("states.compare", "states.next-difference"),
        task="shop-14",
    ),
    VARIATIONS.id: SampleSuggestion(
        "metrics",
        N_("One agent looks for words, the other touches places: each fails where the phone changes that. "
           "Look at the phone before and after a variation."),
        N_("See the variations"),
        ("view.rules", "rules.variations"),
    ),
}  # fmt: skip


class SampleController(QObject):
    """Handles the commands that open samples. Each is copied once, however often that is asked."""

    def __init__(self, commander: Commander, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._commander, self._runner = commander, runner
        self._copying: set[str] = set()
        self._awaited: SampleProject | None = None
        """The sample whose suggestion is shown once its project is open."""
        self._callout: Callout | None = None
        for sample in SAMPLES.values():
            commander.handle(sample.command, partial(self.open, sample))

    def attach(self, window: MainWindow) -> None:
        """Set the window. Commands are handled before it is built."""
        self._window, self._callout = window, None
        window.services.project_library.opened.connect(self._opened)

    def open(self, sample: SampleProject, quiet: str = "") -> None:
        """Open the person's copy of a sample; ``quiet`` leaves out what to look at."""
        if sample.id in self._copying:
            return
        self._copying.add(sample.id)

        shown = sample if not quiet and sample.id in _SUGGESTIONS else None

        def work(_job: Job) -> tuple[SampleCopy, SampleProject | None]:
            return open_sample_copy(sample), shown

        title = _("Copying the sample project")
        self._runner.run(work, success=self._copied, failure=self._not_copied, title=title)

    @Slot(object)
    def _not_copied(self, error: Exception) -> None:
        self._copying.clear()
        self._window.toasts.show_error(error)

    @Slot(object)
    def _copied(self, result: tuple[SampleCopy, SampleProject | None]) -> None:
        self._copying.clear()
        copy, self._awaited = result
        if copy.put_aside is not None:
            self._window.toasts.show(
                "info",
                _("The sample was not whole, so it was copied anew"),
                _("What was there is in {folder}", folder=copy.put_aside),
            )
        is_open = self._window.services.project_library.is_open(copy.folder)
        self._commander.run("project.open", path=str(copy.folder))
        if is_open:
            self._suggest()

    @Slot(object)
    def _opened(self, snapshot: object) -> None:
        self._end_callout()
        if snapshot is not None:
            self._suggest()

    def _suggest(self) -> None:
        """Show the results of the sample that was opened, and what to do next."""
        sample, self._awaited = self._awaited, None
        if sample is None:
            return
        suggestion, services = _SUGGESTIONS[sample.id], self._window.services
        if suggestion.task:
            services.selection.choose_task(suggestion.task)
        services.run_command(f"view.{suggestion.workspace}")
        callout = self._callout = Callout(self._window)
        callout.show_text(
            CalloutText(
                _("Sample project"), sample.label, _(suggestion.sentence), button=_(suggestion.button)
            )
        )
        callout.pressed.connect(partial(self._follow, suggestion))
        callout.closed.connect(self._end_callout)
        self._place()
        callout.button.setFocus()

    def _place(self) -> None:
        current = self._window.current
        if self._callout is None or current is None:
            return
        self._callout.place(self._callout.area_of(current, current.open_area), QRect(), QRect())

    def _follow(self, suggestion: SampleSuggestion) -> None:
        folder = self._window.services.project_library.folder
        self._end_callout()
        if folder is None:
            return
        # A switch that is on already would be put off.
        *first, last = [command for command in suggestion.commands if not self._commander.checked(command)]
        for command in first:
            self._window.services.run_command(command)
        if suggestion.run:
            folder = next((folder / TRAJECTORIES).glob(suggestion.run), folder)
            self._window.services.run_command(last, folder=str(folder))
        else:
            self._window.services.run_command(last)

    @Slot()
    def _end_callout(self) -> None:
        if self._callout is not None:
            self._callout.end()
            self._callout = None
