"""Generate parts of the documentation from the tables of the product.

A page holds ``<!-- generated:NAME -->`` and ``<!-- end:NAME -->``; the generator of that name
writes the text between them. ``--check`` writes nothing and fails when a part is stale.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import api_tables
import command_line
import companion_tables
import measurement_tables
import rule_tables
import tables

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(
    r"(?P<start><!-- generated:(?P<name>[a-z-]+) -->\n).*?(?P<end><!-- end:(?P=name) -->)", re.DOTALL
)

GENERATORS: dict[str, Callable[[], str]] = {
    "actions": tables.actions,
    "agent-options": tables.agent_options,
    "api": api_tables.public_parts,
    "built-in-tasks": rule_tables.built_in_tasks,
    "cli": command_line.verbs,
    "commands": tables.window_commands,
    "experiment-keys": rule_tables.experiment_keys,
    "data-collections": rule_tables.data_collections,
    "decisions": tables.decisions,
    "dimensions": tables.dimensions,
    "faults": tables.faults,
    "import-codes": tables.import_codes,
    "exporters": tables.exporters,
    "format-options": tables.format_options,
    "importers": tables.importers,
    "json-keys": tables.json_keys,
    "keys": tables.keys,
    "measures": tables.measures,
    "options": command_line.shared_options,
    "phone-profiles": tables.phone_profiles,
    "quirks": tables.quirks,
    "health-codes": rule_tables.health_codes,
    "rooms": tables.rooms,
    "rule-codes": rule_tables.codes,
    "rule-conditions": rule_tables.conditions,
    "rule-keys": rule_tables.keys,
    "search-keys": tables.search_keys,
    "settings": tables.settings,
    "step-keys": tables.step_keys,
    "variation-keys": rule_tables.variation_keys,
    "variations": rule_tables.built_in_variations,
    "versions": tables.versions,
    **companion_tables.GENERATORS,
    **measurement_tables.GENERATORS,
}


def pages() -> Iterator[Path]:
    """Every page that may hold a generated part."""
    yield ROOT / "README.md"
    yield from sorted(DOCS.rglob("*.md"))


def generated(page: str) -> str:
    """Return the text of a page with its generated parts replaced."""
    return BLOCK.sub(
        lambda block: f"{block['start']}\n{GENERATORS[block['name']]().strip()}\n\n{block['end']}", page
    )


def stale() -> list[tuple[Path, str]]:
    """Stale pages and schemas, with the text that they should hold."""
    changes = []
    for path in pages():
        text = path.read_text(encoding="utf-8")
        fresh = generated(text)
        if fresh != text:
            changes.append((path, fresh))
    for path, schema in rule_tables.schemas():
        if not path.is_file() or path.read_text(encoding="utf-8") != schema:
            changes.append((path, schema))
    return changes


def main(arguments: list[str]) -> int:
    """Write the stale pages; with ``--check`` print their names and return 1."""
    changes = stale()
    for path, text in changes:
        name = path.relative_to(ROOT)
        if arguments == ["--check"]:
            print(f"{name} is stale: run make docs")
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            print(f"wrote {name}")
    return 1 if changes and arguments == ["--check"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
