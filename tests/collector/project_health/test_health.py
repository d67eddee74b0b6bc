"""Each kind of finding about a project's health is found, and counted as a plain loop over files does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from collector.model.action import Action, Answer, Complete, Impossible, Tap, Type
from collector.model.episode import REPLAY_AGENT, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.expected_answer import CONTAINS, NUMBER, REGEX, ExpectedAnswer
from collector.model.geometry import Rect
from collector.model.task import Task
from collector.model.task_parameter import Parameter
from collector.model.trajectory import GOLDEN, State, Step, Target
from collector.model.verdicts.judgement import MODEL, PERSON, RULE
from collector.project_health.health import HEALTH_CODES, MOST_LISTED, check_health
from collector.project_health.health_finding import FixKind, HealthFinding, HealthReport
from collector.project_health.leaks import says as says_answer
from collector.project_health.rates import interval
from collector.project_health.refusals import refusal_in
from collector.review.reviewing import Reviewing
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.errors import Damaged
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from tests.helpers.person_files import give_verdict
from tests.helpers.run_files import anomaly_event, says, write_run
from tests.helpers.steps import xml

DONE, FAILED = Outcome("success", claimed="complete"), Outcome("failure", claimed="complete")
LOW, PAGE = "battery_low_double_en", "app_crash"
RULES = """
ok:
  conditions: [{type: element_exists, selector: "text='OK'"}]
"""


def touch(label: str, package: str = "org.shop", action: Action | None = None, **state: Any) -> Step:
    """A step that touches the button with a label."""
    target = Target((0,), Rect(0, 0, 4, 8), (), {"class": "android.widget.Button", "text": label})
    shown = State(package=package, tree="states/0000.xml", **state)
    return Step(0, 0, "", shown, action or Tap(1, 1), target)


def said(action: Action, **state: Any) -> Step:
    """A step that does nothing on the phone."""
    return Step(0, 0, "", State(package="org.shop", tree="states/0000.xml", **state), action)


def golden(project: Project, name: str, task: str, *steps: Step, **given: Any) -> Path:
    return write_run(project, name, None, None, task=task, steps=steps, kind=GOLDEN, **given)  # type: ignore[arg-type]


WAY = [touch(name) for name in ("Posters", "Oak", "Add", "Cart")]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with something of everything that is not healthy, and as much that is."""
    created = Project.create(tmp_path_factory.mktemp("health") / "p")
    states = [EssentialState(f"buy-{number}", "", "buy") for number in (1, 2, 3)]
    created.save_tasks(
        [
            Task("buy", "Buy the oak frame", rule_key="ok"),
            Task(
                "ask", "Is the oak or the pine cheaper?", expected_answer=ExpectedAnswer(("Oak!",), CONTAINS)
            ),
            Task("easy", "Open the shop"),
            Task("hard", "Order everything"),
            Task("plain", "Do it"),
        ],
        states=[StateChange(None, state) for state in states],
    )
    (created.folder / "rules").mkdir(exist_ok=True)
    (created.folder / "rules/success.yaml").write_text(RULES)
    first = golden(created, "g1", "buy", *WAY, judgements=says("rules", RULE, buy_1=1, buy_2=2, buy_3=False))
    (first / "states").mkdir()
    (first / "states/0000.xml").write_bytes(xml("OK"))
    golden(created, "g2", "buy", *WAY, said(Complete()))
    _add_runs_of_buy(created)
    for number in range(6):
        write_run(created, f"easy-{number}", Episode("e", agent="m"), DONE, task="easy")
        write_run(created, f"hard-{number}", Episode("e", agent="m"), FAILED, task="hard")
    write_run(created, "plain-1", Episode("e", agent="m"), DONE, task="plain")
    _add_anomalies(created)
    _add_votes(created)
    return created


def _add_runs_of_buy(project: Project) -> None:
    def run(name: str, *steps: Step, outcome: Outcome = DONE, agent: str = "m", **given: Any) -> None:
        by_rules = says("rules", RULE, buy_1=0, buy_2=False, buy_3=False)
        write_run(
            project, name, Episode("e", agent=agent, **given), outcome, task="buy", steps=steps,
            judgements=by_rules,
        )  # fmt: skip

    run("good", *WAY, said(Complete()))
    run("elsewhere", *(touch(name) for name in ("Search", "Help", "About")))
    run("nothing", said(Complete()))
    run("short", touch("Cart"), touch("Elsewhere"))
    run("refuses", *WAY, said(Answer("I'm sorry, I cannot do that")))
    run("impossible", *WAY, said(Impossible("")), outcome=replace(DONE, claimed="impossible"))
    run("clock", *WAY, touch("Time", "com.android.settings"))
    data: Mapping[str, Any] = {"todo.tasks": [{"title": "a"}]}
    run("behind", *WAY, said(Complete(), app_data={}), said(Complete(), app_data=data))
    run("in-front", *WAY, touch("Add", "org.todo", app_data={}), touch("Cart", "org.todo", app_data=data))
    run("failed", touch("Search"), outcome=FAILED)
    run("blind", *(Step(0, 0, "", State(package="org.shop"), Tap(1, 1)) for _ in range(3)))
    run("random", *WAY, agent="monkey")
    write_run(project, "r1", Episode("replays", "g1", REPLAY_AGENT), DONE, task="buy", steps=WAY)
    write_run(
        project, "r2", Episode("replays", "g1", REPLAY_AGENT), Outcome("uncompleted", "Another screen"),
        task="buy", steps=WAY[:2],
    )  # fmt: skip
    write_run(project, "r3", Episode("replays", "g2", REPLAY_AGENT), Outcome("failure"), task="buy")
    write_run(project, "r4", Episode("replays", "g2", REPLAY_AGENT), DONE, task="buy", steps=WAY)


