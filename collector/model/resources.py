"""Find the files of ``assets/`` in a checkout, a frozen build or a packaged installation."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def assets_folder() -> Path:
    """Return the assets folder: ``WAYMARK_ASSETS``, or the frozen bundle, or the checkout."""
    chosen = os.environ.get("WAYMARK_ASSETS")
    if chosen:
        return Path(chosen)
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle:
        return Path(bundle) / "assets"
    return Path(__file__).resolve().parents[2] / "assets"


def asset(*parts: str) -> Path:
    """Return the path of an asset, as in ``asset("icons", "tap.svg")``; it need not exist."""
    return assets_folder().joinpath(*parts)
