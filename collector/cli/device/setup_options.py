"""Options that say what a reset makes of a virtual phone."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

from collector.cli.device.variation_option import read_variation_option
from collector.cli.shared_options import VARIATION_HELP, VARIATION_METAVAR
from collector.located_yaml.safe_load import YamlError, safe_load
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup


def setup_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--seed``, ``--locale``, ``--size``, ``--density``, ``--variation``, ``--app-state``."""

    @click.option("--seed", type=int, help="Seed of the apps' content.")
    @click.option("--locale", help="Language and region, such as zh-CN.")
    @click.option("--size", metavar="WxH", help="Screen in pixels.")
    @click.option("--density", type=int, help="Dots per inch.")
    @click.option(
        "--variation",
        metavar=VARIATION_METAVAR,
        help=VARIATION_HELP,
    )
    @click.option(
        "--app-state", "states", multiple=True, metavar="APP=FILE",
        help="Whole state of an app, as YAML or JSON; repeatable. The other apps are as freshly installed.",
    )  # fmt: skip
    @functools.wraps(command)
    def with_setup(*arguments: Any, states: tuple[str, ...], **options: Any) -> Any:
        names = ("seed", "locale", "size", "density", "variation")
        words = [str(word) for name in names if (value := options.pop(name)) is not None
                 for word in (f"--{name}", value)]  # fmt: skip
        for given in states:
            words += ["--state", _state(given)]
        try:
            project = options.get("folder", Path())
            setup = PhoneSetup.parse(words, partial(read_variation_option, folder=project))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        return command(*arguments, setup=setup, **options)

    return with_setup


def _state(given: str) -> str:
    """Read ``APP=FILE`` and return ``APP=JSON``. Raises click.BadParameter for a file that holds no state."""
    app, equals, name = given.partition("=")
    if not app or not equals:
        raise click.BadParameter(_("write it as APP=FILE"), param_hint="--app-state")
    try:
        state = safe_load(Path(name).read_bytes(), name)
    except YamlError as error:
        raise click.BadParameter(str(error), param_hint="--app-state") from None
    return f"{app}={json.dumps(state, default=str)}"
