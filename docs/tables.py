"""Tables of the product as Markdown: command line, commands, settings, importers, file formats.

They are read from the code, so that the pages cannot differ from the product.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from collector.agents.registry import agent_kind
from collector.cli.json_keys import KEYS
from collector.cli.main import waymark
from collector.cli.option_values import option_facts
from collector.comparison.steps import step_query
from collector.exchange.format import USES
from collector.exchange.registry import read_formats, written_formats
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measure import Unit
from collector.metrics.measures.registry import MEASURES
from collector.model.action import ACTIONS, KEY_NAMES
from collector.model.phone.quirks import QUIRKS
from collector.phone_profiles.profile import profile_document
from collector.phone_profiles.registry import built_in_names, profile_called
from collector.plugins.options import PluginOption
from collector.store.catalogue import query
from collector.store.files import format_versions as store_versions
from collector.store.files.format_versions import FileFormat
from collector.virtual.daemon.fault_kinds import FAULTS
from studio.commands.command import GLOBAL, SCOPES, Command
from studio.commands.registry import ALL_COMMANDS
from studio.settings.table import GROUPS, SETTINGS, Setting

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("studio", "rule_editor", "collector")
AGENTS_OF_ONE_PAGE = ("golden", "careful", "monkey", "scripted", "oracle")
"""Kinds of agents that share a page; each other has its own."""
# Text for defaults that differ between machines.
MACHINE_DEFAULTS = {"recording.author": "your user name"}


def cell(text: object) -> str:
    """Escape a text for one cell of a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Format a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell(text) for text in row) + " |" for row in rows]
    return "\n".join(lines)


def verbs(command: click.Command | None = None, path: str = "waymark") -> Iterator[tuple[str, click.Command]]:
    """Every command of the command line with its full name; a group precedes its commands."""
    command = command or waymark
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in sorted(command.list_commands(context)):
            child = command.get_command(context, name)
            if child is not None and not child.hidden:
                yield from verbs(child, f"{path} {name}")


def json_keys() -> str:
    """One row per verb, or several that print the same: the keys of its JSON document."""
    rows = ((", ".join(f"`{verb}`" for verb in verbs.split(", ")), keys) for verbs, keys in KEYS.items())
    return table(("Verb", "Keys"), rows)


def measures() -> str:
    """Every measure with how it is counted, and the paper it is from; its unit where that is not percent."""
    units = {unit: "" if unit is Unit.PERCENT else f" ({unit.value})" for unit in Unit}
    rows = (
        (f"`{each.id}`", f"{each.title}{units[each.unit]}", each.how, each.source)
        for each in MEASURES.values()
    )
    return table(("Id", "Title", "How it is counted", "From"), rows)


def dimensions() -> str:
    """Every dimension by which numbers are broken down."""
    return table(("Id", "Title"), ((f"`{each.id}`", each.title) for each in DIMENSIONS.values()))


def faults() -> str:
    """One row per fault of the virtual phone: what goes wrong, parameters and defaults."""
    rows = []
    for kind in FAULTS.values():
        documented = (
            parameter
            for parameter in kind.parameters
            if (parameter.name, parameter.default) != ("seconds", 0)
        )
        parameters = (
            f"`{parameter.name}={parameter.default}` {parameter.meaning}" for parameter in documented
        )
        rows.append((f"`{kind.name}`", kind.description, "; ".join(parameters)))
    return table(("Fault", "What goes wrong", "Parameters and their defaults"), rows)


def quirks() -> str:
    """One row per quirk of phones: what happens, what a person does, whom it concerns, and who says so."""
    rows = [
        (
            f"`{quirk.id}`",
            f"**{quirk.name}.** {quirk.what}",
            quirk.remedy,
            ", ".join(quirk.workspaces),
            ", ".join(f"[{_report(address)}]({address})" for address in quirk.sources),
        )
        for quirk in QUIRKS.values()
    ]
    return table(("Quirk", "What happens", "What to do", "Workspaces", "Who says so"), rows)


def _report(address: str) -> str:
    """``scrcpy#4199`` for an issue or a pull request of GitHub."""
    _https, _empty, _host, _owner, repository, _kind, number = address.split("/")
    return f"{repository}#{number}"


