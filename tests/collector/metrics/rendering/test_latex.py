"""LaTeX compiles whatever the names are: by a strict reading of its tokens, and by TeX where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from collector.metrics.measure import Unit
from collector.metrics.rendering.divided_tables import parts_that_fit
from collector.metrics.rendering.latex_text import MOST_ROWS, as_latex, latex_escaped, needs_unicode_engine
from collector.metrics.report import ReportColumn, ReportRow, ReportTable
from collector.metrics.report_cell import ReportCell
from tests.collector.metrics.rendering.hostile import NAMES, hostile_report

TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|%[^\n]*\n|[{}&#$^_~\n]|[^\\{}&#$^_~%\n]+", re.DOTALL)
COMMANDS = (
    r"\begin", r"\end",
    r"\centering", r"\caption", r"\label", r"\toprule", r"\midrule", r"\bottomrule", r"\\",
    r"\par", r"\smallskip", r"\footnotesize", r"\endhead", r"\endlastfoot", r"\multicolumn", r"\cmidrule",
    r"\textbackslash", r"\{", r"\}", r"\$", r"\&", r"\#", r"\_", r"\%", r"\textasciitilde", r"\symbol",
    r"\textasciicircum", r"\textless", r"\textgreater", r"\textbar", r"\ensuremath", r"\infty",
    r"\setlength", r"\tabcolsep", r"\resizebox", r"\ifdim", r"\width", r"\linewidth", r"\else", r"\fi",
)  # fmt: skip
ASCII = tuple(name for name in NAMES if not needs_unicode_engine(latex_escaped(name)))


def read(text: str) -> list[list[str]]:
    """The rows of the body as their cells. Fails on what TeX would refuse or take for a command."""
    depth, rows, cell = 0, [[]], ""
    for token in TOKEN.findall(text):
        if token.startswith("%"):
            continue
        assert token not in "#$^_~", token
        assert not token.startswith("\\") or token in COMMANDS, token
        depth += (token == "{") - (token == "}")
        assert depth >= 0
        if token in ("&", r"\\") and depth == 0:
            rows[-1].append(cell.strip())
            rows += [[]] if token == r"\\" else []
            cell = ""
        else:
            cell += token
    assert depth == 0
    assert "".join(TOKEN.findall(text)) == text
    return rows


@pytest.mark.parametrize("names", [NAMES, NAMES[: MOST_ROWS // 2]], ids=["long", "short"])
def test_every_row_has_its_cells_and_no_name_is_a_command(names: tuple[str, ...]) -> None:
    text = as_latex([hostile_report(names)])
    assert (r"\resizebox{\ifdim\width>\linewidth" in text) == (len(names) <= MOST_ROWS), (
        "as wide as the text at most"
    )
    environment = "longtable" if len(names) > MOST_ROWS else "tabular"
    is_long = environment == "longtable"  # it cannot be shrunk: a part for each of the two columns
    assert text.count(f"\\begin{{{environment}}}") == text.count(f"\\end{{{environment}}}") == 1 + is_long
    body = text.split("\\midrule")[1].split("\\bottomrule" if environment == "tabular" else "\\end{long")[0]
    rows = [row for row in read(body) if row]
    assert len(rows) == len(names)
    assert {len(row) for row in rows} == {3 if is_long else 4}
    assert not any(row[0].startswith(("[", "*")) for row in rows)
    read(text)


def test_names_are_shown_as_they_are() -> None:
    assert latex_escaped(r"a_b\c{}") == r"a\_b\textbackslash{}c\{\}"
    assert latex_escaped("--- ''") == "-{}-{}- '{}'"
    assert latex_escaped("50 % & #1") == r"50 \% \& \#1"


@pytest.mark.parametrize(
    ("name", "advice"),
    [("é b_c", ""), ("Жук", "Compile with XeLaTeX or LuaLaTeX"), ("中", "Compile with XeLaTeX:")],
)
def test_the_text_says_which_engine_has_its_characters(name: str, advice: str) -> None:
    lines = as_latex([hostile_report((name,), title="")]).splitlines()
    assert lines[0].startswith("% For the preamble: \\usepackage{booktabs}")
    assert ("xeCJK" in lines[0]) == (name == "中")
    assert lines[1].startswith(f"% {advice}") if advice else "Compile" not in lines[1]


def has_xecjk() -> bool:
    """Whether this machine's XeTeX can set Chinese."""
    if shutil.which("xelatex") is None or shutil.which("kpsewhich") is None:
        return False
    return subprocess.run(["kpsewhich", "xeCJK.sty"], capture_output=True, check=False).returncode == 0


def compiled(engine: str, text: str, folder: Path) -> None:
    (folder / "table.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"],
        cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    assert (folder / "table.pdf").stat().st_size > 1000


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no TeX")
def test_pdflatex_compiles_a_table_in_any_document(tmp_path: Path) -> None:
    text = as_latex([hostile_report(ASCII, title=ASCII[-1]), hostile_report(ASCII[:9], title=r"\%$")])
    assert "Compile with" not in text
    preamble = r"\documentclass{article}\usepackage{booktabs,graphicx,longtable}\begin{document}"
    compiled("pdflatex", f"{preamble}\n{text}\n\\end{{document}}", tmp_path)


@pytest.mark.skipif(not has_xecjk(), reason="there is no XeTeX, or it lacks xeCJK")
def test_xelatex_compiles_every_name_as_a_document_of_its_own(tmp_path: Path) -> None:
    compiled("xelatex", as_latex([hostile_report()], standalone=True), tmp_path)


@pytest.mark.parametrize(
    ("rows", "standalone", "most_pt"), [(3, False, 345 / 0.6), (60, False, 345 / 0.8), (3, True, 757 / 0.6)]
)
def test_a_wide_table_is_divided_so_that_it_is_read_without_a_lens(
    rows: int, standalone: bool, most_pt: float
) -> None:
    """D-GARA's Figure 3 has three numbers with intervals for each of five categories."""
    number = ReportCell(value=1.0, low=0.61, high=1.0, hits=6, count=6)
    columns = tuple(
        ReportColumn(f"{group}-{category}", category, Unit.PERCENT, "", group=group)
        for group in ("As published", "Met only", "Met")
        for category in ("App Malfunction", "Permission Control", "System Network", "System Resource", "UX")
    )
    made = tuple(ReportRow((f"agent-{row}", "default"), (number,) * len(columns)) for row in range(rows))
    table = ReportTable("figure-3", "Figure 3", ("Agent", "Variation"), columns, made, ("A note.",))
    text = as_latex([table], standalone=standalone)
    heads = [read(part.split(r"\midrule")[0])[0] for part in text.split(r"\toprule")[1:]]
    parts = parts_that_fit(table, most_pt, with_intervals=True)
    assert len(parts) == text.count(r"\begin{tabular}") + text.count(r"\begin{longtable}") == len(heads) > 1
    assert [column for part in parts for column in part.columns] == list(columns), "each is there once"
    for part in parts:
        cells = [[*row.labels, *("100.0 (61.0 to 100.0) 6/6" for _ in part.columns)] for row in part.rows]
        wide = sum(max(len(row[at]) for row in cells) * 5 + 12 for at in range(len(cells[0])))
        assert wide <= most_pt
    assert text.count("A note.") == 1
    assert r"\caption{Figure 3 (1/" in text
    assert (r"{\footnotesize\setlength{\tabcolsep}{4pt}%" in text) == (rows > MOST_ROWS)
