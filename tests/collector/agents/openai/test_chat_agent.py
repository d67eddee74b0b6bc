"""The agent ``openai`` at a server: what it shows a model, and what becomes of the answers."""

from __future__ import annotations

import threading

import pytest

from collector.agents.agent import (
    MODALITIES,
    SCREENSHOT,
    SCREENSHOT_AND_TREE,
    TREE,
    AgentEpisode,
    AgentUnavailable,
    Observation,
    PastStep,
)
from collector.agents.registry import DeclaredAgent, create_agent
from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.errors import NotExpressible
from collector.agents.translators.registry import DIALECTS
from collector.model.action import Answer, AskUser, Complete, Invalid, Key, Tap, Type
from collector.model.episode import FOCUS, AgentTurn
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.task import Task
from collector.model.user_reply import UserReply
from collector.recorder.screen_moment import ScreenMoment
from tests.collector.agents.screens import screen
from tests.helpers import chat_server as play
from tests.helpers.chat_server import TAP, ChatServer
from tests.helpers.dumps import node

TASK = Task("t", "Add {{milk}} to the list", app="Shop", package="com.example.shop", rule_key="secret_rule")


class Rig:
    """An agent at a server, which keeps the history of its episode."""

    def __init__(self, server: ChatServer, **options: object) -> None:
        self.server = server
        self.agent = create_agent(
            DeclaredAgent("openai", {"model": "m", "base_url": server.address, **options})
        )
        self.history: list[PastStep] = []

    def begin(self, modality: str = SCREENSHOT_AND_TREE, **changes: object) -> None:
        self.history.clear()
        self.agent.begin(AgentEpisode(TASK, modality=modality, seed=7, budget=9, **changes))

    def act(self, moment: ScreenMoment | None = None) -> AgentTurn:
        observation = Observation(len(self.history) + 1, moment or screen(), tuple(self.history))
        turn = self.agent.act(observation, threading.Event())
        assert turn.predicted is not None
        self.history.append(PastStep(turn.predicted, turn))
        return turn

    @property
    def request(self):
        return self.server.requests[-1]


@pytest.fixture
def rig():
    """Make a rig; the plays are those of its server."""
    rigs = []

    def make(*plays, **options):
        server = ChatServer(*(plays or (play.right(),)))
        server.__enter__()
        try:
            made = Rig(server, **options)
        except BaseException:
            server.__exit__(None, None, None)
            raise
        rigs.append(made)
        return made

    yield make
    for made in rigs:
        made.agent.close()
        made.server.__exit__(None, None, None)


def test_a_step_shows_task_screen_and_elements_and_keeps_all_that_the_model_said(rig):
    made = rig(price_input=1.0, price_output=2.0, temperature=0.5, max_tokens=300, seed=3)
    made.begin()
    turn = made.act()
    assert (turn.predicted, turn.thought, turn.raw) == (Tap(5, 6), "it is there", TAP)
    usage = turn.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost) == (1200, 30, pytest.approx(0.00126))
    assert turn.timings_ms == {"think": usage.time_ms}
    said = {name: value for name, value in turn.extra.items() if name != "request"}
    assert said == {"model": "test-model", "finish_reason": "stop", "image": "540x1200", "elements": 2}
    body = made.request.body
    assert (body["model"], body["temperature"], body["max_tokens"], body["seed"]) == ("m", 0.5, 300, 3)
    assert made.request.roles == ["system", "user"]
    text = made.request.texts[1]
    assert "Add {{milk}} to the list" in text  # the words of a task are no tags
    assert '[0] Button "OK" at (200, 250)' in text
    assert "[1] EditText id=name at (270, 450) (password)" in text
    assert "Step 1 of at most 9" in text
    for hidden in ("hunter2", "secret_rule", "{{task", "{{/"):
        assert hidden not in str(body["messages"])
    (image,) = made.request.images
    assert image.size == (540, 1200)
    assert image.getpixel((200, 250)) == (200, 200, 200)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_each_dialect_has_a_prompt_the_right_picture_and_places_in_its_own_space(rig, dialect):
    size = Size(720, 1600)
    spoken = DIALECTS[dialect]
    seen = AgentScreen(size, spoken.image_size(size))
    answer = spoken.write(Tap(360, 800), seen, "I tap")
    made = rig(play.right(answer), dialect=dialect, history=2, history_images=0, tree="compact")
    made.begin()
    for _step in range(2):
        turn = made.act(screen(node(text="Middle", clickable="true", bounds="[260,700][460,900]"), size=size))
    tap = turn.predicted
    assert isinstance(tap, Tap)
    assert abs(tap.x - 360) < 3
    assert abs(tap.y - 800) < 3
    assert turn.thought == "I tap"
    (image,) = made.request.images
    assert image.size == (seen.image.width, seen.image.height)
    text = "".join(made.request.texts)
    place = ", ".join(map(str, spoken.place_of(tap.point, seen)))
    assert place in text
    assert "Add {{milk}} to the list" in text
    assert "Step 1: I tap" in text or "Step 1: {" in text
    try:
        spoken.write(Complete(), seen)
    except NotExpressible:
        assert "without any JSON" in text  # says how the task ends


