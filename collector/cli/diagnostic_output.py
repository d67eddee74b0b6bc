"""Print diagnostics of files: a line for each with its fixes, or JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from collector.cli.output import print_json, say
from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Diagnostic, Severity, has_errors
from collector.model.i18n import _, ngettext

_NAMES = {spec.code: spec.name for spec in CODES.values()}


def counts_of(diagnostics: Sequence[Diagnostic]) -> dict[str, int]:
    """How many there are of each severity."""
    counts = Counter(str(diagnostic.severity) for diagnostic in diagnostics)
    return {str(severity): counts[str(severity)] for severity in Severity}


def as_dict(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as its JSON has it."""
    place = diagnostic.place
    return {
        "path": diagnostic.path,
        "line": place.line,
        "column": place.column,
        "start": place.start,
        "end": place.end,
        "code": diagnostic.code,
        "name": _NAMES[diagnostic.code],
        "severity": str(diagnostic.severity),
        "rule": diagnostic.rule_id,
        "what": diagnostic.what,
        "why": diagnostic.why,
        "to_do": diagnostic.to_do,
        "fixes": [
            {"title": fix.title, "edits": [asdict(edit) for edit in fix.edits]} for fix in diagnostic.fixes
        ],
    }


def show_diagnostics(diagnostics: Sequence[Diagnostic], *, as_json: bool) -> int:
    """Print what a check found, and return its exit status: 1 with an error, else 0."""
    if as_json:
        found = [as_dict(diagnostic) for diagnostic in diagnostics]
        print_json({"findings": found, "counts": counts_of(diagnostics)})
    else:
        print_diagnostics(diagnostics)
    return int(has_errors(diagnostics))


def print_diagnostics(diagnostics: Sequence[Diagnostic], *, err: bool = False) -> None:
    """A line for each diagnostic and its fixes, and how many there are."""
    for diagnostic in diagnostics:
        position = f"{diagnostic.path}:{diagnostic.place.line}:{diagnostic.place.column}"
        say(f"{position}: {diagnostic.severity}: {diagnostic.sentence} [{diagnostic.code}]", err=err)
        for fix in diagnostic.fixes:
            say("    " + _("fix: {title}", title=fix.title), err=err)
    counts = counts_of(diagnostics)
    parts = [
        ngettext("{count} error", "{count} errors", counts["error"]),
        ngettext("{count} warning", "{count} warnings", counts["warning"]),
        ngettext("{count} note", "{count} notes", counts["info"]),
    ]
    say(", ".join(parts) if diagnostics else _("Everything is in order"), err=err)
