"""The agent ``process`` with programs that do well, and with programs that break in every way."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from PIL import Image

from collector.agents.agent import (
    SCREENSHOT,
    SCREENSHOT_AND_TREE,
    TREE,
    AgentEpisode,
    AgentUnavailable,
    Observation,
    PastStep,
    hide_from_log,
    start_agent,
    taken_log,
)
from collector.agents.agent_log import AgentLog
from collector.agents.process.program import AgentProgram, ProgramFault
from collector.agents.registry import DeclaredAgent, create_agent
from collector.device.errors import CallCancelled
from collector.model.action import Answer, Complete, Invalid, Key, Swipe, Tap, Type, Wait
from collector.model.episode import FOCUS
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.task import Task
from collector.store.redaction.screens import MASK
from tests.collector.agents.screens import BUTTON, screen
from tests.helpers.dumps import node
from tests.helpers.scripts import ROOT

ROGUE = str(Path(__file__).with_name("rogue.py"))
EXAMPLES = ROOT / "docs" / "examples" / "agents"
TASK = Task("t", "Add the Night sea poster to the cart", app="Shop", package="com.example.shop",
            rule_key="secret_rule")  # fmt: skip


class Talk:
    """An agent and the history of its episode."""

    def __init__(self, command, **options):
        self.agent = create_agent(DeclaredAgent("process", {"command": command, **options}))
        self.history = []

    def begin(self, modality=SCREENSHOT_AND_TREE):
        self.history.clear()
        self.agent.begin(AgentEpisode(TASK, modality=modality, seed=7, budget=9, apps=(("a.b", "Shop"),)))

    def act(self, moment=None, cancel=None):
        observation = Observation(len(self.history) + 1, moment or screen(), tuple(self.history))
        turn = self.agent.act(observation, cancel or threading.Event())
        self.history.append(PastStep(turn.predicted, turn))
        return turn


@pytest.fixture
def talk():
    """Make a talk with a rogue program, or with another command."""
    talks = []

    def make(*words, command=None, **options):
        talks.append(Talk(command or [sys.executable, "-I", "-S", ROGUE, *words], **options))
        return talks[-1]

    yield make
    for made in talks:
        made.agent.close()


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    listed = subprocess.run(
        ["ps", "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return listed.stdout.strip() not in ("", "Z")  # a zombie has ended


def assert_ends(pid):
    deadline = time.monotonic() + 20  # the system ends it in its own time
    while is_alive(pid):
        assert time.monotonic() < deadline, pid


class CancelledLater(threading.Event):
    """Is set from the fifth look on, when the observation has long been sent."""

    looks = 0

    def is_set(self):
        self.looks += 1
        return self.looks > 5


def test_an_observation_has_all_that_the_modality_shows_and_nothing_of_the_judge(talk):
    made = talk("echo", timeout_s=30)
    made.begin()
    turn = made.act()
    assert (turn.predicted, turn.usage.time_ms == turn.timings_ms["think"]) == (Tap(5, 6), True)
    sent = json.loads(turn.thought)
    assert (sent["id"], sent["step"], sent["width"], sent["height"]) == (1, 1, 540, 1200)
    assert (sent["task"], sent["package"], sent["history"]) == (TASK.instruction, "com.example.shop", [])
    image = Image.open(io.BytesIO(base64.b64decode(sent["screenshot"]["base64"])))
    assert (image.size, image.getpixel((3, 3))) == ((540, 1200), (200, 200, 200))
    assert 'text="OK"' in sent["xml"]
    assert sent["nodes"] is None
    assert "secret_rule" not in turn.thought
    made.history.append(PastStep(Key("back")))
    sent = json.loads(made.act().thought)
    assert [(past["step"], past["by"], past["action"]["kind"]) for past in sent["history"]] == [
        (1, "agent", "tap"), (2, "person", "key")
    ]  # fmt: skip
    shown = {}
    for modality in (SCREENSHOT, TREE):
        made.begin(modality)
        sent = json.loads(made.act().thought)
        shown[modality] = (sent["screenshot"] is not None, sent["xml"] is not None)
    assert shown == {SCREENSHOT: (True, False), TREE: (False, True)}


def test_screenshots_as_files_and_nodes_as_a_list(talk):
    made = talk("echo", screenshot="path", tree="nodes")
    made.begin()
    sent = json.loads(made.act().thought)
    path = Path(sent["screenshot"]["path"])
    assert Image.open(io.BytesIO(path.read_bytes())).size == (540, 1200)
    assert [(each["index"], each["label"], each["bounds"]) for each in sent["nodes"]] == [
        (0, "OK", [100, 200, 300, 300]), (1, "", [0, 400, 540, 500])
    ]  # fmt: skip
    assert (sent["nodes"][1]["password"], sent["nodes"][1]["text"], sent["xml"]) == (True, "", None)
    made.agent.close()
    assert not path.parent.exists()


SAID = [
    ('{"type": "answer", "id": ID, "action": {"kind": "type", "text": "\\u00fc", "focus": [5, 6]}}',
     Type("ü", 1)),
    ('{"type": "answer", "id": ID, "action": {"kind": "swipe", "x1": 1.0, "y1": 2, "x2": 3, "y2": 4}}',
     Swipe(1, 2, 3, 4, 300)),
    ('{"type": "answer", "id": ID, "raw": "CLICK(7, 8)", "dialect": "probench"}', Tap(7, 8)),
    ('{"type": "answer", "id": ID, "raw": "COMPLETE"}', Complete()),
    ('{"type": "answer", "id": ID, "action": {"kind": "wait", "duration_ms": 9e99}}', Wait(3_600_000)),
    ('{"type": "answer", "id": ID, "action": {"kind": "answer", "text": "4"}, "usage": {"input_tokens": 5, '
     '"output_tokens": -1, "cost": 0.5}}', Answer("4")),
]  # fmt: skip


def test_answers_in_the_action_space_or_in_a_dialect(talk):
    made = talk("say", *(line for line, _action in SAID), dialect="probench", screenshot="none")
    made.begin()
    turns = [made.act() for _line in SAID]
    assert [turn.predicted for turn in turns] == [expected for _line, expected in SAID]
    assert turns[0].extra == {FOCUS: [5, 6]}
    usage = turns[-1].usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost, usage.currency) == (5, None, 0.5, "USD")


def action(text):
    return f'{{"type": "answer", "id": ID, "action": {text}}}'


UNREADABLE = [
    ("{broken", "malformed", "no JSON"),
    ("{}", "malformed", "no `type`"),
    ('{"type": "answer", "action": {"kind": "home"}}', "malformed", "no `id`"),
    (action("null"), "malformed", "no JSON object"),
    (action('"tap"'), "malformed", "no JSON object"),
    (action("{}"), "malformed", "no `kind`"),
    (action('{"kind": "fly"}'), "hallucinated", "no action 'fly'"),
    (action('{"kind": "invalid"}'), "hallucinated", "no action 'invalid'"),
    (action('{"kind": "tap", "x": 5}'), "malformed", "no `y`"),
    (action('{"kind": "tap", "x": "5", "y": 6}'), "malformed", "no number"),
    (action('{"kind": "tap", "x": NaN, "y": 6}'), "malformed", "no number"),
    (action('{"kind": "tap", "x": 540, "y": 6}'), "hallucinated", "not on the screen"),
    (action('{"kind": "tap", "x": -1, "y": 6}'), "hallucinated", "not on the screen"),
    (action('{"kind": "key", "key": "any"}'), "hallucinated", "no key any"),
    (action('{"kind": "scroll", "x": 1, "y": 1, "direction": "in"}'), "malformed", "no direction"),
    (action('{"kind": "type", "text": 7}'), "malformed", "no text"),
    (action('{"kind": "open_app"}'), "malformed", "no `package`"),
    (
        '{"type": "answer", "id": ID, "raw": "CLICK(9999, 1)", "dialect": "probench"}',
        "hallucinated",
        "screen",
    ),
    ('{"type": "answer", "id": ID, "raw": "CLICK(1, 1)", "dialect": "klingon"}', "malformed", "no dialect"),
    ('{"type": "answer", "id": ID}', "malformed", "no JSON object"),
    ('{"type": "act", "id": ID, "action": {"kind": "wait"}}', "malformed", 'no message of the type "act"'),
]


@pytest.mark.fault("F29")
def test_answers_that_are_no_action_are_told_apart_and_the_program_goes_on(talk):
    made = talk("say", *(line for line, _problem, _reason in UNREADABLE), SAID[0][0], screenshot="none")
    made.begin()
    for line, problem, reason in UNREADABLE:
        predicted = made.act().predicted
        assert isinstance(predicted, Invalid), line
        assert predicted.problem == problem, line
        assert reason in predicted.reason, line
    assert made.act().predicted == Type("ü", 1)


def test_a_line_that_is_no_utf_8_is_malformed(talk):
    made = talk("latin")
    made.begin()
    turn = made.act()
    assert turn.predicted.problem == "malformed"
    assert "no UTF-8" in turn.predicted.reason
    assert "\ufffd" in turn.raw


STARTS = [
    ("never-ready", "did not (answer|start) within 0.3 s"),
    ("exit-at-once", "ended with the status 3; it wrote: no module named torch"),
    ("answer-first", "it sent 'answer' before `ready`"),
    ("version", "speaks version 9"),
    ("garbage-ready", "first message cannot be read"),
    ("error-first", "it reports: no GPU"),
    ("flood-first", "writes without waiting|lines without an end"),
    ("log-first-flood", "writes without waiting"),
]


@pytest.mark.parametrize(("how", "reason"), STARTS)
def test_a_program_that_does_not_get_ready(talk, how, reason):
    made = talk(how, start_timeout_s=0.3 if how == "never-ready" else 20)
    with pytest.raises(AgentUnavailable, match=reason):
        made.begin()


def test_a_program_that_floods_and_ends_before_it_is_asked_is_said_to_flood():
    program = AgentProgram("flood", str, AgentLog())
    program.start([sys.executable, "-I", "-S", ROGUE, "flood-first"], Path(ROGUE).parent, os.environ, 20)
    while not program.has_ended():
        pass
    with pytest.raises(ProgramFault, match="writes without waiting"):
        program.send({"type": "start"}, 20)
    program.end()


BREAKS = [
    ("hang", "did not answer within 0.3 s; it wrote: thinking hard"),
    ("hang-after-log", "did not answer within 0.3 s"),
    ("exit", "ended with the status 4"),
    ("kill", "ended by the signal 9"),
    ("close", "closed its output"),
    ("long", "line of more than 1 MB"),
    ("endless", "line of more than 1 MB"),
    ("flood", "writes without waiting|sent no answer"),
    ("ahead", "it answered 6, which was not asked yet"),
]


@pytest.mark.parametrize(("how", "reason"), BREAKS)
@pytest.mark.fault("F29")
def test_a_program_that_breaks_at_a_step_is_ended_and_started_anew(talk, how, reason):
    made = talk(how, timeout_s=0.3 if how.startswith("hang") else 20)
    made.begin()
    with pytest.raises(AgentUnavailable, match=reason) as raised:
        made.act()
    assert "rogue.py" in raised.value.what
    with pytest.raises(AgentUnavailable, match="it does not run"):
        made.act()
    made.begin()


def test_a_program_that_never_reads_its_input(talk):
    made = talk("deaf", timeout_s=0.3)
    made.begin()
    with pytest.raises(AgentUnavailable, match=r"did not answer within 0.3 s"):
        made.act(screen(size=Size(400, 400), noisy=True))


def test_lines_that_are_no_messages_are_skipped_and_logged_without_secrets(talk, caplog, monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "tok-123456")
    monkeypatch.setenv("OTHER_TOKEN", "tok-654321")
    made = talk("banner", env=["MY_TOKEN"])
    with caplog.at_level("INFO"):
        made.begin()
        assert made.act().predicted == Tap(5, 6)
    assert "warming up [key]" in caplog.text
    assert "loading" in caplog.text
    log = taken_log(made.agent)
    assert "warming up [key]" in log
    assert "*** loading ***" in log
    assert taken_log(made.agent) == ()


def test_a_program_may_write_to_the_log_before_it_is_ready(talk, caplog):
    made = talk("log-first")
    with caplog.at_level("INFO"):
        made.begin()
    assert made.act().predicted == Tap(5, 6)
    assert "loading the model" in caplog.text
    assert '{"type": "log", "text": "in another key"}' in caplog.text, "not None: its words are elsewhere"


def test_a_password_that_was_typed_is_in_no_later_line_of_the_log_and_in_no_fault(talk, caplog):
    made = talk("tells", timeout_s=20)
    with caplog.at_level("INFO"):
        made.begin()
        hide_from_log(made.agent, "hunter22")
        assert made.act().thought == "hunter22", "the agent itself knows it"
        with pytest.raises(AgentUnavailable, match=f"it reports: {MASK}"):
            made.act()
    assert f"typed {MASK}" in caplog.text
    assert "hunter22" not in caplog.text
    assert taken_log(made.agent) == (f"typed {MASK}",) * 2


def test_an_agent_that_writes_no_log_need_not_know_of_passwords():
    hide_from_log(object(), "hunter22")


def test_a_program_gets_no_variable_that_was_not_named(talk, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-123456")
    made = talk("env", command=[sys.executable, "-c", (
        "import os, sys, json\n"
        "sys.stdin.readline()\n"
        "print(json.dumps({'type': 'error', 'message': str('OPENAI_API_KEY' in os.environ)}))\n"
    )])  # fmt: skip
    with pytest.raises(AgentUnavailable, match="it reports: False"):
        made.begin()


def test_much_on_standard_error_disturbs_nothing(talk):
    made = talk("errors")
    made.begin()
    assert [made.act().predicted for _step in range(2)] == [Tap(5, 6)] * 2
    log = taken_log(made.agent)
    assert (len(log), max(map(len, log))) == (201, 500)
    assert log[50] == "… 400 lines were left out …"


def test_a_fault_quotes_the_last_lines_and_the_log_has_them_all(talk):
    code = "import sys; sys.stdin.readline(); sys.stderr.write('one\\ntwo\\nthree\\nfour'); sys.exit(5)"
    made = talk("none", command=[sys.executable, "-c", code])
    with pytest.raises(AgentUnavailable, match="status 5; it wrote: two / three / four"):
        start_agent(made.agent)
    assert taken_log(made.agent) == ("one", "two", "three", "four")


@pytest.mark.skipif(sys.platform == "win32", reason="its programs do not fork")
def test_what_it_wrote_last_comes_after_its_end(talk):
    code = """
