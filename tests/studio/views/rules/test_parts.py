"""The parts of the Rules workspace that need no window: marks, list entries, choices, templates, files."""

from __future__ import annotations

import csv

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QImage

from collector.anomalies.reader import read_library
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import WAYMARK
from collector.rules.grammar.plain import plain_condition
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.widgets.rule_list import RuleState
from studio.bridge.jobs import JobRunner
from studio.views.conditions.condition_starters import condition_starters
from studio.views.conditions.proof_marks import count_clauses, marks_of, marks_of_clause
from studio.views.conditions.region_images import save_region_image
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.rules.anomalies.anomaly_choices import anomaly_choices
from studio.views.rules.backtest_controller import export_matrix
from studio.views.rules.diagnostic_badges import DiagnosticTally
from studio.views.rules.document_pane import BOTH, YAML
from studio.views.rules.list_entries import rule_entry
from studio.views.rules.rule_diagnostics import count_of_rule
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.rule_templates import free_id
from studio.views.rules.session_state import RuleCount
from studio.widgets.device_view.highlight import HighlightStyle
from tests.helpers.condition_plugins import ELEMENT_COUNT, installed_condition_types
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.rule_room import INJECTION_TEXT, SCREENS, SHOP, SUCCESS_TEXT, results_screen

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)


def view() -> StateView:
    data = results_screen()
    return StateView(parse_tree(data), data, SHOP, ".Main", 2)


def rule(conditions: str, head: str = "one"):
    return read_rules(f"{head}:\n  conditions:\n{conditions}").rules[0]


def proof(conditions: str):
    return evaluate(rule(conditions), view(), WAYMARK)


# -- marks -------------------------------------------------------------------
def test_keywords_that_are_seen_are_lit_by_their_words() -> None:
    evaluated = proof("    - {type: semantic_element_exists, keywords: [Sort, Filter]}\n")
    assert [(mark.style, mark.tag) for mark in marks_of(evaluated, view())] == [
        (HighlightStyle.HIT, "Sort"), (HighlightStyle.HIT, "Filter"),
    ]  # fmt: skip


def test_a_miss_lights_what_came_near_with_what_is_missing_and_comes_last() -> None:
    evaluated = proof("    - {type: semantic_element_exists, keywords: [Sort, Filters]}\n")
    marks = marks_of(evaluated, view())
    assert [mark.style for mark in marks] == [HighlightStyle.HIT, HighlightStyle.MISS]
    assert marks[0].tag == "Sort"
    assert "Filter" in marks[1].tag


def test_in_a_not_what_matches_is_the_miss() -> None:
    condition = "    - not: [{type: element_exists, selector: \"text='Sort'\"}]\n"
    evaluated = proof(condition)
    assert [mark.style for mark in marks_of(evaluated, view())] == [HighlightStyle.MISS]
    assert count_clauses(evaluated) == (0, 1)


def test_one_clause_alone_can_be_lit() -> None:
    evaluated = proof(
        "    - {type: element_exists, selector: \"text='Sort'\"}\n"
        "    - {type: element_exists, selector: \"text='Filter'\"}\n"
    )
    assert [mark.tag for mark in marks_of_clause(evaluated.parts[1], view())] == ["Filter"]
    assert count_clauses(evaluated) == (2, 0)


# -- how a rule stands in the list -------------------------------------------
def count_of(rule, *, is_pending: bool = False) -> RuleCount:
    corpus = Corpus([MemoryTrajectory("buy", [RecordedScreen(data, package=SHOP) for data in SCREENS])])
    return RuleCount(BackTest(corpus).run(rule), is_pending=is_pending)


def test_a_rule_that_fires_somewhere_says_how_often() -> None:
    bought = read_rules(SUCCESS_TEXT).rules[0]
    entry = rule_entry(bought, (), count_of(bought))
    assert (entry.state, entry.detail, entry.is_pending) == (RuleState.CLEAN, "1", False)
    assert rule_entry(bought, (), RuleCount()).detail == "-"


