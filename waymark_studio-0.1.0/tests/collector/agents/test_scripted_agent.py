"""Scripts: how they are written, what they do on a screen, and where a mistake is."""

from __future__ import annotations

import threading

import pytest

from collector.agents.agent import AgentEpisode, Observation, PastStep, erased_by
from collector.agents.registry import DeclaredAgent, create_agent
from collector.device.errors import CallCancelled
from collector.model.action import (
    Answer,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)  # fmt: skip
from collector.model.errors import UserError
from collector.model.task import Task
from collector.store.project.project import Project
from tests.helpers.dumps import node
from tests.helpers.stored_screens import answers, made_screen
from tests.helpers.xpath_bombs import SLOW, bomb

CART = made_screen(
    node(text="Cart", bounds="[0,0][1080,100]"),
    node(text="Pay now", resource_id="com.example.shop:id/pay", bounds="[100,1000][300,1100]"),
    node(text="", content_desc="Help", bounds="[900,0][1080,100]"),
)
DONE = made_screen(node(text="Thank you, the order is placed", bounds="[0,0][1080,100]"))


@pytest.fixture
def project(tmp_path):
    return Project.create(tmp_path / "project")


def begun(project=None, task="buy", **options):
    agent = create_agent(DeclaredAgent("scripted", options), project)
    agent.begin(AgentEpisode(Task(task, "Buy it")))
    return agent


def predicted(agent, screens):
    return [turn.predicted for turn in answers(agent, screens)]


def one(action):
    return predicted(begun(actions=[action]), [CART])[0]


@pytest.mark.parametrize(
    ("written", "action"),
    [
        ({"tap": [10, 20]}, Tap(10, 20)),
        ({"tap": {"x": 10, "y": 20}}, Tap(10, 20)),
        ({"tap": [0.5, 0.25]}, Tap(540, 600)),
        ({"tap": {"at": [10, 20], "duration_ms": 80}}, Tap(10, 20, 80)),
        ({"tap": "resource-id='com.example.shop:id/pay'"}, Tap(200, 1050)),
        ({"tap": "//*[@text='Pay now']"}, Tap(200, 1050)),
        ({"tap": "Pay now"}, Tap(200, 1050)),
        ({"tap": "Pay"}, Tap(200, 1050)),
        ({"tap": "Help"}, Tap(990, 50)),
        ({"double_tap": "Pay now"}, DoubleTap(200, 1050)),
        ({"long_press": {"at": "Pay now", "duration_ms": 900}}, LongPress(200, 1050, 900)),
        ({"swipe": "up"}, Swipe(540, 1920, 540, 480)),
        ({"swipe": {"from": [10, 20], "to": "Pay now", "duration_ms": 100}}, Swipe(10, 20, 200, 1050, 100)),
        ({"drag": {"from": "Pay now", "to": [10, 20]}}, Drag(200, 1050, 10, 20)),
        ({"scroll": "down"}, Scroll(540, 1200)),
        ({"scroll": {"at": "Pay now", "direction": "up"}}, Scroll(200, 1050, "up")),
        ({"pinch": {"at": [500, 500], "scale": 1.5}}, Pinch(500, 500, 1.5)),
        ({"type": "Anna"}, Type("Anna", 4)),
        ({"type": 42}, Type("42", 2)),
        ({"key": "back"}, Key("back")),
        ({"key": "code:66"}, Key("code:66")),
        ({"open_app": "com.example.shop"}, OpenApp("com.example.shop")),
        ({"open_app": {"name": "Shop"}}, OpenApp("", "Shop")),
        ({"wait": 250}, Wait(250)),
        ({"answer": "two"}, Answer("two")),
        ({"complete": None}, Complete()),
        ("complete", Complete()),
        ({"impossible": "sold out"}, Impossible("sold out")),
    ],
)  # fmt: skip
def test_an_action_is_written_short_or_long(written, action):
    assert one(written) == action


