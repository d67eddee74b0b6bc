"""Hide texts in what was written of a trajectory before anybody knew that they are secret."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator
from pathlib import Path

from collector.hierarchy.encoding import decode
from collector.model.trajectory import Step
from collector.store import layout
from collector.store.codec import Line
from collector.store.line_masking import mask_header, masked_line
from collector.store.names import inside
from collector.store.redaction import Hides, hides_nothing
from collector.store.secret_text import SecretTexts
from collector.store.state_redaction import HiddenParts, black_out
from collector.store.trajectory_files import event_blob_names, read_lines
from collector.store.words_redaction import redact_words
from collector.store.writer import StepWithFiles, TrajectoryWriter


def hide_written(writer: TrajectoryWriter, words: SecretTexts, passwords: SecretTexts) -> bool:
    """Mask ``words`` in all lines and in the header, and hide ``passwords`` on all screens.

    A text of ``words`` may be shown by the app; one of ``passwords`` is black where it is. Nothing is
    rewritten where nothing is found; otherwise the journal of edits is gone. Returns whether anything was
    found. Raises StoreError.
    """
    folder = writer.folder
    changed = dict(_changed_steps(writer, passwords))
    kept = event_blob_names(folder)
    shown = {name for name in kept if _shows(folder, name, passwords)}
    files = (folder / layout.STEPS, folder / layout.EVENTS)
    lines = (line for path in files for line in read_lines(path).lines)
    is_found = bool(changed or shown) or any(masked_line(line, words) != line for line in lines)
    mask_header(writer, words)
    redact_words(folder, words)
    if is_found:

        def masked(line: Line) -> Line:
            return masked_line(line, words)

        writer.replace_for_good(changed, masked, _without_states(kept, shown))
    return is_found


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


def _shows(folder: Path, name: str, passwords: SecretTexts) -> bool:
    is_tree = Path(name).suffix in (".xml", ".json")
    dump = _read(folder, name) if is_tree else b""
    return bool(_shown_in(dump, passwords).nodes(dump))


def _without_states(kept: set[str], shown: set[str]) -> set[str]:
    """The files of events, without the trees that show a password and their screenshots."""
    stems = {Path(name).stem for name in shown}
    return {name for name in kept if Path(name).stem not in stems}


def _read(folder: Path, name: str) -> bytes:
    """The bytes of a file that the writer wrote; empty without one."""
    return inside(folder, name).read_bytes() if name else b""