def test_a_figure_that_is_counted_again_is_marked_as_old() -> None:
    bought = read_rules(SUCCESS_TEXT).rules[0]
    entry = rule_entry(bought, (), count_of(bought, is_pending=True))
    assert (entry.detail, entry.is_pending) == ("1\u2026", True)
    assert "Counting" in entry.tooltip
    assert rule_entry(bought, (), RuleCount(is_pending=True)).detail == "\u2026"


def test_a_rule_that_fires_nowhere_says_so() -> None:
    never = read_rules(INJECTION_TEXT).rules[0]
    assert rule_entry(never, (), count_of(never)).state is RuleState.NEVER


def test_a_rule_without_conditions_or_actions_is_a_draft() -> None:
    empty = read_rules("rules:\n  - id: a\n    conditions:\n      all: []\n").rules[0]
    assert rule_entry(empty, (), RuleCount()).state is RuleState.DRAFT


def test_the_worst_finding_decides_and_is_said() -> None:
    file = read_rules(INJECTION_TEXT.replace("type: current_package_is", "type: current_pakage_is"))
    entry = rule_entry(file.rules[0], file.diagnostics, RuleCount())
    assert entry.state is RuleState.ERROR
    assert "current_pakage_is" in entry.tooltip
    assert count_of_rule(file.diagnostics, "on_results")[0] == 1
    assert count_of_rule(file.diagnostics, "another") == (0, 0)


# -- library -----------------------------------------------------------------
def test_the_answers_of_a_dialog_and_what_follows_them_are_read() -> None:
    text = """interference_library:
  - id: a
    description: Asks
    target_activity: LocationPermissionActivity
    params: {param_allow_btn_text: Allow, param_deny_btn_text: No, param_allow_log_event: X}
    post_actions:
      EVENT:X: [{type: adb, command: am start}, {type: log, message: goes on}]
  - id: b
  - {description: nameless}
  - only words
"""
    first, second = anomaly_choices(read_library(text))
    assert (first.id, first.description) == ("a", "Asks")
    assert first.answers == (("Allow", "am start, goes on"), ("No", "nothing follows"))
    assert (second.id, second.answers) == ("b", ())


@pytest.mark.parametrize("text", ["", "[", "interference_library: 3", "- a", "interference_library: [1]"])
def test_a_file_that_is_no_library_has_no_anomalies(text) -> None:
    assert anomaly_choices(read_library(text)) == ()


# -- templates ---------------------------------------------------------------
def test_every_kind_of_condition_can_be_begun_and_is_valid() -> None:
    offered = [(title, condition) for title, condition in condition_starters(view())]
    assert len(offered) == len(condition_specs()) + 2
    package = next(action for _title, action in offered if action.type == "current_package_is")
    assert package.value == SHOP
    assert len(list(condition_starters(None))) == len(offered)


def test_a_condition_of_an_installed_package_can_be_begun() -> None:
    with installed_condition_types(ELEMENT_COUNT):
        offered = dict(condition_starters(view()))
    title = "element_count   At least so many nodes match the selector"
    assert plain_condition(offered[title]) == {"type": "element_count", "selector": f"package='{SHOP}'"}


def test_ids_are_numbered_when_taken() -> None:
    assert free_id("a", {"a", "a_2"}) == "a_3"
    assert free_id("b", {"a"}) == "b"


