"""The monkey: random, repeatable, and never away from its app for long."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from collector.agents.agent import AgentEpisode, Observation, PastStep
from collector.agents.registry import DeclaredAgent, create_agent
from collector.device.errors import CallCancelled
from collector.model.action import Key, LongPress, OpenApp, Swipe, Tap, Type
from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.model.task import Task
from tests.helpers.dumps import node
from tests.helpers.stored_screens import answers, made_screen

TASK = Task("buy", "Buy it", package="com.example.shop")
BUTTON = Rect(100, 100, 300, 200)
LIST = Rect(0, 400, 1080, 2000)
SHOP = made_screen(
    node(text="Buy", clickable="true", long_clickable="true", bounds=str(BUTTON)),
    node(text="Sold out", clickable="true", enabled="false", bounds="[500,100][700,200]"),
    node(scrollable="true", bounds=str(LIST)),
    node(class_="android.widget.EditText", focused="true", bounds="[0,2100][1080,2200]"),
)
BARE = made_screen(node(text="Loading"))
OTHER = made_screen(node(text="Ads", clickable="true", bounds="[0,0][90,90]"), package="com.ads")
BLIND = made_screen(node(text="Buy", clickable="true", bounds=str(BUTTON)))
object.__setattr__(BLIND, "snapshot", None)


def begun(seed=1, **options):
    agent = create_agent(DeclaredAgent("monkey", options))
    agent.begin(AgentEpisode(TASK, seed=seed))
    return agent


def predicted(agent, screens):
    return [turn.predicted for turn in answers(agent, screens)]


def test_the_same_seed_does_the_same_on_the_same_screens():
    screens = [SHOP, OTHER, BARE, SHOP, BLIND] * 8
    assert predicted(begun(), screens) == predicted(begun(), screens)
    assert predicted(begun(), screens) != predicted(begun(seed=2), screens)


def test_it_touches_what_can_be_touched():
    actions = predicted(begun(), [SHOP] * 300)
    assert {action.point for action in actions if isinstance(action, (Tap, LongPress))} == {BUTTON.center}
    swipes = [action for action in actions if isinstance(action, Swipe)]
    assert swipes
    assert all(LIST.contains(swipe.point) and LIST.contains(swipe.end) for swipe in swipes)
    kinds = Counter(type(action) for action in actions)
    assert kinds[Tap] > kinds[Swipe] > kinds[LongPress] > 0
    assert kinds[Type] > 0
    assert {action.key for action in actions if isinstance(action, Key)} == {"back", "enter"}


def test_without_a_tree_it_touches_anywhere_on_the_screen():
    taps = [action for action in predicted(begun(), [BLIND] * 200) if isinstance(action, Tap)]
    assert len({tap.point for tap in taps}) > 20
    assert all(0 < tap.x < 1080 and 0 < tap.y < 2400 for tap in taps)


def test_it_opens_its_app_first_and_again_when_it_was_away_for_a_while():
    actions = predicted(begun(stay=2), [OTHER, SHOP, OTHER, OTHER, OTHER, SHOP])
    opened = [at for at, action in enumerate(actions) if action == OpenApp(TASK.package)]
    assert opened == [0, 4]
    assert OpenApp(TASK.package) not in predicted(begun(packages=["com.ads"]), [OTHER] * 9)
    everywhere = create_agent(DeclaredAgent("monkey", {}))
    everywhere.begin(AgentEpisode(Task("home", "Find it")))
    assert not any(isinstance(action, OpenApp) for action in predicted(everywhere, [OTHER, SHOP] * 9))


def test_weights_decide():
    only_back = dict.fromkeys(("tap", "scroll", "type", "long_press", "enter"), 0)
    assert set(predicted(begun(weights=only_back | {"back": 1}), [SHOP] * 9)) == {Key("back")}
    assert set(predicted(begun(weights={"tap": 0, "scroll": 0}), [BARE] * 9)) <= {Key("back"), Key("enter")}
    typed = predicted(begun(weights={"type": 1e9}, texts=["abc"]), [SHOP] * 5)
    assert Type("abc", 3) in typed


def test_nothing_is_done_more_than_three_times_in_a_row_where_there_is_a_choice():
    agent, past = begun(weights={"tap": 1e6}), (PastStep(Tap(200, 150)),) * 3
    turn = agent.act(Observation(4, SHOP, past), threading.Event())
    assert turn.predicted != Tap(200, 150) or turn.thought


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"weights": {"scrol": 1}}, "no weight for scrol. Write scroll"),
        ({"weights": {"zzz": 1}}, "Use: tap, scroll"),
        ({"weights": {"tap": -1}}, "number from 0 up"),
        ({"weights": {"tap": float("nan")}}, "number from 0 up"),
        ({"weights": {"tap": True}}, "number from 0 up"),
        ({"weights": dict.fromkeys(("tap", "scroll", "type", "long_press", "back", "enter"), 0)}, "is 0"),
        ({"packages": [3]}, "packages is a list of texts"),
        ({"texts": [""]}, "texts is a list of texts"),
        ({"throttle": 1}, "no option throttle"),
    ],
)
def test_wrong_options_are_refused(options, said):
    with pytest.raises(UserError, match=said):
        begun(**options)


def test_a_cancelled_call_answers_nothing():
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CallCancelled):
        begun().act(Observation(1, SHOP), cancel)
