"""Write samples in the forms that trainers read, with their pictures and a card.

A sample is the very question that the judge is asked, so that a model is trained on what it will see.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model_judges.frames import picture_in
from collector.model_judges.strict_answers import NO, YES
from collector.model_judges.training.card import card_text
from collector.model_judges.training.samples import (
    SampleChoice,
    SampleCounts,
    TrainingSample,
    count_samples,
    times,
)
from collector.model_judges.windows_judge import WindowsJudge, window_messages
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.reader import open_trajectory

A3RM, LLAMA_FACTORY, TRL, EASYR1, VERL = "a3rm", "llama-factory", "trl", "easyr1", "verl"
FORMATS = (A3RM, LLAMA_FACTORY, TRL, EASYR1, VERL)
PICTURES = "pictures"
IMAGE = "<image>"
_MARK = re.compile(r"<(?=(?:image|video|audio)>|\|)")
"""Where words that stood on a screen would name a picture: trainers count these against the pictures."""
_ROWS = 64
"""Rows of a group of a parquet file; so many pictures are in memory."""


@dataclass(frozen=True, slots=True)
class WrittenSample:
    """A sample with the question of the judge."""

    sample: TrainingSample
    system: str
    text: str
    """With :data:`IMAGE` where each picture stands."""
    pictures: Sequence[tuple[str, bytes]]
    """Name and bytes of each."""
    answer: str

    @property
    def metadata(self) -> dict[str, Any]:
        """Where it comes from, with the keys of AITK's evaluation items where they mean the same."""
        sample = self.sample
        return {
            "task_name": sample.task, "essential_state": sample.state, "step_index": sample.window.first,
            "last_index": sample.window.last, "traj_dir": f"{sample.task}/{sample.trajectory}",
            "app": sample.app, "source": sample.source, "labelled_by": list(sample.people),
        }  # fmt: skip


class _Writer(Protocol):
    """Writes the samples of one side."""

    def add(self, written: WrittenSample) -> None: ...

    def close(self) -> None: ...


