"""Hide what the rules hide in a trajectory that is stored: in its files, lines, judgements and annotations.

The files of steps come last, as they have what the words are found in: killed before, it can be done again.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from collector.hierarchy.encoding import decode
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action
from collector.model.geometry import Rect, Size
from collector.model.trajectory import State, Step
from collector.model.tree import Tree
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.redaction_rules.covering import covered_picture, is_covered
from collector.redaction_rules.file_texts import picture_texts
from collector.redaction_rules.hidden_screen import HiddenRegion, HiddenScreen
from collector.redaction_rules.redaction_rule import BLUR
from collector.redaction_rules.trajectory_redaction import (
    HIDDEN_REGIONS,
    ScreenMask,
    TrajectoryRedaction,
    as_kept,
    kept_regions,
    without_hidden_target,
)
from collector.redaction_rules.word_masking import HiddenWords
from collector.rules.evaluation.state_view import StateView, main_package
from collector.store.files import layout
from collector.store.files.names import inside
from collector.store.redaction.annotation_redaction import redact_annotations
from collector.store.redaction.line_masking import mask_first_app_data, mask_header
from collector.store.redaction.secret_text import SecretTexts
from collector.store.redaction.step_redaction import with_removal
from collector.store.trajectory import codec
from collector.store.trajectory.codec import Line
from collector.store.trajectory.reader import read_annotations, read_first_app_data, read_header
from collector.store.trajectory.step_lines import StepWithFiles
from collector.store.trajectory.trajectory_files import (
    LineFile,
    blob_names,
    blobs_beside,
    read_lines,
    read_steps,
)
from collector.store.trajectory.writer import TrajectoryWriter

_JUDGED = "*.jsonl"


@dataclass(frozen=True, slots=True)
class ChangedStep:
    """A step in which something is hidden."""

    index: int
    rules: tuple[str, ...]
    """The rules whose places its screen has; empty where only words are masked."""
    regions: int
    """Places that are covered in its picture."""
    masks_tree: bool
    masks_words: bool
    """Whether what is typed, said or written in it is masked."""


@dataclass(slots=True)
class RedactionPlan:
    """What the rules hide in a trajectory, worked out and not yet done."""

    folder: Path
    changed: list[ChangedStep] = field(default_factory=list)
    doubted: dict[str, int] = field(default_factory=dict)
    """By rule, the screens that are hidden whole because nobody can say whether it holds there."""
    words: list[str] = field(default_factory=list)
    """The words that are masked. Never written anywhere."""
    elsewhere: bool = False
    """Whether something is hidden in events, the header, judgements, annotations or app data."""
    leftovers: list[str] = field(default_factory=list)
    """Files that only an undo refers to, or nothing: they are deleted."""
    held: dict[str, int] = field(default_factory=dict)
    """By rule, the screens on which it hides something."""

    def __bool__(self) -> bool:
        return bool(self.changed or self.elsewhere or self.leftovers)


@dataclass(frozen=True, slots=True)
class _Screen:
    """A stored screen and what the rules hide of it."""

    view: StateView
    size: Size
    hidden: HiddenScreen


class StoredFiles:
    """Reads the screens of the trajectory in ``folder``; what cannot be read is as if it were not there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def view(self, index: int, state: State, last: Action | None) -> tuple[StateView, Size]:
        """A screen as rules see it, and its size in pixels; ``last`` is the action that led to it."""
        dump = self.read(state.tree)
        tree = _parsed(dump)
        size = state.size if not state.size.is_empty else self._size_of(state, tree)
        view = StateView(
            tree, dump, state.package or main_package(node.package for node in tree or ()),
            state.activity, index + 1, last, picture=partial(self.picture, state.screenshot),
        )  # fmt: skip
        return view, size

    def _size_of(self, state: State, tree: Tree | None) -> Size:
        picture = self.picture(state.screenshot)
        if picture is not None:
            return Size(picture.shape[1], picture.shape[0])
        boxes = [node.bounds for node in tree or () if node.bounds is not None]
        return Size(
            max((box.right for box in boxes), default=0), max((box.bottom for box in boxes), default=0)
        )

    def picture(self, name: str) -> Any:
        data = self.read(name)
        try:
            return rgb_pixels(data) if data else None
        except PictureError:
            return None

    def read(self, name: str) -> bytes:
        """The bytes of a file of a state; empty without one."""
        try:
            return inside(self._folder, name).read_bytes() if name else b""
        except OSError:  # the check of the project says it
            return b""


