"""Where the files of ``assets/`` are: in a checkout, in a frozen build or where a packager put them."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def assets_folder() -> Path:
    """The assets folder; ``WAYMARK_ASSETS`` wins over the frozen bundle, that over the checkout."""
    chosen = os.environ.get("WAYMARK_ASSETS")
    if chosen:
        return Path(chosen)
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle:
        return Path(bundle) / "assets"
    return Path(__file__).resolve().parents[2] / "assets"


def asset(*parts: str) -> Path:
    """Path of one asset, as in ``asset("icons", "tap.svg")``; it need not exist."""
    return assets_folder().joinpath(*parts)
