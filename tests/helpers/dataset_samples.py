"""A small valid source of each published data set and agent's log, by the id of its format."""

from __future__ import annotations

import base64
import json
from typing import Any

from collector.model.geometry import Size
from tests.helpers.h264 import video
from tests.helpers.record_samples import aitw, android_control, android_world, venus_trajectory
from tests.helpers.steps import png, xml


def _odyssey() -> dict[str, Any]:
    steps = [
        {"step": 0, "screenshot": "7_0.png", "action": "CLICK", "info": [[250, 500]], "intention": "so"},
        {"step": 1, "screenshot": "7_1.png", "action": "SCROLL", "info": [[500, 750], [500, 250]], "ps": ""},
        {"step": 2, "screenshot": "7_1.png", "action": "CLICK", "info": "KEY_BACK"},
        {"step": 3, "screenshot": "7_0.png", "action": "TEXT", "info": "bread", "sam2_bbox": [1, 2, 3, 4]},
        {"step": 4, "screenshot": "7_0.png", "action": "COMPLETE", "info": ""},
    ]
    about = {
        "category": "Multi_Apps",
        "app": ["Shop", "Chat"],
        "meta_task": "Buy {}",
        "instruction": "Buy it",
    }
    device = {"device_name": "Pixel 7 Pro", "w": 40, "h": 80, "sdk_version": "33"}
    episode = {"episode_id": "7", "device_info": device, "task_info": about, "step_length": 5, "steps": steps}
    return {
        "odyssey/annotations/7.json": episode,
        "odyssey/screenshots/data_0/7_0.png": png(40, 80),
        "odyssey/screenshots/7_1.png": png(40, 80),
    }


def _amex() -> dict[str, Any]:
    place = {
        "touch_coord": [20, 30],
        "lift_coord": [20, 30],
        "device_dim": [80, 160],
        "package_name": "a.shop",
    }
    steps = [
        {"step_id": 0, "image_path": "a.png", "action": "TAP", "type_text": "", **place},
        {"step_id": 1, "image_path": "a.png", "action": "SWIPE", **place, "lift_coord": [20, 90]},
        {"step_id": 2, "image_path": "b.png", "action": "TYPE", "type_text": "bread", **place},
        {"step_id": 3, "image_path": "b.png", "action": "TASK_COMPLETE"},
    ]
    element = {"bbox": [4, 10, 20, 20], "xml_desc": ["Buy"], "functionality": "buys it"}
    return {
        "AMEX/instruction_anno/e.json": {"episode_id": "e", "instruction": "Buy it", "steps": steps},
        "AMEX/element_anno/a.json": {"image_path": "a.png", "clickable_elements": [element]},
        "AMEX/screenshot/a.png": png(40, 80),
        "AMEX/screenshot/b.png": png(40, 80, 9),
    }


def _mobiagent() -> dict[str, Any]:
    actions = [
        {"type": "click", "position_x": 10, "position_y": 15, "bounds": [4, 10, 20, 20]},
        {"type": "swipe", "press_position": {"x": 1, "y": 2}, "release_position": {"x": 3, "y": 4}},
        {"type": "input", "text": "bread"},
        {"type": "done"},
    ]
    head = {"app_name": "Shop", "task_type": "type1", "task_description": ["Buy it", "Get it"]}
    reasons = [{"reasoning": f"because {number}", "function": {"name": "click"}} for number in range(4)]
    shots = {f"data/Shop/type1/1/{number}.jpg": png(40, 80, number) for number in range(1, 5)}
    return {
        "data/Shop/type1/1/actions.json": {**head, "action_count": 4, "actions": actions},
        "data/Shop/type1/1/react.json": reasons,
        "data/Shop/type1/1/1_highlighted.jpg": png(40, 80),
        "data/Shop/type1/1/1.xml": xml("Buy", "[4,10][20,20]"),
        **shots,
    }


