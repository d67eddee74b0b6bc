"""Actions written in a dialect and read again are the same, to the grain of its coordinates."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.agents.translators.coordinates import AgentScreen, smart_resize
from collector.agents.translators.errors import NotExpressible
from collector.agents.translators.registry import DIALECTS
from collector.model import action as actions
from collector.model.action import Action, Invalid
from collector.model.geometry import Size

_TIMES = ("duration_ms", "path")
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, AgentScreen, Action, str]:
    dialect = DIALECTS[draw(st.sampled_from(sorted(DIALECTS)))]
    size = Size(draw(st.integers(200, 2000)), draw(st.integers(200, 3000)))
    x, y = st.integers(0, size.width - 1), st.integers(0, size.height - 1)
    action = draw(
        st.builds(actions.Tap, x, y) | st.builds(actions.DoubleTap, x, y) | st.builds(actions.LongPress, x, y)
        | st.builds(actions.Swipe, x, y, x, y) | st.builds(actions.Drag, x, y, x, y)
        | st.builds(actions.Scroll, x, y, st.sampled_from(actions.DIRECTIONS))
        | _TEXT.map(lambda text: actions.Type(text, len(text)))
        | st.sampled_from(("enter", "back", "home", "recents", "volume_up", "code:27")).map(actions.Key)
        | _TEXT.map(lambda name: actions.OpenApp(name=name)) | _TEXT.map(actions.Answer)
        | st.builds(actions.Wait, st.integers(0, 9).map(lambda seconds: 1000 * seconds))
        | st.just(actions.Complete()) | st.just(actions.Impossible()) | _TEXT.map(actions.AskUser)
    )  # fmt: skip
    thought = draw(st.sampled_from(("", "I think so", "先点击\n再看")))
    return dialect.id, AgentScreen(size, dialect.image_size(size)), action, thought


@settings(max_examples=150, deadline=None)
@given(cases())
def test_an_action_is_the_same_there_and_back(case: tuple[str, AgentScreen, Action, str]) -> None:
    name, screen, action, thought = case
    dialect = DIALECTS[name]
    try:
        answer = dialect.write(action, screen, thought)
    except NotExpressible:
        return
    turn = dialect.read(answer, screen)
    assert turn.predicted is not None
    if isinstance(action, actions.Impossible) and isinstance(turn.predicted, actions.AskUser):
        return  # UI-TARS and AutoGLM have one word for both
    assert turn.predicted.kind == action.kind, answer
    given, read = dataclasses.asdict(action), dataclasses.asdict(turn.predicted)
    extent = dialect.space.extent(screen)
    for key, value in given.items():
        if key in _TIMES:
            continue
        if key[0] in "xy":
            across = key[0] == "x"
            full = screen.size.width if across else screen.size.height
            grain = math.ceil(full / extent[0 if across else 1] / 2)
            assert abs(read[key] - value) <= (
                0 if extent == (screen.size.width, screen.size.height) else grain
            )
        else:
            assert read[key] == value
    assert turn.thought == thought


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(DIALECTS)),
    st.text(max_size=30)
    | st.from_regex(
        r"(Action: |<tool_call>|<answer>|<action>)?"
        r"(\{\"action(_type)?\": ?\"?(tap|click|scroll)?\"?,?.{0,9}\}?"
        r"|(click|do|Click|CLICK)\(?.{0,12}\)?)",
        fullmatch=True,
    ),
)  # fmt: skip
def test_any_answer_is_an_action_on_the_screen_or_invalid(name: str, answer: str) -> None:
    screen = AgentScreen(Size(400, 800))
    turn = DIALECTS[name].read(answer, screen)
    assert turn.raw == answer
    action = turn.predicted
    assert action is not None
    if action.point is not None:
        assert 0 <= action.point.x < 400
        assert 0 <= action.point.y < 800
    if isinstance(action, Invalid):
        assert (action.raw, bool(action.reason)) == (answer, True)


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_what_a_dialect_has_no_word_for_is_refused(name: str) -> None:
    screen = AgentScreen(Size(400, 800))
    for action in (actions.Pinch(1, 1), actions.Type(redacted=True), Invalid("?")):
        with pytest.raises(NotExpressible, match=action.kind):
            DIALECTS[name].write(action, screen)


@pytest.mark.parametrize(
    ("size", "limits", "expected"),
    [
        # 1092x2408 is what AITK's prompt of Qwen2.5-VL tells it for a screen of 1080x2400.
        (Size(1080, 2400), (28, 56 * 56, 2_665_000), Size(1092, 2408)),
        (Size(1080, 2400), (28, 56 * 56, 784_000), Size(588, 1316)),
        (Size(20, 20), (28, 56 * 56, 784_000), Size(56, 56)),
        (Size(1080, 2400), (32, 64 * 64, 1_310_720), Size(768, 1696)),
    ],
)
def test_images_are_resized_as_the_models_do(
    size: Size, limits: tuple[int, int, int], expected: Size
) -> None:
    factor, least, most = limits
    assert smart_resize(size, factor=factor, min_pixels=least, max_pixels=most) == expected
    with pytest.raises(ValueError, match="no image"):
        smart_resize(Size(1, 900), factor=factor, min_pixels=least, max_pixels=most)
