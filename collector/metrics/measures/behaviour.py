"""What agents do on their way: loops, invalid answers, the wrong app, and how they meet an anomaly."""

from __future__ import annotations

import math

import numpy as np

from collector.metrics.breakdowns.grouping import Groups
from collector.metrics.episode_columns import EpisodeColumns, Floats, Ints, Mask
from collector.metrics.measure import Counting, Measure, MeasureColumn, Unit, rate, share
from collector.metrics.statistics.relative_risk import relative_risk
from collector.model.i18n import N_
from collector.store.catalogue.catalogue_row import items
from collector.store.catalogue.episode_facts import LOOP, UNCLEAR


def _loops(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.ended, in_loop(table))


def in_loop(table: EpisodeColumns) -> Mask:
    """Episodes in which the same action came :data:`LOOP` times in a row, or more often."""
    return table.derived("in loop", lambda: table.column("loop_length") >= LOOP)


def _loop_risk(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    behind = table.counted & table.selected
    failed, loops = behind & ~table.is_success, in_loop(table)
    counts = groups.count(behind)
    exposed, exposed_hits = groups.count(behind & loops), groups.count(failed & loops)
    hits = groups.count(failed)
    risks = [
        relative_risk(*numbers)
        for numbers in zip(
            exposed_hits.tolist(), exposed.tolist(), (hits - exposed_hits).tolist(),
            (counts - exposed).tolist(), strict=True,
        )
    ]  # fmt: skip
    return MeasureColumn(
        _numbers([risk.value for risk in risks]), counts, behind, positive=failed & loops,
        low=_numbers([risk.low for risk in risks]), high=_numbers([risk.high for risk in risks]),
    )  # fmt: skip


def _numbers(values: list[float | None]) -> Floats:
    return np.array([math.nan if value is None else value for value in values], np.float64)


def _malformed(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return _of_steps(table, groups, table.column("malformed"))


def _hallucinated(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return _of_steps(table, groups, table.column("hallucinated"))


def _invalid(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return _of_steps(table, groups, table.column("malformed") + table.column("hallucinated"))


def _of_steps(table: EpisodeColumns, groups: Groups, parts: Ints) -> MeasureColumn:
    steps = table.column("steps")
    return share(table, groups, table.ended & (steps > 0), parts, steps, counting=Counting.STEPS)


def _wrong_app(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    wanted = task_packages(table)
    actual = table.column("package")
    return rate(table, groups, table.ended & (wanted > 0) & (actual > 0), actual != wanted)


def task_packages(table: EpisodeColumns) -> Ints:
    """Of each episode the code of the package its task is for; 0 where the task names none."""

    packages = table.of_tasks("package", lambda facts: max(table.code(facts.task.package), 0))
    return packages.astype(np.int64)


def _drift(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    return rate(table, groups, table.ended & table.met, table.column("covered_steps") > 0)


def _answered(table: EpisodeColumns, groups: Groups) -> MeasureColumn:
    answered, appeared = _answers(table)
    return share(table, groups, table.ended & (appeared > 0), answered, appeared, counting=Counting.ANOMALIES)


def _answers(table: EpisodeColumns) -> tuple[Ints, Ints]:
    """Of each episode how many anomalies got an answer, and how many appeared."""

    def compute() -> tuple[Ints, Ints]:
        present, inverse = np.unique(table.column("answers"), return_inverse=True)
        lists = [items(table.texts[code]) for code in present.tolist()]
        unanswered = ("", UNCLEAR)
        answered = [sum(text.rpartition("=")[2] not in unanswered for text in texts) for texts in lists]
        return np.array(answered, np.int64)[inverse], np.array([len(x) for x in lists], np.int64)[inverse]

    return table.derived("answers", compute)


LOOP_RATE = Measure(
    "loops", N_("Loops"), Unit.PERCENT,
    N_("Episodes in which the agent did the same action at least three times in a row, divided by all "
       "episodes that ended. Answers that are no action are counted as invalid instead."),
    _loops, "OpenApps",
)  # fmt: skip
LOOP_RISK = Measure(
    "loop-risk", N_("Risk in loops"), Unit.RATIO,
    N_("How many times as likely an episode with a loop is to end without success as an episode without "
       "one."),
    _loop_risk, "OpenApps",
)  # fmt: skip
MALFORMED_RATE = Measure(
    "malformed", N_("Malformed"), Unit.PERCENT,
    N_("Answers that could not be read as an action, divided by all steps of the agent."),
    _malformed, "OpenApps",
)  # fmt: skip
HALLUCINATED_RATE = Measure(
    "hallucinated", N_("Hallucinated"), Unit.PERCENT,
    N_("Answers that ask for an action or a place that is not there, divided by all steps of the agent."),
    _hallucinated, "OpenApps",
)  # fmt: skip
INVALID_RATE = Measure(
    "invalid", N_("Invalid"), Unit.PERCENT,
    N_("Malformed and hallucinated answers together, divided by all steps of the agent."),
    _invalid, "OpenApps",
)  # fmt: skip
WRONG_APP = Measure(
    "wrong-app", N_("Wrong app"), Unit.PERCENT,
    N_("Episodes with most of their steps in another app than that of the task, divided by all episodes "
       "whose app is known."),
    _wrong_app, "OpenApps",
)  # fmt: skip
PERCEPTION_DRIFT = Measure(
    "drift", N_("Perception drift"), Unit.PERCENT,
    N_("Of the episodes in which the anomaly appeared, the share with an action while its dialog was open "
       "that was aimed at none of the dialog's buttons."),
    _drift,
)  # fmt: skip
ANSWERED = Measure(
    "answered", N_("Answered"), Unit.PERCENT,
    N_("Dialogs that the agent answered or dismissed, divided by all dialogs of anomalies that appeared."),
    _answered,
)  # fmt: skip
BEHAVIOUR = (
    LOOP_RATE, LOOP_RISK, MALFORMED_RATE, HALLUCINATED_RATE, INVALID_RATE, WRONG_APP, PERCEPTION_DRIFT,
    ANSWERED,
)  # fmt: skip
