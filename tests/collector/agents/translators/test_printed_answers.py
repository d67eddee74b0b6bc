"""Answers in the forms that papers, prompts and repositories print, and answers that are no action."""

from __future__ import annotations

import pytest

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.registry import DIALECTS
from collector.model import action as actions
from collector.model.action import HALLUCINATED, MALFORMED, Action, Invalid
from collector.model.episode import FOCUS
from collector.model.geometry import Rect, Size

SCREEN = AgentScreen(Size(1080, 2400), Size(540, 1200), (Rect(0, 0, 100, 50), Rect(100, 200, 300, 400)))


def call(arguments: str) -> str:
    return f'<tool_call>\n{{"name": "mobile_use", "arguments": {arguments}}}\n</tool_call>'


PRINTED: list[tuple[str, str, Action]] = [
    # AndroidWorld: its prompts of M3A and T3A
    ("android-world", 'Reason: r\nAction: {"action_type": "click", "index": 1}', actions.Tap(200, 300)),
    ("android-world", '{"action_type": "click", "x": 7, "y": 8}', actions.Tap(7, 8)),
    ("android-world", "Action: {'action_type': 'long_press', 'index': 0}", actions.LongPress(50, 25)),
    ("android-world", '{"action_type": "double_tap", "index": "0"}', actions.DoubleTap(50, 25)),
    ("android-world", '{"action_type": "scroll", "direction": "down"}', actions.Scroll(540, 1200, "down")),
    (
        "android-world",
        '{"action_type": "scroll", "direction": "up", "index": 1}',
        actions.Scroll(200, 300, "up"),
    ),
    ("android-world", '{"action_type": "swipe", "direction": "down"}', actions.Swipe(540, 0, 540, 2399, 500)),
    ("android-world", '{"action_type": "open_app", "app_name": "Clock"}', actions.OpenApp(name="Clock")),
    ("android-world", '{"action_type": "status", "goal_status": "complete"}', actions.Complete()),
    ("android-world", '{"action_type": "status", "goal_status": "infeasible"}', actions.Impossible()),
    ("android-world", '{"action_type": "answer", "text": "42"}', actions.Answer("42")),
    ("android-world", '{"action_type": "navigate_back"}', actions.Key("back")),
    ("android-world", '{"action_type": "keyboard_enter"}', actions.Key("enter")),
    ("android-world", '{"action_type": "wait"}', actions.Wait(1000)),
    # D-GARA: the keys that its pipeline reads
    ("dgara", '```json\n{"thought": "t", "action": "tap", "coords": [5, 6]}\n```', actions.Tap(5, 6)),
    ("dgara", '{"action": "click", "target": "x", "coords": [5, 6], "input_text": ""}', actions.Tap(5, 6)),
    ("dgara", '{"action": "swipe", "coords": [1, 2, 3, 4]}', actions.Swipe(1, 2, 3, 4, 300)),
    ("dgara", '{"action": "swipe", "coords": [[1, 2], [3, 4]]}', actions.Swipe(1, 2, 3, 4, 300)),
    ("dgara", '{"action": "DONE"}', actions.Complete()),
    ("dgara", '{"action": "home"}', actions.Key("home")),
    # ProBench: the names of the paper
    ("probench", "Thought: the button\nAction: CLICK(10, 20)", actions.Tap(10, 20)),
    ("probench", "CLICK [10, 20]", actions.Tap(10, 20)),
    ("probench", "SWIPE(1, 2, 3, 4)", actions.Swipe(1, 2, 3, 4, 300)),
    ("probench", "SWIPE: up", actions.Swipe(540, 1800, 540, 600, 300)),
    ("probench", 'TYPE("factorial 7")', actions.Type("factorial 7", 11)),
    ("probench", "TYPE: wi-fi", actions.Type("wi-fi", 5)),
    ("probench", "ENTER", actions.Key("enter")),
    ("probench", "Action: COMPLETE", actions.Complete()),
    ("probench", "WAIT", actions.Wait(1000)),
    # Qwen's mobile_use: half-size image, or thousandths
    ("qwen2.5-vl", call('{"action": "click", "coordinate": [10, 20]}'), actions.Tap(20, 40)),
    (
        "qwen2.5-vl",
        call('{"action": "long_press", "coordinate": [10, 20], "time": 2}'),
        actions.LongPress(20, 40, 2000),
    ),
    (
        "qwen2.5-vl",
        call('{"action": "swipe", "coordinate": [1, 2], "coordinate2": [3, 4]}'),
        actions.Swipe(2, 4, 6, 8, 500),
    ),
    ("qwen2.5-vl", call('{"action": "swipe", "direction": "up"}'), actions.Swipe(540, 1800, 540, 600, 500)),
    ("qwen2.5-vl", call('{"action": "type", "text": "a\\nb"}'), actions.Type("a\nb", 3)),
    ("qwen2.5-vl", call('{"action": "system_button", "button": "Menu"}'), actions.Key("recents")),
    ("qwen2.5-vl", call('{"action": "key", "text": "volume_up"}'), actions.Key("volume_up")),
    ("qwen2.5-vl", call('{"action": "key", "text": "camera"}'), actions.Key("code:27")),
    ("qwen2.5-vl", call('{"action": "open", "text": "YouTube"}'), actions.OpenApp(name="YouTube")),
    ("qwen2.5-vl", call('{"action": "wait", "time": 2}'), actions.Wait(2000)),
    ("qwen2.5-vl", call('{"action": "terminate", "status": "success"}'), actions.Complete()),
    ("qwen2.5-vl", call('{"action": "terminate", "status": "failure"}'), actions.Impossible()),
    ("qwen3-vl", call('{"action": "click", "coordinate": [500, 1000]}'), actions.Tap(540, 2399)),
    ("qwen3-vl", call('{"action": "answer", "text": "42"}'), actions.Answer("42")),
    # UI-TARS
    ("ui-tars-1.5", "Thought: t\nAction: click(start_box='(10,20)')", actions.Tap(20, 40)),
    ("ui-tars-1.5", "Action: click(point='<point>10 20</point>')", actions.Tap(20, 40)),
    ("ui-tars-1.5", "Action: click(start_box='[8, 18, 12, 22]')", actions.Tap(20, 40)),
    ("ui-tars-1.5", "Action: long_press(start_box='(10,20)', time='')", actions.LongPress(20, 40)),
    ("ui-tars-1.5", "Action: type(content='It's here\\n')", actions.Type("It's here\n", 10)),
    ("ui-tars-1.5", "Action: type(content='a (b) c')", actions.Type("a (b) c", 7)),
    ("ui-tars-1.5", "Action: scroll(start_box='(1,2)', end_box='(3,4)')", actions.Swipe(2, 4, 6, 8, 500)),
    (
        "ui-tars-1.5",
        "Action: scroll(point='<point>10 20</point>', direction='down')",
        actions.Scroll(20, 40, "down"),
    ),
    (
        "ui-tars-1.5",
        "Action: drag(start_point='<point>1 2</point>', end_point='<point>3 4</point>')",
        actions.Drag(2, 4, 6, 8, 500),
    ),
    ("ui-tars-1.5", "Action: open_app(app_name='Clock')", actions.OpenApp(name="Clock")),
    ("ui-tars-1.5", "Action: press_back()", actions.Key("back")),
    ("ui-tars-1.5", "Action: wait()", actions.Wait(5000)),
    ("ui-tars-1.5", "Action: finished(content='')", actions.Complete()),
    ("ui-tars-1.5", "Action: finished(content='In 2025')", actions.Answer("In 2025")),
    ("ui-tars", "Action: click(start_box='<|box_start|>(495,30)<|box_end|>')", actions.Tap(535, 72)),
    # UI-Venus
    (
        "ui-venus",
        "<think>t</think><action>Click(box=(10, 20))</action><conclusion>c</conclusion>",
        actions.Tap(20, 40),
    ),
    (
        "ui-venus",
        "<action>Scroll(start=(1, 2), end=(3, 4), direction='down')</action>",
        actions.Swipe(2, 4, 6, 8, 500),
    ),
    ("ui-venus", "<action>Scroll(direction=down)</action>", actions.Swipe(540, 600, 540, 1800, 500)),
    ("ui-venus", "<action>Type(content='壁纸_3.jpg')</action>", actions.Type("壁纸_3.jpg", 8)),
    ("ui-venus", "<action>Launch(app='夸克')</action>", actions.OpenApp(name="夸克")),
    ("ui-venus", "<action>PressRecent()</action>", actions.Key("recents")),
    ("ui-venus", "<action>Finished(content='')</action>", actions.Complete()),
    # AutoGLM: the examples of its prompt
    (
        "autoglm",
        '<think>\nt\n</think>\n<answer>\ndo(action="Tap", element=[500,500])\n</answer>',
        actions.Tap(540, 1200),
    ),
    ("autoglm", '<answer>do(action="Type", text="Hello World")</answer>', actions.Type("Hello World", 11)),
    (
        "autoglm",
        '<answer>do(action="Swipe", start=[0,0], end=[999,999])</answer>',
        actions.Swipe(0, 0, 1079, 2398, 500),
    ),
    ("autoglm", '<answer>do(action="Launch", app="Settings")</answer>', actions.OpenApp(name="Settings")),
    ("autoglm", '<answer>do(action="Wait", duration="2 seconds")</answer>', actions.Wait(2000)),
    ("autoglm", '<answer>do(action="Take_over", message="log in")</answer>', actions.AskUser("log in")),
    ("autoglm", '<answer>do(action="Interact")</answer>', actions.AskUser()),
    ("ui-tars", "Thought: t\nAction: call_user(content='which one?')", actions.AskUser("which one?")),
    ("ui-tars-1.5", "Action: call_user()", actions.AskUser()),
    ("qwen2.5-vl", call('{"action": "ask_user", "text": "Which day?"}'), actions.AskUser("Which day?")),
    ("android-world", '{"action_type": "ask_user", "text": "Which day?"}', actions.AskUser("Which day?")),
    ("gemini-points", '{"action": "ask_user", "text": "Which day?"}', actions.AskUser("Which day?")),
    ("autoglm", 'finish(message="Task completed.")', actions.Answer("Task completed.")),
    # AgentCPM-GUI: the table of its model card
    ("agentcpm-gui", '{"thought":"t","POINT":[500,500]}', actions.Tap(540, 1200)),
    ("agentcpm-gui", '{"POINT":[500,500],"duration":1000,"STATUS":"continue"}', actions.LongPress(540, 1200)),
    ("agentcpm-gui", '{"POINT":[500,500],"to":"up"}', actions.Swipe(540, 1200, 540, 240, 500)),
    ("agentcpm-gui", '{"POINT":[0,0],"to":[500,500]}', actions.Swipe(0, 0, 540, 1200, 500)),
    ("agentcpm-gui", '{"PRESS":"HOME"}', actions.Key("home")),
    ("agentcpm-gui", '{"TYPE":"Hello, world!"}', actions.Type("Hello, world!", 13)),
    ("agentcpm-gui", '{"duration":500}', actions.Wait(500)),
    ("agentcpm-gui", '{"STATUS":"finish"}', actions.Complete()),
    ("agentcpm-gui", '{"STATUS":"need_feedback"}', actions.AskUser()),
    # Computer use
    (
        "anthropic-computer-use",
        '{"type": "tool_use", "name": "computer", "input": {"action": "left_click", "coordinate": [10, 20]}}',
        actions.Tap(20, 40),
    ),
    ("anthropic-computer-use", '{"action": "key", "text": "Return"}', actions.Key("enter")),
    ("anthropic-computer-use", '{"action": "screenshot"}', actions.Wait(0)),
    ("anthropic-computer-use", "The tariff is 10 %.", actions.Answer("The tariff is 10 %.")),
    ("openai-computer-use", '{"type": "click", "x": 10, "y": 20, "button": "left"}', actions.Tap(20, 40)),
    (
        "openai-computer-use",
        '{"type": "computer_call", "action": {"type": "scroll", "x": 1, "y": 2, "scroll_y": 300}}',
        actions.Scroll(2, 4, "down"),
    ),
    ("openai-computer-use", '{"type": "keypress", "keys": ["CTRL", "A"]}', actions.Key("select_all")),
    ("google-computer-use", '{"name": "click_at", "args": {"x": 500, "y": 500}}', actions.Tap(540, 1200)),
    (
        "google-computer-use",
        '{"name": "open_app", "args": {"app_name": "Clock"}}',
        actions.OpenApp(name="Clock"),
    ),
    ("google-computer-use", '{"functionCall": {"name": "go_back", "args": {}}}', actions.Key("back")),
]