class StoredRedaction:
    """Hides by rules in the trajectory in ``folder``."""

    def __init__(
        self,
        folder: Path,
        redaction: TrajectoryRedaction,
        is_old: Callable[[bytes], bool] = lambda _data: False,
    ) -> None:
        """Look at all its screens and texts. Raises UserError for rules or files that cannot be read.

        ``is_old`` knows the bytes of files as they were before something was hidden in them.
        """
        self._is_old = is_old
        self._folder, self._redaction = folder, redaction
        self._stored = StoredFiles(folder)
        self._files = read_steps(folder)
        self._steps = [codec.step_from_line(line) for line in self._files.lines]
        self._events = read_lines(folder / layout.EVENTS)
        self._screens: dict[int, _Screen] = {}
        self._tree: Tree | None = None
        """Of the screen that was looked at last."""
        self.plan = RedactionPlan(folder)
        self._learn()

    @property
    def words(self) -> HiddenWords:
        """The words that are hidden in the trajectory."""
        return self._redaction.words

    # -- looking -------------------------------------------------------------
    def _learn(self) -> None:
        """Find the words of all screens and texts first: a word is hidden before it was seen, too."""
        redaction, plan = self._redaction, self.plan
        last: Action | None = None
        for step, line in zip(self._steps, self._files.lines, strict=True):
            hidden = self._look(step.index, step.state, last)
            plan.words += redaction.learn(hidden)
            plan.words += redaction.learn_typed(step.action, self._tree, hidden, _target_of(step))
            plan.words += redaction.learn_from_line(line, hidden)
            for rule in hidden.hiding:
                plan.held[rule] = plan.held.get(rule, 0) + 1
            for rule in hidden.doubted:
                plan.doubted[rule] = plan.doubted.get(rule, 0) + 1
            last = step.action
        for line in self._events.lines:
            plan.words += redaction.learn_from_line(line)
            if blob_names(line):
                plan.words += redaction.learn(self._look(None, codec.state_from_dict(line["state"]), last))
        header = read_header(self._folder)
        plan.words += redaction.learn_from_texts(header.instruction, header.note)
        for annotation in read_annotations(self._folder).values():
            plan.words += redaction.learn_from_line({"text": [annotation]})
        for path in self._leftover_trees():
            state = State(tree=path.relative_to(self._folder).as_posix())
            plan.words += redaction.learn(self._look(None, state, None))

    def _look(self, index: int | None, state: State, last: Action | None) -> HiddenScreen:
        """What is hidden of a stored screen; of that of a step it is kept."""
        view, size = self._stored.view(index or 0, state, last)
        self._tree = view.tree
        hidden = self._redaction.look(view, size)
        if index is not None and (hidden or hidden.holding or hidden.doubted):
            bare = StateView(None, b"", view.package, view.activity, view.step)
            self._screens[index] = _Screen(bare, size, hidden)
        return hidden

    def _leftover_files(self) -> Iterator[Path]:
        """The files of states that no step and no event names: of the journal, set aside, or originals."""
        lines = (*self._files.lines, *self._events.lines)
        names = {name for line in lines for name in blob_names(line)}
        return blobs_beside(self._folder, names)

    def _leftover_trees(self) -> list[Path]:
        return [
            path for path in self._leftover_files() if path.suffix in (".xml", ".json") and path.is_file()
        ]

    def old_files(self) -> Iterator[bytes]:
        """The bytes of the files that are replaced or deleted."""
        for changed in self.plan.changed:
            state = self._steps[changed.index].state
            if changed.regions or changed.masks_tree:
                yield from (self._stored.read(name) for name in (state.screenshot, state.tree) if name)
        if self.plan.leftovers:
            yield from (path.read_bytes() for path in self._leftover_files() if path.is_file())

    # -- planning ------------------------------------------------------------
    def work_out(self) -> RedactionPlan:
        """Say what is hidden where, and change nothing. Raises UserError for files that cannot be read."""
        plan = self.plan
        plan.changed = [changed for changed, _new in self._changes(draws=False)]
        plan.elsewhere = bool(self._changed_events()) or self._is_said_elsewhere()
        if self._has_private_leftovers():
            plan.leftovers = sorted(path.name for path in self._leftover_files())
        return plan

    def _changes(self, *, draws: bool) -> Iterator[tuple[ChangedStep, StepWithFiles | None]]:
        """The steps that change, with their new files; None where only the line does.

        Pictures are covered where it ``draws``, and are as they were where it only plans.
        """
        for step in self._steps:
            new = self._redacted(step, self._screens.get(step.index), draws=draws)
            line = codec.step_to_line(step)
            masks_words = self.words.masked_line(line) != line
            if new is None and not masks_words:
                continue
            regions = kept_regions(new.step) if new is not None else []
            names = tuple(dict.fromkeys(region.rule for region in regions if region.rule))
            masks_tree = new is not None and new.tree != (self._stored.read(step.state.tree) or None)
            yield ChangedStep(step.index, names, len(regions), masks_tree, masks_words), new

    def _redacted(self, step: Step, screen: _Screen | None, *, draws: bool = True) -> StepWithFiles | None:
        """A step with its new files; None where these stay as they are."""
        dump = self._stored.read(step.state.tree)
        picture = self._stored.read(step.state.screenshot)
        is_said = self._says_beside(picture)
        if screen is None and not is_said and not self.words.find_in_dump(dump):
            return None
        size = screen.size if screen is not None else step.state.size
        hidden = screen.hidden if screen is not None else HiddenScreen()
        view = StateView(_parsed(dump), dump)
        mask = ScreenMask(hidden, self.words)
        masked = mask.dump(dump, view) if dump else None
        regions = mask.regions(view)
        open_regions = self._open_regions(step, regions, picture, size)
        if not open_regions and not is_said and masked == (dump or None):
            return None
        shown: bytes | None = picture or None
        if draws and picture and (open_regions or is_said):
            shown = covered_picture(picture, regions, size)
        # Those that were covered before stay known, whatever holds now that their texts are gone.
        known = list(dict.fromkeys((*kept_regions(step), *regions)))
        extra = {**step.extra, HIDDEN_REGIONS: as_kept(known)} if known else step.extra
        new = dataclasses.replace(with_removal(step, shown, masked), redacted=True, extra=extra)
        return StepWithFiles(without_hidden_target(new, hidden), shown, masked)

    def _says_beside(self, picture: bytes) -> bool:
        """Whether what is written beside the pixels of a picture, as in EXIF, has a hidden word."""
        captions = self.words.captions
        return bool(captions) and any(captions.finds(said.text) for said in picture_texts("", picture))

    def _open_regions(
        self, step: Step, regions: list[HiddenRegion], picture: bytes, size: Size
    ) -> list[HiddenRegion]:
        """Those places of a picture that are not covered yet."""
        if not picture or not regions:
            return []
        rgb = self._stored.picture(step.state.screenshot)
        if rgb is None:
            return regions  # a picture that cannot be decoded is removed
        known = set(kept_regions(step))
        return [
            region
            for region in regions
            if not (region in known if region.style == BLUR else is_covered(rgb, region.bounds, size))
        ]

    def _changed_events(self) -> dict[str, StepWithFiles]:
        """By the tree of each screen that an event has: the screen without what is hidden."""
        changed = {}
        for line in self._events.lines:
            if not blob_names(line):
                continue
            state = codec.state_from_dict(line["state"])
            hidden = self._look(None, state, None)
            screen = _Screen(StateView(), state.size, hidden)
            new = self._redacted(Step(0, 0, "", state), screen if hidden else None)
            if new is not None:
                changed[state.tree or state.screenshot] = new
        return changed

    def _is_said_elsewhere(self) -> bool:
        """Whether a word is in an event, the header, a judgement, an annotation or in app data."""
        words = self.words
        if not words:
            return False
        captions = words.captions
        if any(words.masked_line(line) != line for line in self._events.lines):
            return True
        header = read_header(self._folder)
        said = (header.instruction, header.note, header.extra)
        if any(captions.masked(text) != text for text in said):
            return True
        if header.outcome is not None and captions.masked_outcome(header.outcome) != header.outcome:
            return True
        data = read_first_app_data(self._folder)
        if data is not None and captions.masked(dict(data)) != data:
            return True
        judged = (self._folder / layout.JUDGEMENTS).glob(_JUDGED)
        if any(captions.masked_json(raw) != raw for path in judged for raw in read_lines(path).raw_lines()):
            return True
        notes = read_annotations(self._folder)
        return bool(captions.masked(notes) != notes)

    def _has_private_leftovers(self) -> bool:
        """Whether files that no step names show something that is hidden, or an undo would bring it back.

        A picture without a tree may show anything: its files are deleted where anything else is hidden.
        """
        files = list(self._leftover_files())
        if files and (self.plan.changed or self.plan.elsewhere):
            return True
        if any(self._shows_hidden(path) for path in self._leftover_trees()):
            return True
        # Killed while it deleted files, it may have left a picture without its tree.
        if any(self._is_old(path.read_bytes()) for path in files if path.is_file()):
            return True
        return _has_words(self._files.journal, self.words)

    def _shows_hidden(self, path: Path) -> bool:
        state = State(tree=path.relative_to(self._folder).as_posix())
        hidden = self._look(None, state, None)
        return bool(hidden.tree or hidden.words) or self.words.find_in_dump(self._stored.read(state.tree))

    # -- hiding --------------------------------------------------------------
    def apply(self, writer: TrajectoryWriter) -> tuple[Step, ...]:
        """Hide all of it with ``writer``, which is open to redact. Returns all steps as they are stored.

        Raises StoreError; done again after that, or after the program was killed, it goes on.
        """
        captions, words = self.words.captions, self.words
        events = self._changed_events()
        touched = [changed.index for changed in self.plan.changed if changed.regions or changed.masks_tree]
        redact_annotations(self._folder, captions, touched)
        mask_header(writer, captions)
        mask_first_app_data(writer, captions)
        states = {name: _stored(writer, new) for name, new in events.items()}
        masked = partial(_masked_event, words=words, states=states)
        kept = {name for line in self._events.lines for name in blob_names(masked(line))}
        new = {changed.index: step for changed, step in self._changes(draws=True) if step is not None}
        return writer.replace_for_good(new, masked, kept)


