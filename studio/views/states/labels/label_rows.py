"""What the tab *Labels* shows: the cells of its trajectories and of the states of one. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, TASK, Judgement
from collector.review.label_progress import LabelledTrajectory
from collector.store.trajectory.reviews.labels import Comment
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone
from studio.widgets.tables.cell_table import TableCell, TableColumn

MOST_KEYS = 9
"""States that have a key of their own; the others are chosen with the arrows and labelled with Space."""
_JUDGE_WIDTH, _OWN_WIDTH, _MOST_JUDGES = 92, 124, 4
_NODE_NAMES = ("text", "content-desc", "resource-id")
FIRST_STEP = 1
"""The number of the first step, as the window counts them."""


def trajectory_cells(row: LabelledTrajectory, title: str, who: str) -> tuple[TableCell, ...]:
    """The cells of a trajectory in the list: its title, the progress of its labels, the verdict.

    ``who`` recorded it; empty while that is not to be seen. Of a run its agent is shown.
    """
    agent = row.header.episode.agent if row.header.episode is not None else who
    is_done = row.states > 0 and row.labelled == row.states
    progress = TableCell(
        f"{row.labelled}/{row.states}", "ok" if is_done else "text-2", at_right=True,
        tip=_("{labelled} of {states} states are labelled", labelled=row.labelled, states=row.states),
    )  # fmt: skip
    verdict = row.verdict.verdict if row.verdict is not None else ""
    given = TableCell("", icon=verdict_icon(verdict), icon_tone=verdict_tone(verdict) or "text-3",
                      tip=_("Your verdict: {verdict}", verdict=verdict_text(verdict)))  # fmt: skip
    icon = "check" if row.is_submitted else ""
    submitted = TableCell("", icon=icon, icon_tone="ok", tip=_("You submitted your labels") if icon else "")
    return (
        TableCell(title, role="name", tip=row.header.id),
        TableCell(agent, "text-2"),
        progress,
        given,
        submitted,
    )


def trajectory_columns() -> tuple[TableColumn, ...]:
    """The columns of the list of trajectories."""
    return (
        TableColumn(_("Trajectory"), 88), TableColumn(_("By")), TableColumn(_("States"), 52, at_right=True),
        TableColumn("", 26), TableColumn("", 26),
    )  # fmt: skip


def judges_shown(row: LabelledTrajectory | None) -> tuple[str, ...]:
    """The other judges whose labels the person may see."""
    return tuple(sorted({item.judge for item in row.judgements})) if row is not None else ()


def state_columns(who: str, judges: Sequence[str]) -> tuple[TableColumn, ...]:
    """The columns of the states: key, sentence, one's own label, and those of some judges."""
    others = [TableColumn(judge, _JUDGE_WIDTH) for judge in judges[:_MOST_JUDGES]]
    return (TableColumn("", 44), TableColumn(_("Essential state")), TableColumn(who, _OWN_WIDTH), *others)


def state_cells(
    number: int, state: str, sentence: str, row: LabelledTrajectory, step: int, judges: Sequence[str]
) -> tuple[TableCell, ...]:
    """The cells of a state; ``number`` counts from 1, ``step`` is the one under the cursor."""
    key = TableCell("" if number <= MOST_KEYS else str(number), "text-2",
                    key=str(number) if number <= MOST_KEYS else "")  # fmt: skip
    at = row.labels.step_of(state)
    return (
        key,
        TableCell(sentence, role="name" if at == step else "body", tip=f"{sentence}\n{state}"),
        _own_cell(row, state, at, step),
        *(_judge_cell(row.judgements, judge, state, at) for judge in judges[:_MOST_JUDGES]),
    )


def _own_cell(row: LabelledTrajectory, state: str, at: int | None, step: int) -> TableCell:
    if at is not None:
        return TableCell(step_text(at), "text" if at == step else "text-2", icon="state-ok", icon_tone="ok",
                         role="name" if at == step else "body")  # fmt: skip
    if state in row.labels.missed:
        return TableCell(_("not reached"), "text-2", icon="state-err", icon_tone="err")
    if state in row.labels.labelled:
        return TableCell(_("step deleted"), "warn", icon="state-warn", icon_tone="warn")
    return TableCell(_("not labelled"), "text-3", icon="state-todo", icon_tone="text-3")


def _judge_cell(judgements: Sequence[Judgement], judge: str, state: str, own: int | None) -> TableCell:
    given = next(
        (item for item in judgements if item.judge == judge and item.subject.kind == STATE
         and item.subject.state == state),
        None,
    )  # fmt: skip
    if given is None:
        return TableCell("-", "text-3")
    differs = given.verdict == REACHED and own is not None and given.subject.last != own
    icon, tone = verdict_icon(given.verdict), verdict_tone(given.verdict) or "text-3"
    if given.verdict == REACHED and given.subject.last is not None:
        text, ink = step_text(given.subject.last), "warn" if differs else "text-2"
        return TableCell(text, ink, icon=icon, icon_tone=tone, tip=shown_reason(given.reason))
    text = _("not reached") if given.verdict == MISSED else verdict_text(given.verdict)
    return TableCell(text, "text-2", icon=icon, icon_tone=tone, tip=shown_reason(given.reason))


def step_text(step: int) -> str:
    """A step as people count it."""
    return _("step {step}", step=step + FIRST_STEP)


def comment_cells(comment: Comment) -> tuple[TableCell, ...]:
    """The cells of a comment: where it is pinned, and its text."""
    where = step_text(comment.step) if comment.step is not None else _("whole")
    node = comment.node
    names = [node.attributes.get(key, "") for key in _NODE_NAMES] if node is not None else []
    name = next(filter(None, names), "")
    return (
        TableCell(where, "text-2", icon="target" if node is not None else "pin"),
        TableCell(comment.text, tip=f"{comment.text}\n{name}".strip()),
    )


def verdicts_of_others(row: LabelledTrajectory) -> Mapping[str, str]:
    """What other judges say of the task."""
    return {item.judge: item.verdict for item in row.judgements if item.subject.kind == TASK}
