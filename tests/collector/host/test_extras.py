"""Where an extra is missing, one sentence says how to add it to the program as it was installed."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collector.device.trees import uiautomator2_link
from collector.endpoint.key_store import KeyStore
from collector.exchange.registry import listed_formats
from collector.host import extras
from collector.run.workers.ray_cluster import load_ray
from tests.helpers.scripts import ROOT

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
WHEEL = "/somewhere/waymark_studio-0.1.0-py3-none-any.whl"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The environment that the program is installed in."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/env/bin/python")
    monkeypatch.setattr(sys, "platform", "linux")
    lines = [f"{line} ; extra == '{name}'" for name, lines in EXTRAS.items() for line in lines]
    monkeypatch.setattr(importlib.metadata, "requires", lambda _name: lines)
    return tmp_path


def test_pip_installs_into_the_environment_of_the_program(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: object())
    assert extras.how_to_add("mcp").endswith(": /env/bin/python -m pip install 'waymark-studio[mcp]'")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert extras.how_to_add("mcp").endswith(
        ": uv pip install --python /env/bin/python 'waymark-studio[mcp]'"
    )


@pytest.mark.parametrize(
    ("kept", "command"),
    [
        ('{ name = "waymark-studio" }', "uv tool install 'waymark-studio[mcp]'"),
        (
            f'{{ name = "waymark-studio", extras = ["ray"], path = "{WHEEL}" }}, '
            '{ name = "x", specifier = ">1" }',
            f"uv tool install --with 'x>1' 'waymark-studio[mcp,ray] @ file://{WHEEL}'",
        ),
        ("", "uv tool install 'waymark-studio[mcp]'"),
    ],
)
def test_a_tool_of_uv_is_installed_anew_with_what_it_had(place: Path, kept: str, command: str) -> None:
    (place / "uv-receipt.toml").write_text(f"[tool]\nrequirements = [{kept}]\n", "utf-8")
    assert extras.how_to_add("mcp").endswith(f": {command}")


def test_pipx_injects_the_packages_of_the_extra(place: Path) -> None:
    receipt = place / "pipx_metadata.json"
    receipt.write_text('{"main_package": {"package": "waymark-studio", "suffix": "-new"}}', "utf-8")
    assert extras.how_to_add("openai").endswith(": pipx inject waymark-studio-new 'keyring>=25'")
    receipt.write_text("no JSON", "utf-8")
    assert extras.how_to_add_package("x").endswith(": pipx inject waymark-studio x")


def test_a_frozen_application_names_another_way_to_install(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "cannot be extended" in extras.how_to_add("rerun")
    assert extras.how_to_add("rerun").endswith("pip install 'waymark-studio[rerun]'")
    assert extras.how_to_add_package("x").endswith("pip install waymark-studio x")


def _mcp() -> None:
    command = importlib.import_module("collector.cli.mcp.verbs").mcp
    command.callback(**dict.fromkeys(parameter.name for parameter in command.params))


def _gymnasium() -> None:
    importlib.reload(importlib.import_module("collector.environment.gymnasium_env"))


PLACES: dict[str, list[Callable[[], Any]]] = {
    "fast-tree": [uiautomator2_link.require_jar],
    "openai": [lambda: KeyStore().set("name", "value")],
    "training": [
        lambda: importlib.import_module("collector.trainer_files.writers").parquet_modules(),
        *(
            lambda name=name: listed_formats()[name].require_package()
            for name in ("verl", "easyr1", "hf-datasets")
        ),
    ],
    "gymnasium": [_gymnasium],
    "mcp": [_mcp],
    "rerun": [lambda: listed_formats()["rerun"].require_package()],
    "wandb": [lambda: listed_formats()["wandb"].require_package()],
    "ray": [load_ray],
}
"""What a person does that needs an extra."""


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_use_of_a_missing_extra_says_the_sentence(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    package = {"fast-tree": "uiautomator2", "openai": "keyring", "training": "pyarrow"}.get(extra, extra)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == package else found(name))
    monkeypatch.setattr("collector.exchange.format.find_spec", lambda _name: None)
    monkeypatch.setitem(sys.modules, package, None)
    for use in PLACES[extra]:
        with pytest.raises(Exception, match=re.escape(extras.how_to_add(extra))):
            use()


def test_no_other_place_words_how_to_install_something() -> None:
    """Scripts that are exported run elsewhere."""
    assert not [
        str(path.relative_to(ROOT))
        for room in ("collector", "rule_editor", "studio")
        for path in (ROOT / room).rglob("*.py")
        if "exchange/scripts" not in path.as_posix() and "pip install" in path.read_text("utf-8")
    ]
