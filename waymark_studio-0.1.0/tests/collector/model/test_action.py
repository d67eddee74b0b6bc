"""The unified action space survives the trip to JSON and back."""

import json

import pytest

from collector.model.action import ACTIONS, Drag, Swipe, Tap, Type, action_from_dict, action_to_dict


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_every_kind_comes_back_from_json_as_it_went(kind: str) -> None:
    cls = ACTIONS[kind]
    needed = {name: 7 for name in ("x", "y", "x1", "y1", "x2", "y2") if name in cls.__dataclass_fields__}
    action = cls(**needed)
    assert action_from_dict(json.loads(json.dumps(action_to_dict(action)))) == action


def test_a_path_survives_json() -> None:
    action = Swipe(1, 2, 3, 4, 250, ((0, 1, 2), (250, 3, 4)))
    assert action_from_dict(json.loads(json.dumps(action_to_dict(action)))) == action


def test_keys_of_a_later_version_are_passed_over() -> None:
    assert action_from_dict({"kind": "tap", "x": 1, "y": 2, "pressure": 0.4}) == Tap(1, 2)


@pytest.mark.parametrize("broken", [{}, {"kind": "poke"}, {"kind": "tap", "x": 1}])
def test_a_broken_action_is_refused_by_name(broken: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"action"):
        action_from_dict(broken)


def test_touching_actions_know_their_point() -> None:
    assert Drag(1, 2, 3, 4).point is not None
    assert Type(text="x").point is None
