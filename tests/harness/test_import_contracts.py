"""The import contracts that name modules one by one forget none of them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VALUES = {
    "address", "device_clock", "device_entry", "device_info", "drawn_ways", "errors", "events",
    "foreground", "frame", "identity", "installed_app", "listed_devices", "mailbox", "protocols",
    "shell_result", "snapshot", "video_stats",
}  # fmt: skip
"""Modules of collector.device that hold values, questions about values or protocols."""


def contract(name: str) -> dict[str, list[str]]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return next(entry for entry in contracts if entry["name"].startswith(name))


def rooms(package: str) -> set[str]:
    return {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}


def test_every_acting_module_of_a_phone_is_forbidden_to_views() -> None:
    modules = {path.stem for path in (ROOT / "collector/device").rglob("*.py")} - {"__init__"}
    forbidden = contract("views and widgets reach a phone")["forbidden_modules"]
    acting = {name.rpartition(".")[2] for name in forbidden if name.startswith("collector.device.")}
    assert not acting & VALUES
    assert modules - acting <= VALUES
    assert acting <= modules


def test_every_room_of_collector_takes_part_in_the_contracts_on_the_virtual_device() -> None:
    below = {"adb", "hierarchy", "host", "model"}
    forbidden = set(contract("the virtual device stands")["forbidden_modules"])
    assert forbidden == {f"collector.{room}" for room in rooms("collector") - below - {"virtual"}}
    ignorant = set(contract("only a composition root")["source_modules"])
    assert ignorant == (
        {f"collector.{room}" for room in rooms("collector") - {"cli", "environment", "oracle", "virtual"}}
        | {f"studio.{room}" for room in rooms("studio") - {"app"}}
        | {"rule_editor"}
    )


def test_no_view_or_widget_reaches_the_session_of_a_phone() -> None:
    reach = re.compile(r"\b(?:phone|link|_phone|_link|current)\.session\b")
    files = [path for room in ("views", "widgets") for path in (ROOT / "studio" / room).rglob("*.py")]
    assert len(files) > 100
    assert [str(path) for path in files if reach.search(path.read_text(encoding="utf-8"))] == []
