"""The window's own verbs of the ``waymark`` command."""

from __future__ import annotations

import click


def register(group: click.Group) -> None:
    """Add the verbs to the command."""
