"""The careful agent on stored screens: dialogs, other apps, lost state, and an end to every trouble."""

from __future__ import annotations

import itertools
import threading

import pytest

from collector.agents.agent import AgentEpisode, Observation, PastStep, erased_by
from collector.agents.careful_agent import RECOVERY
from collector.agents.golden_follower import REPLAYED_STEP
from collector.agents.registry import DeclaredAgent, create_agent
from collector.device.errors import CallCancelled
from collector.model.action import Complete, Impossible, Key, OpenApp, Tap, Type, Wait
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dumps import node
from tests.helpers.scripts import ROOT
from tests.helpers.stored_screens import answers, made_screen, screens_of
from tests.helpers.stored_screens import moment as stored_moment

COMPANION = "com.example.adbsmarttest"
DIALOG = made_screen(
    node(text="Battery almost empty", package=COMPANION, bounds="[100,100][900,200]"),
    node(
        text="Not now", package=COMPANION, clickable="true", resource_id=f"{COMPANION}:id/deny_button",
        bounds="[100,500][300,600]",
    ),
    node(
        text="Open", package=COMPANION, clickable="true", resource_id=f"{COMPANION}:id/allow_button",
        bounds="[400,500][600,600]",
    ),
    package=COMPANION,
)  # fmt: skip
REFUSED, ACCEPTED = Tap(200, 550), Tap(500, 550)
SETTINGS = made_screen(node(text="Battery", package="com.android.settings"), package="com.android.settings")
DEEPER = made_screen(node(text="Saver", package="com.android.settings"), package="com.android.settings")
FROZEN = made_screen(
    node(text="To-do isn't responding", package="android", resource_id="android:id/alertTitle"),
    node(
        text="Close app", package="android", clickable="true", resource_id="android:id/aerr_close",
        bounds="[40,520][440,570]",
    ),
    node(
        text="Wait", package="android", clickable="true", resource_id="android:id/aerr_wait",
        bounds="[40,580][440,630]",
    ),
    package="com.waymark.todo", activity=".MainActivity",
)  # fmt: skip
OFFLINE = made_screen(
    node(text="No connection", package="com.waymark.todo"),
    node(text="Try again", package="com.waymark.todo", clickable="true", bounds="[0,0][200,100]"),
    package="com.waymark.todo", activity=".MainActivity",
)  # fmt: skip


@pytest.fixture(scope="module")
def sample():
    return Project.open(ROOT / "assets" / "sample")


@pytest.fixture(scope="module")
def screens(sample):
    return screens_of(open_trajectory(sample.find("todo-01-lin")))


def steps_of(project):
    return open_trajectory(project.find("todo-01-lin")).steps


def begun(project, **options):
    agent = create_agent(DeclaredAgent("careful", {"who": "lin"} | options), project)
    agent.begin(AgentEpisode(project.task("todo-01")))
    return agent


def moment(xml, like):
    """A screen like another, with another dump."""
    return stored_moment(xml, like.package, like.activity, like.screen)


def moves(turns):
    """For each answer the golden step it repeats, or the recovery move, or the kind of its action."""
    return [
        turn.extra.get(REPLAYED_STEP, turn.extra.get(RECOVERY, {}).get("move", turn.predicted.kind))
        for turn in turns
    ]


def test_without_trouble_it_is_a_golden_replay(sample, screens):
    turns = answers(begun(sample), screens)
    assert moves(turns) == [*range(len(screens) - 1), "complete"]
    assert all(turn.usage.time_ms is not None for turn in turns)


def test_a_dialog_is_answered_by_policy_and_counted(sample, screens):
    turns = answers(begun(sample), [DIALOG, *screens[:3], DIALOG, screens[3]])
    assert moves(turns) == ["answered", 0, 1, 2, "answered", 3]
    assert turns[0].predicted == REFUSED
    assert "Recovery 1 of 20" in turns[0].thought
    assert "Battery almost empty" in turns[0].thought
    assert turns[4].extra[RECOVERY]["number"] == 2
    accepting = answers(begun(sample, policy={"injected": "allow"}), [DIALOG])
    assert accepting[0].predicted == ACCEPTED


def test_a_dialog_over_the_end_is_answered_before_the_claim(sample, screens):
    turns = answers(begun(sample), [*screens[:-1], DIALOG, screens[-1]])
    assert moves(turns)[-2:] == ["answered", "complete"]
    assert turns[-1].predicted == Complete()


