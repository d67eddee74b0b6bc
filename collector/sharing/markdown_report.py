"""A report of a review in Markdown: trajectories, verdicts, differences with reasons, states and comments."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence

from PIL import Image

from collector.comparison.alignment.differences import describe_step
from collector.metrics.rendering.markdown_text import markdown_escaped
from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.message import in_language
from collector.model.trajectory import Step
from collector.model.user_reply import REPLY, UserReply, reply_text
from collector.sharing.export_progress import ExportProgress
from collector.sharing.page_json import cut
from collector.sharing.shared_review import SharedReview
from collector.sharing.shared_verdicts import SharedState

_PICTURE_WIDTH = 240


class MarkdownReport:
    """Builds the text, and the pictures that it refers to."""

    def __init__(self, review: SharedReview, folder: str = "") -> None:
        self._review = review
        self._folder = folder
        """Where its pictures lie, relative to it, with forward slashes; empty for a report without any."""
        self._sources: dict[str, tuple[int, Step]] = {}

    def text(self) -> str:
        """The report."""
        parts = (
            [f"# {escaped(self._review.instruction)}"],
            self._trajectories(),
            self._differences(),
            self._verdicts(),
            self._states(),
            self._alignment(),
            self._comments(),
        )
        return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part))) + "\n"

    def pictures(self, progress: ExportProgress) -> dict[str, bytes]:
        """The pictures by name, once :meth:`text` was built. Raises ExportCancelled."""
        files = {}
        for done, (name, (side, step)) in enumerate(self._sources.items()):
            progress.at(done, len(self._sources))
            picture = self._review.screens.picture(side, step)
            if picture is not None:
                files[name] = _small_png(picture)
        return files

    def _trajectories(self) -> Iterator[str]:
        yield _row(
            [
                "",
                _("Trajectory"),
                _("Recorded by"),
                _("Steps"),
                _("Outcome"),
                _("Reason"),
                _("Review"),
                _("Tags"),
            ]
        )
        yield "|---|---|---|---:|---|---|---|---|"
        for side in self._review.sides:
            outcome = verdict_text(side.outcome)
            name = f"{side.name} ({side.id})"
            steps, tags = str(len(side.steps)), ", ".join(side.verdicts.tags)
            yield _row(
                [side.letter, name, side.about, steps, outcome, side.reason, side.verdicts.status, tags]
            )

    def _differences(self) -> Iterator[str]:
        aligned = self._review.aligned
        yield f"## {_('Differences')}"
        yield ""
        first = aligned.first_divergence
        if first is None:
            yield _("All of them do the same")
            return
        yield _("First divergence: slot {slot}", slot=first + 1)
        yield ""
        for side, shared in enumerate(self._review.sides):
            for each in aligned.differences[side]:
                yield f"- **{shared.letter}**, {_slots(each.first, each.last)}: {self._escaped(each.reason)}"
            for back in aligned.recoveries[side]:
                yield f"- **{shared.letter}**, {escaped(back.anomaly)}: {self._escaped(back.reason)}"

    def _verdicts(self) -> Iterator[str]:
        rows = [
            [side.letter, each.judge, verdict_text(each.verdict), each.reason]
            for side in self._review.sides
            for each in side.verdicts.task
        ]
        yield from _table(_("Verdicts"), ["", _("Judge"), _("Verdict"), _("Reason")], rows)
        for side in self._review.sides:
            if side.verdicts.hidden:
                yield ""
                yield f"**{side.letter}**: {escaped(side.verdicts.hidden)}"

    def _states(self) -> Iterator[str]:
        sides = self._review.sides
        known = {state.id: state.sentence for side in sides for state in side.verdicts.states}
        rows = []
        for state_id, sentence in known.items():
            cells = [sentence]
            for side in sides:
                own = next((each for each in side.verdicts.states if each.id == state_id), None)
                cells.append(_state_text(own) if own is not None else "")
            rows.append(cells)
        yield from _table(_("Essential states"), ["", *(side.letter for side in sides)], rows)

    def _alignment(self) -> Iterator[str]:
        sides = self._review.sides
        yield f"## {_('Steps')}"
        yield ""
        yield _row([_("Slot"), *(f"{side.letter} {side.name}" for side in sides)])
        yield "|---:|" + "---|" * len(sides)
        for slot in range(len(self._review.aligned.slots)):
            cells = [self._cell(slot, side) for side in range(len(sides))]
            yield f"| {slot + 1} | {' | '.join(cells)} |"

    def _cell(self, slot: int, side: int) -> str:
        step, number = self._review.step(slot, side), self._review.aligned.slots[slot][side]
        if step is None or number is None:
            return "–"
        words = [f"{number + 1}\\. {self._escaped(in_language(describe_step(step)))}"]
        if step.agent is not None and step.agent.thought:
            words.append(f"*{escaped(step.agent.thought)}*")
        if (reply := UserReply.read(step.extra.get(REPLY))) is not None:
            words.append(escaped(reply_text(reply)))
        if self._folder and (problem := self._review.screens.picture_problem(side, step)):
            words.append(self._escaped(_("No picture. {why}", why=problem)))
        picture = self._picture(side, number, step)
        return "<br>".join([*([picture] if picture else []), *words])

    def _picture(self, side: int, number: int, step: Step) -> str:
        """An image of the step; its description is of this program, and no text of the recording."""
        if not self._folder or not self._review.screens.picture_key(side, step):
            return ""
        name = f"{self._review.sides[side].letter}-{number + 1:04}.png"
        self._sources[name] = side, step
        return f"![{name.removesuffix('.png')}](<{self._folder}/{name}>)"

    def _comments(self) -> Iterator[str]:
        lines = [
            f"- **{side.letter}**, {escaped(each.who)}{_place(each.step)}: {escaped(each.text)}"
            for side in self._review.sides
            for each in side.verdicts.comments
        ]
        if lines:
            yield f"## {_('Comments')}"
            yield ""
            yield from lines

    def _escaped(self, text: str) -> str:
        return escaped(self._review.masked(text))


def escaped(text: str) -> str:
    """``text`` on one line, so that nothing in it is taken for Markdown, HTML or an address."""
    return markdown_escaped(cut(text))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    filled = list(rows)
    if not filled:
        return
    yield f"## {title}"
    yield ""
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, filled)


def _state_text(state: SharedState) -> str:
    word = {True: _("reached"), False: _("missed"), None: _("judges differ")}[state.is_reached]
    return f"{word} ({state.step + 1})" if state.step is not None else word


def _slots(first: int, last: int) -> str:
    if first == last:
        return _("slot {slot}", slot=first + 1)
    return _("slots {first} to {last}", first=first + 1, last=last + 1)


def _place(step: int | None) -> str:
    return f", {_('step {number}', number=step + 1)}" if step is not None else ""


def _small_png(picture: Image.Image) -> bytes:
    height = max(1, round(picture.height * _PICTURE_WIDTH / picture.width))
    data = io.BytesIO()
    picture.resize((_PICTURE_WIDTH, height), Image.Resampling.LANCZOS).save(data, "PNG", optimize=True)
    return data.getvalue()