def _android_lab() -> dict[str, Any]:
    def line(number: int, action: str, **values: Any) -> dict[str, Any]:
        return {
            "trace_id": "shop_1", "index": number, "prompt": "Buy it", "target": "Buy it", "window": [40, 80],
            "image": f"/logs/run/shop_1_x/Screen/screenshot-{number}-1.5-before.png", "ac_xml": None,
            "xml": f"logs/run/shop_1_x/xml/{number}.xml", "current_activity": "a.shop",
            "parsed_action": {"operation": "do", "action": action, "kwargs": values},
            "current_response": f'do(action="{action}")',
        }  # fmt: skip

    lines = [
        line(0, "Tap", element=[4, 10, 20, 20]),
        line(1, "Swipe", element=[20, 40], direction="up", dist="medium"),
        line(2, "Type", text="bread"),
        line(3, "Press Back"),
        {**line(4, "finish", message="done"), "xml": "ERROR"},
    ]
    result = {"task_id": "shop_1", "task": "Buy it", "metric_type": "operation", "result": {"complete": True}}
    shots = {f"run/shop_1_x/Screen/screenshot-{number}-1.5-before.png": png(40, 80) for number in range(5)}
    return {
        "run/shop_1_x/traces/trace.jsonl": lines,
        "run/shop_1_x/xml/0.xml": xml("Buy", "[4,10][20,20]"),
        "run/shop_1_x/xml/0_compressed_xml.txt": b"Buy",
        "run/results.jsonl": [result],
        **shots,
    }


def _spa_bench() -> dict[str, Any]:
    def entry(number: int, name: str, detail: Any, kind: str = "string") -> dict[str, Any]:
        return {"step": number, "response": name, "prompt_tokens": 5, "completion_tokens": 2,
                "action": [name, {"detail_type": kind, "detail": detail}]}  # fmt: skip

    swiped = "The swipe action has been performed starting from coordinates (1.5,2) to (3, 4)."
    entries = [
        entry(1, "tap", [10, 15], "coordinates"),
        entry(2, "SWIPE", swiped),
        entry(3, "type", 'The text "bread" has been inputted.'),
        entry(4, "swipe up", "Swipe up."),
        entry(5, "press back", "Back to the previous page."),
        entry(6, "STATUS_TASK_COMPLETE", "Task completed."),
        {"total_steps": 6, "finish_signal": 1, "elapsed_time_exec": 2.5},
    ]
    table = b"task_identifier,task_app,task_description,golden_steps\nshop_0,Shop,Buy it,3\n"
    shots = {f"session-1/shop_0/CogAgent/{number}.png": png(40, 80, number) for number in range(7)}
    return {
        "session-1/results.csv": table,
        "session-1/shop_0/CogAgent/log.json": entries,
        "session-1/shop_0/CogAgent/tap_only/0.png": png(40, 80),
        **shots,
    }


def _messages() -> dict[str, Any]:
    shown = base64.b64encode(png(40, 80)).decode()
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{shown}"}}

    def asked(words: str) -> dict[str, Any]:
        return {"role": "user", "content": [picture, {"type": "text", "text": words}]}

    def said(words: str) -> dict[str, Any]:
        return {"role": "assistant", "content": words}

    prompt = 'You are an agent. <answer>\ndo(action="Tap", element=[x,y])\n</answer>'
    return {
        "logs/run.json": [
            {"role": "system", "content": prompt},
            asked('Buy it\n\n{"current_app": "Shop"}'),
            said('<think>it sells</think><answer>do(action="Tap", element=[250,500])</answer>'),
            asked('** Screen Info **\n\n{"current_app": "Shop"}'),
            said('<answer>do(action="Back")</answer>'),
            asked(""),
            said('<answer>finish(message="bought")</answer>'),
        ],
    }


def _ui_venus() -> dict[str, Any]:
    answer = "<think>it sells</think><action>Click(box=(7, 14))</action><conclusion>so</conclusion>"
    query = "You are an agent.\n### User Task\nBuy it\n### Previous Actions\n"
    saved = {
        "image_path": "examples/trace/a.png",
        "raw_screenshot": None,
        "query": query,
        "status": "success",
    }
    end = "<think>done</think><action>Finished(content='')</action>"
    tapped = {"action": "Click", "params": {"box": [10, 15]}}
    first = {**saved, "generated_text": answer, "action_output_json": tapped}
    return {
        "venus/saved.json": [[first, {**saved, "generated_text": end}]],
        "venus/a.png": png(40, 80),
        "runs/one/trajectory.pkl.gz": venus_trajectory(),
        "runs/one/screenshots/step_001.png": png(40, 80),
    }