def test_text_that_is_there_is_erased_before():
    turns = answers(begun(actions=[{"type": {"text": "Anna", "erase": 7}}]), [CART])
    assert turns[0].predicted == Type("Anna", 4)
    assert erased_by(turns[0]) == 7


def test_it_says_that_it_is_done_after_the_last_action():
    assert predicted(begun(actions=[{"tap": "Help"}]), [CART, CART]) == [Tap(990, 50), Complete()]


def test_conditions_of_the_rule_grammar_choose_and_wait():
    actions = [
        {"if": [{"type": "element_exists", "selector": "text*='Thank you'"}], "tap": [1, 1]},
        {"wait_for": {"any": [{"type": "element_exists", "selector": "text*='Thank you'"}]}, "tap": [2, 2]},
        {"if": {"not": [{"type": "element_exists", "selector": "text*='Cart'"}]}, "answer": "placed"},
    ]
    agent = begun(actions=actions, waits=3, wait_ms=5)
    assert predicted(agent, [CART, CART, DONE, DONE]) == [Wait(5), Wait(5), Tap(2, 2), Answer("placed")]


def test_a_condition_can_ask_for_the_last_action():
    actions = [{"key": "back"}, {"if": [{"type": "action_was", "action": "key"}], "answer": "yes"}]
    assert predicted(begun(actions=actions), [CART, CART]) == [Key("back"), Answer("yes")]


REFUND = {"type": "element_exists", "selector": "text*='Refund'"}


@pytest.mark.parametrize("action", [{"tap": "Refund"}, {"wait_for": [REFUND], "tap": [1, 1]}])
def test_what_does_not_come_ends_it_with_the_place_in_the_script(action):
    turns = answers(begun(actions=[action], waits=1, wait_ms=5), [CART, CART])
    assert [type(turn.predicted) for turn in turns] == [Wait, Impossible]
    assert "Action 1 of the script" in turns[1].predicted.reason
    assert "'Cart'" in turns[1].thought


def test_a_file_has_one_script_or_one_for_each_task(project):
    folder = project.folder / "scripts"
    folder.mkdir()
    (folder / "all.yaml").write_text("- tap: [1, 1]\n", "utf-8")
    (folder / "tasks.yaml").write_text("buy:\n  - tap: [2, 2]\ndefault: [{tap: [3, 3]}]\n", "utf-8")
    (folder / "buy.yaml").write_text("- tap: [4, 4]\n", "utf-8")
    assert predicted(begun(project, file="scripts/all.yaml"), [CART]) == [Tap(1, 1)]
    assert predicted(begun(project, file="scripts/tasks.yaml"), [CART]) == [Tap(2, 2)]
    assert predicted(begun(project, "sell", file="scripts/tasks.yaml"), [CART]) == [Tap(3, 3)]
    assert predicted(begun(project, file="scripts/{task}.yaml"), [CART]) == [Tap(4, 4)]
    (folder / "tasks.yaml").write_text("buy:\n  - tap: [2, 2]\n", "utf-8")
    with pytest.raises(UserError, match=r"no actions for the task sell. It has: buy"):
        begun(project, "sell", file="scripts/tasks.yaml")
    (folder / "all.yaml").write_text("- tap: Refund\n", "utf-8")
    turns = answers(begun(project, file="scripts/all.yaml", waits=0), [CART])
    assert turns[0].predicted.reason.startswith("scripts/all.yaml:1: no node is Refund")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- tapp: [1, 1]\n", "s.yaml:1:3: There is no action tapp. Write tap"),
        ("- tap: [1, 1]\n- zzz: 1\n", "s.yaml:2:3: .*Use: tap, double_tap"),
        ("- tap: [1]\n", "s.yaml:1:8: A place is"),
        ("- tap: [1, -1]\n", "A place is"),
        ("- tap: {x: 1, y: two}\n", "A place is"),
        ("- tap:\n", "tap needs at"),
        ("- tap: text='Pay\n", r"s.yaml:1:8: .*never closed"),
        ("- tap: //node[\n", "s.yaml:1:8:"),
        ("- tap: {at: [1, 1], durration_ms: 3}\n", "durration_ms. Change to duration_ms"),
        ("- tap: {at: [1, 1], duration_ms: long}\n", "duration_ms has to be a number"),
        ("- {tap: [1, 1], key: back}\n", "key is a second action"),
        ("- {if: [{type: tex_matches}], tap: [1, 1]}\n", "no condition tex_matches"),
        ("- {if: [{type: text_matches}], tap: [1, 1]}\n", "s.yaml:1:"),
        ("- if: []\n", "no action to do"),
        ("- swipe: upp\n", "no direction called upp. Write up"),
        ("- swipe: {from: [1, 1]}\n", "swipe needs a direction"),
        ("- drag: [1, 1]\n", "drag needs from"),
        ("- key: bak\n", "Write back"),
        ("- open_app:\n", "needs a package or a name"),
        ("- drag: {from: [1, 1]}\n", "drag needs to"),
        ("- complete: now\n", "takes no value"),
        ("- answer: [a]\n", "text has to be a text"),
        ("- tap\n", "An action is written as"),
        ("tap: [1, 1]\n", "An action is written as"),
        ("- tap: [1, 1\n", "s.yaml:"),
        ("only words\n", "A script is a list of actions"),
    ],
)  # fmt: skip
def test_a_mistake_says_its_line(project, text, said):
    (project.folder / "s.yaml").write_text(text, "utf-8")
    with pytest.raises(UserError, match=said):
        create_agent(DeclaredAgent("scripted", {"file": "s.yaml"}), project)


