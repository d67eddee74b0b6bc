"""Write samples in the forms that trainers read, with their pictures and a card.

A sample is the very question that the judge is asked, so that a model is trained on what it will see.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from collector.host import file_moves
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model_judges.frames import picture_in
from collector.model_judges.methods.windows_judge import WindowsJudge, right_answer, window_messages
from collector.model_judges.strict_answers import NO, YES
from collector.model_judges.training.card import judge_card
from collector.model_judges.training.samples import (
    SampleChoice,
    SampleCounts,
    TrainingSample,
    count_samples,
    times,
)
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.model import Rule
from collector.store.trajectory.reader import open_trajectory
from collector.trainer_files.card import CARD
from collector.trainer_files.conversation import (
    ASSISTANT,
    IMAGE,
    USER,
    Picture,
    Said,
    TrainingConversation,
    plain_words,
)
from collector.trainer_files.rows import (
    Row,
    RowOf,
    dataset_info,
    easyr1_row,
    llama_factory_row,
    names,
    trl_row,
    verl_row,
)
from collector.trainer_files.writers import LineWriter, ParquetWriter, PictureFolder, SampleWriter

A3RM, LLAMA_FACTORY, TRL, EASYR1, VERL = "a3rm", "llama-factory", "trl", "easyr1", "verl"
FORMATS = (A3RM, LLAMA_FACTORY, TRL, EASYR1, VERL)


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
        text = judge_card(judge, counts, choice, form, licence, left_out)
        (part / CARD).write_text(text, "utf-8", newline="\n")
        if folder.exists():
            shutil.rmtree(folder)
        file_moves.rename(part, folder)
    finally:
        if part.exists():
            shutil.rmtree(part)
    return counts, left_out


def _write(
    folder: Path, questions: _Questions, samples: Sequence[TrainingSample], choice: SampleChoice, form: str,
    progress: Callable[[int, int], None],
) -> list[TrainingSample]:  # fmt: skip
    """Write the samples that can be shown, and return each of them once."""
    held, pictures = [], PictureFolder(folder)
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
            if form in _LINES:
                for picture in written.pictures:
                    pictures.keep(picture)
            for _time in range(times(sample, choice.repeat)):
                writers[sample.side].add(written)
    if form == LLAMA_FACTORY:
        files = {f"waymark_{side}": f"{side}.jsonl" for side in choice.split.shares}
        text = json.dumps(dataset_info(files), indent=2)
        (folder / "dataset_info.json").write_text(f"{text}\n", "utf-8", newline="\n")
    return held


@dataclass
class _Questions:
    """The questions of a judge about samples; those of one trajectory share its pictures."""

    project: ProjectRules
    judge: WindowsJudge

    def __post_init__(self) -> None:
        self._rules, self._tasks = self.project.rules(), self.project.project.tasks
        self._folder: Path | None = None

    def written(self, sample: TrainingSample) -> TrainingConversation | None:
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
                texts.append(plain_words(part["text"]))
            else:
                texts.append(IMAGE)
                kind, data = picture_in(part)
                pictures.append(Picture.of(data, kind))
        answer = right_answer(self.judge, window, sample.screen)
        return TrainingConversation(
            system=plain_words(system["content"]),
            said=[Said(USER, "\n".join(texts)), Said(ASSISTANT, answer)],
            pictures=pictures,
            truth=YES if sample.is_positive else NO,
            facts=self._facts(sample, states[0]),
        )

    def _facts(self, sample: TrainingSample, state: Rule) -> dict[str, Any]:
        """Where a sample comes from, with the keys of AITK's evaluation items."""
        task = self.project.project.task(sample.task)
        return {
            "task_name": sample.task, "category": task.category if task is not None else "",
            "level": task.level if task is not None else "",
            "essential_state": state.description.strip() or state.id, "state": state.id,
            "step_index": sample.window.first, "last_index": sample.window.last,
            "traj_dir": f"{sample.task}/{sample.trajectory}", "app": sample.app, "source": sample.source,
            "labelled_by": list(sample.people),
        }  # fmt: skip


# -- forms -------------------------------------------------------------------
def _writer(form: str, folder: Path, side: str) -> SampleWriter:
    if form in _LINES:
        return LineWriter(folder / f"{side}.jsonl", _LINES[form])
    return ParquetWriter(folder / f"{side}.parquet", _easyr1 if form == EASYR1 else partial(_verl, side))


def _a3rm(sample: TrainingConversation) -> Row:
    return {
        "problem": sample.prompt[-1].text, "images": names(sample), "metadata": sample.facts,
        "response": sample.answer,
    }  # fmt: skip


def _easyr1(sample: TrainingConversation) -> Row:
    return easyr1_row(replace(_flat(sample), system=""))


def _verl(side: str, sample: TrainingConversation) -> Row:
    return verl_row(_flat(sample), "waymark/essential-states", "judge", side)


def _flat(sample: TrainingConversation) -> TrainingConversation:
    people = ", ".join(sample.facts["labelled_by"])
    return replace(sample, facts={**sample.facts, "labelled_by": people})


_LINES: Mapping[str, RowOf] = {A3RM: _a3rm, LLAMA_FACTORY: llama_factory_row, TRL: trl_row}
"""The forms in lines of JSON, with pictures as files."""
