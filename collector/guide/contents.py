"""The page of contents, which says in which order and under which headings the pages stand.

It imports nothing: the builder of the site (packaging/build_site.py) reads it, too.
"""

from __future__ import annotations

import re

LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
"""A link or a picture of a page. A link within its own page, which is only an anchor, is none of them."""
ADDRESS = re.compile(r"[a-z]+:")
_PART = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def parts(contents: str) -> list[tuple[str, list[str]]]:
    """The headings of a page of contents, each with the pages that it links, in their order and once."""
    found: list[tuple[str, list[str]]] = []
    seen: set[str] = set()
    for title, text in _PART.findall(contents):
        targets = [link["target"] for link in LINK.finditer(text)]
        fresh = dict.fromkeys(target for target in targets if target.endswith(".md") and target not in seen)
        seen |= fresh.keys()
        found.append((title, list(fresh)))
    return found
