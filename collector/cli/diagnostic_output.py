"""Findings of a checker as the command prints them: a line each with its mends, or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from collector.cli.output import say
from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.model.i18n import _, ngettext

_NAMES = {spec.code: spec.name for spec in CODES.values()}


def counts_of(found: Sequence[Diagnostic]) -> dict[str, int]:
    """How many there are of each severity."""
    counts = Counter(str(one.severity) for one in found)
    return {str(severity): counts[str(severity)] for severity in Severity}


def as_dict(one: Diagnostic) -> dict[str, Any]:
    """A finding as its JSON has it."""
    place = one.place
    return {
        "path": one.path, "line": place.line, "column": place.column, "start": place.start, "end": place.end,
        "code": one.code, "name": _NAMES[one.code], "severity": str(one.severity), "rule": one.rule_id,
        "what": one.what, "why": one.why, "to_do": one.to_do,
        "fixes": [
            {"title": fix.title, "edits": [asdict(edit) for edit in fix.edits]} for fix in one.fixes
        ],
    }  # fmt: skip


def print_findings(found: Sequence[Diagnostic]) -> None:
    """A line each, and how many there are."""
    for one in found:
        say(f"{one.path}:{one.place.line}:{one.place.column}: {one.severity}: {one.sentence} [{one.code}]")
        for fix in one.fixes:
            say("    " + _("fix: {title}", title=fix.title))
    counts = counts_of(found)
    said = [
        ngettext("{count} error", "{count} errors", counts["error"]),
        ngettext("{count} warning", "{count} warnings", counts["warning"]),
        ngettext("{count} note", "{count} notes", counts["info"]),
    ]
    say(", ".join(said) if found else _("Everything is in order"))
