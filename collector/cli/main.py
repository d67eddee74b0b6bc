"""Entry point of ``waymark``: gathers the verb groups and turns errors into sentences."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Sequence

import click

from collector.model.errors import UserError

VERB_GROUPS = "waymark.verbs"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="waymark-studio", prog_name="waymark")
def waymark() -> None:
    """Record, check and replay trajectories of mobile GUI agents."""


def build() -> click.Group:
    """The command with every verb group on it, those of the layers above included."""
    # Imported here, so that a module of verbs may import from this one.
    from collector.cli import device, device_list, project, rules, rules_follow, rules_try, trajectory

    for group in (device, device_list, project, rules, rules_follow, rules_try, trajectory):
        group.register(waymark)
    for entry in importlib.metadata.entry_points(group=VERB_GROUPS):
        entry.load()(waymark)
    return waymark


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 done, 1 failed or found problems, 2 wrong usage."""
    try:
        result = build().main(args=arguments, prog_name="waymark", standalone_mode=False)
    except UserError as error:
        click.echo(f"waymark: {error}", err=True)
        return 1
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("waymark: stopped", err=True)
        return 130
    return result if isinstance(result, int) else 0


if __name__ == "__main__":
    sys.exit(main())
