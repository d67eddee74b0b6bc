"""Programs for Appium, Maestro and Midscene have the form that their documentation asks for."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
import yaml

from collector.exchange.exports.exporting import export_project
from collector.model.resources import asset
from collector.store.project.project import Project

KNOWN = {
    "maestro": {"tapOn", "longPressOn", "doubleTapOn", "inputText", "pressKey", "launchApp", "swipe",
                "extendedWaitUntil"},
    "midscene": {"aiTap", "aiAct", "aiInput", "aiWaitFor", "runAdbShell", "launch"},
}  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts") / "project"
    return Project.open(Path(shutil.copytree(asset("sample"), folder)))


def exported(project: Project, name: str) -> list[Path]:
    folder = project.folder.with_name(name)
    export_project(project, name, folder)
    paths = sorted(folder.rglob("*.*"))
    assert len(paths) == sum("__" not in path.name for path in project.trajectory_folders())
    return paths


def test_appium_programs_are_python_and_call_only_what_they_define(project) -> None:
    for path in exported(project, "appium"):
        tree = ast.parse(path.read_text())
        defined = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
        called = {each.func.id for each in ast.walk(tree)
                  if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}  # fmt: skip
        built_in = {"dict", "int", "len", "print", "zip", "SystemExit", "AssertionError", "WebDriverWait"}
        assert called <= defined | built_in | {"UiAutomator2Options"}, path


def test_maestro_flows_have_its_commands(project) -> None:
    with_checks = 0
    for path in exported(project, "maestro"):
        head, flow = yaml.safe_load_all(path.read_text())
        assert head["appId"]
        assert {key for command in flow for key in command} <= KNOWN["maestro"], path
        with_checks += any("extendedWaitUntil" in command for command in flow)
    assert with_checks > 20


def test_midscene_scripts_have_its_steps(project) -> None:
    for path in exported(project, "midscene"):
        (task,) = yaml.safe_load(path.read_text())["tasks"]
        assert {next(iter(step)) for step in task["flow"]} <= KNOWN["midscene"], path
        assert any("aiWaitFor" in step for step in task["flow"]), path
        assert "•" not in path.read_text("utf-8"), path  # a password field is found by what it is called
