"""Texts of steps: icons, details, short captions, badges and times."""

from dataclasses import replace

import pytest

from collector.model import action as actions
from collector.model.episode import BEFORE_START
from collector.model.trajectory import State, Step
from studio.widgets.captions.step_text import (
    action_detail,
    action_icon,
    format_time,
    is_stale,
    seconds_after,
    short_caption,
    step_badges,
    step_caption,
)
from tests.helpers.icons import ICON_NAMES


def step(action=None, description="", **state):
    return Step(0, 0, "", State(**state), action, None, description)


@pytest.mark.parametrize("kind", sorted(actions.ACTIONS))
def test_every_action_has_an_icon_a_detail_and_a_caption(kind):
    action_class = actions.ACTIONS[kind]
    needed = {"x": 1, "y": 2} if "x" in action_class.__dataclass_fields__ else {}
    if "x1" in action_class.__dataclass_fields__:
        needed = {"x1": 1, "y1": 2, "x2": 3, "y2": 4}
    action = action_class(**needed)
    assert action_icon(action) in ICON_NAMES
    assert action_detail(action)
    assert step_caption(step(action))


def test_the_arrow_of_a_movement_shows_where_it_went():
    scrolls = [actions.Scroll(1, 1, direction) for direction in ("up", "down", "left", "right")]
    assert [action_icon(scroll) for scroll in scrolls] == ["swipe", "swipe-down", "swipe-left", "swipe-right"]
    assert action_icon(actions.Swipe(100, 100, 100, 900)) == "swipe-down"
    assert action_icon(actions.Drag(100, 100, 900, 120)) == "swipe-right"


def test_an_app_with_a_name_alone_shows_its_name():
    assert action_detail(actions.OpenApp(name="Shop")) == "open Shop"


@pytest.mark.parametrize("key", actions.KEY_NAMES)
def test_every_key_has_an_icon(key):
    assert action_icon(actions.Key(key)) in ICON_NAMES


@pytest.mark.parametrize(
    ("action", "description", "short"),
    [
        (actions.Tap(1, 1), "Tap 'Sign in'", "Sign in"),
        (actions.Tap(1, 1), "点击“登录”", "登录"),
        (actions.Tap(1, 1), "Tap 'it's'", "it's"),
        (actions.Tap(1, 1), "Tap somewhere", "Tap somewhere"),
        (actions.Type("poster"), "Type 'poster'", "poster"),
        (actions.Type(length=8, redacted=True), "", "••••••••"),
        (actions.Key("volume_up"), "", "Volume up"),
        (actions.OpenApp("com.example.shop"), "", "shop"),
    ],
)
def test_the_timeline_leaves_the_verb_out(action, description, short):
    assert short_caption(step(action, description)) == short


def test_the_worst_badge_comes_first():
    badges = step_badges(step(problem="No tree", tree_age_ms=2000, skew=0.5, secure=True))
    assert [badge.tone for badge in badges] == ["warn", "warn", "warn", "info"]
    assert (badges[0].text, badges[0].icon) == ("problem", "state-warn")
    assert [badge.text for badge in step_badges(replace(step(), note="Look here"))] == ["note"]
    copied = replace(step(), extra={BEFORE_START: "golden-1@2"})
    assert [badge.text for badge in step_badges(copied)] == ["before the start"]


def test_a_fresh_and_still_screen_has_no_badge():
    assert step_badges(step(tree_age_ms=900, skew=0.01)) == []


def test_times_are_tabular():
    assert [format_time(ms) for ms in (0, 27749, 102400)] == ["00:00.0", "00:27.7", "01:42.4"]
    assert seconds_after(step(), None) == "+0.0 s"


@pytest.mark.parametrize(
    ("age_ms", "skew", "stale"),
    [(None, None, False), (400, 0.5, False), (4000, 0.0, False), (4000, 0.02, True), (4000, None, True)],
)
def test_an_old_tree_is_stale_only_when_the_screen_may_have_changed(age_ms, skew, stale):
    assert is_stale(age_ms, skew) is stale
