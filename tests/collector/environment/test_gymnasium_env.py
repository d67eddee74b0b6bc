"""The environment as one of Gymnasium: its own checker, every kind of action, and rotated screens."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from collector.agents.agent import SCREENSHOT, TREE
from collector.environment.any_text import AnyText
from collector.environment.gymnasium_env import KEYS, KINDS, WaymarkPhone
from collector.environment.turned_screen import turned_picture, turned_place
from collector.model.action import DIRECTIONS, Invalid, Key, OpenApp, Scroll, Swipe, Tap, Type
from collector.model.errors import UserError
from collector.model.geometry import Point, Size
from tests.helpers.training import SAMPLE


@pytest.mark.parametrize(
    "options",
    [
        {}, {"observes": SCREENSHOT, "render_mode": "rgb_array"}, {"observes": TREE},
        {"dialect": "qwen3-vl"}, {"variation": "landscape"}, {"project": SAMPLE, "task": "shop-11"},
    ],
)  # fmt: skip
def test_gymnasium_checks_it(options):
    environment = gymnasium.make("waymark/Phone-v1", **options)
    check_env(environment.unwrapped, skip_render_check="render_mode" not in options)
    environment.close()


@pytest.fixture(scope="module")
def plain():
    environment = WaymarkPhone(observes=TREE)
    yield environment
    environment.close()


def values(kind, place=(0.5, 0.5), end=(0.5, 0.2), direction=0, key=0, text=""):
    return {
        "kind": KINDS.index(kind), "place": np.array(place, np.float32), "end": np.array(end, np.float32),
        "direction": direction, "key": key, "text": text,
    }  # fmt: skip


def test_a_kind_reads_what_it_needs():
    environment = WaymarkPhone(render_mode="rgb_array")
    _seen, info = environment.reset(seed=4)
    assert info["seed"] == 4
    done = environment.step(values(Tap, place=(0.5, 0.9)))[4]["action"]
    assert (done["kind"], done["x"], done["y"]) == ("tap", 240, 957)
    done = environment.step(values(Swipe, end=(1.0, 0.0)))[4]["action"]
    assert (done["x2"], done["y2"]) == (479, 0)
    assert environment.step(values(Key, key=KEYS.index("home")))[4]["action"]["key"] == "home"
    assert environment.step(values(Type, text="words"))[4]["action"]["text"] == "words"
    done = environment.step(values(Scroll, direction=DIRECTIONS.index("down")))[4]["action"]
    assert done["direction"] == "down"
    for kind in KINDS:
        environment.reset()
        step = environment.step(values(kind))
        assert step[4]["action"]["kind"] == kind.kind
    assert environment.render().shape == (1064, 480, 3)
    environment.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": -1}, {"kind": len(KINDS)}, {"kind": "tap"}, {"place": [np.nan, 0.5]}, {"place": [1.5, 0.5]},
        {"place": [0.5]}, None,
    ],
)  # fmt: skip
def test_what_is_not_in_the_action_space_changes_nothing(plain, wrong):
    plain.reset(seed=1)
    step = plain.step({**values(Tap), **wrong} if wrong is not None else None)
    assert (step[2], step[4]["invalid"]) == (False, "The action is not in the action space")
    assert plain.step({"kind": np.array(KINDS.index(Key)), "key": 0})[4]["action"]["key"] == KEYS[0]


def test_a_reset_may_name_task_and_variation():
    environment = WaymarkPhone(project=SAMPLE, task="shop-11")
    plain = environment.reset(seed=1)[0]["picture"]
    dark = environment.reset(seed=1, options={"task": "todo-01", "variation": "dark_theme"})[0]["picture"]
    assert environment.phone.task.id == "todo-01"
    assert (plain != dark).any()
    environment.reset()
    assert environment.phone.task.id == "shop-11"
    with pytest.raises(UserError, match=r"no option varation\. Use one of: task, variation"):
        environment.reset(options={"varation": "dark_theme"})
    environment.close()


def test_a_text_in_a_dialect_is_an_action():
    environment = WaymarkPhone(dialect="android-world")
    environment.reset(seed=1)
    said = 'Action: {"action_type": "open_app", "app_name": "Shop"}'
    assert said in environment.action_space
    assert environment.step(said)[4]["action"]["package"] == "com.waymark.shop"
    assert environment.step("dance")[4]["action"]["kind"] == Invalid.kind
    environment.close()


@pytest.mark.parametrize("rotation", range(4))
def test_a_place_of_the_turned_picture_is_the_pixel_that_it_shows(rotation):
    upright = Size(6, 10)
    size = upright.transposed if rotation % 2 else upright
    screen = np.arange(60, dtype=np.uint8).reshape(size.height, size.width, 1).repeat(3, axis=2)
    turned = turned_picture(screen, rotation)
    assert turned.shape == (10, 6, 3)
    for y in range(10):
        for x in range(6):
            place = turned_place(((x + 0.5) / 6, (y + 0.5) / 10), upright, rotation)
            assert screen[place.y, place.x, 0] == turned[y, x, 0]
    assert turned_place((1.0, 1.0), upright, 0) == Point(5, 9)


def test_a_rotated_screen_keeps_the_shape_of_the_picture():
    environment = WaymarkPhone(observes=SCREENSHOT, variation="landscape")
    seen, info = environment.reset(seed=1)
    assert (info["rotation"] % 2, seen.shape) == (1, (1064, 480, 3))
    step = environment.step(values(Tap, place=(0.5, 0.5)))
    done = step[4]["action"]
    assert abs(done["x"] - 532) <= 1
    assert abs(done["y"] - 240) <= 1
    environment.phone.step(OpenApp("com.waymark.shop"))
    environment.close()


def test_a_space_of_texts_has_texts_in_any_script():
    space = AnyText(40)
    assert "海报" in space
    assert "x" * 41 not in space
    assert 7 not in space
    space.seed(3)
    drawn = [space.sample() for _number in range(5)]
    assert all(text in space for text in drawn)
    space.seed(3)
    assert [space.sample() for _number in range(5)] == drawn