@pytest.mark.parametrize(("dialect", "answer", "action"), PRINTED)
def test_printed_answers_are_read(dialect: str, answer: str, action: Action) -> None:
    turn = DIALECTS[dialect].read(answer, SCREEN)
    assert (turn.predicted, turn.raw) == (action, answer)


@pytest.mark.parametrize(
    ("dialect", "answer", "problem"),
    [
        ("android-world", "I would tap the button", MALFORMED),
        ("android-world", '{"action_type": "click"}', MALFORMED),
        ("android-world", '{"action_type": "click", "index": 9}', HALLUCINATED),
        ("android-world", '{"action_type": "fly"}', HALLUCINATED),
        ("android-world", '{"action_type": "scroll", "direction": "in"}', MALFORMED),
        ("dgara", '{"action": "tap"}', MALFORMED),
        ("dgara", '{"action": "tap", "coords": [5000, 6]}', HALLUCINATED),
        ("dgara", '{"action": "tap", "coords": ["a", NaN]}', MALFORMED),
        ("dgara", '{"action": "dance", "coords": [5, 6]}', HALLUCINATED),
        ("probench", "no idea", MALFORMED),
        ("probench", "HOVER(1, 2)", HALLUCINATED),
        ("probench", "CLICK(1)", MALFORMED),
        ("qwen2.5-vl", '{"action": "click", "coordinate": [1, 2]}', MALFORMED),
        ("qwen2.5-vl", call('{"action": "click"}'), MALFORMED),
        ("qwen2.5-vl", call('{"action": "click", "coordinate": [9000, 2]}'), HALLUCINATED),
        ("qwen2.5-vl", call('{"action": "dance"}'), HALLUCINATED),
        ("qwen2.5-vl", call('{"action": "key", "text": "hyperspace"}'), HALLUCINATED),
        ("qwen2.5-vl", "<tool_call>{oops</tool_call>", MALFORMED),
        ("ui-tars-1.5", "Action: click(start_box='(10')", MALFORMED),
        ("ui-tars-1.5", "Action: hotkey(key='ctrl c')", HALLUCINATED),
        ("ui-tars-1.5", "Thought: nothing", MALFORMED),
        ("ui-venus", "<action>Fly(box=(1, 2))</action>", HALLUCINATED),
        ("ui-venus", "Click(box=(1, 2))", MALFORMED),
        ("autoglm", '<answer>do(action="Call_API")</answer>', HALLUCINATED),
        ("autoglm", '<answer>do(action="Tap", element=[1])</answer>', MALFORMED),
        ("autoglm", "<answer>do(action=__import__('os').system('x'))</answer>", MALFORMED),
        ("autoglm", "<answer>do(" + "(" * 3000 + "</answer>", MALFORMED),
        ("dgara", "{" * 200_000, MALFORMED),
        ("agentcpm-gui", '{"thought": "t"}', MALFORMED),
        ("agentcpm-gui", '{"PRESS":"MOON"}', HALLUCINATED),
        ("agentcpm-gui", '{"FLY":1}', HALLUCINATED),
        ("anthropic-computer-use", '{"action": "right_click", "coordinate": [1, 2]}', HALLUCINATED),
        ("openai-computer-use", '{"type": "click", "x": 1, "y": 2, "button": "right"}', HALLUCINATED),
        ("openai-computer-use", '{"type": "drag", "path": [{"x": 1, "y": 2}]}', MALFORMED),
        ("google-computer-use", '{"name": "click_at", "args": {"x": 5}}', MALFORMED),
        ("google-computer-use", " ", MALFORMED),
    ],
)  # fmt: skip
def test_other_answers_are_invalid_and_keep_their_words(dialect: str, answer: str, problem: str) -> None:
    turn = DIALECTS[dialect].read(answer, SCREEN)
    assert isinstance(turn.predicted, Invalid)
    assert (turn.predicted.raw, turn.predicted.problem) == (answer, problem)
    assert turn.predicted.reason