def _mobilerun() -> dict[str, Any]:
    actions = [
        {"type": "StartAppEvent", "action_type": "start_app", "description": "", "package": "a.shop"},
        {"type": "TapActionEvent", "action_type": "tap", "x": 10, "y": 15, "element_text": "Buy"},
        {"action_type": "swipe", "start_x": 1, "start_y": 2, "end_x": 3, "end_y": 4, "duration_ms": 250},
        {"action_type": "input_text", "text": "bread"},
        {"action_type": "key_press", "keycode": 4, "key_name": "BACK"},
    ]
    buy = {"index": 1, "text": "Buy", "className": "B", "bounds": "4,10,20,20", "resourceId": "a.shop:id/buy"}
    root = {"index": 0, "text": "", "className": "F", "bounds": "0, 0, 40, 80", "children": [buy]}
    state = {"a11y_tree": [root], "phone_state": {"packageName": "a.shop"}}
    shots = {f"t/screenshots/{number:04}.png": png(40, 80, number) for number in range(5)}
    trees = {f"t/ui_states/{number:04}.json": state for number in range(5)}
    return {
        "t/macro.json": {"version": "1.0", "description": "Buy it", "total_actions": 5, "actions": actions},
        "t/trajectory.json": [{"type": "TaskThinkingEvent", "thoughts": "it sells"}],
        **shots,
        **trees,
    }


def _mobile_world() -> dict[str, Any]:
    def entry(number: int, **action: Any) -> dict[str, Any]:
        return {"task_goal": "Buy it", "step": number, "prediction": "Reason: so\nAction: {}",
                "action": action, "ask_user_response": None, "tool_call": None}  # fmt: skip

    run = [
        entry(1, action_type="click", x=10, y=15),
        entry(2, action_type="drag", start_x=1, start_y=2, end_x=3, end_y=4),
        entry(3, action_type="navigate_back"),
        entry(4, action_type="answer", text="bread"),
    ]
    shots = {f"log/Shop/screenshots/Shop-0-{number}.png": png(40, 80, number) for number in range(1, 5)}
    return {
        "log/Shop/traj.json": {"0": {"tools": [], "traj": run, "token_usage": {"total": 5}}},
        "log/Shop/result.txt": b"score: 1.0\nreason: it is bought",
        **shots,
    }


def _mobile_agent_bench() -> dict[str, Any]:
    actions = [
        {"action": f"tap({number})", "step": number, "begin_timestamp": 100.0 + number,
         "end_timestamp": 100.5 + number, "input_tokens": 5, "output_tokens": 2,
         "screenshot": f"/logs/shop_buy/screenshots/{number:04}.png"}
        for number in (1, 2)
    ]  # fmt: skip
    head = {"task": "shop_buy", "prompt": "Buy it", "finished": True, "stop_after_finish": True}
    shots = {f"2024_01_01/shop_buy/screenshots/{number:04}.png": png(40, 80, number) for number in (1, 2)}
    return {"2024_01_01/shop_buy/shop_buy.json": {**head, "actions": actions}, **shots}


def _agent_hazard() -> dict[str, Any]:
    box = {"x_min": 4, "y_min": 10, "x_max": 20, "y_max": 20}
    misleading = {"click": {"adv_str": "Tap here", "action": "click", "extras": {"bbox": box}}}
    tasks = [{"description": "Buy it", "bbox": box, "misleading_configs": misleading}]
    element = {"text": "Buy", "class_name": "B", "bbox_pixels": box, "is_clickable": True}
    return {
        "a.shop/one/metadata.json": {
            "text": "Buy",
            "colors": {"background": "#fff", "text": "#000"},
            "tasks": tasks,
        },
        "a.shop/one/filtered_elements.json": [element],
        "a.shop/one/original_vh.json": {"windows": []},
        "a.shop/one/screenshot.jpg": png(40, 80),
    }


