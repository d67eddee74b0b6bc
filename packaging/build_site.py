"""Build the documentation as a static site in ``build/site``. A warning of Sphinx is an error.

Sphinx stands in an environment of its own, ``build/docs``, so that the checkout's stays small. The pages
are those of the repository: docs/README.md says in which order they stand in the navigation.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bootstrap
import fetch_uv

ROOT = bootstrap.ROOT
sys.path.insert(0, str(ROOT))
from collector.guide.contents import ADDRESS, LINK, parts  # noqa: E402 - it is found from here on

SITE = ROOT / "build" / "site"
SOURCE = ROOT / "build" / "site-pages"
SETTINGS = ROOT / "docs" / "site"
CONTENTS = ROOT / "docs" / "README.md"
DECISIONS = ROOT / "docs" / "decisions" / "README.md"
AT_TOP = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


def tree(title: str, linked: list[str]) -> str:
    """A part of the navigation."""
    options = [":hidden:", *([f":caption: {title}"] if title else [])]
    return "\n".join(["", "```{toctree}", *options, "", *linked, "```", ""])


def navigation() -> str:
    """The whole navigation, for the first page."""
    every = [("", [CONTENTS.name]), *parts(CONTENTS.read_text(encoding="utf-8"))]
    return "".join(tree(title, [from_top(page) for page in linked]) for title, linked in every)


def from_top(page: str) -> str:
    """A page that the contents link, as the first page links it."""
    return os.path.relpath(CONTENTS.parent / page, ROOT).replace(os.sep, "/")


def text_of(page: Path) -> str:
    """A page as the site has it. What it links that is no part of the site is only named."""
    text = page.read_text(encoding="utf-8")
    text = LINK.sub(lambda link: link[0] if is_part(page, link["target"]) else link["text"], text)
    if page == ROOT / "README.md":
        text += navigation()
    if page == DECISIONS:
        names = sorted(path.name for path in page.parent.glob("*.md") if path != page)
        text += tree("", names)
    return text


def is_part(page: Path, target: str) -> bool:
    """Whether a link leads to another site, or to a file of this one."""
    if ADDRESS.match(target):
        return True
    file = (page.parent / target).resolve()
    return file.is_file() and (file in pages() or file.is_relative_to(ROOT / "docs"))


def pages() -> list[Path]:
    """Every page of the site."""
    return [*(ROOT / name for name in AT_TOP), *sorted((ROOT / "docs").rglob("*.md"))]


def lay_out() -> None:
    """Write the pages for Sphinx, beside the files that they show."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE / "docs", ignore=shutil.ignore_patterns("__pycache__", "site"))
    for page in pages():
        place = SOURCE / page.relative_to(ROOT)
        place.write_text(text_of(page), encoding="utf-8", newline="\n")


def build() -> None:
    """Build the site anew. Raises CalledProcessError when there is a warning."""
    uv = fetch_uv.ensure(ROOT / "uv.lock", ROOT / ".cache" / "bootstrap", bootstrap.report)
    environment = bootstrap.uv_environment() | {
        "UV_PROJECT_ENVIRONMENT": str(ROOT / "build" / "docs"),
        "WAYMARK_CHECKOUT": str(ROOT),
        "PYTHONPATH": str(ROOT),
    }
    shutil.rmtree(SITE, ignore_errors=True)
    command = [str(uv), "run", "--locked", "--only-group", "docs", "--python", sys.executable, "--"]
    command += ["sphinx-build", "--quiet", "--fail-on-warning", "--keep-going", "--conf-dir", str(SETTINGS)]
    command += ["--doctree-dir", str(ROOT / "build" / "site-doctrees"), str(SOURCE), str(SITE)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def main() -> int:
    """Build the site, and say where it is."""
    lay_out()
    try:
        build()
    except subprocess.CalledProcessError:
        return 1
    print(f"the site is {SITE / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
