"""The recipes of ``docs/extending.md`` work as they are written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.agents import registry
from collector.agents.agent import AgentEpisode
from collector.agents.registry import DeclaredAgent, create_agent
from collector.anomalies.anomaly_source import AnomalySource, installed_libraries
from collector.cli import main as command
from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.exchange.registry import formats
from collector.hierarchy.parse import parse_tree
from collector.judge import registry as judge_registry
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.pivot import pivot
from collector.model.action import Complete, Tap
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import forget_condition_types
from collector.rules.grammar.model import WAYMARK
from collector.rules.grammar.rule_reader import read_rules
from collector.store.catalogue.episode_facts import EpisodeFacts
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.variations.registry import Variations
from collector.virtual.apps import make_apps
from tests.helpers.app_walk import AppWalk
from tests.helpers.dumps import node
from tests.helpers.episode_table import columns_of_episodes
from tests.helpers.extending import as_module, installed, recipe
from tests.helpers.shell_device import shell_device
from tests.helpers.steps import png, step, xml
from tests.helpers.stored_screens import answers, made_screen
from tests.helpers.tasks import put_task

RULE = """
three_buttons:
  conditions:
    all:
      - {type: element_count, selector: "class='android.widget.Button'", least: 2}
"""
SCREEN = b"""<hierarchy rotation="0">
<node class="android.widget.Button" text="Yes" bounds="[0,0][10,10]"/>
<node class="android.widget.Button" text="No" bounds="[0,10][10,20]"/>
</hierarchy>"""


def test_a_condition_type(tmp_path: Path) -> None:
    with installed(recipe("A condition type"), tmp_path):
        forget_condition_types()
        try:
            file = read_rules(RULE)
            assert file.diagnostics == ()
            view = StateView(parse_tree(SCREEN), SCREEN, "app", ".Main", 1)
            proof = evaluate(file.rules[0], view, WAYMARK)
            assert proof.holds
            assert reason(proof.parts[0], view) == "2 nodes match, needs 2"
        finally:
            forget_condition_types()


def test_an_anomaly(tmp_path: Path) -> None:
    with installed(recipe("An anomaly"), tmp_path):
        installed_libraries.cache_clear()
        try:
            anomaly = AnomalySource().anomaly("meeting_reminder")
            assert anomaly.activity == "LowBatteryActivity"
            assert [listed.installed for listed in AnomalySource().listed() if listed.anomaly is anomaly] == [
                True
            ]
        finally:
            installed_libraries.cache_clear()


def test_a_format(tmp_path: Path) -> None:
    source = tmp_path / "given.csv"
    source.write_text("id,instruction,package\ncart,Open the cart,com.example.shop\n", "utf-8")
    with installed(recipe("A format"), tmp_path / "site"):
        formats.cache_clear()
        try:
            project = Project.create(tmp_path / "project", "Example")
            report = import_into(project, source)
            assert report.format.id == "task-table"
            export_project(project, "task-table", tmp_path / "written.csv")
            written = (tmp_path / "written.csv").read_text("utf-8")
            assert written.splitlines() == source.read_text("utf-8").splitlines()
        finally:
            formats.cache_clear()


@pytest.fixture
def fresh_kinds() -> Iterator[None]:
    registry.KINDS.installed.cache_clear()
    yield
    registry.KINDS.installed.cache_clear()


@pytest.mark.usefixtures("fresh_kinds")
def test_an_agent(tmp_path: Path) -> None:
    written = recipe("An agent")
    (text,) = (text for path, text in written.files.items() if path.endswith(".py"))
    body = text[text.index("class FirstButton") : text.index("KIND = ")]
    assert len([line for line in body.splitlines() if line.strip()]) <= 20  # as the guide promises
    with installed(written, tmp_path):
        agent = create_agent(DeclaredAgent("first-button", {"most": 1}))
        agent.begin(AgentEpisode(Task("cart", "Open the cart")))
        button = node(text="Cart", clickable="true", bounds="[0,0][100,40]")
        turns = answers(agent, [made_screen(button), made_screen(button)])
        assert [turn.predicted for turn in turns] == [Tap(50, 20), Complete()]
        assert turns[0].thought == "Tap Cart"
        agent.close()
        with pytest.raises(UserError, match="most is at least 1"):
            create_agent(DeclaredAgent("first-button", {"most": 0}))


@pytest.fixture
def fresh_judges() -> Iterator[None]:
    judge_registry.KINDS.installed.cache_clear()
    yield
    judge_registry.KINDS.installed.cache_clear()


@pytest.mark.usefixtures("fresh_judges")
def test_a_judge(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "project", "Example")
    put_task(project, Task("cart", "Open the cart"))
    with project.new_trajectory(TrajectoryHeader("one", "cart", RUN)) as writer:
        writer.append(step(0), png(), xml("Cart is open"))
        writer.finish()
    with installed(recipe("A judge"), tmp_path / "site"):
        for text, verdict in (("cart is open", "success"), ("Paid", "failure")):
            words = ["run", str(project.folder), "--judge", "last-words", "-o", f"text={text}"]
            assert command.main(["judge", *words]) == 0
            (folder,) = project.trajectory_folders()
            assert read_judgements(folder).judgements[-1].verdict == verdict
        with pytest.raises(UserError, match="last-words needs the option text"):
            judge_registry.create_judge("last-words", project)


def test_a_measure() -> None:
    (name, text), *_others = recipe("A measure").files.items()
    claims = ("impossible", "complete", "", "impossible")
    table = columns_of_episodes(
        [EpisodeFacts("a", agent="g", outcome="failure", is_finished=1, claimed=claim) for claim in claims]
    )
    try:
        measure = as_module(name, text).GIVEN_UP
        result = pivot(table, [DIMENSIONS["agent"]], [measure])
        (column,) = result.columns
        assert (column.counts[0], column.hits[0], column.values[0]) == (4, 2, 0.5)
    finally:
        sys.modules.pop(name, None)


def test_a_variation(tmp_path: Path) -> None:
    ((name, text),) = recipe("A variation").files.items()
    file = tmp_path / name
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    known = Variations(tmp_path)
    assert known.diagnostics("easy_to_read") == ()
    look = known.resolve("easy_to_read").appearance_of("todo")
    assert (look.text_scale, look.weight, look.spacing) == (1.4, "bold", 0.65)


def test_a_virtual_app(request: pytest.FixtureRequest) -> None:
    ((path, text),) = recipe("A virtual app").files.items()
    name = path.removesuffix(".py").replace("/", ".")
    module = as_module(name, text)
    request.addfinalizer(lambda: sys.modules.pop(name))
    walk = AppWalk(module.CounterApp(), 1, "en-US")
    for _step in range(10):
        walk.step()
    assert walk.state.count > 0
    assert walk.unnamed() == []
    assert walk.restored()
    with shell_device(apps=(*make_apps(("shop",)), module.CounterApp())) as device:
        device.shell("monkey -p com.example.counter -c android.intent.category.LAUNCHER 1")
        for _tap in range(2):
            tree = parse_tree(device.phone.hierarchy_xml())
            add = next(node for node in tree if node.resource_id == "com.example.counter:id/add")
            assert add.bounds is not None
            device.shell(f"input tap {add.bounds.center.x} {add.bounds.center.y}")
        assert "Taps: 2" in [node.text for node in parse_tree(device.phone.hierarchy_xml())]
