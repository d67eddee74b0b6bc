"""Reports as JUnit's XML for servers that show test results: a suite a row, a case an episode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from collector.metrics.comparison import PairBox, PairedComparison
from collector.metrics.comparison_summary import names_of
from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.metrics.rendering.columns import column_ids
from collector.metrics.rendering.number_text import cell_text
from collector.metrics.rendering.plain_text import plain
from collector.metrics.report import ReportRow, ReportTable
from collector.metrics.value_text import row_labels
from collector.model.episode_text import verdict_text
from collector.model.i18n import _

Name = Callable[[int], str]
"""Of the index of an episode the name that people find it by."""
FAILURE, ERROR, SKIPPED = "failure", "error", "skipped"


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """An episode or a pair. ``result`` is failure, error, skipped, or empty where it passed."""

    name: str
    result: str = ""
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class JUnitSuite:
    """A row of a report."""

    name: str
    properties: Sequence[tuple[str, str]]
    cases: Sequence[JUnitCase]


def as_junit(suites: Sequence[JUnitSuite]) -> str:
    """The document of some suites."""
    root = Element("testsuites", name="waymark metrics")
    for suite in suites:
        results = [case.result for case in suite.cases]
        counts = {"tests": len(results), "failures": results.count(FAILURE)}
        counts |= {"errors": results.count(ERROR), "skipped": results.count(SKIPPED)}
        attributes = {"name": plain(suite.name), **{name: str(count) for name, count in counts.items()}}
        attributes["time"] = f"{sum(case.seconds for case in suite.cases):.3f}"
        element = SubElement(root, "testsuite", attributes)
        properties = SubElement(element, "properties")
        for name, value in suite.properties:
            SubElement(properties, "property", name=plain(name), value=plain(value))
        for case in suite.cases:
            _add(element, suite.name, case)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def suites_of_report(
    report: ReportTable, table: EpisodeColumns, name_of: Name, fault_of: Name
) -> list[JUnitSuite]:
    """A suite for each row: its numbers as properties, its episodes as cases.

    A success passes; a failure and an uncompleted episode fail; a fault is an error; an episode that no
    number counts for another reason is skipped. Of several attempts at a cell the last is the case.
    ``fault_of`` says which fault ended an episode, in a sentence.
    """
    return [
        JUnitSuite(
            _suite_name(report, row), _properties(report, row),
            [
                _case(table, episode, name_of, fault_of)
                for episode in _episodes(row).tolist()
                if not table.superseded[episode]
            ],
        )
        for row in report.rows
    ]  # fmt: skip


def suites_of_comparison(
    report: ReportTable, comparison: PairedComparison, name_of: Name
) -> list[JUnitSuite]:
    """A suite for each row: its pairs as cases. A pair fails where only its first episode succeeds."""
    numbers = (comparison.all_pairs, *comparison.rows)
    # With a breakdown its rows have all pairs already.
    chosen = list(zip(report.rows, numbers, strict=True))[1 if comparison.rows else 0 :]
    first, second = names_of(comparison)
    reasons = {
        PairBox.ONLY_FIRST: (FAILURE, _("{first} succeeds, {second} does not", first=first, second=second)),
        PairBox.NEITHER: (SKIPPED, _("Neither succeeds")),
    }
    suites = []
    for row, of_row in chosen:
        cases = []
        for box in PairBox:
            result, reason = reasons.get(box, ("", ""))
            pairs = zip(*comparison.episodes_in(of_row, box), strict=True)
            cases += [JUnitCase(f"{name_of(int(a))} / {name_of(int(b))}", result, reason) for a, b in pairs]
        suites.append(JUnitSuite(_suite_name(report, row), _properties(report, row), cases))
    return suites


def _add(suite: Element, class_name: str, case: JUnitCase) -> None:
    element = SubElement(
        suite, "testcase", classname=plain(class_name), name=plain(case.name), time=f"{case.seconds:.3f}"
    )
    if case.result:
        SubElement(element, case.result, message=plain(case.reason))


def _suite_name(report: ReportTable, row: ReportRow) -> str:
    return ", ".join(filter(None, (report.title, *row_labels(report, row)))) or report.id


def _properties(report: ReportTable, row: ReportRow) -> list[tuple[str, str]]:
    numbers = [
        (name, cell_text(cell, column.unit))
        for name, column, cell in zip(column_ids(report), report.columns, row.cells, strict=True)
    ]
    return [*numbers, *(("note", note) for note in report.notes)]


def _episodes(row: ReportRow) -> Ints:
    """The episodes of a row: of a paper's, those behind its numbers. A row about judges has none."""
    if row.episodes is not None or row.subjects:
        return row.episodes if row.episodes is not None else np.empty(0, np.int64)
    behind = [cell.behind for cell in row.cells if cell.behind is not None]
    return np.unique(np.concatenate(behind)) if behind else np.empty(0, np.int64)


def _case(table: EpisodeColumns, episode: int, name_of: Name, fault_of: Name) -> JUnitCase:
    duration = int(table.column("duration_ms")[episode])
    result, reason = _result(table, episode)
    if result == ERROR:
        reason = fault_of(episode) or reason
    return JUnitCase(name_of(episode), result, reason, max(0, duration) / 1000)


def _result(table: EpisodeColumns, episode: int) -> tuple[str, str]:
    if table.faults[episode]:
        return ERROR, _("A fault of the machine ended it")
    if table.stopped[episode]:
        return SKIPPED, _("A person stopped it")
    if table.helped[episode]:
        return SKIPPED, _("A person helped")
    if not table.counted[episode]:
        return SKIPPED, _("It has not ended, or nobody has judged it")
    if table.is_success[episode]:
        return "", ""
    return FAILURE, verdict_text(table.texts[table.verdicts.status[episode]])