def _add_anomalies(project: Project) -> None:
    appeared = [anomaly_event("injected", 50, LOW)]
    for seed in range(6):
        write_run(project, f"base-{seed}", Episode("e", agent="b", seed=seed), DONE, task="plain")
        low = Episode("e", agent="b", seed=seed, condition=LOW)
        write_run(project, f"low-{seed}", low, DONE, task="plain", steps=WAY, events=appeared)
        never = Episode("e", agent="b", seed=seed, condition=PAGE)
        write_run(project, f"never-{seed}", never, FAILED, task="plain")


def _add_votes(project: Project) -> None:
    for number in range(40):
        given = [
            *says("ann", PERSON, "success"),
            *says("model", MODEL, "success" if number < 20 else "failure"),
        ]
        given += says("steady", MODEL, "success" if number % 2 else "failure")
        name = f"v{number:02}"
        golden(project, name, "plain", *WAY, judgements=given, started=f"2026-02-01T00:00:{number:02}")


def told(project: Project, **given: Any) -> HealthReport:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        return check_health(project, catalogue, **given)


@pytest.fixture(scope="module")
def report(project: Project) -> HealthReport:
    return told(project)


def of(report: HealthReport, name: str) -> list[HealthFinding]:
    return [item for item in report.findings if item.name == name]


def ids(report: HealthReport, name: str) -> set[str]:
    """Ids of the runs of `buy` with a finding of a kind."""
    return {item.finding.where.rpartition("/")[2] for item in of(report, name) if item.task == "buy"}


def test_every_kind_is_found_once_where_it_is(project: Project, report: HealthReport) -> None:
    assert {item.task for item in of(report, "done-at-start")} == {"buy"}
    assert of(report, "done-at-start")[0].finding.where == "rules/success.yaml:2"
    assert [item.finding.what for item in of(report, "done-at-random")] == [
        "Random actions did task buy in 1 of 1 run"
    ]
    assert [item.task for item in of(report, "never-done")] == ["hard"]
    assert of(report, "never-done")[0].finding.what == "No run of 6 did task hard"
    assert [item.task for item in of(report, "always-done")] == ["easy"]
    assert [item.task for item in of(report, "answer-given-away")] == ["ask"]
    assert [item.fix.target for item in of(report, "state-never-reached") if item.fix] == ["buy-3"]
    assert [item.fix.target for item in of(report, "state-always-reached") if item.fix] == ["buy-1"]
    assert [PAGE in item.finding.what for item in of(report, "anomaly-never-appears")] == [True]
    assert [LOW in item.finding.what for item in of(report, "anomaly-never-matters")] == [True]
    assert [item.fix.target for item in of(report, "judge-drifts") if item.fix] == ["model"]
    assert {item.task for item in of(report, "verdicts-outdated")} == {"buy"}
    assert ids(report, "golden-not-replayable") == {"r2"}
    assert ids(report, "success-untouched") == {"elsewhere", "nothing"}
    assert ids(report, "success-refused") == {"refuses", "impossible"}
    assert ids(report, "success-too-short") == {"nothing", "short"}
    assert ids(report, "success-from-behind") == {"behind"}
    assert ids(report, "success-by-settings") == {"clock"}


def test_shares_are_said_with_what_is_certain(report: HealthReport) -> None:
    z, count = 1.959963984540054, 6
    upper = (z * z / count) / (1 + z * z / count)  # Wilson's, for no hit
    assert interval(0, count)[0] == 0
    assert interval(0, count)[1] == pytest.approx(upper)
    assert f"at most {round(100 * upper)} %" in of(report, "never-done")[0].finding.why
    hits, centre = 3, (0.5 + z * z / 12) / (1 + z * z / 6)
    half = z / (1 + z * z / 6) * sqrt(0.25 / 6 + z * z / 144)
    assert list(interval(hits, 6)) == pytest.approx([centre - half, centre + half])


