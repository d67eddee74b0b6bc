"""App data, the whole virtual phone or a project's own reset, through real adb and the command line."""

from __future__ import annotations

import json

import pytest

from collector.anomalies.trust.command_trust import CommandTrust
from collector.cli.main import main
from collector.device.device_info import read_device_info, read_display
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.errors import UserError
from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import Task
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_plan import UntrustedReset, plan_reset, require_trust
from collector.reset.reset_record import ResetPlan
from collector.store.files.errors import Damaged
from collector.store.project.project import Project
from collector.store.project.project_reset import read_project_reset
from collector.variations.registry import Variations
from tests.helpers.virtual import virtual_device

varied = Variations().resolve

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")
SHOP = "com.waymark.shop"


@pytest.fixture(scope="module")
def phone():
    with virtual_device("shop", "todo", "settings") as phone:
        AdbServer().connect(phone.address)
        yield phone
        AdbServer().disconnect(phone.address)


@pytest.fixture
def device(phone):
    return AdbDevice(phone.address)


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy", package=SHOP, reset="app-data"), Task("any", "Look")])
    return project


def _change(phone):
    """Change the data of two apps, a setting, a permission and a file."""
    for name in ("shop", "todo"):
        state = phone.phone.app_state(name)
        key = next(key for key, value in state.items() if isinstance(value, list | str) and key)
        phone.phone.set_app_state(name, {**state, key: type(state[key])()})
    phone.phone.settings.put("system", "font_scale", "1.3")
    phone.phone.set_rotation(1)
    phone.machine.files.install("/storage/emulated/0/Download/left.txt", b"left")
    phone.phone.launch(SHOP)


def test_app_data_is_that_of_the_task_alone(phone, device, project):
    fresh = phone.phone.app_state("shop")
    _change(phone)
    todo = phone.phone.app_state("todo")
    record = reset_phone(device, plan_reset(project, project.task("shop-1")))
    assert phone.phone.app_state("shop") == fresh
    assert phone.phone.app_state("todo") == todo
    assert phone.phone.focused.package != SHOP
    assert record.as_dict() == {"kind": "app-data", "package": SHOP, "at": record.at}
    with pytest.raises(UserError, match="names no package"):
        plan_reset(project, project.task("any"), "app-data")
    with pytest.raises(UserError, match="was not deleted"):
        reset_phone(device, ResetPlan("app-data", package="com.example.none"))


def test_the_whole_phone_is_as_at_its_first_start_and_stays_connected(phone, device):
    phone.phone.reset(PhoneSetup())
    fresh = {name: phone.phone.app_state(name) for name in ("shop", "todo")}
    _change(phone)
    reset_phone(device, ResetPlan("phone"))
    assert {name: phone.phone.app_state(name) for name in fresh} == fresh
    assert phone.phone.settings.get("system", "font_scale") == "1.0"
    assert phone.phone.rotation == 0
    assert device.shell("ls /sdcard/Download").text == ""
    assert device.shell("ls /sdcard").text.split()[0] == "Alarms"
    assert "launcher" in phone.phone.focused.package or phone.phone.focused.package != SHOP


def test_a_reset_makes_another_phone_of_it_and_a_later_one_keeps_that(phone, device):
    phone.phone.reset(PhoneSetup())
    before = phone.phone.profile
    seed_1 = phone.phone.app_state("shop")
    todo = {**phone.phone.app_state("todo"), "query": "made before"}
    setup = PhoneSetup(7, "zh-CN", Size(480, 800), 240, varied("large_text+dark_theme"), {"todo": todo})
    record = reset_phone(device, ResetPlan("phone", setup=setup))
    assert record.as_dict() == {
        "kind": "phone", "seed": 7, "locale": "zh-CN", "size": "480x800", "density": 240,
        "variation": "dark_theme+large_text", "states": ["todo"], "at": record.at,
    }  # fmt: skip
    info = read_device_info(device)
    assert (info.seed, info.variation) == ("7", "dark_theme+large_text")
    assert info.as_dict()["serial"] == "WAYMARK0001"
    assert info.as_dict()["seed"] == 7
    assert read_display(device).size == phone.phone.capture().size == Size(480, 800)
    assert phone.phone.app_state("shop") != seed_1
    assert phone.phone.app_state("todo")["query"] == "made before"
    assert (phone.phone.locale, phone.phone.dark) == ("zh-CN", True)

    phone.phone.settings.put("system", "system_locales", "en-US")
    phone.phone.settings.put("secure", "ui_night_mode", "1")
    reset_phone(device, ResetPlan("phone", setup=PhoneSetup(variation=varied("landscape"))))
    assert (phone.phone.locale, phone.phone.dark, phone.phone.size) == ("zh-CN", False, Size(800, 480))
    assert phone.phone.settings.get("system", "font_scale") == "1.0"
    assert phone.phone.app_state("todo")["query"] == ""
    reset_phone(device, ResetPlan("phone", setup=PhoneSetup(variation=varied("crowded@todo"))))
    assert len(phone.phone.app_state("todo")["tasks"]) == 45
    assert read_device_info(device).variation == "crowded@todo"
    setup = PhoneSetup(before.seed, before.locale, before.size, before.density, varied("default"))
    reset_phone(device, ResetPlan("phone", setup=setup))
    assert phone.phone.profile == before
    assert phone.phone.app_state("shop") == seed_1


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (PhoneSetup(states={"nope": {}}), "no app 'nope'"),
        (PhoneSetup(states={"todo": {"colour": 1}}), "no field 'colour'"),
        (PhoneSetup(size=Size(9, 9)), "240 to 4096"),
        (PhoneSetup(locale="klingon"), "expected a language"),
    ],
)
def test_a_reset_that_is_refused_changes_nothing(phone, device, setup, message):
    before = phone.phone.profile, phone.phone.app_state("todo")
    phone.phone.settings.put("system", "font_scale", "1.3")
    with pytest.raises(UserError, match=message):
        reset_phone(device, ResetPlan("phone", setup=setup))
    assert (phone.phone.profile, phone.phone.app_state("todo")) == before
    assert phone.phone.settings.get("system", "font_scale") == "1.3"


