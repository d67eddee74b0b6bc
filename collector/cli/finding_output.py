"""Print findings with ``--json``: one shape each for a project, an import and the doctor."""

from __future__ import annotations

from collector.model.errors import problem_text
from collector.model.finding import Finding


def finding_text(finding: Finding) -> str:
    """What is wrong, why, and what can be done, as far as that is known."""
    return problem_text(finding.what, finding.why, finding.to_do)


def project_finding_as_dict(finding: Finding) -> dict[str, object]:
    """A finding of ``project check`` and ``trajectory verify``; ``step`` is an index or null."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "where": finding.where,
        "step": finding.steps[0] if finding.steps else None,
        "text": finding.what,
        "why": finding.why,
        "to_do": finding.to_do,
    }


def import_finding_as_dict(finding: Finding) -> dict[str, object]:
    """A finding of ``project import``; ``steps`` are the names the source has for its steps."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "where": finding.where,
        "text": finding.what,
        "steps": list(finding.steps),
    }


def doctor_finding_as_dict(finding: Finding) -> dict[str, object]:
    """A finding of ``device doctor``; ``serial`` is empty for what is about this computer."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "what": finding.what,
        "why": finding.why,
        "to_do": finding.to_do,
        "serial": finding.where,
    }