def plain_steps(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]


def test_a_plain_loop_over_the_files_counts_the_same_suspicious_runs(
    project: Project, report: HealthReport
) -> None:
    """Written anew from what the guide says, one trajectory at a time, without the index."""
    counts: Counter[str] = Counter()
    for task in (project.folder / "trajectories").iterdir():
        headers = [(path, json.loads((path / "trajectory.json").read_text())) for path in task.iterdir()]
        ways = [plain_steps(path) for path, header in headers if header["kind"] == "golden"]
        if not ways:
            continue
        labels = {step["target"]["attributes"]["text"] for way in ways for step in way if step["target"]}
        apps = {step["state"]["package"] for way in ways for step in way}
        shortest = min(sum(step["action"]["kind"] == "tap" for step in way) for way in ways)
        for path, header in headers:
            if header["kind"] == "golden" or header["outcome"]["status"] != "success":
                continue
            steps = plain_steps(path)
            done = [step for step in steps if step["action"]["kind"] == "tap"]
            unseen = any(not step["state"]["tree"] for step in done)
            touched = {step["target"]["attributes"]["text"] for step in done if step["target"]}
            counts["success-untouched"] += not unseen and labels.isdisjoint(touched)
            counts["success-too-short"] += len(done) * 2 <= shortest
            counts["success-by-settings"] += any(
                "settings" in step["state"]["package"] for step in done
            ) and not any("settings" in app for app in apps)
    assert counts == Counter({name: report.counts.get(name, 0) for name in counts})
    assert counts["success-too-short"] >= 2


def plain_runs(project: Project) -> list[tuple[Path, dict[str, Any]]]:
    """Folder and header of each run, read from its file alone."""
    headers = [
        (path.parent, json.loads(path.read_text())) for path in project.folder.rglob("trajectory.json")
    ]
    return [(folder, header) for folder, header in headers if header["kind"] == "run"]


def test_a_plain_loop_over_the_files_counts_the_same_tasks_states_and_anomalies(
    project: Project, report: HealthReport
) -> None:
    successes: dict[str, list[bool]] = {}
    by_chance: set[str] = set()
    reached: dict[str, list[bool]] = {}
    planned: dict[str, list[bool]] = {}
    for folder, header in plain_runs(project):
        episode, outcome = header["episode"], header["outcome"]
        is_done = outcome["status"] == "success"
        if episode["agent"] == "monkey":
            by_chance |= {header["task"]} if is_done else set()
        elif episode["agent"] != "replay":
            successes.setdefault(header["task"], []).append(is_done)
        if condition := episode.get("condition"):
            planned.setdefault(condition, []).append((folder / "events.jsonl").exists())
        verdicts = folder / "judgements/rules.jsonl"
        for line in verdicts.read_text().splitlines() if verdicts.exists() else ():
            said = json.loads(line)
            if said.get("subject", {}).get("kind") == "state":
                reached.setdefault(said["subject"]["state"], []).append(said["verdict"] == "reached")
    enough = {task: done for task, done in successes.items() if len(done) >= 5}
    assert {item.task for item in of(report, "never-done")} == {t for t, d in enough.items() if not any(d)}
    assert {item.task for item in of(report, "always-done")} == {t for t, d in enough.items() if all(d)}
    assert {item.task for item in of(report, "done-at-random")} == by_chance
    always = {state for state, seen in reached.items() if len(seen) >= 5 and all(seen)}
    assert {item.fix.target for item in of(report, "state-always-reached") if item.fix} == always
    never = {anomaly for anomaly, met in planned.items() if len(met) >= 5 and not any(met)}
    assert {item.finding.what.split()[0] for item in of(report, "anomaly-never-appears")} == never


def test_what_too_little_is_recorded_of_is_named_and_a_threshold_of_the_project_decides(
    project: Project,
) -> None:
    settings = project.paths.settings
    before = settings.read_text()
    try:
        settings.write_text(before + "health: {runs: 7, verdicts: 21}\n")
        report = told(Project.open(project.folder))
        for name in ("never-done", "always-done", "anomaly-never-appears", "judge-drifts"):
            assert not of(report, name)
            assert name in {item.name for item in report.unmeasured}
        settings.write_text(before + "health: {runs: none}\n")
        with pytest.raises(Damaged, match="health"):
            told(Project.open(project.folder))
    finally:
        settings.write_text(before)


def test_only_some_kinds_and_tasks_are_looked_at(project: Project) -> None:
    report = told(project, only=["W803", "always-done"], tasks=["hard"])
    assert [item.name for item in report.findings] == ["never-done"]
    assert {item.name for item in report.unmeasured} <= {"never-done", "always-done"}


