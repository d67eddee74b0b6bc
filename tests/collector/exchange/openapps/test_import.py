"""An OpenApps configuration becomes tasks with targets, and variations that the phone can run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from collector.agents.agent import TREE
from collector.environment.phone_environment import PhoneEnvironment
from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.exchange.registry import formats
from collector.model.app_data.target import OPENAPPS
from collector.model.task import Task
from collector.oracle.proving import TaskProver
from collector.oracle.search import SearchLimit
from collector.store.project.project import Project
from collector.targets.pair import reward_of_pair
from collector.targets.reader import read_target
from collector.variations.registry import Variations
from collector.virtual.apps.calendar.app import CalendarApp
from collector.virtual.apps.code.app import CodeApp
from collector.virtual.apps.maps.app import MapsApp
from collector.virtual.apps.messenger.app import MessengerApp
from collector.virtual.apps.shop.app import ShopApp
from collector.virtual.apps.todo.app import TodoApp
from collector.virtual.ui.content import VariedContents

PUBLISHED = Path(__file__).resolve().parents[5] / "shared/data/openapps"
APPS = (TodoApp(), CalendarApp(), MessengerApp(), MapsApp(), CodeApp(), ShopApp())
_TASK = "open_apps.tasks.tasks"
FILES: dict[str, Any] = {
    "config": {"apps": {"adversarial_message": "Stop here {now}"}},
    "tasks/all_tasks": {"defaults": ["some", "more"]},
    "tasks/some": {
        "sing": {"_target_": f"{_TASK}.AddToDoTask", "goal": "Add Sing", "todo_name": "Sing",
                 "is_done": False},
        "hut": {"_target_": f"{_TASK}.SavePlaceTask", "goal": "Save the hut", "name": "Blue Hut, Norway",
                "latitude": 60.05, "longitude": 10.05, "tolerance_km": 0.5},
        "choir": {"_target_": f"{_TASK}.AddEventTask", "goal": "Add the choir", "title": "Choir",
                  "date": "2026-05-04", "description": None, "location": None, "url": None, "invitees": []},
        "write": {"_target_": f"{_TASK}.SendMessageTask", "goal": "Write to Ida", "to": "Ida",
                  "message": "Hi", "expected_reply": "Hi yourself"},
        "open": {"_target_": f"{_TASK}.NavigateToAppTask", "goal": "Open Maps", "source_app": "todo",
                 "target_app": "map"},
    },
    "tasks/more": {
        "sing__casual_1": {"_target_": f"{_TASK}.AddToDoTask", "goal": "hey, Sing please",
                           "todo_name": "Sing", "is_done": False, "goal_style": "casual"},
        "both": {"_target_": f"{_TASK}.CompositeTask", "_convert_": "all", "goal": "Do both", "subtasks": [
            {"_target_": f"{_TASK}.MarkToDoDoneTask", "goal": "x", "todo_name": "Feed the fish"},
            {"_target_": f"{_TASK}.RemoveLandmarkTask", "goal": "y", "name": "Mill"}]},
        "strange": {"_target_": "os.system", "goal": "No"},
        "many": {"_target_": f"{_TASK}.SendMessageTask", "goal": "No", "to": ["Ida"], "message": "Hi"},
        "refers": {"_target_": f"{_TASK}.AddToDoTask", "goal": "${tasks.sing.goal} for ${oc.env:HOME}",
                   "todo_name": "${sing.todo_name}", "is_done": False},
        "lacking": {"_target_": f"{_TASK}.AddToDoTask", "goal": "Lacks its name"},
    },
    "apps/todo/content/default": {"title": "Lists",
                                  "init_todos": [["Feed the fish", False], ["Sweep", True], 5]},
    "apps/todo/content/crowd": {"defaults": ["default"],
                                "+init_todos": [["${apps.adversarial_message}", False]]},
    "apps/todo/content/circle": {"title": "${apps.todo.title}"},
    "apps/todo/appearance/default": {"font_color": "", "font_family": "Arial", "base_font_size": "10px"},
    "apps/todo/appearance/night": {"font_color": "#ffffff", "form_background_color": "black", "odd_key": "7",
                                   "font_family": "Brush Script MT", "base_font_size": "15px"},
    "apps/calendar/content/default": {
        "events": [{"title": "Fair", "date": "1990-02-03", "description": "Bring {cups}\n",
                    "invitees": "Ida, Jon", "recurring": "yearly"}, {"title": "No date"}]},
    "apps/messenger/content/default": {
        "users": ["Ida", "Kim"], "chat_history": {"Ida": [["Hello", False, "Ida", "May 1, 9:00AM"]],
                                                  "Jon": [["Yes", True, "you", "May 2"]]}},
    "apps/maps/content/default": {
        "init_location": [52.5, 13.4], "saved_places": [
            {"name": "Mill", "lat": 52.6, "lng": 13.5, "icon": "mill"},
            {"name": "Nowhere", "lat": 200, "lng": 0}]},
    "apps/code_editor/content/default": {"welcome_message": "Hello", "filesystem": [
        {"type": "file", "name": "a.py", "content": "#include <iostream>\n"},
        {"type": "folder", "name": "lib", "content": [{"type": "file", "name": "b.py", "content": "1"}]},
        {"type": "file", "name": "../c.py", "content": ""}]},
    "apps/onlineshop/content/default": {
        "description": "All {we} have", "promotional_message": "Pick",
        "cart": [{"asin": "B01", "quantity": 2}],
        "orders": [{"order_id": "o1", "items": {"('B02', '{}')": {"quantity": 3}}, "total": 30,
                    "date": "2025-08-29 19:54:34"}]},
    "apps/start_page/content/default": {
        "headline": "Welcome", "apps": {"todo": {"title": "My lists", "description": None}}},
    "apps/start_page/appearance/default": {"apps": {"todo": {"enabled": True, "clickable_logo": False}}},
    "apps/start_page/appearance/logos": {"apps": {"todo": {"clickable_logo": True}}},
    "apps/pop_ups/default": {},
    "apps/pop_ups/loud": {"pop_up1": {
        "title": "${apps.start_page.headline}", "content": "Look", "button_title": "Go",
        "position": "bottom left",
        "url_extension": "", "link_button_title": "More", "link_button_url": "https://example.org"}},
}  # fmt: skip


def write_config(root: Path, files: dict[str, Any]) -> Path:
    """A checkout with a ``config`` of these files."""
    for name, value in files.items():
        path = root / "config" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        app = name.split("/")[1] if name.startswith("apps/") else ""
        head = f"# @package apps.{app}\n" if app and not name.endswith(f"{app}/default") else ""
        path.write_text(head + yaml.safe_dump(value, allow_unicode=True), encoding="utf-8")
    for app in ("todo", "calendar", "messenger", "maps", "code_editor", "onlineshop", "start_page"):
        groups = [group for group in ("content", "appearance") if f"apps/{app}/{group}/default" in files]
        text = yaml.safe_dump({"defaults": [{group: "default"} for group in groups]})
        if groups:
            (root / "config" / "apps" / app / "default.yaml").write_text(text)
    return root


def data_under(project: Project, variation: str) -> dict[str, Any]:
    """The data of all apps on a new phone under a variation of a project."""
    with VariedContents(Variations(project.folder).resolve(variation)).in_use():
        records: dict[str, Any] = {}
        for app in APPS:
            records.update(app.data(app.initial(1, "en-US")))
        return records


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    root = tmp_path_factory.mktemp("openapps")
    checkout, project = write_config(root / "checkout", FILES), Project.create(root / "p")
    return project, import_into(project, checkout)


def lines(result: Any) -> list[str]:
    return [f"{finding.where}: {finding.what} {','.join(finding.steps)}".strip() for finding in result.losses]


def test_tasks_have_targets_apps_and_rewordings(imported):
    project, result = imported
    assert result.format.id == "openapps"
    tasks = {task.id: task for task in project.tasks}
    assert set(tasks) == {"sing", "hut", "choir", "write", "open", "sing__casual_1", "both", "refers"}
    assert tasks["refers"].instruction == "Add Sing for ${oc.env:HOME}"
    assert tasks["refers"].target.parts == tasks["sing"].target.parts
    assert {task.target.semantics for task in tasks.values()} == {OPENAPPS}
    assert tasks["sing"].rewordings == {"casual": ("hey, Sing please",)}
    assert tasks["open"].package == "com.waymark.todo"
    assert (tasks["hut"].target.parts[0].within_km, tasks["hut"].app) == (0.5, "Maps")
    assert [part.kind for part in tasks["both"].target.parts] == ["change", "remove"]
    assert [line for line in lines(result) if "A task was left out" in line] == [
        "tasks/more.yaml: A task was left out: its todo_name is missing lacking",
        "tasks/more.yaml: A task was left out: to has to be a text many",
        "tasks/more.yaml: A task was left out: there is no target for system strange",
    ]


def test_tasks_about_an_app_that_the_phone_has_not_are_named_one_by_one(tmp_path):
    added = {"_target_": f"{_TASK}.AddToDoTask", "todo_name": "Pay 35.00", "is_done": False}
    about = {
        "read": {**added, "goal": "Look up the minimum in the Open-Ledger app, and add a todo to pay it"},
        "both": {
            "_target_": f"{_TASK}.CompositeTask",
            "goal": "Write to Ida what openledger says",
            "subtasks": [{"_target_": f"{_TASK}.SendMessageTask", "to": "Ida", "message": "35.00"}],
        },
        "go": {"_target_": f"{_TASK}.NavigateToAppTask", "goal": "Go on", "target_app": "night_bank"},
        "asks": {**added, "goal": "Add a todo to pay 35.00, which Night Bank asks for"},
        "plain": {**added, "goal": "Add a todo to pay what the openledgers ask for"},
    }
    files = {"tasks/bank": about, "apps/open_ledger/content/default": {"title": "Open-Ledger"},
             "apps/open_ledger/default": {"defaults": [{"content": "default"}]},
             "apps/messenger/content/default": {"users": ["Ida"]}}  # fmt: skip
    project = Project.create(tmp_path / "p")
    result = import_into(project, write_config(tmp_path / "checkout", files))
    assert [task.id for task in project.tasks] == ["plain"]
    assert [line for line in lines(result) if "A task was left out" in line] == [
        "tasks/bank.yaml: A task was left out: the phone has no app night_bank asks,go",
        "tasks/bank.yaml: A task was left out: the phone has no app open_ledger both,read",
    ]
    assert [line for line in lines(result) if "open_ledger/" in line]  # its contents are named, too


def test_apps_hold_what_openapps_has(imported):
    project, _result = imported
    data = data_under(project, "openapps")
    assert [(task["title"], task["done"]) for task in data["todo.tasks"]] == [
        ("Feed the fish", False), ("Sweep", True)
    ]  # fmt: skip
    (fair,) = data["calendar.events"]
    assert (fair["date"], fair["notes"], fair["guests"], fair["repeat"]) == (
        "1990-02-03", "Bring {cups}", ["Ida", "Jon"], "yearly"
    )  # fmt: skip
    assert [(chat["chat"], chat["name"]) for chat in data["messenger.chats"]] == [
        ("Ida", "Ida"),
        ("Jon", "Jon"),
    ]
    assert [person["name"] for person in data["messenger.contacts"]] == ["Ida", "Jon", "Kim"]
    (mill,) = data["maps.saved"]
    assert (mill["name"], mill["lat"], mill["lng"], mill["color"]) == ("Mill", 52.6, 13.5, "blue")
    assert [(file["path"], file["text"]) for file in data["code.files"]] == [
        ("a.py", "#include <iostream>\n"), ("lib/b.py", "1")
    ]  # fmt: skip
    assert data["shop.cart"] == [{"product": "B01", "count": 2}]
    assert [order["items"] for order in data["shop.orders"]] == [{"B02": 3}]
    crowd = data_under(project, "openapps_crowd")
    assert [task["title"] for task in crowd["todo.tasks"]][-1] == "Stop here {now}"
    assert len(crowd["maps.saved"]) == 1


def test_a_place_that_a_task_saves_is_found_on_the_map(imported):
    project, _result = imported
    maps = MapsApp()
    with VariedContents(Variations(project.folder).resolve("openapps")).in_use():
        assert TodoApp().initial(1, "en-US").span == "all"
        state = maps.initial(1, "en-US")
        hut = next(place for place in state.town.places.values() if place.name("en") == "Blue Hut, Norway")
        assert (hut.lat, hut.lng) == (60.05, 10.05)
        assert (state.home_lat, state.home_lng) == (52.5, 13.4)


def test_looks_and_pop_ups_are_carried_over(imported):
    project, _result = imported
    variations = Variations(project.folder)
    night = variations.resolve("openapps+openapps_night").appearance_of("todo")
    assert (night.font, night.italic, night.text_scale) == ("display", True, 1.5)
    assert dict(night.colours) == {
        "text": "#FFFFFF", "text_2": "#FFFFFF", "surface": "#000000", "surface_container": "#000000"
    }  # fmt: skip
    assert variations.resolve("openapps_logos").content["start_page"] == ({"opens_by_logo": True},)
    (loud,) = variations.resolve("openapps_pop_ups_loud").pop_ups_of("start_page")
    assert (loud.title, loud.position) == ({"en": "Welcome"}, "bottom")
    assert [button.does for button in loud.buttons] == ["open:browser", "close"]
    (page,) = variations.resolve("openapps").content["start_page"]
    assert page["+words"]["evening"] == {"en": "Welcome"}


def test_what_cannot_be_carried_over_is_named_line_by_line(imported):
    _project, result = imported
    found = lines(result)
    for line in (
        "tasks/more.yaml: The reference ${oc.env:HOME} leads nowhere and was kept as a text refers",
        "apps/todo/appearance/night.yaml: The phone has nothing for odd_key: 7",
        "apps/todo/content/default.yaml: The phone has nothing for init_todos: 5",
        "apps/calendar/content/default.yaml: The phone has nothing for events: {'title': 'No date'}",
        "apps/maps/content/default.yaml: The phone has nothing for saved_places: Nowhere",
        "apps/maps/content/default.yaml: The phone has nothing for saved_places.icon: mill",
        "apps/code_editor/content/default.yaml: The phone has nothing for filesystem: ../c.py",
        "apps/code_editor/content/default.yaml: The phone has nothing for welcome_message: Hello",
        "apps/onlineshop/content/default.yaml: The phone has nothing for orders.total: 30",
        "apps/pop_ups/loud.yaml: The phone has nothing for pop_up1.position: bottom left",
        "apps/pop_ups/loud.yaml: The phone has nothing for pop_up1.link_button_url: https://example.org",
    ):
        assert line in found
    assert any("circle.yaml: A file was left out" in line and "circle" in line for line in found)


def test_a_second_import_changes_nothing(imported, tmp_path):
    project, _result = imported
    own = project.folder / "variations" / "openapps.yaml"
    before = own.read_text()
    own.write_text("version: 1\ndescription: mine\n")
    again = import_into(project, write_config(tmp_path / "checkout", FILES), "openapps")
    assert (again.tasks, again.variations, again.is_vain) == ([], [], False)
    assert any("keeps its own variation" in line for line in lines(again))
    assert own.read_text() == "version: 1\ndescription: mine\n"
    own.write_text(before)


def test_a_folder_of_another_kind_is_not_taken_for_one(tmp_path):
    openapps = formats().kinds["openapps"]
    (tmp_path / "tasks").mkdir()
    (tmp_path / "apps").mkdir()
    (tmp_path / "tasks" / "a.yaml").write_text("a: {goal: x}\n")
    assert openapps.detect(tmp_path) == openapps.detect(tmp_path / "gone") == 0.0


# ---- the files as published ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    if not PUBLISHED.is_dir():
        pytest.skip("needs ../shared/data/openapps")
    project = Project.create(tmp_path_factory.mktemp("published") / "p")
    return project, import_into(project, PUBLISHED)


def test_all_published_tasks_and_variations_come_over(published):
    project, result = published
    tasks = {task.id: task for task in project.tasks}
    assert (len(result.tasks), len(tasks)) == (371, 371)
    assert sum(len(texts) for task in tasks.values() for texts in task.rewordings.values()) == 243
    assert sum(len(task.target.parts) > 1 for task in tasks.values()) == 100
    assert {finding.code for finding in result.losses} == {"key-without-counterpart"}
    variations = Variations(project.folder)
    variants = {path.stem for path in PUBLISHED.glob("config/apps/*/*/*.yaml")}
    assert {f"openapps_{name}" for name in variants - {"default"}} <= set(variations.own_names)
    for name in variations.own_names:
        assert variations.diagnostics(name) == ()
        assert len(variations.resolve(name).argument.encode()) < 131_072  # an argument of a program


def test_all_published_tasks_go_out_as_they_came(published, tmp_path):
    """Out and in again they are equal, and so are the entries, but for what the project has elsewhere."""
    project, _result = published
    exported = export_project(project, "openapps", tmp_path / "out")
    assert (exported.losses, len(exported.written.tasks)) == ([], 371)
    again = Project.create(tmp_path / "again")
    report = import_into(again, exported.path)
    assert (report.format.id, report.losses) == ("openapps", [])
    assert again.tasks == project.tasks
    given: dict[str, Any] = {}
    for name in ("longer_horizon", "original_tasks", "user_goal_variations"):
        given |= yaml.safe_load((PUBLISHED / f"config/tasks/{name}.yaml").read_text("utf-8"))
    written = yaml.safe_load((exported.path / "config/tasks/waymark_tasks.yaml").read_text("utf-8"))
    assert set(written) == set(given)
    for key, entry in given.items():
        assert comparable(written[key]) == comparable(entry)


def comparable(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without what a task does not hold: expected replies, and the goals of parts."""
    values = {key: str(value) if key == "date" else value for key, value in entry.items()}
    values.pop("expected_reply", None)
    values["goal"] = values["goal"].strip()
    if "subtasks" in values:
        values["subtasks"] = [comparable({**part, "goal": ""}) for part in values["subtasks"]]
    return values