@pytest.mark.parametrize("screen", [DIALOG, SETTINGS, OFFLINE], ids=["dialog", "other app", "offline"])
def test_trouble_that_stays_ends_with_a_reason_and_no_action_five_times(sample, screens, screen):
    turns = answers(begun(sample, recoveries=30), [screens[0], screens[1], *[screen] * 32])
    actions = [turn.predicted for turn in turns]
    end = next(at for at, action in enumerate(actions) if isinstance(action, Impossible))
    assert 3 < end < 25
    assert "No recovery is left" in turns[end].thought
    longest = max(len(list(same)) for _action, same in itertools.groupby(actions[: end + 1]))
    assert longest < 5
    few = answers(begun(sample, recoveries=2), [screens[0], *[screen] * 4])
    assert [type(turn.predicted) is Impossible for turn in few] == [False, False, False, True, True]


def test_another_app_is_left_by_back_and_the_home_screen_by_opening(sample, screens):
    agent = begun(sample)
    turns = answers(agent, [*screens[:3], SETTINGS, DEEPER, screens[0], screens[3]])
    assert [turn.predicted for turn in turns[3:6]] == [Key("back"), Key("back"), OpenApp("com.waymark.todo")]
    assert moves(turns)[6] == 3


def test_a_back_that_changes_nothing_is_not_pressed_again(sample, screens):
    turns = answers(begun(sample), [*screens[:3], SETTINGS, SETTINGS, screens[3]])
    assert moves(turns)[3:] == ["back", "reopened", 3]


def test_an_app_that_lost_its_state_is_taken_from_an_earlier_step(sample, screens):
    turns = answers(begun(sample), [*screens[:6], screens[1], screens[1], *screens[2:5]])
    assert moves(turns)[6:] == ["waited", 1, 2, 3, 4]
    assert "Step 2" in turns[7].thought
    assert isinstance(turns[4].predicted, Type)


def test_a_text_typed_again_replaces_what_is_there(sample, screens):
    agent = begun(sample)
    answers(agent, screens[:6])
    # The form kept the text: only the recording knows that "Title" is the hint of an empty field.
    again = answers(agent, [screens[3], screens[3], screens[4]])
    assert moves(again) == ["waited", 3, 4]
    assert erased_by(again[-1]) == 0
    kept = moment(screens[4].xml.replace(b'text="Title"', b'text="Collect"'), screens[4])
    again = answers(agent, [screens[3], screens[3], kept])
    assert moves(again)[-1] == 4
    assert erased_by(again[-1]) == len("Collect")


def test_an_app_that_offers_to_try_again_is_tried_again(sample, screens):
    turns = answers(begun(sample), [*screens[:2], OFFLINE, OFFLINE, OFFLINE, screens[2]])
    assert moves(turns)[2:] == ["waited", "retried", "retried", 2]
    assert turns[3].predicted == Tap(100, 50)


def test_after_a_person_had_taken_over_it_goes_on_from_the_screen(sample, screens):
    agent = begun(sample)
    first = agent.act(Observation(1, screens[0]), threading.Event())
    past = (PastStep(first.predicted, first), PastStep(Tap(1, 1)), PastStep(Tap(2, 2)))
    turn = agent.act(Observation(4, screens[4], past), threading.Event())
    assert turn.extra[REPLAYED_STEP] == 4


def test_a_screen_without_a_tree_is_waited_for(sample, screens):
    blind = made_screen()
    object.__setattr__(blind, "snapshot", None)
    turns = answers(begun(sample, waits=2, wait_ms=10), [screens[0], blind, blind, blind])
    assert [turn.predicted for turn in turns[1:3]] == [Wait(10), Wait(10)]
    assert isinstance(turns[3].predicted, Impossible)


def test_a_wrong_policy_is_refused_when_the_agent_is_created(sample):
    with pytest.raises(UserError, match="Write dismiss"):
        begun(sample, policy={"default": "dismis"})


def test_a_cancelled_call_answers_nothing(sample, screens):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CallCancelled):
        begun(sample).act(Observation(1, screens[0]), cancel)


