"""The window study (A3, Table 5): how right a judge is by window and interval, and what that costs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from collector.judge.judging import JudgedResult
from collector.judge.votes.votes import POSITIVE
from collector.judge.windows import step_of_people
from collector.metrics.judge_studies.paired import share_cell
from collector.metrics.judge_studies.partings import window_around
from collector.metrics.measure import Counting, Unit
from collector.metrics.report import CountedSubject, ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import REACHED, STATE, TASK, UNDECIDED
from collector.model.verdicts.voted_subject import PEOPLE, VotedSubject
from collector.model_judges.frames import ScreensInCommon
from collector.model_judges.judge_files import named_judge, options_of, require_known
from collector.model_judges.judging_cost import JudgingCost, costs_of
from collector.model_judges.judging_run import JudgingControl, judge_by_models
from collector.model_judges.methods.windows_judge import KIND, WindowsJudge
from collector.model_judges.prices import require_prices
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project

A3_PAIRS = ((2, 1), (2, 2), (3, 1), (3, 2), (4, 2), (4, 3), (5, 2), (5, 3), (6, 3), (6, 4))
"""The windows and intervals of A3's Table 5."""
POINT = 0.01
MOST_SCREENS = 32
Progress = Callable[[int, int], None]
"""How many are done, of how many."""
_ROUNDING = 1e-9


