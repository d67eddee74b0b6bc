"""The packages that only some uses need, and the command that adds one to the program as it was installed."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from collector.model.i18n import _

_NAME = "waymark-studio"
_UV_RECEIPT, _PIPX_RECEIPT = "uv-receipt.toml", "pipx_metadata.json"


def how_to_add(extra: str) -> str:
    """The sentence that says how to install an extra of this program, with the exact command."""
    return _sentence(f"{_NAME}[{extra}]", _requirements_of(extra))


def how_to_add_package(package: str) -> str:
    """The sentence that says how to install a package that no extra names, as plug-ins need."""
    return _sentence(package, [package])


def _sentence(wanted: str, requirements: Sequence[str]) -> str:
    if getattr(sys, "frozen", False):
        words = [wanted] if wanted.startswith(_NAME) else [_NAME, wanted]
        how = _command("pip", "install", *words)
        return _("This application cannot be extended: use one that is installed with {command}", command=how)
    return _("Install it with: {command}", command=_command_here(wanted, requirements))


def _command_here(wanted: str, requirements: Sequence[str]) -> str:
    place = Path(sys.prefix)
    if (place / _UV_RECEIPT).is_file():
        return _for_uv_tool(place / _UV_RECEIPT, wanted, requirements)
    if (place / _PIPX_RECEIPT).is_file():
        return _command("pipx", "inject", _pipx_name(place / _PIPX_RECEIPT), *(requirements or [wanted]))
    if importlib.util.find_spec("pip") is None:
        return _command("uv", "pip", "install", "--python", sys.executable, wanted)
    return _command(sys.executable, "-m", "pip", "install", wanted)


def _for_uv_tool(receipt: Path, wanted: str, requirements: Sequence[str]) -> str:
    """uv installs a tool anew: what it was installed from, with which extras and packages, is said again."""
    tool = _read(receipt, tomllib.loads).get("tool", {})
    kept = [entry for entry in tool.get("requirements", []) if "name" in entry]
    own: dict[str, Any] = next((entry for entry in kept if entry.get("name") == _NAME), {})
    extras = list(own.get("extras", []))
    if match := re.fullmatch(rf"{_NAME}\[(.+)\]", wanted):
        extras, requirements = sorted({*extras, match[1]}), []
    source = f"{_NAME}[{','.join(extras)}]" if extras else _NAME
    if path := own.get("path") or own.get("directory"):
        source += f" @ {Path(path).as_uri()}"
    others = [entry["name"] + entry.get("specifier", "") for entry in kept if entry.get("name") != _NAME]
    added = [word for other in (*others, *requirements) for word in ("--with", other)]
    return _command("uv", "tool", "install", *added, source)


def _read(receipt: Path, load: Callable[[str], Any]) -> dict[str, Any]:
    """A file that an installer left; empty when it cannot be read."""
    try:
        return dict(load(receipt.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _pipx_name(receipt: Path) -> str:
    """The name of the environment, which may have a suffix."""
    main = _read(receipt, json.loads).get("main_package", {})
    return f"{main.get('package') or _NAME}{main.get('suffix') or ''}"


def _requirements_of(extra: str) -> list[str]:
    """What the program's metadata name for an extra, without markers; empty for an unknown extra."""
    try:
        lines = importlib.metadata.requires(_NAME) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    found = [
        line.partition(";") for line in lines if re.search(rf"extra == ['\"]{re.escape(extra)}['\"]", line)
    ]
    return [requirement.strip() for requirement, _semicolon, _marker in found]


def _command(*words: str) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
