"""What the tab Judges says: rows of the list, bars of windows, costs and progress. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from collector.model.episode_text import verdict_text
from collector.model.i18n import _, ngettext
from collector.model.usage import Usage
from studio.bridge.judges.judging_job import JudgingTally
from studio.widgets.captions.judging_cost_text import judging_cost_parts
from studio.widgets.judge_windows.window_rows import BarRow, WindowBar
from studio.widgets.tables.cell_table import TableCell, TableColumn

if TYPE_CHECKING:
    from collector.model_judges.asked_questions import AskedQuestion
    from collector.model_judges.judge_check import JudgeCheck
    from collector.model_judges.judging_cost import JudgingCost
    from collector.model_judges.listed_judges import ListedJudge

_SHORT = 200


def judge_columns() -> tuple[TableColumn, ...]:
    """The columns of the list of judges."""
    return TableColumn(_("Judge")), TableColumn(_("Method"), 70), TableColumn(_("From"), 62)


def judge_cells(judge: ListedJudge) -> list[TableCell]:
    """The row of a judge."""
    place = _("method") if judge.is_method else _("project") if judge.is_own else _("studio")
    tip = judge.problem or judge.description
    icon = "state-err" if judge.problem else "list" if judge.is_method else "cpu"
    tone = "text-2" if judge.is_method else "text"
    return [
        TableCell(judge.name, icon=icon, tip=f"{judge.name}\n{tip}".strip(), tone=tone),
        TableCell(judge.method or "-", "text-2", tip=tip),
        TableCell(place, "text-2", tip=tip),
    ]


# -- windows -----------------------------------------------------------------
def bar_rows(
    asked: Sequence[AskedQuestion], states: Sequence[str], name_of: Callable[[str], str],
    sentence_of: Callable[[str], str],
) -> list[BarRow]:  # fmt: skip
    """A row for each essential state that was asked about, in the order of ``states``; one for the task."""
    bars: dict[str, list[WindowBar]] = {state: [] for state in states}
    for number, item in enumerate(asked):
        window = item.question.window
        first, last = (window.first, window.last) if window is not None else (0, 0)
        for state in item.question.states or ("",):
            found = item.verdicts.get(state)
            verdict = found.verdict if found is not None else ""
            name = " ".join(filter(None, (item.question.model.judge, name_of(state) if state else "")))
            says = verdict_text(verdict) if verdict else _("an answer without a verdict")
            words = f"{name}, {steps_text(first, last)}: {says}"
            if found is not None and found.reason:
                words += f"\n{found.reason[:_SHORT]}"
            bars.setdefault(state, []).append(WindowBar(first, last, verdict, words, number))
    return [
        BarRow(name_of(state), sentence_of(state), tuple(found)) if state
        else BarRow("", _("Whole trajectory"), tuple(found))
        for state, found in bars.items()
        if found
    ]  # fmt: skip


def steps_text(first: int, last: int) -> str:
    """The steps that a window shows, which are given from 0."""
    if first == last:
        return _("step {number}", number=first + 1)
    return _("steps {first} to {last}", first=first + 1, last=last + 1)


def usage_text(usage: Usage, model: str) -> str:
    """Who answered, and what it took."""
    parts = [model] if model else []
    if usage.input_tokens is not None:
        parts.append(
            _("{input} + {output} tokens", input=usage.input_tokens, output=usage.output_tokens or 0)
        )
    parts.append(usd_text(usage.cost) if usage.cost is not None else _("no price is known"))
    if usage.time_ms is not None:
        parts.append(_("{seconds} s", seconds=f"{usage.time_ms / 1000:.1f}"))
    return "  ·  ".join(parts)


def usd_text(usd: float) -> str:
    """An amount of money."""
    return _("{usd} USD", usd=f"{usd:.4f}")


# -- costs and progress ------------------------------------------------------
def cost_text(cost: JudgingCost) -> str:
    """What a run takes at most."""
    if not cost.trajectories and not cost.problems:
        return _("No trajectory is chosen")
    parts = judging_cost_parts(cost.trajectories, cost.calls, cost.kept, cost.usd)
    if cost.problems:
        parts.append(ngettext("one cannot be judged", "{count} cannot be judged", len(cost.problems)))
    return ", ".join(parts)


def spent_text(spent: tuple[int, int, float]) -> str:
    """What a run cost so far, which is in sight in a small window, too, and what it asked."""
    asked, kept, usd = spent
    # Without prices nobody knows what was spent.
    parts = [usd_text(usd)] if usd else []
    parts.append(ngettext("one question asked", "{count} questions asked", asked))
    if kept:
        parts.append(ngettext("one answered before", "{count} answered before", kept))
    return ", ".join(parts)


def progress_text(tally: JudgingTally, spent: tuple[int, int, float], *, is_paused: bool) -> str:
    """How far a run is."""
    done = tally.judged + tally.failed
    name = tally.request.judge
    if is_paused:
        how = _("{judge} is paused at {done} of {total}", judge=name, done=done, total=tally.total)
    elif tally.total > 1:
        how = _("{judge} judges: {done} of {total}", judge=name, done=done, total=tally.total)
    else:
        how = _("{judge} judges", judge=name)
    return f"{how}  ·  {spent_text(spent)}"


def end_text(tally: JudgingTally, spent: tuple[int, int, float]) -> str:
    """What a run brought."""
    parts = [_("cancelled")] if tally.is_cancelled else []
    parts += [f"{count} {verdict_text(verdict)}" for verdict, count in sorted(tally.verdicts.items())]
    if tally.total == 1 and len(tally.verdicts) == 1:
        parts = list(map(verdict_text, tally.verdicts))
    if tally.failed:
        parts.append(ngettext("one failed", "{count} failed", tally.failed))
    how = ", ".join(parts) or _("nothing was judged")
    if not tally.request.keep:
        how += ", " + _("not stored")
    return f"{tally.request.judge}: {how}  ·  {spent_text(spent)}"


def check_text(checks: Sequence[JudgeCheck]) -> str:
    """What the models of a judge answered to the check; the first one that failed comes first."""
    for check in sorted(checks, key=lambda check: check.sees):
        if check.problem:
            return _("The answer of {model} cannot be read: {why}", model=check.model, why=check.problem)
        if not check.sees:
            return _("{model} answers in the right form, but does not see the picture", model=check.model)
    names = ", ".join(dict.fromkeys(check.model for check in checks))
    return _("{model} sees the picture, and answers in the right form", model=names)
