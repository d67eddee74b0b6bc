"""Hide texts in what was written of a trajectory before anybody knew that they are secret."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator, Mapping
from pathlib import Path

from collector.hierarchy.encoding import decode
from collector.model.trajectory import State, Step
from collector.store.files import layout
from collector.store.files.names import inside
from collector.store.redaction.annotation_redaction import redact_annotations
from collector.store.redaction.line_masking import mask_first_app_data, mask_header, masked_line
from collector.store.redaction.screens import Hides, hides_nothing
from collector.store.redaction.secret_text import SecretTexts
from collector.store.redaction.state_redaction import HiddenParts, black_out
from collector.store.trajectory.codec import Line, state_from_dict, state_to_dict
from collector.store.trajectory.step_lines import StepWithFiles
from collector.store.trajectory.trajectory_files import blob_names, blobs_beside, event_blob_names, read_lines
from collector.store.trajectory.writer import TrajectoryWriter


def hide_written(writer: TrajectoryWriter, words: SecretTexts, passwords: SecretTexts) -> bool:
    """Mask ``words`` in all lines and in the header, and hide ``passwords`` on all screens.

    A text of ``words`` may be shown by the app; one of ``passwords`` is black where it is. Nothing is
    rewritten where nothing is found; otherwise the journal of edits is gone. Returns whether anything was
    found. Raises StoreError.
    """
    folder = writer.folder
    steps, events = dict(_changed_steps(writer, passwords)), _changed_events(writer, passwords)
    is_found = bool(steps or events) or _is_said(folder, words) or _has_leftovers(writer)
    mask_header(writer, words)
    mask_first_app_data(writer, words)
    redact_annotations(folder, words)
    if is_found:
        _rewrite(writer, words, steps, events)
    return is_found


def _rewrite(
    writer: TrajectoryWriter, words: SecretTexts, steps: Mapping[int, StepWithFiles],
    events: Mapping[str, StepWithFiles],
) -> None:  # fmt: skip
    states = {tree: _stored(writer, screen) for tree, screen in events.items()}

    def masked(line: Line) -> Line:
        state = next((states[name] for name in blob_names(line) if name in states), None)
        return masked_line(line if state is None else {**line, "state": state_to_dict(state)}, words)

    lines = read_lines(writer.folder / layout.EVENTS).lines
    writer.replace_for_good(steps, masked, {name for line in lines for name in blob_names(masked(line))})


def _is_said(folder: Path, words: SecretTexts) -> bool:
    files = (folder / layout.STEPS, folder / layout.EVENTS)
    return any(masked_line(line, words) != line for path in files for line in read_lines(path).lines)


def _has_leftovers(writer: TrajectoryWriter) -> bool:
    """Whether an earlier attempt left files of a run that the disk refused to delete."""
    names = event_blob_names(writer.folder).union(*map(_files_of, writer.steps))
    return writer.header.is_run and any(blobs_beside(writer.folder, names))


def hides_on_screen(dump: bytes, passwords: SecretTexts) -> Hides:
    """What hides the nodes of a dump that show ``passwords``: nothing where it has none at all."""
    if not passwords:
        return hides_nothing
    text, _repairs = decode(dump)
    return passwords.finds if passwords.finds(html.unescape(text)) else hides_nothing


def _shown_in(dump: bytes, passwords: SecretTexts) -> HiddenParts:
    return HiddenParts((), False, hides_on_screen(dump, passwords))


def _changed_steps(writer: TrajectoryWriter, passwords: SecretTexts) -> Iterator[tuple[int, StepWithFiles]]:
    for step in writer.steps:
        dump = _read(writer.folder, step.state.tree)
        parts = _shown_in(dump, passwords)
        if parts.nodes(dump):
            yield step.index, _redacted(writer.folder, step, dump, parts)


def _redacted(folder: Path, step: Step, dump: bytes, parts: HiddenParts) -> StepWithFiles:
    screenshot = _read(folder, step.state.screenshot) or None
    places = list(parts.places(dump))
    if screenshot is not None and places:
        screenshot = black_out(screenshot, places, step.state.size)
    return StepWithFiles(dataclasses.replace(step, redacted=True), screenshot, parts.masked(dump))


def _changed_events(writer: TrajectoryWriter, passwords: SecretTexts) -> dict[str, StepWithFiles]:
    """By the tree of each screen that an event has and no step: the screen without what is hidden."""
    changed = {}
    for line in read_lines(writer.folder / layout.EVENTS).lines if passwords else ():
        if not blob_names(line):
            continue
        state = state_from_dict(line["state"])
        dump = _read(writer.folder, state.tree)
        parts = _shown_in(dump, passwords)
        if parts.nodes(dump):
            changed[state.tree] = _redacted(writer.folder, Step(0, 0, "", state), dump, parts)
    return changed


def _stored(writer: TrajectoryWriter, new: StepWithFiles) -> State:
    bare = dataclasses.replace(new.step.state, screenshot="", tree="", sha256={})
    return writer.store_state(bare, new.screenshot, new.tree)


def _files_of(step: Step) -> set[str]:
    return {step.state.screenshot, step.state.tree}


def _read(folder: Path, name: str) -> bytes:
    """The bytes of a file that the writer wrote; empty without one."""
    try:
        return inside(folder, name).read_bytes() if name else b""
    except OSError:  # the check of the project says it
        return b""
