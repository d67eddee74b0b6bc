"""Reports as LaTeX tables with booktabs, which compile whatever the names in them are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from collector.metrics.rendering.columns import column_groups, column_title
from collector.metrics.rendering.divided_tables import parts_that_fit
from collector.metrics.rendering.number_text import cell_text
from collector.metrics.rendering.plain_text import plain
from collector.metrics.report import ReportTable
from collector.metrics.value_text import row_labels
from collector.model.i18n import _

MOST_ROWS = 40
"""Rows of a table that fits on a page; a longer one goes over several, as a ``longtable``."""
_COLUMN_PT, _LANDSCAPE_PT = 345.0, 757.0
"""Width of the text of an article, and of a document of its own: A4 on its side with margins of 15 mm."""
_LEAST, _SMALL = 0.6, 0.8
"""The least scale of a shrunk table, with letters of 6 pt, and that of footnotes, as long ones have them."""
_SHRUNK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Begins a box that shrinks a table which is wider than the text, and leaves others as they are."""
_CJK_FONTS = ("Noto Serif CJK SC", "FandolSong-Regular.otf", "Source Han Serif SC", "SimSun", "Songti SC")


def as_latex(tables: Sequence[ReportTable], *, with_intervals: bool = True, standalone: bool = False) -> str:
    """Tables to put into a document, or as a document of their own.

    A comment in front names the packages, and the engines that have all characters of the tables.
    """
    width_pt = _LANDSCAPE_PT if standalone else _COLUMN_PT
    parts = (
        part
        for table in tables
        for part in parts_that_fit(
            table,
            width_pt / (_SMALL if len(table.rows) > MOST_ROWS else _LEAST),
            with_intervals=with_intervals,
        )
    )
    body = "\n\n".join("\n".join(_table(part, with_intervals)) for part in parts)
    if standalone:
        return "\n".join((*_preamble(body), r"\begin{document}", body, r"\end{document}", ""))
    return "\n".join((*_advice(body), body, ""))


def _packages(body: str) -> list[str]:
    extra = {"graphicx": _SHRUNK, "longtable": r"\begin{longtable}"}
    return ["booktabs", *(package for package, command in extra.items() if command in body)]


def _advice(body: str) -> Iterator[str]:
    packages = [*_packages(body), *(["xeCJK"] if has_cjk(body) else [])]
    commands = " ".join(rf"\usepackage{{{package}}}" for package in packages)
    yield "% " + _("For the preamble: {commands}", commands=commands)
    if has_cjk(body):
        yield "% " + _("Compile with XeLaTeX: the table has Chinese, Japanese or Korean characters")
    elif needs_unicode_engine(body):
        yield "% " + _("Compile with XeLaTeX or LuaLaTeX: pdfLaTeX lacks some characters of the table")


def _preamble(body: str) -> Iterator[str]:
    if needs_unicode_engine(body):
        yield "% !TeX program = xelatex"
    yield r"\documentclass{article}"
    yield r"\usepackage[landscape,margin=15mm]{geometry}"
    yield rf"\usepackage{{{','.join(_packages(body))}}}"
    if needs_unicode_engine(body):
        yield r"\usepackage{fontspec}"
    if has_cjk(body):
        yield r"\usepackage{xeCJK}"
        yield "".join(rf"\IfFontExistsTF{{{font}}}{{\setCJKmainfont{{{font}}}}}{{" for font in _CJK_FONTS) + (
            "}" * len(_CJK_FONTS)
        )


def _table(table: ReportTable, with_intervals: bool) -> Iterator[str]:
    for column in table.columns:
        if column.how:
            yield f"% {plain(column.title)}: {plain(column.how)}"
    columns = "l" * len(table.label_titles) + "r" * len(table.columns)
    if len(table.rows) > MOST_ROWS:
        yield r"{\footnotesize\setlength{\tabcolsep}{4pt}%"
        yield rf"\begin{{longtable}}{{{columns}}}"
        yield from (rf"{line} \\" for line in _caption(table))
        yield from (*_head(table), r"\endhead", r"\bottomrule", r"\endlastfoot")
        yield from _rows(table, with_intervals)
        yield r"\end{longtable}"
        yield r"}"
        yield from _notes(table)
        return
    yield r"\begin{table}[t]"
    yield r"\centering"
    yield from _caption(table)
    yield _SHRUNK
    yield rf"\begin{{tabular}}{{{columns}}}"
    yield from (*_head(table), *_rows(table, with_intervals), r"\bottomrule", r"\end{tabular}")
    yield r"}"
    yield from _notes(table)
    yield r"\end{table}"


def _caption(table: ReportTable) -> Iterator[str]:
    label = "".join(character for character in table.id if character.isascii() and character.isalnum())
    if table.title:
        yield rf"\caption{{{latex_escaped(table.title)}}}\label{{tab:{label}}}"


def _head(table: ReportTable) -> Iterator[str]:
    yield r"\toprule"
    groups = column_groups(table)
    first = len(table.label_titles)
    if any(title for title, _width in groups):
        spans = [rf"\multicolumn{{{width}}}{{c}}{{{latex_escaped(title)}}}" for title, width in groups]
        yield " & ".join([""] * first + spans).lstrip() + r" \\"
        place = first
        for title, width in groups:
            if title:
                yield rf"\cmidrule(lr){{{place + 1}-{place + width}}}"
            place += width
    titles = (*table.label_titles, *map(column_title, table.columns))
    yield " & ".join(map(latex_escaped, titles)) + r" \\"
    yield r"\midrule"


def _rows(table: ReportTable, with_intervals: bool) -> Iterator[str]:
    for row in table.rows:
        numbers = (
            cell_text(cell, column.unit, with_intervals=with_intervals)
            for cell, column in zip(row.cells, table.columns, strict=True)
        )
        texts = (*row_labels(table, row), *numbers)
        yield " & ".join(map(latex_escaped, texts)) + r" \\"


def _notes(table: ReportTable) -> Iterator[str]:
    for note in table.notes:
        yield rf"\par\smallskip{{\footnotesize {latex_escaped(note)}\par}}"


_COMMANDS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_",
    "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\symbol{34}", "`": r"\symbol{96}",
    "[": "{[}", "]": "{]}", "*": "{*}", "∞": r"\ensuremath{\infty}",
}  # fmt: skip
"""Braces keep the end of a row from taking ``[`` or ``*`` for its option."""
_LIGATURES = re.compile(r"([-',])(?=\1)")
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327")
_LETTERS = frozenset("–—‘’“”…ßæøÆØœŒ")
_CJK = ("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH")


def latex_escaped(text: str) -> str:
    """``text`` on one line, so that no character of it is taken for a command."""
    commands = "".join(_COMMANDS.get(character, character) for character in plain(text))
    return _LIGATURES.sub(r"\1{}", commands)


def needs_unicode_engine(text: str) -> bool:
    """Whether pdfLaTeX lacks some character of ``text``; XeLaTeX and LuaLaTeX have all."""
    return not all(character.isascii() or _has_pdflatex(character) for character in set(text))


def has_cjk(text: str) -> bool:
    """Whether ``text`` has Chinese, Japanese or Korean characters, which need a font of their own."""
    return any(unicodedata.name(character, "").startswith(_CJK) for character in set(text))


def _has_pdflatex(character: str) -> bool:
    parts = unicodedata.normalize("NFD", character)
    is_latin = character < "\u0180" and parts[0].isascii() and parts[0].isalpha()
    return character in _LETTERS or (is_latin and _ACCENTS.issuperset(parts[1:]))
