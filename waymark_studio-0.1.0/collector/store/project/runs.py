"""Begin runs, under ids that name the cell of their experiment and are never given twice."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import unicodedata
from pathlib import Path

from collector.model.episode import Episode, Outcome
from collector.model.trajectory import RECOVERED, RUN, TrajectoryHeader
from collector.store.files import lock
from collector.store.files.errors import Locked
from collector.store.project.project import Project
from collector.store.trajectory.writer import TrajectoryWriter

_SEPARATOR = "__"
_OTHERS = re.compile(r"[^\w.-]+")
_MANY = re.compile(r"_{2,}")
_NUMBER = re.compile(r"[sra]-?\d+")
"""What seed, repeat and attempt look like in an id; a condition of that name is not taken for one."""
_EDGES = "-._"
_LONGEST = (12, 16, 24, 22)
"""Bytes of experiment, agent, task and condition in an id: with the rest an id stays under 120 bytes."""
_LONGEST_NUMBER = 10
_DIGEST = 8


def run_id(task_id: str, episode: Episode) -> str:
    """The id of a run, as in ``pilot__gpt__shop-14__low_battery__s7__r0``; what is not known is left out.

    Letters, digits, dots, dashes and underscores, at most 120 bytes. Cells that differ in anything else, as
    in the model, or in what was left out or cut here, differ in the digest at the end.
    """
    parts = (episode.experiment, episode.agent, task_id, episode.condition)
    words = [_word(part, longest) for part, longest in zip(parts, _LONGEST, strict=True)]
    numbers = {"s": episode.seed, "r": episode.repeat, "a": episode.attempt}
    counts = {
        letter: f"{letter}{number}"
        for letter, number in numbers.items()
        if number is not None and len(str(number)) <= _LONGEST_NUMBER
    }
    long_numbers = [number for letter, number in numbers.items() if letter not in counts]
    rest = (
        episode.cell, episode.model, episode.prompt, episode.modality, episode.buttons, episode.variation,
        episode.language, *long_numbers,
    )  # fmt: skip
    # A part with capitals has a digest too: some file systems take names of either case for the same.
    plain = all(words[:3]) and list(parts) == [word.lower() for word in words]
    plain = plain and not _NUMBER.fullmatch(words[3])
    if not plain or any(value not in ("", None) for value in rest):
        cell = "\x1f".join(map(str, (*parts, *rest)))
        counts["digest"] = hashlib.sha256(cell.encode(errors="surrogatepass")).hexdigest()[:_DIGEST]
    return _SEPARATOR.join([*filter(None, words), *counts.values()])


def begin_run(project: Project, header: TrajectoryHeader) -> TrajectoryWriter:
    """Begin a run of a task; its id is that of its cell. Raises StoreError.

    A repeat that is not known is the first that no run of the cell has; of a known one, the attempt is.
    Processes that begin runs at the same time get different ids.
    """
    project.require_writable()
    episode = header.episode or Episode()
    number = (episode.repeat if episode.repeat is None else episode.attempt) or 0
    with lock.held_for_a_moment(project.paths.run_lock):
        while True:
            numbered = (
                dataclasses.replace(episode, repeat=number)
                if episode.repeat is None
                else dataclasses.replace(episode, attempt=number)
            )
            name = run_id(header.task_id, numbered)
            number += 1
            if is_run_id_taken(project, name):
                continue
            try:
                return project.new_trajectory(
                    dataclasses.replace(header, id=name, kind=RUN, episode=numbered)
                )
            except Locked:  # begun by a process on a file system without locks
                continue


def end_run(folder: Path, outcome: Outcome) -> None:
    """Write the outcome of a run whose writer died without one; one that has an outcome keeps it.

    Raises StoreError.
    """
    with TrajectoryWriter.open(folder, take_over=True, ends_run=True) as writer:
        if writer.header.outcome is None:
            writer.update_header(outcome=outcome, status=RECOVERED)


def replace_outcome(folder: Path, outcome: Outcome, episode: Episode) -> None:
    """Write what judging a run anew made of it; its steps stay as they are. Raises StoreError."""
    with TrajectoryWriter.open(folder, ends_run=True) as writer:
        writer.update_header(outcome=outcome, episode=episode)


def is_run_id_taken(project: Project, name: str) -> bool:
    """Whether a trajectory of any task has the id, one in the trash too: it may be brought back."""
    if any((folder / name).exists() for folder in project.task_folders()):
        return True
    return next(project.paths.trash.glob(f"*/{name}"), None) is not None


def _word(text: str, longest: int) -> str:
    """What a text has of letters, digits, dots, dashes and underscores, cut to ``longest`` bytes."""
    clean = _MANY.sub("_", _OTHERS.sub("-", unicodedata.normalize("NFC", text))).strip(_EDGES)
    return clean.encode(errors="replace")[:longest].decode(errors="ignore").strip(_EDGES)
