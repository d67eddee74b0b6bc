"""An app of a phone that can be opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """An app with an icon; ``label`` is the icon's text, empty when the phone does not tell it."""

    package: str
    label: str = ""

    def __str__(self) -> str:
        return f"{self.label} ({self.package})" if self.label else self.package