def _quiet(_done: int, _total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class WindowSetting:
    """A judge with a window and an interval, in screens."""

    judge: str
    window: int
    interval: int


@dataclass(slots=True)
class WindowResult:
    """What a setting gave. An undecided verdict is not right."""

    setting: WindowSetting
    calls: int = 0
    """Answers that it takes, those that were there before included."""
    usd: float | None = None
    """What these cost when they were given; None without prices."""
    trajectories: int = 0
    problems: list[str] = field(default_factory=list)
    """A sentence for each trajectory that could not be judged."""
    subjects: list[CountedSubject] = field(default_factory=list)
    """What people judged, with both verdicts."""

    def share(self, kind: str) -> ReportCell:
        """The share of the verdicts of people on a kind of subject that the judge shares."""
        is_kind = [subject.kind == kind for subject in self.subjects]
        is_right = map(self._is_right, self.subjects)
        return share_cell(is_kind, [same and right for same, right in zip(is_kind, is_right, strict=True)])

    def accuracy(self, kind: str) -> float:
        """The value of :meth:`share`; 0 without a verdict."""
        return self.share(kind).value or 0.0

    def _is_right(self, subject: CountedSubject) -> bool:
        """Whether the judge says what people say; undecided is not right."""
        verdict, positive = subject.verdicts[self.setting.judge], POSITIVE[subject.kind]
        return verdict != UNDECIDED and (verdict == positive) == (subject.verdicts[PEOPLE] == positive)

    @property
    def price(self) -> tuple[bool, float, int]:
        """What makes one cheaper than another: USD, then calls; what nobody knows is no cheap price."""
        return self.usd is None, self.usd or 0.0, self.calls


def screen_counts(text: str) -> tuple[int, ...]:
    """Numbers of screens with commas between, each once. Raises ValueError, a sentence, for others."""
    try:
        numbers = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        numbers = (0,)
    if any(not 1 <= number <= MOST_SCREENS for number in numbers):
        raise ValueError(
            _("Write numbers from 1 to {most} with commas between, as in 2,3,4", most=MOST_SCREENS)
        )
    return tuple(dict.fromkeys(numbers))


def window_settings(
    judges: Sequence[str], windows: Sequence[int] = (), intervals: Sequence[int] = ()
) -> list[WindowSetting]:
    """Each judge with A3's pairs, or with the pairs of the windows and intervals that are given.

    An interval wider than the window would leave screens out: such a pair is none. A window without given
    intervals has those of A3, or half of it. Raises UserError when no pair is left.
    """
    if intervals:
        sizes = windows or sorted({size for size, _interval in A3_PAIRS})
        pairs = [(size, interval) for size in sizes for interval in intervals if interval <= size]
    elif windows:
        of_a3 = {size: [pair for pair in A3_PAIRS if pair[0] == size] for size in windows}
        pairs = [pair for size in windows for pair in of_a3[size] or [(size, max(1, size // 2))]]
    else:
        pairs = list(A3_PAIRS)
    if not pairs:
        raise UserError(
            _("No interval fits into a window"), "", _("Give intervals that are not wider than the windows")
        )
    return [WindowSetting(judge, *pair) for judge in judges for pair in dict.fromkeys(pairs)]


def windows_judge(
    project: Project, setting: WindowSetting, options: Mapping[str, Any], *, sends: bool = True
) -> WindowsJudge:
    """The judge of a setting. Raises UserError for one that does not judge by windows."""
    kind = options_of(setting.judge, project)
    if kind is None:
        require_known(setting.judge, project)
    if kind is None or kind.id != KIND.id:
        raise UserError(
            _("{name} does not judge by windows", name=setting.judge), "",
            _("Name a judge whose method is `windows`: see `waymark judge list`"),
        )  # fmt: skip
    given = {**options, "window": setting.window, "interval": setting.interval}
    judge = named_judge(setting.judge, project, given, sends=sends)
    assert isinstance(judge, WindowsJudge)
    return judge


@dataclass(frozen=True)
class WindowStudy:
    """The trajectories that people labelled, and the settings to try on them."""

    project: ProjectRules
    settings: Sequence[WindowSetting]
    truth: Sequence[VotedSubject]
    """What people say; see :func:`labelled`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the judges, before those of their files."""

    @property
    def folders(self) -> list[Path]:
        """The trajectories, in order."""
        return sorted({subject.folder for subject in self.truth if subject.folder is not None})

    def prices(self, progress: Progress = _quiet) -> list[tuple[WindowSetting, JudgingCost]]:
        """What each setting takes at most. Nothing is sent. Raises UserError.

        ``progress`` counts trajectories.
        """
        shared = ScreensInCommon()
        judges = [
            replace(windows_judge(self.project.project, setting, self.options, sends=False), shared=shared)
            for setting in self.settings
        ]
        costs = costs_of(self.project, self.folders, judges, progress)
        return list(zip(self.settings, costs, strict=True))

    def results(self, control: JudgingControl, progress: Progress = _quiet) -> Iterator[WindowResult]:
        """Judge by each setting; answers are kept, verdicts are not stored. Yields a setting that is done.

        ``progress`` counts the trajectories of all settings. A cancelled study ends after the last setting
        that is whole.

        Raises LimitReached, EndpointUnavailable and UserError.
        """
        by_folder: dict[Path, list[VotedSubject]] = {}
        for subject in self.truth:
            assert subject.folder is not None
            by_folder.setdefault(subject.folder, []).append(subject)
        folders, done = self.folders, itertools.count(1)
        # All settings are known to be right before the first costs something.
        judges = [windows_judge(self.project.project, setting, self.options) for setting in self.settings]
        for judge in judges if control.spending.limit_usd is not None else ():
            require_prices(judge)
        for setting, judge in zip(self.settings, judges, strict=True):
            result = WindowResult(setting)
            for given in judge_by_models(self.project, folders, judge, control, keep=False):
                _note(result, given, by_folder[given.folder])
                progress(next(done), len(folders) * len(judges))
            if control.cancel.is_set():
                return
            result.subjects.sort(key=lambda item: (item.folder, item.state))
            yield result


def labelled(subjects: Iterable[VotedSubject]) -> list[VotedSubject]:
    """The subjects of which people say something: others cost money and measure nothing."""
    return [subject for subject in subjects if subject.people_say and subject.folder is not None]


def _note(result: WindowResult, given: JudgedResult, truth: Sequence[VotedSubject]) -> None:
    """Count what a judge said of one trajectory; a disputed task is at the first window where they part."""
    if given.problem:
        result.problems.append(f"{given.trajectory}: {given.problem}")
        return
    result.trajectories += 1
    for judgement in given.judgements:
        result.calls += len(judgement.proof.get("answers", ()))
        if judgement.usage.cost is not None:
            result.usd = (result.usd or 0.0) + judgement.usage.cost
    counted = list(_counted(given, truth, result.setting.judge))
    parted = min((subject.window for subject in counted if subject.window), default=None)
    result.subjects += [
        subject if subject.state or not subject.is_disputed else replace(subject, window=parted)
        for subject in counted
    ]


def _counted(given: JudgedResult, truth: Iterable[VotedSubject], judge: str) -> Iterator[CountedSubject]:
    """What both a judge and people say of one trajectory; states with the window where they part."""
    said = {(item.subject.kind, item.subject.state): item for item in given.judgements}
    for subject in truth:
        item = said.get((subject.kind, subject.state))
        if subject.folder is None or (item is None and subject.kind == STATE):
            continue  # a state that the task does not need any more
        verdict = item.verdict if item is not None else UNDECIDED
        step = item.subject.first if item is not None and verdict == REACHED else step_of_people(subject)
        window = None
        if verdict != subject.people_say and step is not None:
            window = window_around(given.judgements, subject.state, (judge,), step)
        verdicts = {judge: verdict, PEOPLE: subject.people_say}
        yield CountedSubject(subject.folder, subject.task, subject.state, verdicts, window)


# -- tables ------------------------------------------------------------------
def best_of(results: Sequence[WindowResult]) -> WindowResult | None:
    """The result with the highest accuracy of states, then of tasks, then the cheapest; None without one."""
    return min(
        _comparable(results), default=None,
        key=lambda result: (*(-result.accuracy(kind) for kind in (STATE, TASK)), *result.price),
    )  # fmt: skip


def cheapest_near(results: Sequence[WindowResult], best: WindowResult) -> WindowResult:
    """The cheapest result whose accuracies of states and of tasks are at most one point below the best."""
    near = [
        result
        for result in _comparable(results)
        if all(best.accuracy(kind) - result.accuracy(kind) <= POINT + _ROUNDING for kind in (STATE, TASK))
    ]
    return min(near, key=lambda result: result.price)


def _comparable(results: Sequence[WindowResult]) -> list[WindowResult]:
    """Those that judged most trajectories: who failed on the others was neither right nor cheap there."""
    most = max((result.trajectories for result in results), default=0)
    return [result for result in results if result.subjects and result.trajectories == most]


def window_table(results: Sequence[WindowResult]) -> ReportTable:
    """A3's Table 5, with the best setting and the cheapest within a point of it marked."""
    how = _("Of the verdicts of people, the share that the judge shares; undecided ones are not right.")
    columns = (
        ReportColumn("states", _("Essential states"), Unit.PERCENT, how, counting=Counting.VERDICTS),
        ReportColumn("tasks", _("Tasks"), Unit.PERCENT, how, counting=Counting.VERDICTS),
        ReportColumn("calls", _("Calls"), Unit.COUNT, _("Answers that it takes, kept ones included.")),
        ReportColumn("usd", _("USD"), Unit.MONEY, _("What these answers cost when they were given.")),
    )
    best = best_of(results)
    near = cheapest_near(results, best) if best is not None else None
    rows = []
    for result in results:
        marks = [
            text
            for text, marked in ((_("best"), best), (_("cheapest within one point"), near))
            if marked is result
        ]
        cells = (
            *(result.share(kind) for kind in (STATE, TASK)),
            ReportCell(result.calls, result.trajectories),
            ReportCell(result.usd, 0 if result.usd is None else result.trajectories),
        )
        labels = (*_labels(result.setting), ", ".join(marks) or "-")
        rows.append(ReportRow(labels, cells, subjects=tuple(result.subjects)))
    return ReportTable(
        "judge-windows", _("Windows and intervals of judges, against people"),
        (*_titles(), _("Mark")), columns, tuple(rows), _notes(results),
    )  # fmt: skip


def price_table(prices: Sequence[tuple[WindowSetting, JudgingCost]]) -> ReportTable:
    """What each setting takes at most, before anything is sent."""
    columns = (
        ReportColumn(
            "calls",
            _("Calls"),
            Unit.COUNT,
            _("At most, without kept answers. An answer that cannot be read is asked for once more."),
        ),
        ReportColumn("kept", _("Answered before"), Unit.COUNT),
        ReportColumn("pictures", _("Pictures"), Unit.COUNT),
        ReportColumn("input-tokens", _("Tokens in"), Unit.COUNT),
        ReportColumn("output-tokens", _("Tokens out"), Unit.COUNT),
        ReportColumn("usd", _("USD"), Unit.MONEY, _("About; windows that two settings share are paid once.")),
    )
    rows = [
        ReportRow(
            _labels(setting),
            tuple(
                ReportCell(amount, 0 if amount is None else cost.trajectories) for amount in _amounts(cost)
            ),
        )
        for setting, cost in prices
    ]
    notes = dict.fromkeys(problem for _setting, cost in prices for problem in cost.problems)
    return ReportTable(
        "judge-windows-cost", _("What the windows and intervals take"), _titles(), columns, tuple(rows),
        tuple(notes),
    )  # fmt: skip


def _amounts(cost: JudgingCost) -> tuple[float | None, ...]:
    return cost.calls, cost.kept, cost.pictures, cost.input_tokens, cost.output_tokens, cost.usd


def _titles() -> tuple[str, ...]:
    return _("Judge"), _("Window"), _("Interval")


def _labels(setting: WindowSetting) -> tuple[str, ...]:
    return setting.judge, str(setting.window), str(setting.interval)


def _notes(results: Sequence[WindowResult]) -> tuple[str, ...]:
    """How many trajectories there are, and which could not be judged."""
    most = max((result.trajectories for result in results), default=0)
    counted = ngettext("People labelled {count} trajectory.", "People labelled {count} trajectories.", most)
    failed = [
        f"{' '.join(_labels(result.setting))}: {text}" for result in results for text in result.problems
    ]
    return (counted, *failed)
