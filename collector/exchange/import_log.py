"""What an import found, kept and could not keep, one sentence each, steps gathered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from collector.model.i18n import _, ngettext

NOTE = "note"
"""For information: nothing is missing."""
LOSS = "loss"
"""Something of the source is not in the project, or is doubtful there."""
_SHOWN = 10


@dataclass(slots=True)
class Finding:
    """One kind of thing noticed at one place, and the steps it holds for."""

    code: str
    severity: str
    where: str
    text: str
    steps: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """``text``, with the steps it holds for."""
        if not self.steps:
            return self.text
        names = _ranges(self.steps)
        shown = ", ".join(names[:_SHOWN])
        if len(names) > _SHOWN:
            shown = _("{names} and {count} more", names=shown, count=len(names) - _SHOWN)
        if not all(step.isdigit() for step in self.steps):
            return _("{text} ({steps})", text=self.text, steps=shown)
        return ngettext(
            "{text} (number {steps})",
            "{text} (numbers {steps})",
            len(self.steps),
            text=self.text,
            steps=shown,
        )

    def as_dict(self) -> dict[str, object]:
        return {
            "code": self.code,
            "severity": self.severity,
            "where": self.where,
            "text": self.text,
            "steps": self.steps,
        }


@dataclass(slots=True)
class ImportLog:
    """Gathers findings while a source is read. ``used`` are the files something was done with."""

    findings: list[Finding] = field(default_factory=list)
    used: set[Path] = field(default_factory=set)
    where: str = ""
    """Where later findings belong, as a rule the trajectory being read."""

    def add(self, code: str, text: str, *, step: object = None, severity: str = LOSS) -> None:
        """Note something; the same code and text at the same place only gathers steps."""
        found = next(
            (
                finding
                for finding in reversed(self.findings)
                if (finding.code, finding.where, finding.text) == (code, self.where, text)
            ),
            None,
        )
        if found is None:
            found = Finding(code, severity, self.where, text)
            self.findings.append(found)
        if step is not None:
            found.steps.append(str(step))

    def use(self, *paths: Path | None) -> None:
        self.used.update(path for path in paths if path is not None)

    def add_unused(self, root: Path, files: Iterable[Path]) -> None:
        """Report the files of the source that no part of the importer understood."""
        names = sorted(path.relative_to(root).as_posix() for path in files if path not in self.used)
        self.where = ""
        for ending in sorted({Path(name).suffix for name in names}):
            same = [name for name in names if Path(name).suffix == ending]
            shown = ", ".join(same[:3]) + (", ..." if len(same) > 3 else "")
            self.add(
                "not-understood",
                _(
                    "Files left out because this format does not know them: {count} ({names})",
                    count=len(same),
                    names=shown,
                ),
            )


def _ranges(steps: list[str]) -> list[str]:
    """``1, 2, 3, 7`` as ``1-3, 7``; names that are no numbers stay."""
    result: list[list[str]] = []
    for step in steps:
        if result and step.isdigit() and result[-1][-1].isdigit() and int(step) == int(result[-1][-1]) + 1:
            result[-1].append(step)
        else:
            result.append([step])
    return [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in result]
