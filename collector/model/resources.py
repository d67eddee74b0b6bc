"""Find assets and pages of the guide: the one place that knows where an installation keeps them."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]


def assets_folder() -> Path:
    """Return ``WAYMARK_ASSETS``, or ``collector/assets`` when it is installed, or ``assets`` of the checkout.

    The wheel and the frozen application carry the files inside the package (setup.py, waymark.spec).
    """
    chosen = os.environ.get("WAYMARK_ASSETS")
    if chosen:
        return Path(chosen)
    installed = _PACKAGE / "assets"
    return installed if installed.is_dir() else _PACKAGE.parent / "assets"


def asset(*parts: str) -> Path:
    """Return the path of an asset, as in ``asset("icons", "tap.svg")``; it need not exist."""
    return assets_folder().joinpath(*parts)


def guide_folder() -> Path:
    """Return the folder of the pages: ``collector/pages`` when it is installed, or the checkout."""
    installed = _PACKAGE / "pages"
    return installed if installed.is_dir() else _PACKAGE.parent
