"""Each exported program does its golden trajectory again on the virtual phone, and fails where it cannot."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from collector.exchange.exports.exporting import export_project
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.resources import asset
from collector.store.project.project import Project
from tests.helpers.late_import import late_import_or_skip
from tests.helpers.virtual import adb_server, virtual_device

u2 = late_import_or_skip("uiautomator2", "the fast-tree extra is not installed")

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker", "virtual", "wait_adb_conn")

GOLDENS = sorted(
    f"{path.parent.name}/{path.name}"
    for path in Project.open(asset("sample")).trajectory_folders()
    if "__" not in path.name
)
HIDDEN = ("TEXT_4", "TEXT_5")
"""The password of the shop, at the steps where it is typed."""
IN_EVERY_RUN = {"shop-14/shop-14-lin", "todo-05/todo-05-sara", "settings-03/settings-03-sara"}
"""A hidden text, Chinese, and a swipe; the others run with ``--attack``."""


def each_golden(every_run: set[str]):
    marks = {name: [] if name in every_run else [pytest.mark.attack] for name in GOLDENS}
    return pytest.mark.parametrize("name", [pytest.param(name, marks=marks[name]) for name in GOLDENS])


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """The exports of the sample project: a folder for each format."""
    folder = tmp_path_factory.mktemp("scripts")
    project = Project.open(Path(shutil.copytree(asset("sample"), folder / "project")))
    for name in ("uiautomator2", "adb-shell"):
        export_project(project, name, folder / name)
    return folder


@pytest.fixture(scope="module")
def phone():
    with virtual_device("shop", "todo", "messenger", "settings") as phone:
        yield phone


@pytest.fixture(scope="module")
def server(phone):
    with adb_server() as server:
        server.connect(phone.address)
        yield server


@pytest.fixture(scope="module")
def client(phone, server):
    import adbutils

    client = u2.connect(adbutils.AdbClient("127.0.0.1", server.port).device(phone.address))
    yield client
    client.stop_uiautomator()


def as_recorded(phone, name: str) -> None:
    language = {"shop-18": "zh-CN", "todo-05": "zh-CN"}.get(name.partition("/")[0], "en-US")
    phone.machine.reset(PhoneSetup(locale=language))


@each_golden(IN_EVERY_RUN)
def test_uiautomator2_does_it_again(scripts, phone, client, name, monkeypatch, capsys) -> None:
    as_recorded(phone, name)
    for secret in HIDDEN:
        monkeypatch.setenv(secret, "hunter22")
    program(scripts, name)["run"](client)
    assert "every check held" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "instead", "sentence"),
    [
        ("shop-11/shop-11-lin", {":id/save'": ":id/cart'"}, "The botanical print is in the saved list"),
        ("todo-04/todo-04-lin", {"description='To-do'": "text='Mail'"}, "This is not on the screen"),
    ],
)
def test_a_step_or_state_that_is_not_there_fails(scripts, phone, client, name, instead, sentence) -> None:
    as_recorded(phone, name)
    functions = program(scripts, name, instead)
    functions["run"].__globals__.update(WAIT=1)
    with pytest.raises(AssertionError, match=sentence):
        functions["run"](client)


def test_a_hidden_text_is_asked_for(scripts) -> None:
    with pytest.raises(SystemExit, match="TEXT_4"):
        program(scripts, "shop-14/shop-14-lin")["hidden"]("TEXT_4")


def program(scripts: Path, name: str, instead: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """What a program defines; of ``instead`` each key becomes its value before."""
    path = scripts / "uiautomator2" / "scripts" / f"{name}.py"
    text = path.read_text()
    for old, new in instead.items():
        assert old in text
        text = text.replace(old, new, 1)
    changed = path.with_suffix(".changed.py")
    changed.write_text(text)
    return runpy.run_path(str(changed))


@each_golden({"shop-14/shop-14-lin", "messenger-02/messenger-02-sara"})
def test_a_shell_does_it_again_with_adb_alone(scripts, phone, server, name) -> None:
    as_recorded(phone, name)
    path = scripts / "adb-shell" / "scripts" / f"{name}.sh"
    if "fail 'Step" in path.read_text():
        pytest.skip("it types letters that `adb shell input` cannot type")
    binaries = os.pathsep.join([str(Path(server.binary).parent), os.environ["PATH"]])
    environment = server.environment | dict.fromkeys(HIDDEN, "hunter22") | {"PATH": binaries}
    done = subprocess.run(
        ["sh", str(path), phone.address], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "every check held" in done.stdout
