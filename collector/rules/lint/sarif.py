"""Findings as SARIF 2.1.0, which code hosts and editors show beside the lines they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Diagnostic, QuickFix, Severity
from collector.model.i18n import _

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def to_sarif(diagnostics: Iterable[Diagnostic], texts: Mapping[str, str], version: str) -> dict[str, Any]:
    """One run; ``texts`` are the files by path, ``version`` is the program's. Columns count code points."""
    rules = list(CODES.values())
    numbers = {spec.code: index for index, spec in enumerate(rules)}
    driver = {
        "name": "waymark",
        "version": version,
        "rules": [
            {
                "id": spec.code,
                "name": spec.name,
                "shortDescription": {"text": _(spec.doc)},
                "defaultConfiguration": {"level": _LEVELS[spec.severity]},
            }
            for spec in rules
        ],
    }
    results = [
        _result(diagnostic, numbers[diagnostic.code], texts.get(diagnostic.path, ""))
        for diagnostic in diagnostics
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _result(diagnostic: Diagnostic, number: int, text: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": number,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": diagnostic.sentence},
        "locations": [_location(diagnostic, text)],
    }
    if diagnostic.fixes:
        result["fixes"] = [_fix(fix, diagnostic.path) for fix in diagnostic.fixes]
    return result


def _location(diagnostic: Diagnostic, text: str) -> dict[str, Any]:
    place = diagnostic.place
    region: dict[str, Any] = {"startLine": place.line, "startColumn": place.column}
    if text:
        before = text[: place.end]
        region["endLine"] = before.count("\n") + 1
        region["endColumn"] = len(before) - (before.rfind("\n") + 1) + 1
        region |= {"charOffset": place.start, "charLength": place.end - place.start}
    return {"physicalLocation": {"artifactLocation": _artifact(diagnostic.path), "region": region}}


def _fix(fix: QuickFix, path: str) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _artifact(path: str) -> dict[str, str]:
    place = Path(path)
    return {"uri": place.as_uri() if place.is_absolute() else quote(place.as_posix())}
