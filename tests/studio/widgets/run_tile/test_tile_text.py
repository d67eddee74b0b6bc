"""What a tile says: header, footer, badge and thought of every situation of a worker."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from collector.hierarchy.captions import caption
from collector.model import i18n
from collector.model.action import Key, Tap, action_to_dict
from collector.model.message import in_language, to_json
from collector.model.resources import asset
from collector.run.events import (
    ActionPredicted,
    EpisodeBegan,
    EpisodeEnded,
    WorkerChanged,
    from_line,
    to_line,
)
from collector.run.progress import RunProgress, WorkerProgress
from studio.widgets.run_tile.tile_text import (
    accessible_text,
    badge_of,
    facts_of,
    footer_of,
    header_of,
    predicted_action,
    thought_of,
)

NOW = 1000.0
BUSY = WorkerProgress(
    "w1", "ready", "virtual 1", cell="c", task="shop-14", agent="gpt", condition="low_battery", budget=30,
    step=9, phase="think", control="running", instruction="Buy a poster",
)  # fmt: skip
NEXT = replace(
    BUSY, action=action_to_dict(Tap(1, 2)), caption="Tap 'Sort'", thought="By price", acts_at=NOW + 1.2,
    phase="hold",
)  # fmt: skip


def test_the_header_says_phone_task_and_step() -> None:
    header = header_of(BUSY)
    assert (header.icon, header.name, header.detail) == ("state-prog", "virtual 1", "shop-14 · step 9 / 30")
    assert header.short_detail == "9/30"
    assert header_of(WorkerProgress("w2", "starting")).name == "w2"


@pytest.mark.parametrize(
    ("worker", "icon"),
    [
        (replace(BUSY, anomaly="low_battery", transition="injected"), "state-warn"),
        (replace(BUSY, anomaly="low_battery", transition="answered"), "state-prog"),
        (replace(BUSY, control="taken_over"), "state-ok"),
        (replace(BUSY, control="paused"), "pause"),
        (replace(BUSY, state="gone", cell=""), "state-err"),
        (replace(BUSY, state="restarting", cell=""), "state-warn"),
        (WorkerProgress("w", "starting"), "state-draft"),
        (WorkerProgress("w", "ready"), "state-todo"),
        (replace(BUSY, cell="", ended=EpisodeEnded(worker="w", cell="c", trajectory="", status="failure")),
         "state-err"),
        (replace(BUSY, cell="", ended=EpisodeEnded(worker="w", cell="c", trajectory="",
                                                   infrastructure="The phone is gone")), "state-warn"),
    ],
)  # fmt: skip
def test_each_state_has_its_shape(worker: WorkerProgress, icon: str) -> None:
    assert header_of(worker).icon == icon
    assert accessible_text(worker, NOW)


def test_the_next_action_counts_down_to_its_moment() -> None:
    footer = footer_of(NEXT, NOW)
    assert (footer.text, footer.right, footer.counts) == ("Tap 'Sort'", "in 1.2 s", True)
    assert footer_of(NEXT, NOW + 1.15).right == "in 0.1 s"
    assert footer_of(NEXT, NOW + 1.2).right == "about to act"
    assert not footer_of(NEXT, NOW + 1.2).counts
    assert footer_of(replace(NEXT, control="paused"), NOW).right == "paused"
    # What is not touched is said in the language of the window.
    pressed = replace(NEXT, action=action_to_dict(Key("back")), caption="按返回键")
    assert footer_of(pressed, NOW).text == "Press Back"
    done = replace(NEXT, action={}, acts_at=0.0, phase="settle")
    assert (footer_of(done, NOW).text, footer_of(done, NOW).right) == ("Tap 'Sort'", "settling")
    assert footer_of(BUSY, NOW).text == "Thinking"


def test_what_is_touched_is_said_in_the_language_of_the_window() -> None:
    said = caption(Tap(1, 2), None)
    predicted = ActionPredicted(
        worker="w1", cell="c", step=1, action=action_to_dict(Tap(1, 2)), caption=str(said),
        caption_parts=to_json(said),
    )  # fmt: skip
    line = json.loads(json.dumps(to_line(predicted)))
    began = EpisodeBegan(
        worker="w1", cell="c", task="t", agent="gpt", condition="", trajectory="r", budget=9
    )  # fmt: skip
    assert i18n.use_language("zh_CN", asset("translations"))
    try:
        progress, read = RunProgress(lambda: NOW), from_line(line)
        assert read is not None
        progress.apply(WorkerChanged(worker="w1", state="ready"))
        progress.apply(began)
        progress.apply(read)
        assert footer_of(progress.workers["w1"], NOW).text == in_language(said) != str(said)
    finally:
        i18n.use_language(i18n.SOURCE_LANGUAGE, asset("translations"))


def test_an_action_of_a_later_version_is_told_by_its_caption() -> None:
    worker = replace(NEXT, action={"kind": "levitate"}, caption="Levitate")
    assert predicted_action(worker) is None
    assert footer_of(worker, NOW).text == "Levitate"
    assert predicted_action(replace(NEXT, action={"kind": "tap"})) is None
    assert predicted_action(replace(NEXT, action={"kind": "swipe", "path": 3})) is None


def test_who_is_in_control_is_said() -> None:
    taken = replace(BUSY, control="taken_over", person="lin")
    assert footer_of(taken, NOW, "lin").text == "You are in control"
    assert footer_of(taken, NOW, "ana").text == "lin is in control"
    assert facts_of(taken)[0] == ("Agent", "lin, for gpt")
    assert "its own history" in thought_of(taken)[1]
    assert badge_of(taken, NOW).text == "taken over"


def test_badges() -> None:
    assert badge_of(BUSY, NOW) is None
    asking = replace(BUSY, question="Which day?", answer_by=NOW + 59.2)
    assert badge_of(asking, NOW).text == "asks, 60 s left"  # as the bar above the tiles says
    opened = replace(BUSY, anomaly="low_battery", transition="injected", anomaly_since=NOW - 3.14)
    assert (badge_of(opened, NOW).text, badge_of(opened, NOW).counts) == ("open 3.1 s", True)
    followed = replace(opened, transition="answered", phase="follow_up")
    assert badge_of(followed, NOW).text == "follow-up running"
    assert badge_of(replace(BUSY, control="paused"), NOW).text == "paused"
    assert badge_of(replace(opened, cell=""), NOW) is None


def test_how_an_episode_ended() -> None:
    ended = EpisodeEnded(
        worker="w", cell="c", trajectory="", status="uncompleted", early_stop=True,
        reason="Five identical actions", seconds=12.3,
    )  # fmt: skip
    worker = replace(BUSY, cell="", ended=ended)
    footer = footer_of(worker, NOW)
    assert (footer.text, footer.right) == ("Uncompleted, stopped early", "12.3 s")
    assert thought_of(worker) == ("Outcome", "Five identical actions")
    fault = replace(ended, infrastructure="The phone is gone", will_retry=True)
    assert footer_of(replace(worker, ended=fault), NOW).text == "Fault, is tried again"
    assert thought_of(replace(worker, ended=fault)) == ("Fault of the machine", "The phone is gone")
    stopped = replace(worker, ended=replace(fault, infrastructure="A person stopped it", stopped=True))
    assert (footer_of(stopped, NOW).text, footer_of(stopped, NOW).icon) == ("Stopped", "stop")
    assert thought_of(stopped) == ("Stopped", "A person stopped it")


def test_without_a_thought_the_task_is_told() -> None:
    assert thought_of(BUSY) == ("Task", "Buy a poster")
    assert thought_of(NEXT) == ("Thought", "By price")
    assert thought_of(replace(BUSY, problem="The screen stayed black")) == (
        "Problem", "The screen stayed black",
    )  # fmt: skip
