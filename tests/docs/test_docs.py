"""The documentation covers the product, generated parts are fresh, and links are valid."""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path

import click
import pytest

from collector.cli.verb_groups import RETIRED, DefaultVerbGroup
from collector.exchange.registry import formats
from collector.model.task import Task
from collector.model.trajectory import State, Step, TrajectoryHeader
from tests.helpers.offenders import offenders
from tests.helpers.scripts import ROOT, script

tables = script("docs", "tables")
generate = script("docs", "generate")

PAGES = [*generate.pages(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CONFLICT = re.compile(r"^(<{7}|={7}|>{7})( |$)", re.MULTILINE)
COMMAND = re.compile(r"(?:^|`)(waymark [a-z][^\n`|]*)", re.MULTILINE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_no_page_holds_both_sides_of_a_merge() -> None:
    assert [name(page) for page in PAGES if CONFLICT.search(page.read_text(encoding="utf-8"))] == []


def guide(page: str) -> str:
    return (ROOT / "docs" / "guide" / page).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """Anchors of the headings of a page."""
    anchor_names = set()
    fenced = False
    for line in page.read_text(encoding="utf-8").splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            anchor_names.add(words.replace(" ", "-"))
    return anchor_names


def test_generated_parts_are_fresh() -> None:
    texts = {name(page): page.read_text(encoding="utf-8") for page in generate.pages()}
    stale = [page for page, text in texts.items() if generate.generated(text) != text]
    assert stale == [], "run make docs"


def check_generated_parts(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    opened = re.findall(r"<!-- generated:(\S+) -->", text)
    assert opened == re.findall(r"<!-- end:(\S+) -->", text)
    assert set(opened) <= generate.GENERATORS.keys()


def test_every_generated_part_is_known_and_closed() -> None:
    assert offenders(check_generated_parts, PAGES, name) == []


def test_every_generator_is_used_by_some_page() -> None:
    used = {
        generator
        for page in PAGES
        for generator in re.findall(r"generated:(\S+) -->", page.read_text(encoding="utf-8"))
    }
    assert used == generate.GENERATORS.keys()


def check_links(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), f"{target} leads nowhere"
        assert not anchor or anchor in anchors(file), f"{target} has no such heading"


def test_links_lead_somewhere() -> None:
    assert offenders(check_links, PAGES, name) == []


def test_every_command_and_option_is_documented() -> None:
    page = guide("command-line.md")
    for path, command in tables.verbs():
        assert re.search(rf"^#+ {re.escape(path)}$", page, re.MULTILINE), f"{path} is not in the guide"
        assert command.help, f"{path} has no help"
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert parameter.opts[-1] in page, f"{path} {parameter.opts[-1]} is not in the guide"
                assert parameter.help, f"{path} {parameter.opts[-1]} has no help"


@functools.cache
def verbs() -> dict[str, click.Command]:
    return dict(tables.verbs())


def check_commands(page: Path) -> None:
    commands = verbs()
    for line in COMMAND.findall(page.read_text(encoding="utf-8")):
        words = line.split()
        path = words.pop(0)
        while words and f"{path} {words[0]}" in commands:
            path = f"{path} {words.pop(0)}"
        if page.name == "CHANGELOG.md" and " ".join((path, *words[:1])).removeprefix("waymark ") in RETIRED:
            continue  # of an earlier version
        group = commands[path]
        if isinstance(group, DefaultVerbGroup) and words and words[0] not in ("-h", "--help"):
            path = f"{path} {group.default}"
        assert not (words and isinstance(commands[path], click.Group) and words[0][0] not in "-[A"), line
        options = {option for parameter in commands[path].params for option in parameter.opts} | {
            "--help",
            "-h",
        }
        shown = {word.strip("[]").partition("=")[0] for word in words if word.strip("[").startswith("--")}
        assert shown <= options, line


def test_commands_shown_in_the_documentation_exist() -> None:
    assert offenders(check_commands, PAGES, name) == []


def test_every_room_has_a_purpose_in_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room, purpose in tables.room_purposes().items():
        assert purpose, f"{room} does not say what it is for"
        assert f"`{room}`" in page


def test_every_format_is_described() -> None:
    page = guide("importing.md")
    for entry in formats().kinds.values():
        assert page.count(f"\n| `{entry.id}` |") == entry.is_read + entry.is_written


def test_every_code_of_a_check_is_described() -> None:
    page = guide("formats.md")
    assert tables.check_codes()
    for code in tables.check_codes():
        assert f"`{code}`" in page


def test_every_verb_that_prints_json_says_what_it_prints() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \| ", guide("formats.md"), re.MULTILINE)
    named = {verb for row in rows for verb in re.findall(r"`([^`]+)`", row)}
    for path, command in tables.verbs():
        if any("--json" in parameter.opts for parameter in command.params):
            assert path.removeprefix("waymark ") in named, path


def test_every_command_of_the_window_is_documented_with_its_keys() -> None:
    page = guide("shortcuts.md")
    for command in tables.ALL_COMMANDS:
        row = re.search(
            rf"^\| {re.escape(command.title)} \|.*`{re.escape(command.id)}` \|$", page, re.MULTILINE
        )
        assert row, f"{command.id} is not in the guide"
        for keys in command.shortcut.on("linux") if command.shortcut else ():
            assert f"`{keys}`" in row[0]


def test_every_setting_is_documented() -> None:
    page = guide("settings.md")
    for setting in tables.SETTINGS:
        assert f"`{setting.key}`" in page
        assert setting.doc in page


def test_every_file_format_is_described() -> None:
    page = guide("formats.md")
    for file_format in tables.formats():
        assert f"| `{file_format.name}` | {file_format.version} |" in page


def test_every_setting_of_the_guide_does_something() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "studio").rglob("*.py")
        if path != ROOT / "studio" / "settings" / "table.py"
    )
    assert [setting.key for setting in tables.SETTINGS if f'"{setting.key}"' not in sources] == []


@pytest.mark.parametrize("kind", [Task, TrajectoryHeader, Step, State], ids=lambda kind: kind.__name__)
def test_every_field_that_is_written_is_described(kind: type) -> None:
    page = guide("formats.md")
    in_files = {"task_id": "task"}
    names = [field.name for field in dataclasses.fields(kind) if field.name != "extra"]
    written = [in_files.get(field, field) for field in names]
    assert [field for field in written if f"`{field}`" not in page and f"`state.{field}`" not in page] == []


def test_each_client_that_a_test_checks_has_that_test() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| Client ")
    ]
    assert len(rows) > 15
    for client, version, works, _lacks, check in rows:
        named = re.findall(r"`(tests/[^`]+)`", check)
        assert all((client, version, works)), client
        assert named or re.search(r"(by hand|`make clients`), \d{4}-\d\d-\d\d", check), client
        assert named or "by a test" not in check, client
        for path in named:
            assert (ROOT / path).is_file(), f"{client}: {path}"