def test_what_openapps_cannot_check_is_left_out_and_named(tmp_path):
    project = Project.create(tmp_path / "p")
    given = {"semantics": OPENAPPS, "done": "Sweep"}
    target = read_target(given)
    project.save_tasks([
        Task("a", "Sweep", "To-do", "com.waymark.todo", type="state", language="en", target=target,
             max_steps=9, rewordings={"casual": ("pls",)}),
        Task("b", "No target"),
        Task("c", "Other", target=read_target({"done": "Sweep"})),
    ])  # fmt: skip
    result = export_project(project, "openapps", tmp_path / "out")
    assert result.written.tasks == ["a"]
    assert lines(result) == [
        "a: OpenApps has no place for values of a task: max_steps",
        "b: A task was left out: it has no target",
        "c: A task was left out: its target is compared in another way than OpenApps does",
        "a: Other words for a task that are no task of their own were left out: casual",
    ]


def test_the_phone_holds_the_published_contents(published):
    """The state of a new phone is what OpenApps' apps answer after they read their files."""
    project, _result = published
    read = {
        app: yaml.safe_load((PUBLISHED / f"config/apps/{app}/content/default.yaml").read_text("utf-8"))
        for app in ("todo", "calendar", "maps", "messenger")
    }
    data = data_under(project, "openapps")
    assert [(task["title"], task["done"]) for task in data["todo.tasks"]] == [
        tuple(row) for row in read["todo"]["init_todos"]
    ]
    assert [(event["title"], event["date"]) for event in data["calendar.events"]] == [
        (event["title"], str(event["date"])) for event in read["calendar"]["events"]
    ]
    assert [(place["name"], place["lat"], place["lng"]) for place in data["maps.saved"]] == [
        (place["name"], place["lat"], place["lng"]) for place in read["maps"]["saved_places"]
    ]
    history = read["messenger"]["chat_history"]
    for chat, rows in history.items():
        said = [message["text"] for message in data["messenger.messages"] if message["chat"] == chat]
        assert said == [row[0] for row in rows]
    assert len(data_under(project, "openapps_long_descriptions")["maps.saved"]) > 1000


