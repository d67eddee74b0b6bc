"""Write samples as a folder that a trainer reads: rows of each side, pictures, and a card."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from collector import __version__
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.training.sample_options import (
    CORRECTIONS,
    GROUNDING,
    PREFERENCES,
    STEPS,
    WHOLE,
    SampleOptions,
)
from collector.model.i18n import _, ngettext
from collector.store.trajectory.reader import StoredTrajectory
from collector.trainer_files.card import CARD, card_text, table
from collector.trainer_files.conversation import TrainingConversation
from collector.trainer_files.writers import PictureFolder, SampleWriter

_COUNTS = "counts.jsonl"
_SAMPLES = {
    STEPS: "one step: the task, what was done before, the screen, and as the answer the action",
    WHOLE: "a whole trajectory: each screen and the action on it, in one conversation",
    GROUNDING: "one element of a screen by its caption, or by what a step was for, and where it is",
    CORRECTIONS: "one step of a run as of the first kind, with the action that a reviewer says is better",
    PREFERENCES: "one screen with a better action, of the golden trajectory, and a worse one, of a run",
}


@dataclass(frozen=True, slots=True)
class TrainingForm:
    """How a trainer wants its files."""

    title: str
    writer: Callable[[Path, str, str], SampleWriter]
    """Of the samples with one content, of one side, in a folder."""
    usage: Sequence[str]
    """What the card says of its use, lines of Markdown."""
    has_pictures: bool = True
    """Whether pictures are files beside the rows; else they are in them."""
    finish: Callable[[Path, Sequence[str], str], None] = lambda _folder, _sides, _content: None
    """Write what else belongs to it, given the sides that have samples, and the content."""
    files: str = ""
    """Pattern of the files of a content and a side, for the configs of the card; empty for a card without."""


@dataclass
class _Held:
    """What was written, counted after each trajectory in a file, so that an interrupted export knows it."""

    log: ExchangeLog
    file: Path
    content: str = ""
    side: str = ""
    own: Counter[str] = field(default_factory=Counter)
    """Samples by app since the last trajectory that is whole."""
    samples: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By content and side."""
    trajectories: Counter[str] = field(default_factory=Counter)
    """By side."""
    tasks: dict[str, set[str]] = field(default_factory=dict)
    apps: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    """Runs that did not do their task, and are learnt from."""

    def add(self, sample: TrainingConversation) -> None:
        self.own[str(sample.facts["app"]) or "-"] += 1

    def done(self, read: Sequence[StoredTrajectory], *, is_first: bool) -> None:
        """Count trajectories whose samples are written."""
        from collector.exchange.training.preference_samples import is_failed

        failed = sum(stored.header.is_run and is_failed(stored) for stored in read)
        line = (
            self.content, self.side, dict(self.own), len(read) if is_first else 0,
            sorted({stored.header.task_id for stored in read}),
            failed if self.own and self.content in (STEPS, WHOLE) else 0,
        )  # fmt: skip
        self.log.append(self.file, f"{json.dumps(line)}\n".encode())
        self.own.clear()
        self.log.keep()

    def read(self) -> None:
        """Add up what was counted."""
        if not self.file.exists():
            return
        with self.file.open(encoding="utf-8") as lines:
            for line in lines:
                content, side, apps, trajectories, tasks, failed = json.loads(line)
                self.samples[content, side] += sum(apps.values())
                self.trajectories[side] += trajectories
                self.tasks.setdefault(side, set()).update(tasks)
                self.apps.update(apps)
                self.failed += failed

    def sides(self, content: str) -> list[str]:
        """The sides that have samples."""
        return [side for (held, side), count in self.samples.items() if held == content and count]


def write_training(
    part: ExportedPart, path: Path, log: ExchangeLog, form: TrainingForm, contents: Sequence[str],
    options_of: Callable[[str], SampleOptions],
) -> None:  # fmt: skip
    """Write the samples of each side of ``part`` into the folder ``path``.

    ``options_of`` reads the options of a content. Raises UserError.
    """
    from collector.exchange.training.sample_stream import SampleStream

    path.mkdir(parents=True, exist_ok=True)
    held, pictures = _Held(log, log.beside(path, _COUNTS)), PictureFolder(path, log.makes)
    for content in contents:
        is_first = content == contents[0]
        done = partial(held.done, is_first=is_first)
        options = options_of(content)
        for held.side, own in part.sides.items():
            held.content = content
            stream = SampleStream(own, content, options, log, done, is_first)
            writer = form.writer(path, content, held.side)
            for sample in stream.samples():
                if form.has_pictures:
                    for picture in sample.pictures:
                        pictures.keep(picture)
                writer.add(sample)
                held.add(sample)
            writer.close()
    held.read()
    for content in contents:
        form.finish(path, held.sides(content), content)
    _note(part, contents, held)
    (path / CARD).write_text(_card(part, form, contents, options, held), "utf-8", newline="\n")


def _note(part: ExportedPart, contents: Sequence[str], held: _Held) -> None:
    for content in contents:
        for side in part.sides:
            if not held.samples[content, side]:
                text = _("There is no sample here")
                held.log.add("no-samples", text, step=f"{content}/{side}", severity=NOTE)
    if held.failed:
        text = ngettext(
            "{count} run that did not do its task is learnt from; `--verdict success` leaves it out",
            "{count} runs that did not do their task are learnt from; `--verdict success` leaves them out",
            held.failed,
        )
        held.log.add("failed-run", text, severity=NOTE)


def _card(
    part: ExportedPart, form: TrainingForm, contents: Sequence[str], options: SampleOptions, held: _Held
) -> str:
    sides = list(part.sides)
    rows = [
        (content, side, held.samples[content, side], held.trajectories[side], len(held.tasks.get(side, ())))
        for content in contents
        for side in sides
    ]
    divided = (
        "No trajectory, and no screen, is on two sides."
        if len(sides) > 1
        else "It is not divided into sides."
    )
    paragraphs = [
        f"Written by Waymark Studio {__version__} from the project `{part.project.name}`, for {form.title}.",
        "",
        *(f"- `{content}`: each sample is {_SAMPLES[content]}." for content in contents),
        "",
        f"Actions are written in the dialect `{options.shown.dialect.id}` "
        f"({options.shown.dialect.title}; places are {options.shown.dialect.space.name}), with the prompt "
        f"`{options.shown.prompt.name}`. The model sees `{options.sees}`; thoughts: `{options.thoughts}`; "
        f"pictures: `{options.pictures}`.",
        "",
        table(("Content", "Side", "Samples", "Trajectories", "Tasks"), rows),
        "",
        divided,
        "",
        table(("App", "Samples"), sorted(held.apps.items())),
        "",
        *form.usage,
    ]
    configs = {
        content: {side: form.files.format(content=content, side=side) for side in held.sides(content)}
        for content in contents
        if form.files and held.sides(content)
    }
    title = f"{part.project.name}: samples to train agents"
    return card_text(title, paragraphs, licence=options.licence, configs=configs)