import os, sys, time
sys.stdin.readline()
if os.fork():
    sys.exit(5)
os.close(1)
time.sleep(0.05)
os.write(2, b"the reason")
"""
    made = talk("none", command=[sys.executable, "-c", code])
    with pytest.raises(AgentUnavailable, match="status 5; it wrote: the reason"):
        start_agent(made.agent)


def test_an_answer_without_an_end_of_line_counts_when_the_program_ends_with_it(talk):
    made = talk("last-words")
    made.begin()
    assert made.act().predicted == Tap(5, 6)
    with pytest.raises(AgentUnavailable, match="ended with the status 0"):
        made.act()


def test_a_second_answer_is_not_taken_for_the_next_one(talk):
    made = talk("twice")
    made.begin()
    assert [made.act().predicted for _step in range(3)] == [Tap(5, 6)] * 3


def test_a_program_that_ends_after_its_episode_is_started_again(talk):
    made = talk("once")
    for _episode in range(2):
        made.begin()
        turn = made.act()
        assert turn.predicted == Tap(5, 6)
        assert_ends(int(turn.thought))  # the next begin notices it, however soon it comes


def test_a_step_that_hangs_is_cancelled_and_the_program_lives(talk):
    made = talk("slow", timeout_s=30)
    made.begin()
    with pytest.raises(CallCancelled):
        made.act(cancel=CancelledLater())
    assert made.act().predicted == Tap(5, 6)  # the late answer to the other one was skipped


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_what_the_program_started_is_ended_with_it(talk):
    made = talk("child")
    made.begin()
    child = int(made.act().thought)
    assert is_alive(child)
    made.agent.close()
    assert_ends(child)
    stays = talk("stays")
    stays.begin()
    pid = int(stays.act().thought)
    assert is_alive(pid)
    stays.agent.close()
    assert_ends(pid)


def test_a_command_that_cannot_be_started(talk):
    made = talk(command=["/no/such/program"])
    with pytest.raises(AgentUnavailable, match="cannot be started"):
        made.begin()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"command": []}, "list of words"),
        ({"command": [["a"]]}, "list of words"),
        ({"command": ["a"], "env": ["KEY=sk-123"]}, "no name of a variable"),
        ({"command": ["a"], "cwd": "/etc"}, "no folder of the project"),
        ({"command": ["a"], "cwd": "../.."}, "outside of the project"),
        ({"command": ["a"], "cwd": "nowhere"}, "no such folder"),
        ({"command": ["a"], "timeout_s": 0}, "timeout_s is 0"),
        ({"command": "python3 agent.py"}, "a list"),
        ({"command": ["a"], "screenshot": "jpeg"}, "no choice"),
    ],
)
def test_wrong_options_are_refused_without_showing_a_key(options, reason):
    with pytest.raises(UserError, match=reason) as raised:
        create_agent(DeclaredAgent("process", options))
    assert "sk-123" not in str(raised.value)


@pytest.mark.parametrize(
    ("language", "command", "tree"),
    [
        ("Python", ["{python}", str(EXAMPLES / "word_tapper.py")], "xml"),
        ("Python", ["{python}", str(EXAMPLES / "word_tapper.py")], "nodes"),
        ("JavaScript", ["node", str(EXAMPLES / "word_tapper.js")], "nodes"),
    ],
)
def test_the_examples_of_the_guide_do_the_task(talk, language, command, tree):
    if shutil.which(command[0]) is None and command[0] != "{python}":
        pytest.skip(f"{command[0]} is not installed: the example in {language} was not run")
    made = talk(command=command, tree=tree, screenshot="none")
    made.begin()
    item = node(node(text="Night sea poster"), clickable="true", bounds="[0,600][540,700]")
    other = node(text="Paris street poster", clickable="true", bounds="[0,800][540,900]")
    dialog = node(text="Not now", clickable="true", bounds="[300,50][500,100]")
    turns = [made.act(screen(*nodes)) for nodes in ((BUTTON, item, other, dialog), (item, other), (BUTTON,))]
    assert [turn.predicted for turn in turns] == [Tap(400, 75), Tap(270, 650), Complete()]
    assert "not now" in turns[0].thought


@pytest.mark.parametrize(
    ("dies_at", "writes", "said"),
    [
        ("hello", True, "`waymark agent try` shows what it wrote"),
        ("hello", False, ""),
        ("episode", True, "`waymark agent try` and the log of the episode show what it wrote"),
        ("episode", False, ""),
    ],
)
def test_a_fault_names_only_logs_that_are_there(talk, dies_at: str, writes: bool, said: str) -> None:
    program = (
        "import json, sys\n"
        f"print('words' if {writes} else '', file=sys.stderr, flush=True)\n"
        "for line in sys.stdin:\n"
        f"    if json.loads(line)['type'] == '{dies_at}': sys.exit(3)\n"
        "    print(json.dumps({'type': 'ready', 'protocol': 1}), flush=True)\n"
    )
    spoken = talk(command=[sys.executable, "-c", program])

    def run() -> None:
        start_agent(spoken.agent)  # before the first episode there is no log of one
        spoken.begin()
        spoken.act()

    with pytest.raises(AgentUnavailable, match="status 3") as raised:
        run()
    assert raised.value.to_do == said