def test_a_tap_that_opened_another_chat_is_done_again(sample):
    golden = open_trajectory(sample.find("messenger-02-lin"))
    screens = screens_of(golden)
    agent = create_agent(DeclaredAgent("careful", {"who": "lin"}), sample)
    agent.begin(AgentEpisode(sample.task("messenger-02")))
    wrong = moment(screens[4].xml.replace(b"Dana Levi", b"Ines Costa"), screens[4])
    turns = answers(agent, [*screens[:4], wrong, wrong, screens[3], *screens[4:]])
    assert moves(turns)[:8] == [0, 1, 2, 3, "waited", "back", 3, 4]
    assert "Dana Levi" in golden.steps[3].description
    # A list with other contents, as of another seed, is no reason to go back.
    other = moment(screens[1].xml.replace(b"Dana Levi", b"Ines Costa"), screens[1])
    agent.begin(AgentEpisode(sample.task("messenger-02")))
    assert moves(answers(agent, [screens[0], other])) == [0, 1]


def test_a_last_tap_without_effect_is_done_again(sample, screens):
    turns = answers(begun(sample), [*screens[:-1], *[screens[-2]] * 3, screens[-1]])
    last = len(screens) - 2
    assert moves(turns)[-5:] == [last, "waited", "waited", last, "complete"]
    turns = answers(begun(sample, hang_ms=0), [*screens[:-1], *[screens[-2]] * 2, screens[-1]])
    assert moves(turns)[-4:] == [last, "waited", last, "complete"]


def test_an_app_that_hangs_is_waited_for_until_the_phone_asks(sample, screens):
    turns = answers(begun(sample), [*screens[:3], *[screens[2]] * 2, FROZEN, *screens])
    assert moves(turns) == [0, 1, 2, "waited", "waited", "answered", *range(len(screens) - 1), "complete"]
    assert [turn.predicted.duration_ms for turn in turns[3:5]] == [1000, 6000]
    assert turns[5].predicted == Tap(240, 545)
    # Without a question of the phone the step is done again, and the wait is not endless.
    turns = answers(begun(sample), [*screens[:3], *[screens[2]] * 12])
    long_waits = [turn for turn in turns if turn.predicted == Wait(6000)]
    assert len(long_waits) == 2
    assert moves(turns)[3:6] == ["waited", "waited", 2]


def test_on_a_turned_screen_it_scrolls_for_what_is_not_there(sample, screens):
    """Down as long as the list moves, then up; and never on a screen like the recorded."""
    rows = [
        node(class_="android.widget.ListView", package="com.waymark.todo", scrollable="true",
             bounds="[0,100][1064,400]"),
        node(text="row 1", package="com.waymark.todo", bounds="[0,100][1064,190]"),
        node(text="row 2", package="com.waymark.todo", bounds="[0,200][1064,290]"),
    ]  # fmt: skip

    def turned(*more):
        xml = made_screen(*rows, *more).xml
        return stored_moment(xml, screens[2].package, screens[2].activity, Size(1064, 480))

    top, lower = turned(), turned(node(text="row 4", package="com.waymark.todo"))
    agent = begun(sample)
    turns = answers(agent, [screens[0], screens[1], top, top, lower, lower, top, top])
    assert moves(turns)[:8] == [0, 1, "waited", *["scrolled"] * 4, "back"]
    swipes = [turn.predicted for turn in turns[3:7]]
    assert [(swipe.x1, swipe.y1, swipe.y2) for swipe in swipes] == [
        (532, 370, 130), (532, 370, 130), (532, 130, 370), (532, 130, 370),
    ]  # fmt: skip
    upright = stored_moment(top.xml, screens[2].package, screens[2].activity, screens[2].screen)
    assert "scrolled" not in moves(answers(begun(sample), [screens[0], screens[1], *[upright] * 6]))


def test_a_dialog_of_the_phone_over_the_end_is_answered_first(sample, screens):
    turns = answers(begun(sample), [*screens[:-1], FROZEN, screens[-1]])
    assert moves(turns)[-2:] == ["answered", "complete"]


def test_a_back_that_recovers_is_the_recorded_back(sample, screens):
    back = next(number for number, step in enumerate(steps_of(sample)) if step.action == Key("back"))
    # Landscape: a keyboard leaves few of the recorded words, and the window is the recorded one.
    few = moment(made_screen(node(text="x")).xml, screens[back])
    turns = answers(begun(sample), [*screens[:back], few, few, *screens[back + 1 :]])
    assert moves(turns) == [*range(back), "waited", *range(back, len(screens) - 1), "complete"]
    assert turns[back + 1].predicted == Key("back")