@pytest.mark.parametrize(
    ("dialect", "answer", "thought"),
    [
        ("android-world", "Reason: It opens\nthe list.\nAction: {}", "It opens\nthe list."),
        ("dgara", '{"thought": "go", "action": "tap"}', "go"),
        ("probench", "Thought: the button\nAction: CLICK(10, 20)", "the button"),
        ("qwen2.5-vl", "<thinking>deep</thinking>\n" + call("{}"), "deep"),
        ("qwen3-vl", "Thought: I tap.\nAction: Tap it.\n" + call("{}"), "I tap."),
        ("ui-tars", "Thought: 点击\nAction: wait()", "点击"),
        ("ui-venus", "<think>a\nb</think>\n<action>Wait()</action>", "a\nb"),
        ("autoglm", '<think>t</think><answer>do(action="Back")</answer>', "t"),
    ],
)
def test_thoughts_are_kept_apart(dialect: str, answer: str, thought: str) -> None:
    assert DIALECTS[dialect].read(answer, SCREEN).thought == thought


def test_the_field_to_tap_before_typing_is_kept() -> None:
    turn = DIALECTS["android-world"].read('{"action_type": "input_text", "text": "x", "index": 1}', SCREEN)
    assert (turn.predicted, dict(turn.extra)) == (actions.Type("x", 1), {FOCUS: [200, 300]})
    turn = DIALECTS["dgara"].read('{"action": "input", "input_text": "x", "coords": [3, 4]}', SCREEN)
    assert turn.extra[FOCUS] == [3, 4]