def test_published_tasks_are_decided_on_data_of_the_phone(published):
    project, _result = published
    data = data_under(project, "openapps")
    tasks = {task.id: task.target for task in project.tasks}
    done = [{**task, "done": task["done"] or task["title"] == "Water plants"} for task in data["todo.tasks"]]
    after = {**data, "todo.tasks": done}
    assert reward_of_pair(data, after, tasks["mark_water_plants_as_done"])[0] == 1
    assert reward_of_pair(data, after, tasks["mark_buy_groceries_as_done"])[0] == 0
    own = {name: target for name, target in tasks.items() if "__" not in name and len(target.parts) == 1}
    assert not [name for name, target in own.items() if reward_of_pair(data, data, target)[0]]
    tower = {"name": "Eiffel Tower", "lat": 48.8584, "lng": 2.2945, "list": "favourites", "color": "red"}
    saved = {**data, "maps.saved": [*data["maps.saved"], tower]}
    assert reward_of_pair(data, saved, tasks["save_eiffel_tower_to_my_favorite_places"])[0] == 1


def test_published_tasks_can_be_done_on_the_phone(published):
    project, _result = published
    tasks = {task.id: task for task in project.tasks}
    environment = PhoneEnvironment(project.folder, observes=TREE)
    prover = TaskProver(environment, SearchLimit(5000))
    for name in (
        "mark_water_plants_as_done", "message_bob_to_meet", "remove_times_square_from_favorites",
        "save_eiffel_tower_to_my_favorite_places", "navigate_to_todo",
    ):  # fmt: skip
        proof = prover.prove(tasks[name], "openapps", 1)
        assert proof.is_proved, (name, proof.problem)
    environment.close()