def phone_profiles() -> str:
    """One row per profile of the studio: the phones, their quirks and the settings that suit them."""
    rows = []
    for name in built_in_names():
        profile = profile_called(name)
        settings = profile_document(profile).get("settings", {})
        assert isinstance(settings, dict)
        rows.append(
            (
                f"`{name}`",
                profile.description,
                ", ".join(f"`{quirk}`" for quirk in profile.quirks) or "-",
                ", ".join(f"`{key}: {value}`" for key, value in settings.items()) or "-",
            )
        )
    return table(("Profile", "Phones", "Quirks", "Settings"), rows)


def versions() -> str:
    """One row per file format: its name in the file and the version that is written."""
    rows = [(f"`{file_format.name}`", file_format.version) for file_format in formats()]
    return table(("Format", "Version written"), rows)


def formats() -> list[FileFormat]:
    """Every file format the store knows."""
    return [variable for variable in vars(store_versions).values() if isinstance(variable, FileFormat)]


def actions() -> str:
    """One row per kind of action: its fields and meaning."""
    rows = []
    for kind, action in ACTIONS.items():
        names = (f"`{field.name}`" for field in dataclasses.fields(action))
        rows.append((f"`{kind}`", ", ".join(names), _sentence(action.__doc__)))
    return table(("Kind", "Fields", "What it is"), rows)


def keys() -> str:
    """The names of keys in one line."""
    return ", ".join(f"`{name}`" for name in KEY_NAMES)


def room_purposes() -> dict[str, str]:
    """First line of the docstring of each package, by folder."""
    purposes = {}
    for top in PACKAGES:
        for init in sorted((ROOT / top).glob("*/__init__.py")) + sorted((ROOT / top).glob("*/*/__init__.py")):
            docstring = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8")))
            purposes[init.parent.relative_to(ROOT).as_posix() + "/"] = _sentence(docstring)
    return dict(
        sorted(purposes.items(), key=lambda item: (PACKAGES.index(item[0].partition("/")[0]), item[0]))
    )


def rooms() -> str:
    """One row per package."""
    return table(
        ("Room", "What lives there"), ((f"`{path}`", line) for path, line in room_purposes().items())
    )


def _sentence(docstring: str | None) -> str:
    """First line of a docstring without its full stop and markup."""
    first = (docstring or "").strip().split("\n\n")[0].split("\n")[0]
    return re.sub(r":\w+:`~?([^`]+)`", r"`\1`", first).replace("``", "`").removesuffix(".")


def importers() -> str:
    """One row per format that is read, by group: id, contents, and the docstring of its module."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for entry in read_formats().values():
        said = (sys.modules[entry.read.__module__].__doc__ or "").replace("``", "`")
        rows.setdefault(USES[entry.use], []).append((f"`{entry.id}`", entry.contents, said))
    return _by_group(("Format", "Holds", "What is read"), rows)


def exporters() -> str:
    """One row per format that is written, by group: id, title, contents, files, and the extra it needs."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for entry in written_formats().values():
        needs = f"; needs the extra `{entry.extra}`" if entry.extra else ""
        said = (f"`{entry.id}`", entry.title, entry.contents, f"{entry.files}{needs}")
        rows.setdefault(USES[entry.use], []).append(said)
    return _by_group(("Format", "Title", "Holds", "What is written"), rows)


def format_options() -> str:
    """One row per option of the formats that are written, by the formats that have it."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for row, ids in _having((entry.id, entry.options) for entry in written_formats().values()):
        rows.setdefault(ids, []).append(row)
    return _by_group(("Option", "Meaning", "Value"), rows)


def agent_options() -> str:
    """One row per option of the agents that share a page, with the agents that have it."""
    rows = _having((kind, agent_kind(kind).options) for kind in AGENTS_OF_ONE_PAGE)
    return table(("Option", "Of", "Meaning", "Value"), ((row[0], ids, *row[1:]) for row, ids in rows))


def _having(
    declared: Iterable[tuple[str, Iterable[PluginOption]]],
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Name, meaning and value of each option, with the ids of all that declare it."""
    ids: dict[tuple[str, ...], list[str]] = {}
    for owner, options in declared:
        for option in options:
            said = (f"`{option.name}`", option.description, option_facts(option))
            ids.setdefault(said, []).append(f"`{owner}`")
    return ((said, ", ".join(owners)) for said, owners in ids.items())


def search_keys() -> str:
    """One row per key of a search for trajectories, by what its value is."""
    return _by_group(
        ("Key", "Searches"),
        {
            "Texts": _key_rows(query.TEXT_KEYS),
            "Numbers": _key_rows(query.NUMBER_KEYS),
            "Yes or no": _key_rows(query.FLAG_KEYS),
        },
    )


