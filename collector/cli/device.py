"""``waymark device``: the phones at hand, and phones that need no hardware."""

from __future__ import annotations

import click


@click.group()
def device() -> None:
    """List phones, find out what is wrong with one, run a virtual one."""