def test_the_verb_prints_findings_and_ends_with_one(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["project", "health", str(project.folder), "--json", "--as", "nobody"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["counts"]["never-done"] == 1
    assert {item["code"] for item in document["findings"]} <= set(HEALTH_CODES)
    fixes = {item["fix"]["kind"] for item in document["findings"] if item["fix"]}
    assert {FixKind.LIST_RUNS, FixKind.MAKE_OPTIONAL, FixKind.SHOW_RULE} <= fixes
    assert command.main(["project", "health", str(project.folder), "--task", "plain", "--only", "W803"]) == 0
    assert "Nothing was found" in capsys.readouterr().out
    assert command.main(["project", "health", str(project.folder), "--only", "W999"]) == 1
    assert "W999" in capsys.readouterr().err


def test_of_many_findings_of_a_kind_the_first_are_listed_and_all_counted(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    answer = ExpectedAnswer(("oak",), CONTAINS)
    count = MOST_LISTED + 3
    created.save_tasks([Task(f"t{number}", "Is it oak?", expected_answer=answer) for number in range(count)])
    report = told(created)
    assert len(report.findings) == MOST_LISTED
    assert report.counts == {"answer-given-away": count}


@pytest.mark.parametrize(
    ("text", "answer", "rule", "leaks"),
    [
        ("Is it OAK, or pine?", "oak", CONTAINS, True),
        ("Is it soaked?", "oak", CONTAINS, False),
        ("橡木还是松木便宜？", "松木", CONTAINS, True),
        ("Pay 1,250 to Ana", "1250", NUMBER, True),
        ("Pay 12 to Ana", "1", NUMBER, False),
        ("Is it oak?", "(?i)OAK|pine", REGEX, True),
        ("Is it oak?", ".*", REGEX, False),
        ("Is it oak?", "", CONTAINS, False),
    ],
)
def test_an_instruction_says_an_answer_by_its_words(text: str, answer: str, rule: str, leaks: bool) -> None:
    assert says_answer(text, answer, rule) is leaks


def test_the_value_of_a_parameter_is_a_leak_only_where_it_is_the_answer(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    wood = (Parameter("wood", options=("oak", "pine")),)
    created.save_tasks(
        [
            Task("fine", "What does {wood} cost?", parameters=wood, expected_answer=ExpectedAnswer(("12",))),
            Task("leak", "Is {wood} there?", parameters=wood, expected_answer=ExpectedAnswer(("{wood}",))),
        ]
    )
    assert [item.task for item in told(created).findings] == ["leak"]


@pytest.mark.parametrize(
    ("answer", "refuses"),
    [
        ("I’m sorry, but no", True),
        ("It is unable to be bought", True),
        ("抱歉，我做不到", True),
        ("The oak one", False),
    ],
)
def test_answers_refuse_in_english_and_chinese(answer: str, refuses: bool) -> None:
    assert bool(refusal_in(answer)) is refuses


def test_typing_and_touching_are_compared_by_the_field_and_not_by_its_text(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    created.save_tasks([Task("find", "Find it")])

    def field(text: str) -> Step:
        shown = {"class": "android.widget.EditText", "resource-id": "a:id/query", "text": text}
        return replace(touch("", action=Type("x")), target=Target((0,), None, (), shown))

    golden(created, "g", "find", field("Search"))
    write_run(created, "r", Episode("e", agent="m"), DONE, task="find", steps=[field("Oak")])
    assert not of(told(created), "success-untouched")


def test_what_a_person_reviews_blind_is_counted_and_not_told(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    created.save_tasks([Task("buy", "Buy it")])
    golden(created, "g", "buy", *WAY)
    folder = write_run(created, "r", Episode("e", agent="m"), DONE, task="buy", steps=[touch("Help")] * 3)
    assert of(told(created, who="ann"), "success-untouched")
    give_verdict(folder, "bob", "success")
    Reviewing(created, "ann").judge(folder, "failure")
    blind = told(created, who="ann")
    assert (of(blind, "success-untouched"), blind.hidden) == ([], 1)
    assert of(told(created, who="eve"), "success-untouched")


def test_in_another_language_elements_are_the_same_by_their_ids(tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    created.save_tasks([Task("buy", "Buy it")])

    def button(label: str, own_id: str) -> Step:
        shown = {"class": "android.widget.Button", "text": label, "resource-id": own_id}
        return replace(touch(""), target=Target((0,), None, (), shown))

    golden(created, "g", "buy", button("Buy", "a:id/buy"))
    for name, own_id, language in (
        ("de", "a:id/buy", "de-DE"), ("other", "a:id/help", "de-DE"), ("plain", "a:id/buy", "")
    ):  # fmt: skip
        episode = Episode("e", agent="m", language=language)
        write_run(created, name, episode, DONE, task="buy", steps=[button("Kaufen", own_id)])
    assert ids(told(created), "success-untouched") == {"other", "plain"}