def test_a_mistake_in_an_experiment_says_the_action():
    with pytest.raises(UserError, match="Action 2 of the script: There is no action tapp"):
        begun(actions=[{"tap": [1, 1]}, {"tapp": [1, 1]}])


def test_a_script_is_given_once_and_lies_in_the_project(project):
    with pytest.raises(UserError, match="either the option file or actions"):
        begun()
    with pytest.raises(UserError, match="either the option file or actions"):
        begun(file="a.yaml", actions=[{"tap": [1, 1]}])
    with pytest.raises(UserError, match="is a file of a project"):
        begun(file="a.yaml")
    with pytest.raises(UserError, match="outside the project"):
        begun(project, file="../a.yaml")
    with pytest.raises(UserError, match=r"a.yaml cannot be read. No such file"):
        begun(project, file="a.yaml")
    (project.folder / "a.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match=r"a.yaml cannot be read"):
        begun(project, file="a.yaml")
    (project.folder / "a.yaml").write_bytes(b"")
    assert predicted(begun(project, file="a.yaml"), [CART]) == [Complete()]


def test_without_a_tree_only_places_are_known():
    blind = made_screen()
    object.__setattr__(blind, "snapshot", None)
    agent = begun(actions=[{"tap": [1, 1]}, {"tap": "Help"}], waits=0)
    first, second = predicted(agent, [blind, blind])
    assert first == Tap(1, 1)
    assert isinstance(second, Impossible)


def test_a_cancelled_call_answers_nothing():
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CallCancelled):
        begun(actions=["complete"]).act(Observation(1, CART, (PastStep(Tap(1, 1)),)), cancel)


def test_an_xpath_that_is_too_complex_is_a_mistake_of_the_script():
    with pytest.raises(UserError, match="Action 1 of the script: The XPath is too complex"):
        begun(actions=[{"tap": bomb(8)}])


def test_an_xpath_that_takes_too_many_steps_is_waited_for_and_then_named():
    rows = made_screen(*[node(text=f"Row {number}") for number in range(800)])
    done = predicted(begun(actions=[{"tap": SLOW}], waits=1), [rows, rows])
    assert done[0] == Wait(1000)
    assert isinstance(done[1], Impossible)
    assert "takes too many steps on this screen" in done[1].reason