def test_the_screen_is_hidden_as_the_modality_says(rig):
    made = rig(set_of_marks=False)
    shown = {}
    for modality in MODALITIES:
        made.begin(modality)
        made.act()
        shown[modality] = (len(made.request.pictures), "[0] Button" in made.request.texts[-1])
    assert shown == {SCREENSHOT: (1, False), SCREENSHOT_AND_TREE: (1, True), TREE: (0, True)}
    made.begin(SCREENSHOT)
    made.act(screen(picture=False))
    assert "There is no screenshot" in made.request.texts[-1]


def test_set_of_marks_numbers_in_list_picture_and_answer_are_one(rig):
    answers = [f'Reason: r\nAction: {{"action_type": "click", "index": {index}}}' for index in (0, 1, 2)]
    typed = 'Reason: r\nAction: {"action_type": "input_text", "text": "x", "index": 1}'
    made = rig(*map(play.right, (*answers, typed)), prompt="m3a")
    made.begin()
    assert made.act().predicted == Tap(200, 250)
    assert 'UI element 0: {"text": "OK"' in made.request.texts[-1]
    red = made.request.images[0]
    assert red.getpixel((299, 250)) != (200, 200, 200)  # the box of element 0
    assert red.getpixel((400, 250)) == (200, 200, 200)
    assert made.act().predicted == Tap(270, 450)
    turn = made.act()
    assert isinstance(turn.predicted, Invalid)
    assert (turn.predicted.problem, "2" in turn.predicted.reason) == ("hallucinated", True)
    turn = made.act()
    assert (turn.predicted, turn.extra[FOCUS]) == (Type("x", 1), [270, 450])
    # What was tapped is shown by the number it had then.
    assert 'Step 1: r Action: {"action_type": "click", "index": 0}' in made.request.texts[-1]
    with pytest.raises(UserError, match="Marks cannot be drawn in the modality screenshot"):
        made.begin(SCREENSHOT)


def test_the_list_is_cut_at_its_limit_and_with_it_the_numbers_that_can_be_answered(rig):
    nodes = [
        node(text=f"Item {at}", clickable="true", bounds=f"[0,{at * 20}][540,{at * 20 + 20}]")
        for at in range(50)
    ]
    made = rig(play.right('Action: {"action_type": "click", "index": 40}'), tree_limit=500)
    made.begin()
    turn = made.act(screen(*nodes))
    assert isinstance(turn.predicted, Invalid)
    text = made.request.texts[-1]
    count = turn.extra["elements"]
    assert f"({50 - count} more elements are not listed.)" in text
    assert (f"[{count - 1}] " in text, f"[{count}] " in text) == (True, False)


def test_d_garas_grid_and_its_last_five_decisions(rig):
    answers = [f'{{"thought": "no {at}", "action": "tap", "coords": [{at}, 5]}}' for at in range(8)]
    made = rig(*map(play.right, answers), prompt="dgara")
    made.begin()
    for at in range(7):
        assert made.act().predicted == Tap(at, 5)
    text = made.request.texts[-1]
    assert [at for at in range(7) if answers[at] in text] == [1, 2, 3, 4, 5]
    assert '"uid": 0' in text
    assert '"center_coords": [200, 250]' in text
    image = made.request.images[0]
    assert image.getpixel((100, 555)) == (255, 0, 0)
    assert image.getpixel((255, 1100)) == (255, 0, 0)
    assert image.getpixel((255, 555)) == (200, 200, 200)