# -- files -------------------------------------------------------------------
class ReportSpy(QObject):
    """Stands in the place of toasts."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[str, ...]] = []
        self.errors: list[Exception] = []

    def show(self, *words: str) -> None:
        self.shown.append(words)

    def show_error(self, error: Exception) -> None:
        self.errors.append(error)


@pytest.fixture
def runner(qapp, qtbot):
    job_runner = JobRunner()
    yield job_runner
    job_runner.close()
    job_runner.deleteLater()
    qtbot.wait(0)


@pytest.mark.fault("F26")
def test_the_matrix_is_saved_as_a_table_no_program_takes_for_formulas(runner, qtbot, tmp_path) -> None:
    corpus = Corpus([MemoryTrajectory("=cmd()", [RecordedScreen(data, package=SHOP) for data in SCREENS])])
    result = BackTest(corpus).run(read_rules(SUCCESS_TEXT).rules[0])
    report, path = ReportSpy(), tmp_path / "matrix.csv"
    export_matrix(runner, str(path), result.rows, report)
    qtbot.waitUntil(lambda: bool(report.shown), timeout=20_000)
    head, row = csv.reader(path.read_text("utf-8").splitlines())
    assert head[:3] == ["task", "trajectory", "who"]
    assert row[0] == "'=cmd()"
    assert row[3:] == ["1", "2", "3", "near near fires"]


def test_a_matrix_that_cannot_be_written_is_told(runner, qtbot, tmp_path) -> None:
    report = ReportSpy()
    export_matrix(runner, str(tmp_path / "none" / "m.csv"), [], report)
    qtbot.waitUntil(lambda: bool(report.errors), timeout=20_000)


def picture() -> QImage:
    image = QImage(20, 10, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    image.setPixelColor(5, 5, QColor("red"))
    return image


def test_a_part_of_a_screen_is_kept_once_under_a_name_of_what_it_shows(runner, qtbot, tmp_path) -> None:
    name = save_region_image(runner, tmp_path, picture(), Rect(4, 4, 8, 8))
    assert name.startswith("rules/images/")
    assert save_region_image(runner, tmp_path, picture(), Rect(4, 4, 8, 8)) == name
    assert save_region_image(runner, tmp_path, picture(), Rect(5, 4, 9, 8)) != name
    qtbot.waitUntil(lambda: len(list((tmp_path / "rules/images").glob("*.png"))) == 2, timeout=20_000)
    saved_image = QImage(str(tmp_path / name))
    assert (saved_image.width(), saved_image.height(), saved_image.pixelColor(1, 1).name()) == (
        4,
        4,
        "#ff0000",
    )


def test_without_a_project_a_picture_has_no_place(runner) -> None:
    with pytest.raises(UserError, match="No project"):
        save_region_image(runner, None, picture(), Rect(0, 0, 4, 4))


# -- the pane of one rule ----------------------------------------------------
@pytest.fixture
def pane(dressed, qtbot):
    rule_pane = RulePane(STUDIO_TOOLKIT)
    qtbot.addWidget(rule_pane)
    rule_pane.resize(900, 500)
    rule_pane.show()
    rule_pane.show_content(any_rule=True)
    return rule_pane


def test_where_both_do_not_fit_the_yaml_makes_way_and_comes_back(pane) -> None:
    assert pane.form.isVisible()
    assert pane.yaml.isVisible()
    pane.resize(480, 500)
    assert pane.view == BOTH
    assert not pane.yaml.isVisible()
    pane.set_view(YAML)
    assert pane.yaml.isVisible()
    pane.set_view(BOTH)
    pane.resize(900, 500)
    assert pane.yaml.isVisible()


def test_badges_say_how_much_is_wrong_and_hide_when_nothing_is(pane) -> None:
    pane.show_head("one", RuleState.ERROR, 1, 3)
    assert [pane.errors.text, pane.warnings.accessibleName()] == ["one error", "3 warnings"]
    pane.show_head("one", RuleState.CLEAN, 0, 0)
    assert not pane.errors.isVisible()
    assert not pane.warnings.isVisible()


def test_the_tally_says_only_what_there_is(dressed, qtbot) -> None:
    tally = DiagnosticTally()
    qtbot.addWidget(tally)
    tally.set_counts(2, 1)
    assert tally.texts == ["2 errors", "one warning"]
    tally.set_counts(0, 0)
    assert tally.texts == []
