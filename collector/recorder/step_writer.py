"""Write steps, edits and events to the disk, and keep what the disk refused until it can be written."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from collector.model.app_data.collections import AppData
from collector.model.app_data.document import changed_collections
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import RECORDING, Step, apps_changed
from collector.model.tree import Tree
from collector.recorder.events import (
    EventRecorded,
    RecorderEvent,
    RecorderNotice,
    StepCommitted,
    StepsChanged,
)
from collector.recorder.png import PngEncoder, encode_png
from collector.recorder.ruled_screen import RecordingRules, field_of, line_of
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import FrameHistory
from collector.recorder.step_builder import BuiltStep, CapturedAction, build_step
from collector.redaction_rules.stored_redaction import hide_new_words
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory.reader import read_first_app_data
from collector.store.trajectory.writer import TrajectoryWriter

_TREES_COMPARED = 3


class StepWriter:
    """Builds and writes steps on one thread. A refused job waits, with all after it, for :meth:`retry`."""

    def __init__(
        self,
        writer: TrajectoryWriter,
        history: FrameHistory,
        emit: Callable[[RecorderEvent], None],
        on_refused: Callable[[UserError], None],
        encode: PngEncoder = encode_png,
        secrets: SecretTexts | None = None,
    ) -> None:
        """``secrets`` are masked in what apps keep."""
        self._writer = writer
        self._encode = encode
        self._history = history
        self._emit = emit
        self._on_refused = on_refused
        self._trees: deque[Tree] = deque(maxlen=_TREES_COMPARED)
        self._secrets = SecretTexts() if secrets is None else secrets
        self._first_data: AppData | None = None
        self._rules = RecordingRules(writer.folder, writer.header.task_id)
        self._said_problem = ""
        self.has_rewritten = False
        """Whether something was hidden by rules that was written before."""
        self.passwords = SecretTexts()
        """What is hidden wherever a screen shows it."""
        self.done = 0
        """Number of steps written, or given up with a :class:`RecorderNotice`."""
        self._jobs: list[Callable[[], None]] = []
        self._hide_new(self._rules.learn_from_texts(writer.header.instruction, writer.header.note))

    def close(self) -> None:
        """Drop the screens that the next step would be compared with."""
        self._trees.clear()

    def commit(self, captured: CapturedAction) -> None:
        """Build a step and write it."""
        try:
            built = self._built(captured, tuple(self._trees))
        except BaseException:  # whatever ends it: who waits for so many steps must not wait for ever
            self.done += 1
            raise
        if built.tree is not None:
            self._trees.append(built.tree)
        self.run(lambda: self._write(captured, built))

    def _built(self, captured: CapturedAction, earlier: tuple[Tree, ...]) -> BuiltStep:
        """The step without what rules hide; words that its screen hides are masked in what was written."""
        said = line_of(captured.action, captured.agent, captured.extra)
        number = len(self._writer) + 1
        ruled, new = self._rules.look(
            captured.moment,
            number,
            said,
            captured.action,
            captured.text_field,
            field_of(captured.agent, captured.moment),
        )
        self._hide_new(new)
        if self._rules.problem != self._said_problem:
            self._said_problem = self._rules.problem
            self._say_problem()
        return build_step(captured, self._history, earlier, self._encode, self.passwords, ruled)

    def _say_problem(self) -> None:
        if self._said_problem:
            what = _("The redaction rules cannot be read: those from before go on to hide")
            self._emit(RecorderNotice(what, self._said_problem))

    def _hide_new(self, words: list[str]) -> None:
        if not words:
            return
        hidden = self._rules.words
        self._secrets.add(*(word for word in words if hidden.everywhere.finds(word)))

        def hide(writer: TrajectoryWriter) -> None:
            if hide_new_words(writer, hidden, words):
                self.has_rewritten = True
                self._emit(StepsChanged(_("Masked what rules hide"), writer.steps))

        self.with_writer(hide)

    def edit(self, title: str, change: Callable[[TrajectoryWriter], str | None]) -> None:
        """Edit written steps; ``change`` may return a better title than ``title``."""

        def job() -> None:
            better_title = change(self._writer)
            self._emit(StepsChanged(better_title or title, self._writer.steps))

        self.run(job)

    def note(
        self, kind: str, t_ms: int, data: Mapping[str, Any], place: int | None,
        screen: CapturedAction | None = None,
    ) -> None:  # fmt: skip
        """Add a line to ``events.jsonl``; its ``step`` is the index of the next step.

        ``place`` is that index, None for the end. A ``screen`` that no step has is stored with the line.
        """
        built = self._built(screen, ()) if screen is not None else None
        self._hide_new(self._rules.learn_from_event({"kind": kind, **data}))
        said = self._rules.words.masked_line({"kind": kind, **data})
        del said["kind"]

        def job() -> None:
            line = {**said, "step": len(self._writer) if place is None else place}
            if built is None:
                written = self._writer.event(kind, t_ms, **line)
            else:
                step = built.step if screen is None else self._with_phone(built.step, screen.moment)
                written = self._writer.event_with_state(kind, t_ms, step, built.png, built.xml, **line)
            self._emit(EventRecorded(kind, written))

        self.run(job)

    def with_writer(self, job: Callable[[TrajectoryWriter], None]) -> None:
        """Run a job on the writer that neither adds a step nor takes one away."""
        self.run(lambda: job(self._writer))

    def run(self, job: Callable[[], None]) -> None:
        """Run a writing job, after those that the disk refused."""
        self._jobs.append(job)
        if len(self._jobs) == 1:
            self.retry()

    def retry(self) -> None:
        """Run the waiting jobs again, in order."""
        while self._jobs:
            try:
                self._jobs[0]()
            except UserError as error:
                self._on_refused(error)
                return
            except IndexError as error:
                self._emit(RecorderNotice(str(error)))  # the step was deleted meanwhile
            except BaseException:  # a job that raises would be run again and again, and hold up the rest
                self._jobs.pop(0)
                raise
            self._jobs.pop(0)
            if warning := self._writer.take_warning():
                self._on_refused(warning)  # this was saved, but the next write may fail

    def _with_phone(self, step: Step, moment: ScreenMoment) -> Step:
        """The step with what else is on the phone: its packages, and what apps keep for the person."""
        return self._with_app_data(self._with_apps(step, moment.apps), moment.app_data)

    def _with_app_data(self, step: Step, data: AppData | None) -> Step:
        """The step with the collections that differ from the first ones, which have a file of their own."""
        if data is None:
            return step
        if self._first_data is None:
            self._first_data = read_first_app_data(self._writer.folder)
        if self._first_data is None:
            self._first_data = self._without_words(data)
            self._writer.write_first_app_data(self._first_data)
        changed = self._without_words(changed_collections(self._first_data, data))
        return replace(step, state=replace(step.state, app_data=changed))

    def _without_words(self, data: AppData) -> AppData:
        return self._rules.words.captions.masked(self._secrets.masked(dict(data)))

    def _with_apps(self, step: Step, apps: frozenset[str] | None) -> Step:
        """The step with the phone's packages; the header keeps the first list."""
        if apps is None:
            return step
        if not self._writer.header.installed:
            self._writer.update_header(installed=tuple(sorted(apps)))
        changed = apps_changed(self._writer.header.installed, apps)
        return replace(step, state=replace(step.state, apps=changed))

    def _write(self, captured: CapturedAction, built: BuiltStep) -> None:
        step, png, xml = self._with_phone(built.step, captured.moment), built.png, built.xml
        replaces, inserts = captured.replaces, captured.inserts
        if inserts is not None and inserts < len(self._writer):
            # It was done later than what follows it there, whose time it takes: times go on.
            step = replace(step, t_ms=self._writer.steps[inserts].t_ms)
            stored = self._writer.insert(inserts, step, png, xml)
        elif replaces is not None and replaces < len(self._writer):
            before = self._writer.steps[replaces]
            step = replace(step, note=before.note, intention=before.intention)
            stored = self._writer.replace(replaces, step, png, xml)
        else:
            self._reopen()
            stored = self._writer.append(step, png, xml)
        self.done += 1
        self._emit(StepCommitted(stored))

    def _reopen(self) -> None:
        """Continue after a finish: the final state is no longer final and is deleted; undo restores it."""
        steps = self._writer.steps
        if self._writer.header.status != RECORDING:
            self._writer.update_header(status=RECORDING, finished="")
        if steps and steps[-1].action is None:
            self._writer.delete(len(steps) - 1)