def test_a_project_resets_by_commands_only_when_they_are_trusted(phone, device, project):
    with pytest.raises(UserError, match="no reset of its own"):
        plan_reset(project, None, "project")
    project.set(reset={"commands": ["settings put system font_scale 0.9", f"pm clear {SHOP}"]})
    project = Project.open(project.folder)
    plan = plan_reset(project, None, "project")
    with pytest.raises(UntrustedReset) as caught:
        require_trust(project, plan)
    assert caught.value.request.commands == plan.commands
    CommandTrust(project).trust(plan.commands)
    require_trust(project, plan)
    reset_phone(device, plan)
    assert phone.phone.settings.get("system", "font_scale") == "0.9"
    with pytest.raises(UserError, match="failed: exit 3"):
        reset_phone(device, ResetPlan("project", commands=("exit 3",)))


def test_a_project_loads_a_snapshot(phone, device, project):
    device.shell("settings put system font_scale 1.15; cmd waymark emu avd snapshot save clean")
    device.shell("settings put system font_scale 1.3")
    project.set(reset={"snapshot": "clean"})
    reset_phone(device, plan_reset(Project.open(project.folder), None, "project"))
    assert phone.phone.settings.get("system", "font_scale") == "1.15"
    with pytest.raises(UserError, match="snapshot doesn't exist"):
        reset_phone(device, ResetPlan("project", snapshot="none"))
    assert "\n--        clean " in device.shell("cmd waymark emu avd snapshot list").text
    device.shell("cmd waymark emu avd snapshot delete clean")


@pytest.mark.parametrize(
    "value", ["x", {"commands": "ls"}, {"commands": [1]}, {"snapshot": "a b"}, {"snapshot": 3}]
)
def test_a_reset_that_is_written_wrongly_is_refused(value):
    with pytest.raises(Damaged, match="cannot be read"):
        read_project_reset(value)


def test_the_command_line_resets_what_a_task_declares(phone, project, capsys):
    def run(*words):
        status = main(
            ["device", "reset", "--device", phone.address, "--project", str(project.folder), *words]
        )
        return status, capsys.readouterr()

    status, output = run("--task", "shop-1", "--json")
    assert (status, json.loads(output.out)["reset"]["package"]) == (0, SHOP)
    assert run("phone")[1].out == "The virtual phone is as it was at its first start\n"
    assert "nothing to reset" in run()[1].err
    assert "no task nowhere" in run("--task", "nowhere")[1].err
    project.set(reset={"commands": ["true"]})
    status, output = run("project")
    assert status == 1
    assert "A person has to allow" in output.err
    assert run("project", "--yes")[0] == 0
    assert run("project")[1].out == "The project's reset commands have run\n"


def test_a_real_phone_cannot_be_reset_as_a_whole():
    class RealPhone:
        serial = "R58M"

        def shell(self, _command, **_options):
            from collector.device.transport.shell_result import ShellResult

            return ShellResult(b"", b"cmd: Can't find service: waymark\n", 20)

    with pytest.raises(UserError, match="only a virtual phone can"):
        reset_phone(RealPhone(), ResetPlan("phone"))