def write_samples(
    project: ProjectRules, judge: WindowsJudge, samples: Sequence[TrainingSample], choice: SampleChoice,
    folder: Path, form: str, licence: str, split_people: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[SampleCounts, int]:  # fmt: skip
    """Write a data set as ``folder``, in place of one that is there, once it is whole.

    Returns what it holds, and how many samples were left out: a model learns nothing from a screen that it
    cannot see. ``split_people`` is said in the card. Raises UserError; then nothing has changed.
    """
    part = folder.with_name(f"{folder.name}.part")
    if part.exists():
        shutil.rmtree(part)
    part.mkdir(parents=True)
    try:
        held = _write(part, _Questions(project, judge), samples, choice, form, progress)
        counts = count_samples(held)
        counts.split_people = split_people
        left_out = len(samples) - len(held)
        text = card_text(judge, counts, choice, form, licence, left_out)
        (part / "README.md").write_text(text, "utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        part.rename(folder)
    finally:
        if part.exists():
            shutil.rmtree(part)
    return counts, left_out


def _write(
    folder: Path, questions: _Questions, samples: Sequence[TrainingSample], choice: SampleChoice, form: str,
    progress: Callable[[int, int], None],
) -> list[TrainingSample]:  # fmt: skip
    """Write the samples that can be shown, and return each of them once."""
    held = []
    with ExitStack() as stack:
        writers = {side: _writer(form, folder, side) for side in choice.split.shares}
        for writer in writers.values():
            stack.callback(writer.close)
        for number, sample in enumerate(samples, start=1):
            written = questions.written(sample)
            progress(number, len(samples))
            if written is None:
                continue
            held.append(sample)
            if form in (A3RM, LLAMA_FACTORY, TRL):
                _keep_pictures(folder, written)
            for _time in range(times(sample, choice.repeat)):
                writers[sample.side].add(written)
    if form == LLAMA_FACTORY:
        text = json.dumps(_dataset_info(choice.split.shares), indent=2)
        (folder / "dataset_info.json").write_text(f"{text}\n", "utf-8")
    return held


@dataclass
class _Questions:
    """The questions of a judge about samples; those of one trajectory share its pictures."""

    project: ProjectRules
    judge: WindowsJudge

    def __post_init__(self) -> None:
        self._rules, self._tasks = self.project.rules(), self.project.project.tasks
        self._folder: Path | None = None

    def written(self, sample: TrainingSample) -> WrittenSample | None:
        """The question of a sample; None when one of its screens is hidden, or no file defines its state."""
        if self._folder != sample.folder:
            stored = open_trajectory(sample.folder)
            self._trajectory = JudgedTrajectory.of(stored, self._tasks, self._rules)
            self._screens, self._folder = self.judge.screens(self._trajectory), sample.folder
        window = sample.window
        states = [state for state in self._trajectory.states if state.id == sample.state]
        hidden = any(self._screens.hidden(index) for index in range(window.first, window.last + 1))
        if not states or hidden:
            return None
        system, user = window_messages(self.judge, self._trajectory, self._screens, window, states)
        texts, pictures = [], []
        for part in user["content"]:
            if part["type"] == "text":
                texts.append(_MARK.sub("< ", part["text"]))
            else:
                texts.append(IMAGE)
                kind, data = picture_in(part)
                pictures.append((f"{hashlib.sha256(data).hexdigest()[:24]}.{kind}", data))
        answer = f"<answer>{YES if sample.is_positive else NO}</answer>"
        return WrittenSample(sample, _MARK.sub("< ", system["content"]), "\n".join(texts), pictures, answer)


def _keep_pictures(folder: Path, written: WrittenSample) -> None:
    (folder / PICTURES).mkdir(exist_ok=True)
    for name, data in written.pictures:
        path = folder / PICTURES / name
        if not path.exists():
            path.write_bytes(data)


# -- forms -------------------------------------------------------------------
def _writer(form: str, folder: Path, side: str) -> _Writer:
    if form in (EASYR1, VERL):
        rows = {EASYR1: _easyr1, VERL: _verl}[form]
        return _ParquetWriter(folder / f"{side}.parquet", rows)
    lines = {A3RM: _a3rm, LLAMA_FACTORY: _llama_factory, TRL: _trl}[form]
    return _LineWriter((folder / f"{side}.jsonl").open("w", encoding="utf-8", newline="\n"), lines)


@dataclass
class _LineWriter:
    """JSON lines; pictures are files beside them."""

    file: IO[str]
    line: Callable[[WrittenSample], Mapping[str, Any]]

    def add(self, written: WrittenSample) -> None:
        self.file.write(json.dumps(self.line(written), ensure_ascii=False) + "\n")

    def close(self) -> None:
        self.file.close()


class _ParquetWriter:
    """A parquet file with the pictures in it, a group of rows at a time."""

    def __init__(self, path: Path, row: Callable[[WrittenSample], Mapping[str, Any]]) -> None:
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ImportError:
            raise UserError(
                _("Parquet cannot be written"), _("the package pyarrow is not installed"),
                _("Install it with `pip install waymark-studio[training]`"),
            ) from None  # fmt: skip
        self._arrow, self._parquet = pa, parquet
        self._path, self._row = path, row
        self._rows: list[Mapping[str, Any]] = []
        self._writer: Any = None

    def add(self, written: WrittenSample) -> None:
        self._rows.append(self._row(written))
        if len(self._rows) >= _ROWS:
            self._flush()

    def close(self) -> None:
        self._flush()
        if self._writer is not None:
            self._writer.close()

    def _flush(self) -> None:
        if not self._rows:
            return
        table = self._arrow.Table.from_pylist(self._rows)
        if self._writer is None:
            self._writer = self._parquet.ParquetWriter(self._path, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))
        self._rows = []


def _names(written: WrittenSample) -> list[str]:
    return [f"{PICTURES}/{name}" for name, _data in written.pictures]


def _a3rm(written: WrittenSample) -> Mapping[str, Any]:
    return {
        "problem": written.text, "images": _names(written), "metadata": written.metadata,
        "response": written.answer,
    }  # fmt: skip


def _llama_factory(written: WrittenSample) -> Mapping[str, Any]:
    messages = [
        {"role": "system", "content": written.system},
        {"role": "user", "content": written.text},
        {"role": "assistant", "content": written.answer},
    ]
    return {"messages": messages, "images": _names(written)}


def _trl(written: WrittenSample) -> Mapping[str, Any]:
    """Messages whose contents are parts; every part has the same keys, as Arrow needs them."""
    user = [
        part
        for number, text in enumerate(written.text.split(IMAGE))
        for part in _parts(text, first=not number)
    ]
    return {
        "messages": [
            {"role": "system", "content": [{"type": "text", "text": written.system}]},
            {"role": "user", "content": user},
            {"role": "assistant", "content": [{"type": "text", "text": written.answer}]},
        ],
        "images": _names(written),
    }


def _parts(text: str, *, first: bool) -> Iterator[Mapping[str, Any]]:
    if not first:
        yield {"type": "image", "text": None}
    if text.strip():
        yield {"type": "text", "text": text.strip()}


def _images(written: WrittenSample) -> list[Mapping[str, Any]]:
    return [{"bytes": data, "path": name} for name, data in written.pictures]


def _easyr1(written: WrittenSample) -> Mapping[str, Any]:
    answer = YES if written.sample.is_positive else NO
    return {"problem": written.text, "images": _images(written), "answer": answer, **_flat(written)}


def _verl(written: WrittenSample) -> Mapping[str, Any]:
    answer = YES if written.sample.is_positive else NO
    prompt = [{"role": "system", "content": written.system}, {"role": "user", "content": written.text}]
    return {
        "data_source": "waymark/essential-states", "prompt": prompt, "images": _images(written),
        "ability": "judge", "reward_model": {"style": "rule", "ground_truth": answer},
        "extra_info": {"split": written.sample.side, **_flat(written)},
    }  # fmt: skip


def _flat(written: WrittenSample) -> dict[str, Any]:
    values = written.metadata
    return {**values, "labelled_by": ", ".join(values["labelled_by"])}


def _dataset_info(sides: Iterable[str]) -> Mapping[str, Any]:
    form = {
        "formatting": "sharegpt", "columns": {"messages": "messages", "images": "images"},
        "tags": {"role_tag": "role", "content_tag": "content", "user_tag": "user",
                 "assistant_tag": "assistant", "system_tag": "system"},
    }  # fmt: skip
    return {f"waymark_{side}": {"file_name": f"{side}.jsonl", **form} for side in sides}
