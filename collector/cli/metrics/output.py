"""How ``waymark metrics`` writes its tables: the formats, and what is on the screen or in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from collector.cli.output import print_json, say
from collector.cli.shared_options import write_new_file
from collector.model.i18n import _

if TYPE_CHECKING:
    from collector.metrics.rendering.junit_xml import JUnitSuite
    from collector.metrics.report import ReportTable

FORMATS = ("table", "json", "csv", "md", "latex", "junit")
_ENDINGS = {".json": "json", ".csv": "csv", ".md": "md", ".tex": "latex", ".xml": "junit"}
_OF_TABLES = ("", ".txt")
_WITH_INTERVALS = ("table", "md", "latex")
"""Formats for people: in the others the ends of intervals are values of their own."""
_Reports = Sequence["ReportTable"]
_Suites = Callable[[], "list[JUnitSuite]"]


def form_of(path: Path | None) -> str:
    """The format that the ending of a file asks for; a table for text and for the standard output.

    Raises UsageError for an ending of no format.
    """
    if path is None or path.suffix.lower() in _OF_TABLES:
        return "table"
    form = _ENDINGS.get(path.suffix.lower())
    if form is None:
        raise click.UsageError(
            _("The ending of {name} is no format: give --format, one of {known}",
              name=path.name, known=", ".join(FORMATS))
        )  # fmt: skip
    return form


@dataclass(frozen=True, slots=True)
class MetricsOutput:
    """What tables are written as. Raises UsageError for options that do not go together."""

    form: str = "table"
    path: Path | None = None
    """A file; None for the standard output."""
    replaces: bool = False
    """Whether the file may be there already."""
    with_intervals: bool = True
    standalone: bool = False
    """Whether LaTeX is a document of its own."""

    def __post_init__(self) -> None:
        if self.standalone and self.form != "latex":
            raise click.UsageError(_("--standalone needs --format latex"))
        if not self.with_intervals and self.form not in _WITH_INTERVALS:
            raise click.UsageError(
                _("--no-intervals is for --format {formats}", formats=", ".join(_WITH_INTERVALS))
            )

    def write(self, reports: _Reports, suites: _Suites) -> None:
        """Write tables. ``suites`` computes what JUnit needs. Raises UserError for a file it cannot write."""
        if self.path is None and self.form in ("table", "json"):
            self._print(reports)
            return
        text = self._text(reports, suites)
        if self.path is None:
            click.echo(text, nl=not text.endswith("\n"))
            return
        write_new_file(self.path, text, replaces=self.replaces)
        if self.form != "json":  # with --json nothing but JSON is printed
            say(_("Wrote {path}", path=self.path))

    def _print(self, reports: _Reports) -> None:
        """Print what depends on the terminal: its width, or the characters it has."""
        if self.form == "json":
            print_json(_document(reports))
            return
        from collector.metrics.rendering.terminal_table import print_reports

        print_reports(reports, with_intervals=self.with_intervals)

    def _text(self, reports: _Reports, suites: _Suites) -> str:
        if self.form == "table":
            from collector.metrics.rendering.terminal_table import as_text

            return as_text(reports, with_intervals=self.with_intervals)
        if self.form == "json":
            import json

            return json.dumps(_document(reports), ensure_ascii=False, indent=2) + "\n"
        if self.form == "csv":
            from collector.metrics.rendering.csv_text import as_csv

            return as_csv(reports)
        if self.form == "latex":
            from collector.metrics.rendering.latex_text import as_latex

            return as_latex(reports, with_intervals=self.with_intervals, standalone=self.standalone)
        if self.form == "junit":
            from collector.metrics.rendering.junit_xml import as_junit

            return as_junit(suites())
        from collector.metrics.rendering.markdown_text import as_markdown

        return as_markdown(reports, with_intervals=self.with_intervals)


def _document(reports: _Reports) -> dict[str, object]:
    from collector.metrics.rendering.json_document import table_document

    return {"tables": list(map(table_document, reports))}
