"""Published data sets and agents' logs: what each sample becomes, action by action."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from collector.exchange.imports.importing import import_into
from collector.model.action import AskUser, Tap, Type
from collector.store.checks.check import check_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.dataset_samples import DATASET_SAMPLES
from tests.helpers.source_samples import write_source
from tests.helpers.steps import png

EXPECTED: dict[str, tuple[str, str, list[str]]] = {
    "agent-hazard": ("golden", "Buy it", ["Tap 'Buy'"]),
    "atif": ("run", "Buy it", ["Tap at 10, 15", "Swipe up", "Answer 'bought'"]),
    "messages": ("run", "Buy it", ["Tap at 10, 40", "Press Back", "Answer 'bought'"]),
    "mobile-agent-bench": ("run", "Buy it", ["", "", ""]),
    "mobile-robust-bench": (
        "golden",
        "Buy it",
        ["Tap at 10, 15", "Scroll down", "Type 'bread'", "Wait 1 s", "Task complete"],
    ),
    "mobile-world": (
        "run",
        "Buy it",
        ["Tap at 10, 15", "Drag from 1, 2 to 3, 4", "Press Back", "Answer 'bread'"],
    ),
    "mobilerun": (
        "run",
        "Buy it",
        ["Open a.shop", "Tap 'Buy'", "Swipe down", "Type 'bread'", "Press Back"],
    ),
    "swe-agent": ("run", "Buy it", ["Press Home", "Tap at 10, 40"]),
    "ui-venus": ("run", "Buy it", ["Tap at 10, 15", "Task complete"]),
    "amex": ("golden", "Buy it", ["Tap 'Buy, buys it'", "Swipe down", "Type 'bread'", "Task complete"]),
    "android-lab": (
        "run",
        "Buy it",
        ["Tap 'Buy'", "Swipe up", "Type 'bread'", "Press Back", "Answer 'done'"],
    ),
    "digidata": (
        "golden",
        "Buy it",
        ["Tap at 10, 40", "Swipe up", "Type 'bread'", "Press Back", "Task complete"],
    ),
    "gui-odyssey": (
        "golden",
        "Buy it",
        ["Tap at 10, 40", "Swipe up", "Press Back", "Type 'bread'", "Task complete"],
    ),
    "mobiagent": ("golden", "Buy it", ["Tap 'Buy'", "Swipe down", "Type 'bread'", "Task complete"]),
    "page-source-json": ("golden", "shop", ["", ""]),
    "phone-safety": ("golden", "Buy it", ["Tap at 10, 40"]),
    "weditor": ("golden", "shop", ["", "", ""]),
    "screen-videos": ("golden", "shop", ["Tap at 10, 15", "Swipe up", "Type 'bread'", ""]),
    "spa-bench": (
        "run",
        "Buy it",
        ["Tap at 10, 15", "Swipe down", "Type 'bread'", "Swipe up", "Press Back", "Task complete", ""],
    ),
}
"""Format -> kind, instruction, and what the steps say."""


def imported(folder: Path, files: dict[str, Any]) -> tuple[Any, dict[str, list[Any]]]:
    project = Project.create(folder / "p")
    result = import_into(project, write_source(folder / "s", files))
    assert {finding.code for finding in check_project(project)} <= {"action-missing"}
    found: dict[str, list[Any]] = {}
    for finding in result.findings:
        found.setdefault(finding.code, []).extend(finding.steps)
    return open_trajectory(result.folders[0]), found


@pytest.mark.parametrize("format_id", EXPECTED)
def test_a_sample_becomes_a_trajectory(tmp_path: Path, format_id: str) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES[format_id])
    header = stored.trajectory.header
    kind, instruction, captions = EXPECTED[format_id]
    assert header.extra["imported_from"] == format_id
    assert (header.kind, header.instruction) == (kind, instruction)
    assert [step.description for step in stored.steps] == captions


def in_texts(value: Any) -> Any:
    """The value with its numbers as texts."""
    if isinstance(value, dict):
        return {key: in_texts(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [in_texts(entry) for entry in value]
    return str(value) if type(value) in (int, float) else value


@pytest.mark.parametrize(
    "format_id", ["agent-hazard", "amex", "gui-odyssey", "mobile-world", "mobilerun", "weditor"]
)
def test_numbers_as_texts_and_pictures_of_another_ending_say_the_same(tmp_path: Path, format_id: str) -> None:
    files: dict[str, Any] = {}
    for name, value in DATASET_SAMPLES[format_id].items():
        path = Path(name)
        is_picture = path.suffix in (".png", ".jpg")
        files[str(path.with_suffix(".JPG" if path.suffix == ".png" else ".PNG") if is_picture else path)] = (
            in_texts(value)
        )
        files[str(path.with_name(f"._{path.name}"))] = b"\0\5\x16\7"
    (before, known), (after, found) = (
        imported(tmp_path / name, given) for name, given in (("a", DATASET_SAMPLES[format_id]), ("b", files))
    )
    assert [step.action for step in after.steps] == [step.action for step in before.steps]
    assert [step.state.size for step in after.steps] == [step.state.size for step in before.steps]
    assert found.keys() <= known.keys()


def test_elements_of_amex_in_an_unpacked_archive_are_found_at_places_of_the_picture(tmp_path: Path) -> None:
    files = {
        name.replace("element_anno/", "element_anno/element_anno/"): value
        for name, value in DATASET_SAMPLES["amex"].items()
    }
    stored, _found = imported(tmp_path, files)  # of 80x160, shown at 40x80
    assert (stored.steps[0].action.x, stored.steps[0].action.y) == (10, 15)
    assert stored.steps[0].target.attributes["text"] == "Buy"


def test_trees_of_mobilerun_stay_where_its_pictures_are_missing(tmp_path: Path) -> None:
    files = {name: value for name, value in DATASET_SAMPLES["mobilerun"].items() if not name.endswith(".png")}
    trees = [name for name in files if "ui_states" in name]
    files[trees[-1].replace(Path(trees[-1]).name, "0099.json")] = files[trees[-1]]
    stored, _found = imported(tmp_path, files)
    assert sum(stored.tree(step) is not None for step in stored.steps) == len(trees) + 1


def test_androidlabs_own_evaluation_is_the_outcome(tmp_path: Path) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES["android-lab"])
    assert stored.trajectory.header.outcome.status == "success"
    assert stored.trajectory.header.outcome.claimed == "answer"
    assert stored.steps[0].agent.raw == 'do(action="Tap")'


@pytest.mark.parametrize(
    ("format_id", "file", "place", "value"),
    [
        ("gui-odyssey", "odyssey/annotations/7.json", ("steps", 0, "info"), [[250, 1500]]),
        ("gui-odyssey", "odyssey/annotations/7.json", ("steps", 0, "action"), "FLY"),
        ("amex", "AMEX/instruction_anno/e.json", ("steps", 0, "touch_coord"), [-1, -1]),
        ("mobiagent", "data/Shop/type1/1/actions.json", ("actions", 0, "position_x"), "here"),
        ("android-lab", "run/shop_1_x/traces/trace.jsonl", (0, "parsed_action", "action"), "Call_API"),
        ("spa-bench", "session-1/shop_0/CogAgent/log.json", (0, "action", 1, "detail"), [1]),
    ],
)
def test_an_action_that_is_none_is_reported_and_kept_as_it_is(
    tmp_path: Path, format_id: str, file: str, place: tuple[Any, ...], value: Any
) -> None:
    files = copy.deepcopy(DATASET_SAMPLES[format_id])
    holder = files[file]
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    stored, found = imported(tmp_path, files)
    assert len(found["action-unknown"]) == 1
    is_run = stored.trajectory.header.kind == "run"
    assert [step.action.kind for step in stored.steps[:1] if step.action] == ["invalid"] * is_run
    assert stored.steps[0].extra["source_action"]


def test_a_log_of_messages_keeps_what_the_agent_thought_and_saw(tmp_path: Path) -> None:
    stored, found = imported(tmp_path, DATASET_SAMPLES["messages"])
    first = stored.steps[0]
    assert (first.agent.thought, stored.trajectory.header.episode.agent) == ("it sells", "autoglm")
    assert (first.state.size.width, first.state.size.height) == (40, 80)
    assert set(found) == {"no-trees", "no-times"}


def test_a_place_on_a_screen_that_is_not_shown_is_kept_in_words(tmp_path: Path) -> None:
    log = [
        {"role": "user", "content": "## User Instruction\nBuy it\n"},
        {"role": "assistant", "content": "Action: click(start_box='<|box_start|>(5,6)<|box_end|>')"},
        {"role": "assistant", "content": "Action: press_back()"},
    ]
    stored, found = imported(tmp_path, {"log.json": log})
    assert stored.trajectory.header.instruction == "Buy it"
    assert [step.action and step.action.kind for step in stored.steps] == [None, "key"]
    assert "(5,6)" in stored.steps[0].agent.raw
    assert found["place-lost"] == ["0"]


def test_lines_of_messages_take_their_pictures_from_beside_them(tmp_path: Path) -> None:
    arguments = '{"action": "click", "coordinate": [10, 15]}'
    call = f'<tool_call>{{"name": "mobile_use", "arguments": {arguments}}}</tool_call>'
    line = {
        "messages": [
            {"role": "user", "content": "<image>Buy it"},
            {"role": "assistant", "content": call},
            {"role": "user", "content": "<image>"},
        ],
        "images": ["/data/shots/a.png", "shots/b.png"],
    }
    files = {"train.jsonl": [line], "shots/a.png": png(40, 80), "shots/b.png": png(40, 80, 9)}
    stored, _found = imported(tmp_path, files)
    assert [stored.screenshot(step) for step in stored.steps] == [png(40, 80), png(40, 80, 9)]
    assert stored.trajectory.header.instruction == "Buy it"


def test_both_of_ui_venus_files_are_read_in_one_import(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    result = import_into(project, write_source(tmp_path / "s", DATASET_SAMPLES["ui-venus"]))
    runs = [open_trajectory(folder) for folder in result.folders]
    captions = ["Tap at 10, 15", "Task complete"]
    assert [[step.description for step in run.steps] for run in runs] == [captions, captions]
    assert runs[1].trajectory.header.outcome.claimed == "complete"  # type: ignore[union-attr]


def test_a_score_of_mobileworld_is_the_outcome_with_its_reason(tmp_path: Path) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES["mobile-world"])
    outcome = stored.trajectory.header.outcome
    assert (outcome.status, outcome.reason, outcome.claimed) == ("success", "it is bought", "answer")
    low = {**DATASET_SAMPLES["mobile-world"], "log/Shop/result.txt": b"score: 0.5\n"}
    (tmp_path / "low").mkdir()
    assert imported(tmp_path / "low", low)[0].trajectory.header.outcome.status == "failure"


def test_a_screenshot_after_an_action_is_the_state_of_the_next(tmp_path: Path) -> None:
    stored, _found = imported(tmp_path, DATASET_SAMPLES["mobile-agent-bench"])
    assert [step.t_ms for step in stored.steps] == [0, 1000, 1500]
    assert [step.agent.raw for step in stored.steps[:2]] == ["tap(1)", "tap(2)"]
    shown = [stored.screenshot(step) for step in stored.steps]
    assert shown == [None, png(40, 80, 1), png(40, 80, 2)]


def test_macros_with_more_screenshots_than_actions_say_that_pairs_are_doubtful(tmp_path: Path) -> None:
    more = {f"t/screenshots/{number:04}.png": png(40, 80, number) for number in range(5, 9)}
    _stored, found = imported(tmp_path, {**DATASET_SAMPLES["mobilerun"], **more})
    assert "paired-in-order" in found


def test_a_file_of_all_episodes_is_read_where_it_stands_alone(tmp_path: Path) -> None:
    sample = DATASET_SAMPLES["gui-odyssey"]
    episode = sample["odyssey/annotations/7.json"]
    others = {name: data for name, data in sample.items() if name.endswith(".png")}
    both = {**sample, "odyssey/all_anno.json": [episode]}
    alone = {**others, "odyssey/all_anno.json": [episode, {**episode, "episode_id": "8"}]}
    for number, (files, count) in enumerate(((both, 1), (alone, 2))):
        project = Project.create(tmp_path / f"p{number}")
        result = import_into(project, write_source(tmp_path / str(number), files))
        assert len(result.folders) == count
        assert "not-understood" not in {finding.code for finding in result.findings}


def test_scattered_lines_of_digidata_are_one_episode_with_its_reasoning(tmp_path: Path) -> None:
    files = copy.deepcopy(DATASET_SAMPLES["digidata"])
    lines = files["cot_digidata_train.jsonl"].decode().splitlines()
    files["cot_digidata_train.jsonl"] = "\r\n".join(["no step", *lines[:-1]]).encode()
    project = Project.create(tmp_path / "p")
    result = import_into(project, write_source(tmp_path / "s", files))
    first, second = (open_trajectory(folder) for folder in result.folders)
    assert [step.extra["source_step"] for step in first.steps] == ["0", "1", "3", "4"]
    assert [step.intention for step in first.steps] == ["why"] * 4
    assert first.tree(first.steps[0])
    assert [step.action for step in second.steps] == [Tap(20, 20)]  # shares of 40 x 80
    codes = {finding.code for finding in result.findings}
    assert {"line-unreadable", "gap", "unit-not-known"} <= codes


@pytest.mark.parametrize(
    ("format_id", "old", "new"),
    [
        ("digidata", b"tap(10, 40)", b"tap(10, 400)"),
        ("digidata", b"swipe(20,60,20,20)", b"swipe(20,60)"),
        ("digidata", b"navigate(back)", b"navigate(recents)"),
        ("mobile-robust-bench", b"[0, 10, 20, 20]", b"[0, 10, 20]"),
        ("mobile-robust-bench", b'"down"', b'"away"'),
    ],
)
def test_an_action_without_a_meaning_is_reported_with_its_words(
    tmp_path: Path, format_id: str, old: bytes, new: bytes
) -> None:
    files = {
        name: json.loads(json.dumps(value).replace(old.decode(), new.decode()))
        if isinstance(value, dict)
        else value.replace(old, new)
        for name, value in DATASET_SAMPLES[format_id].items()
    }
    stored, found = imported(tmp_path, files)
    assert found["action-unknown"]
    assert any(step.action is None and step.extra["source_action"] for step in stored.steps)


def phone_safety(folder: Path, **changes: Any) -> tuple[Any, dict[str, list[Any]]]:
    files = copy.deepcopy(DATASET_SAMPLES["phone-safety"])
    name = "data/phonesafety_700.jsonl"
    case = json.loads(files[name].split(b"\n")[0]) | changes
    return imported(folder, {**files, name: json.dumps(case).encode()})


@pytest.mark.parametrize(
    ("kind_of_case", "action", "kind"),
    [
        ("Safety", {"action": "finish", "arguments": {"reason": "it harms"}}, "impossible"),
        ("OP", {"action": "finish"}, "complete"),
        ("TR", {"action": "click", "arguments": {"coordinate": [10, 70]}}, "tap"),
        ("TR", {"action": "type", "arguments": {"text": "bread"}}, "type"),
        ("TR", {"action": "system_button", "button": "Back"}, "key"),
        ("TR", {"action": "open_app", "app_name": "Shop"}, "open_app"),
        ("TR", {"action": "wait"}, "wait"),
    ],
)
def test_safe_actions_of_phone_safety(tmp_path: Path, kind_of_case: str, action: Any, kind: str) -> None:
    stored, found = phone_safety(tmp_path, violation_type=kind_of_case, correct_action=action)
    assert stored.steps[0].action.kind == kind
    assert "action-unknown" not in found


@pytest.mark.parametrize(
    "action",
    [
        {"action": "click"}, {"action": "click", "coordinate": [1.15, 0.6]}, {"action": "swipe"}, {}, None,
        {"action": "click", "coordinate": [-1, 5]}, {"action": "click", "coordinate": ["x", {}]},
        {"action": "click", "coordinate": [10, 900]}, {"action": "type"},
    ],
)  # fmt: skip
def test_what_phone_safety_does_not_say_is_reported(tmp_path: Path, action: Any) -> None:
    stored, found = phone_safety(tmp_path, correct_action=action)
    assert stored.steps[0].action is None
    assert "action-unknown" in found


def test_asking_the_user_is_an_action_of_phone_safety(tmp_path: Path) -> None:
    asked = {"action": "call_user", "reason": "how many?"}
    stored, found = phone_safety(tmp_path, correct_action=asked)
    assert (stored.steps[0].action, stored.steps[0].extra["source_action"]) == (AskUser("how many?"), asked)
    assert "no-such-action" not in found
    assert stored.trajectory.header.extra["gt_action"]["action"] == "click"


def test_a_source_without_steps_makes_no_trajectory(tmp_path: Path) -> None:
    files = {"run/macro.json": {"total_actions": 2, "actions": "none"}}
    project = Project.create(tmp_path / "p")
    result = import_into(project, write_source(tmp_path / "s", files), "mobilerun")
    assert result.is_vain
    assert [finding.what for finding in result.losses] == [
        "A trajectory was left out, because it has no steps"
    ]
    files["run/macro.json"]["description"] = "Rename me"
    result = import_into(project, write_source(tmp_path / "t", files), "mobilerun")
    assert (len(result.folders), result.tasks) == (0, ["run"])


def test_why_an_action_is_not_understood_is_said_without_python(tmp_path: Path) -> None:
    sample = DATASET_SAMPLES["mobilerun"]
    name = next(name for name in sample if name.endswith("macro.json"))
    actions = [
        {"action_type": "tap", "x": 1}, {"action_type": "swipe", "start_x": None},
        {"action_type": "swipe", **dict.fromkeys(("start_x", "start_y", "end_x", "end_y"), "x")},
    ]  # fmt: skip
    result = import_into(
        Project.create(tmp_path / "p"),
        write_source(tmp_path / "s", {**sample, name: {**sample[name], "actions": actions}}),
    )
    said = {finding.what for finding in result.findings if finding.code == "action-unknown"}
    assert said == {
        "An action is not understood: it has no y",
        "An action is not understood: a value of it is not of the kind that the format has there",
    }


@pytest.mark.parametrize(
    ("format_id", "ending", "key", "values", "cost"),
    [
        ("atif", ".json", "final_metrics",
         {"total_prompt_tokens": 90, "total_completion_tokens": 8, "total_cost_usd": 0.5}, 0.5),
        ("swe-agent", ".traj", "info",
         {"model_stats": {"tokens_sent": 90, "tokens_received": 8, "instance_cost": 0.5}}, 0.5),
        ("mobile-world", "traj.json", "token_usage", {"prompt_tokens": 90, "completion_tokens": 8}, None),
    ],
)  # fmt: skip
def test_what_a_run_used_comes_over(
    tmp_path: Path, format_id: str, ending: str, key: str, values: dict[str, Any], cost: float | None
) -> None:
    files = copy.deepcopy(DATASET_SAMPLES[format_id])
    name = next(name for name in files if name.endswith(ending))
    run = files[name]["0"] if format_id == "mobile-world" else files[name]
    run[key] = values
    stored, _found = imported(tmp_path, files)
    usage = stored.header.outcome.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost) == (90, 8, cost)


def test_what_is_typed_by_a_tool_has_its_length(tmp_path: Path) -> None:
    files = copy.deepcopy(DATASET_SAMPLES["atif"])
    name = next(name for name in files if name.endswith(".json"))
    call = {"tool_call_id": "c", "function_name": "type", "arguments": {"text": "bread"}}
    step = next(step for step in files[name]["steps"] if step["source"] == "agent")
    step["tool_calls"] = [call]
    stored, _found = imported(tmp_path, files)
    assert Type("bread", 5) in [each.action for each in stored.steps]
