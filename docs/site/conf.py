"""What Sphinx is told to build; packaging/build_site.py lays the pages out and starts it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import collector

_TOKENS = json.loads((Path(os.environ["WAYMARK_CHECKOUT"]) / "assets/style/tokens.json").read_bytes())

project = "Waymark Studio"
author = "The Waymark Studio authors"
project_copyright = author
release = version = collector.__version__
language = "en"
# A block without a language is a command line or an output, and not Python.
highlight_language = "none"
root_doc = "README"
extensions = ["myst_parser"]
# As on the page of a repository, a link may lead to every heading.
myst_heading_anchors = 6

html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["waymark.css"]
templates_path = ["templates"]
html_additional_pages = {"index": "to_readme.html"}
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
html_theme_options = {
    f"{theme}_css_variables": {
        "color-brand-primary": colors["accent"],
        "color-brand-content": colors["accent"],
        "color-background-primary": colors["bg-1"],
        "color-background-secondary": colors["bg-2"],
        "color-foreground-primary": colors["text"],
        "color-foreground-secondary": colors["text-2"],
        "color-foreground-muted": colors["text-3"],
    }
    for theme, colors in _TOKENS["color"].items()
}