def step_keys() -> str:
    """One row per key of a search for steps of trajectories side by side."""
    return table(("Key", "What it asks"), _key_rows(step_query.KEYS))


def _key_rows(keys: Mapping[str, str]) -> list[tuple[str, ...]]:
    return [(f"`{key}`", meaning) for key, meaning in keys.items()]


def _by_group(head: Sequence[str], rows: dict[str, list[tuple[str, ...]]]) -> str:
    """A table for each group, below its name."""
    return "\n\n".join(f"{group}:\n\n{table(head, found)}" for group, found in rows.items())


def check_codes() -> set[str]:
    """All codes of ``waymark project check``."""
    files = (
        "collector/store/checks/check.py",
        "collector/store/checks/task_check.py",
        "collector/states/work_files/work_check.py",
        "collector/project_check/project_check.py",
        "collector/project_check/broken_files.py",
    )
    return {code for file in files for code, _ in _coded(ROOT / file, "Finding")}


def import_codes() -> str:
    """The codes of an import report, in one line; the report has a sentence with each."""
    codes = {
        code for path in (ROOT / "collector/exchange").rglob("*.py") for code, _text in _coded(path, "add")
    }
    return ", ".join(f"`{code}`" for code in sorted(codes))


def _coded(path: Path, function: str) -> Iterator[tuple[str, str]]:
    """Codes that a file passes to ``function``, with the first text of each call."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [
            constant.value
            for constant in ast.walk(node)
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
        ]
        if name == function and isinstance(node.args[0], ast.Constant) and texts:
            yield texts[0], next((text for text in texts[1:] if " " in text), "")


def window_commands() -> str:
    """One section per scope: every command with its keys, help and id."""
    sections = []
    for scope, title in SCOPES.items():
        rows = [
            (command.title, _chords(command), command.tooltip, f"`{command.id}`")
            for command in ALL_COMMANDS
            if command.scope == scope
        ]
        head = ("Command", "Keys", "What it does", "Id")
        sections.append(f"## {'Everywhere' if scope == GLOBAL else title}\n\n{table(head, rows)}")
    return "\n\n".join(sections)


def _chords(command: Command) -> str:
    """The chords of Linux and Windows, and those of macOS where it has others than Cmd in place of Ctrl."""
    if not command.shortcut:
        return ""
    chords, others = command.shortcut.on("linux"), command.shortcut.on("macos")
    said = ", ".join(f"`{keys}`" for keys in chords)
    if set(others) <= set(chords):
        return said
    names = {"Ctrl": "Cmd", "Meta": "Ctrl"}  # Qt's Ctrl is Cmd there, and its Meta is Ctrl
    on_mac = (re.sub(r"\w+(?=\+)", lambda part: names.get(part[0], part[0]), keys) for keys in others)
    return f"{said} (macOS: {', '.join(f'`{keys}`' for keys in on_mac)})"


def settings() -> str:
    """One section per group: every setting with its default, allowed values and help."""
    groups: dict[str, list[Setting]] = {}
    for setting in SETTINGS:
        groups.setdefault("" if setting.hidden else setting.group, []).append(setting)
    parts = [f"## {GROUPS[name]}\n\n{_settings(rows)}" for name, rows in groups.items() if name]
    return "\n\n".join([*parts, f"## Set by the window itself\n\n{_settings(groups.get('', []))}"])


def _settings(rows: Iterable[Setting]) -> str:
    head = ("Setting", "Key", "Default", "Allowed values", "What it does")
    return table(head, ((row.title, f"`{row.key}`", _default(row), _allowed(row), row.doc) for row in rows))


def _default(setting: Setting) -> str:
    if setting.key in MACHINE_DEFAULTS:
        return MACHINE_DEFAULTS[setting.key]
    return f"`{json.dumps(setting.default, ensure_ascii=False)}`"


def _allowed(setting: Setting) -> str:
    if setting.choices:
        return ", ".join(f"`{value}`" for value, _ in setting.choices)
    if setting.least is not None and setting.most is not None:
        return f"{setting.least} to {setting.most}"
    if setting.least is not None:
        return f"{setting.least} or more"
    return {bool: "`true`, `false`", str: "text", dict: "mapping", list: "list"}.get(
        type(setting.default), "number"
    )


def decisions() -> str:
    """A link to every decision, by its title."""
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    titles = {page.name: page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for page in pages}
    return "\n".join(f"- [{title}]({name})" for name, title in titles.items() if name != "README.md")