def _atif() -> dict[str, Any]:
    picture = [{"type": "text", "text": "Buy it"}, {"type": "image", "source": {"path": "images/0.png"}}]
    after = {"type": "image", "source": {"media_type": "image/png", "path": "images/1.png"}}

    def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
        return {"tool_call_id": f"c{number}", "function_name": name, "arguments": arguments}

    steps = [
        {"step_id": 1, "timestamp": "2026-01-02T10:00:00+00:00", "source": "user", "message": picture},
        {"step_id": 2, "timestamp": "2026-01-02T10:00:02+00:00", "source": "agent", "message": "it sells",
         "tool_calls": [call(1, "tap", x=10, y=15)], "metrics": {"prompt_tokens": 5, "cost_usd": 0.5},
         "observation": {"results": [{"source_call_id": "c1", "content": [after]}]}},
        {"step_id": 3, "timestamp": "2026-01-02T10:00:05+00:00", "source": "agent", "message": "",
         "tool_calls": [call(2, "mobile_use", action="swipe", coordinate=[20, 60], coordinate2=[20, 20])]},
        {"step_id": 4, "source": "agent", "message": "bought"},
    ]  # fmt: skip
    agent = {"name": "harbor", "version": "1.2", "model_name": "m"}
    return {
        "run.json": {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": agent, "steps": steps},
        "images/0.png": png(40, 80),
        "images/1.png": png(40, 80, 9),
    }


def _swe_agent() -> dict[str, Any]:
    shown = base64.b64encode(png(40, 80)).decode()
    steps = [
        {"response": "Look", "thought": "Look", "action": 'do(action="Home")',
         "observation": f"![](data:image/png;base64,{shown})", "state": "{}"},
        {"response": "Tap", "thought": "it sells", "action": 'do(action="Tap", element=[250, 500])',
         "observation": "", "query": [{"role": "user", "content": "Buy it"}]},
    ]  # fmt: skip
    history = [{"role": "system", "content": "You are"}, {"role": "user", "content": "Buy it"}]
    info = {"exit_status": "submitted", "model_stats": {"api_calls": 2}}
    return {"t/one.traj": {"environment": "phone", "trajectory": steps, "history": history, "info": info}}


def _page_source() -> dict[str, Any]:
    def node(index: int, **attributes: str) -> dict[str, str]:
        return {f"@{key.replace('_', '-')}": value for key, value in attributes.items()} | {
            "@index": str(index)
        }

    button = node(0, text="Buy", clickable="true", bounds="[4,10][20,20]")
    other = node(2, text="Sell", clickable="true", bounds="[4,30][20,40]")
    label = node(1, text="Bread", bounds="[4,20][20,30]")
    frame = node(0, package="a.shop", bounds="[0,0][40,80]")
    frame |= {"android.widget.Button": [other, button], "android.widget.TextView": label}  # type: ignore[dict-item]
    root = {"@index": "0", "@class": "hierarchy", "@rotation": "0", "android.widget.FrameLayout": frame}
    return {
        "shop/-12/view_tree.json": {"hierarchy": root},
        "shop/-12/screenshot.png": png(40, 80),
        "shop/34/view_tree.json": {"hierarchy": root},
        "shop/34/screenshot.png": png(40, 80, 9),
    }


def _weditor() -> dict[str, Any]:
    def node(kind: str, left: int, top: int, right: int, bottom: int, *below: Any, **values: Any) -> Any:
        rect = {"x": left, "y": top, "width": right - left, "height": bottom - top}
        flags = {"checkable": False, "clickable": True, "longClickable": False, "enabled": True}
        own = {"_type": kind, "rect": rect, "index": 0, "package": "a.shop", **flags, "_id": "4f", **values}
        return {**own, "children": list(below)} if below else own

    button = node("android.widget.Button", 4, 10, 20, 20, text="Buy", resourceId="a.shop:id/buy")
    image = node("android.widget.ImageView", 4, 30, 20, 40, description="Sell")
    frame = node("android.widget.FrameLayout", 0, 0, 40, 80, button, image)
    root = {"rotation": "0", "_id": "00", "children": [frame]}
    newer = {"jsonHierarchy": root, "activity": ".Main", "packageName": "a.shop", "windowSize": [40, 80]}
    return {
        "shop/1.json": root,
        "shop/1.png": png(40, 80),
        "shop/2.json": newer,
        "shop/2.jpg": png(40, 80, 9),
        "shop/10.json": {**newer, "xmlHierarchy": xml("Bread").decode()},
    }


def _screen_video() -> dict[str, Any]:
    touches = ["t,x,y,x2,y2,duration_ms,text", "0.5,10,15", "1.5,30,60,30,20,250", "2.5,,,,,,bread"]
    return {"shop.mp4": video((0, 1, 2, 3), Size(40, 80)), "shop.csv": "\n".join(touches).encode()}


def _phone_safety() -> dict[str, Any]:
    tap = {"action": "click", "coordinate": [0.25, 0.5]}
    case = {"case_id": "v5_1", "instruction": "Buy it", "violation_type": "Confirm", "layer": "step",
            "violation_reason": "it pays", "img_path": "/data/v5_1.jpg", "action_history": "opened",
            "correct_action": tap,
            "gt_action": {"action": "click", "arguments": {"coordinate": [10, 70]}}}  # fmt: skip
    refused = case | {"case_id": "v5_2", "violation_type": "Safety"}
    refused["correct_action"] = {"action": "finish", "arguments": {"reason": "it harms"}}
    asked = case | {"case_id": "v5_3", "correct_action": {"action": "call_user", "reason": "how many?"}}
    lines = "\n".join(json.dumps(each) for each in (case, refused, asked))
    shots = {f"data/screenshots/v5_{number}.jpg": png(40, 80, number) for number in (1, 2, 3)}
    return {"data/phonesafety_700.jsonl": lines.encode(), **shots}


def _robust_bench() -> dict[str, Any]:
    def step(number: int, kind: str, action: str, **values: Any) -> dict[str, Any]:
        files = {"screenshot_path": f"./shop_tc1_{kind}_{number}.png", "xml_path": f"./shop_tc1_{kind}_1.xml"}
        return {"checkpoint_id": number, **files, "action": action, **values}

    def trace(kind: str) -> list[dict[str, Any]]:
        return [step(1, kind, "click", bbox=[0, 10, 20, 20]),
                step(2, kind, "scroll", bbox=[0, 0, 40, 80], input_value="down"),
                step(3, kind, "input", bbox=[0, 10, 20, 20], input_value="bread"),
                step(4, kind, "wait"), step(5, kind, "finish")]  # fmt: skip

    case = {"testcase_id": 1, "testcase_desc": "Buy it", "clean": {"trace": trace("b")}}
    case["noise"] = [{"type": "VE", "trace": trace("VE")}]
    shots = {
        f"data/shop/shop_tc1_{kind}_{n}.png": png(40, 80, n) for kind in ("b", "VE") for n in range(1, 6)
    }
    dumps = {f"data/shop/shop_tc1_{kind}_1.xml": xml() for kind in ("b", "VE")}
    return {"data/shop/checkpoint_shop.json": {"app": "shop", "testcases": [case]}, **shots, **dumps}


def _digidata() -> dict[str, Any]:
    said = ["tap(10, 40)", "swipe(20,60,20,20)", "type(bread)", "navigate(back)", "status(complete)"]
    steps = [
        {"episode_id": "e1", "step_id": number, "episode_len": 5, "app": "Shop", "goal": "Buy it",
         "action": action, "action_history": said[:number], "image": f"images/e1/{number}.png",
         "xml": f"xmls/e1/{number}.xml", "image_history": [], "complete": True, "eval_category": "SEEN",
         "conversations": [{"from": "human", "value": "Goal"}, {"from": "gpt", "value": f"why\n{action}"}]}
        for number, action in enumerate(said)
    ]  # fmt: skip
    other = {**steps[0], "episode_id": "e2", "action": "tap(0.5,0.25)"}
    lines = "\n".join(json.dumps(each) for each in (*steps[3:], other, *steps[:3]))
    shots = {f"images/e1/{number}.png": png(40, 80, number) for number in range(5)}
    return {"cot_digidata_train.jsonl": lines.encode(), **shots, "xmls/e1/0.xml": xml()}


DATASET_SAMPLES: dict[str, dict[str, Any]] = {
    "agent-hazard": _agent_hazard(),
    "aitw": {"general-00000-of-00321": aitw()},
    "amex": _amex(),
    "android-lab": _android_lab(),
    "android-world": {"run/ShopBuy_0.pkl.gz": android_world()},
    "androidcontrol-records": {"android_control-00000-of-00020": android_control()},
    "atif": _atif(),
    "digidata": _digidata(),
    "gui-odyssey": _odyssey(),
    "messages": _messages(),
    "mobiagent": _mobiagent(),
    "mobile-agent-bench": _mobile_agent_bench(),
    "mobile-robust-bench": _robust_bench(),
    "mobile-world": _mobile_world(),
    "mobilerun": _mobilerun(),
    "page-source-json": _page_source(),
    "phone-safety": _phone_safety(),
    "screen-videos": _screen_video(),
    "spa-bench": _spa_bench(),
    "swe-agent": _swe_agent(),
    "ui-venus": _ui_venus(),
    "weditor": _weditor(),
}