def stored_views(folder: Path) -> Iterator[tuple[str, StateView, Size]]:
    """The task, the view and the size of each recorded screen of a trajectory, one in memory at a time.

    Raises UserError.
    """
    task_id = read_header(folder).task_id
    stored = StoredFiles(folder)
    last: Action | None = None
    for line in read_steps(folder).lines:
        step = codec.step_from_line(line)
        view, size = stored.view(step.index, step.state, last)
        yield task_id, view, size
        last = step.action


def hide_new_words(writer: TrajectoryWriter, words: HiddenWords, new: Iterable[str]) -> bool:
    """Hide words in what was written of a recording before anybody knew them. Whether any was there.

    Raises StoreError.
    """
    looked_for = SecretTexts(new)
    changed = {
        step.index: done for step in writer.steps if (done := _without(writer, step, words, looked_for))
    }
    lines = [codec.step_to_line(step) for step in writer.steps]
    lines += read_lines(writer.folder / layout.EVENTS).lines
    is_said = any(words.masked_line(line) != line for line in lines)
    mask_header(writer, words.captions)
    mask_first_app_data(writer, words.captions)
    redact_annotations(writer.folder, words.captions)
    if changed or is_said:
        events = read_lines(writer.folder / layout.EVENTS).lines
        writer.replace_for_good(
            changed, words.masked_line, {name for line in events for name in blob_names(line)}
        )
    return bool(changed) or is_said