def test_past_screens_are_a_conversation_whose_roles_take_turns(rig):
    answers = [f"Thought: no {at}\nAction: click(start_box='(10,20)')" for at in range(6)]
    made = rig(*map(play.right, answers), dialect="ui-tars-1.5", history_images=2)
    made.begin()
    for at in range(4):
        made.act(screen(colour=10 * at))
    request = made.request
    assert request.roles == ["user", "assistant", "user", "assistant", "user"]
    assert "Add {{milk}}" in request.texts[0]
    assert (request.texts[1], request.texts[3], request.texts[2], request.texts[4]) == (*answers[1:3], "", "")
    assert [image.getpixel((0, 0))[0] for image in request.images] == [10, 20, 30]
    made.begin()  # nothing of the last episode is shown
    made.act()
    assert made.request.roles == ["user"]


def test_a_persons_step_and_an_unreadable_answer_are_in_the_history(rig):
    made = rig(play.right("no idea"), play.right())
    made.begin()
    assert isinstance(made.act().predicted, Invalid)
    made.history.append(PastStep(Key("back")))
    asked = made.history[0].turn
    made.history.append(PastStep(AskUser("Which?"), asked, UserReply("The oak one", "person")))
    made.act()
    text = made.request.texts[-1]
    assert "Step 1: (no action: the answer was malformed)" in text
    assert "Step 2: (done by a person)" in text
    assert text.startswith("The user answered: The oak one\n")  # to the question that was asked last
    assert "(The user answered: The oak one)" in text
    assert "Step 4 of at most 9" in text
    made.history.append(PastStep(AskUser("And?"), asked, UserReply()))
    made.act()
    assert made.request.texts[-1].startswith("Nobody answered the question.\n")


@pytest.mark.parametrize(
    ("served", "reason"),
    [
        (play.right(TAP, "length"), "cut at the limit of tokens"),
        (play.right(TAP, "content_filter"), "filter of the endpoint"),
        (play.right(""), "The answer is empty"),
        (play.right(None), "The answer is empty"),
        (
            play.document({"choices": [{"message": {"content": None, "refusal": "I can't"}}]}),
            "refused: I can't",
        ),
        (play.right("I cannot help with that."), "no JSON object"),
        (play.right("x" * 3_000_000), "longer than 100000 characters"),
        (play.right("{" * 90_000), "no JSON object"),
        (play.refusing(400, "blocked", "content_filter"), "filter of the endpoint"),
    ],
)
def test_answers_that_are_no_action_are_malformed_with_the_reason(rig, served, reason):
    made = rig(served)
    made.begin()
    turn = made.act()
    assert isinstance(turn.predicted, Invalid)
    assert turn.predicted.problem == "malformed"
    assert reason in turn.predicted.reason
    assert len(turn.raw) < 100_100


def test_pictures_are_as_large_and_as_good_as_the_options_say(rig):
    made = rig(dialect="qwen2.5-vl", image_max_pixels=200_000, quality=60)
    made.begin()
    made.act(screen(size=Size(1080, 2400)))
    ((media_type, data),) = made.request.pictures
    (image,) = made.request.images
    width, height = image.size
    assert (media_type, data[:2]) == ("image/jpeg", b"\xff\xd8")
    assert width * height <= 200_000
    assert width * height > 150_000
    assert (width % 28, height % 28) == (0, 0)
    assert f"{width}x{height}" in made.request.texts[0]


def test_the_seed_of_the_episode_is_sent_when_it_is_wanted(rig):
    made = rig(send_seed=True, temperature=-1, max_tokens=0)
    made.begin()
    made.act()
    body = made.request.body
    assert (body["seed"], "temperature" in body, "max_tokens" in body) == (7, False, False)


def test_the_same_episode_twice_asks_the_same_bytes(rig):
    made = rig()
    sent = []
    for _episode in range(2):
        made.begin()
        made.act()
        made.act()
        sent.append([request.raw for request in made.server.requests[-2:]])
    assert sent[0] == sent[1]


def test_an_endpoint_that_fails_is_no_failure_of_the_agent(rig):
    made = rig(play.refusing(500), play.right(), retries=0)
    made.begin()
    with pytest.raises(AgentUnavailable):
        made.act()
    assert made.act().predicted == Tap(5, 6)


def test_thoughts_that_a_server_sends_beside_the_text_are_kept(rig):
    message = {"content": '{"action_type": "answer", "text": "4"}', "reasoning_content": "two and two"}
    made = rig(play.document({"choices": [{"message": message}]}))
    made.begin()
    turn = made.act()
    assert (turn.predicted, turn.thought) == (Answer("4"), "two and two")