def _target_of(step: Step) -> Rect | None:
    return step.target.bounds if step.target is not None else None


def _without(
    writer: TrajectoryWriter, step: Step, words: HiddenWords, new: SecretTexts
) -> StepWithFiles | None:
    """A written step whose screen shows a new word, without it."""
    try:
        dump = inside(writer.folder, step.state.tree).read_bytes() if step.state.tree else b""
        if not dump or not words.in_trees or not new.finds(html.unescape(decode(dump)[0])):
            return None
        picture = inside(writer.folder, step.state.screenshot).read_bytes() if step.state.screenshot else None
    except OSError:
        return None
    view, mask = StateView(_parsed(dump), dump), ScreenMask(HiddenScreen(), words)
    regions, masked = mask.regions(view), mask.dump(dump, view)
    if picture is not None and regions:
        picture = covered_picture(picture, regions, step.state.size)
    known = list(dict.fromkeys((*kept_regions(step), *regions)))
    extra = {**step.extra, HIDDEN_REGIONS: as_kept(known)} if known else step.extra
    done = dataclasses.replace(with_removal(step, picture, masked), redacted=True, extra=extra)
    return StepWithFiles(done, picture, masked)


def _masked_event(line: Line, *, words: HiddenWords, states: Mapping[str, State]) -> Line:
    """The line of a step or an event without the words; one with a screen of its own names its new files."""
    named = next((states[name] for name in blob_names(line) if name in states), None)
    return words.masked_line(line if named is None else {**line, "state": codec.state_to_dict(named)})


def _stored(writer: TrajectoryWriter, new: StepWithFiles) -> State:
    bare = dataclasses.replace(new.step.state, screenshot="", tree="", sha256={})
    return writer.store_state(bare, new.screenshot, new.tree)


def _has_words(journal: LineFile, words: HiddenWords) -> bool:
    """Whether the journal of edits would bring a word back."""
    return any(words.masked_line(line) != line for line in _lines_in(journal.lines))


def _lines_in(value: object) -> Iterator[Line]:
    """The lines of steps that journal entries hold."""
    if isinstance(value, Mapping):
        if "state" in value:
            yield dict(value)
        else:
            for item in value.values():
                yield from _lines_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _lines_in(item)


def _parsed(dump: bytes) -> Tree | None:
    try:
        return parse_tree(dump) if dump else None
    except HierarchyError:
        return None
