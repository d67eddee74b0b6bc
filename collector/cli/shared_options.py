"""The options that several groups of verbs share, so that each has one name and one meaning."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from collector.host.user_folders import user_name
from collector.model.dataset.split import BY_TASK, WAYS, Split, shares_of
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.seeds import DEFAULT_SEED

PAUSE_HELP = "Seconds from step to step with --timing fixed."
VARIATION_METAVAR = "NAME[@APP][+...]"
VARIATION_HELP = (
    "Variation of appearance, content, pop-ups and noise, as `waymark variations list` shows them."
)
asks_permissions_option = click.option(
    "--ask-permissions", "asks_permissions", is_flag=True,
    help="Let apps ask for their permissions; else they have them.",
)  # fmt: skip
without_option = click.option(
    "--without", multiple=True, metavar="NAME",
    help="App that is not installed, such as companion; repeatable.",
)  # fmt: skip
emulator_option = click.option(
    "--emulator", is_flag=True,
    help="Be an emulator: emulator-5554 in adb, with the console behind `adb emu`.",
)  # fmt: skip
ANYWAY_HELP = "Use a phone although another program is using it."
ANYWAY = "collector.cli.anyway"
"""Of the context: whether --anyway was given."""
_Verb = TypeVar("_Verb", bound=Callable[..., Any])


class RenamedOption(click.Option):
    """An option that is also understood under its name of the version before, which no help shows."""

    def __init__(self, *arguments: Any, formerly: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.formerly = formerly

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        own = self.opts
        self.opts = [*own, self.formerly]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = own


def renamed_option(*names: str, formerly: str, **settings: Any) -> Callable[[_Verb], _Verb]:
    """An option, and the name ``formerly`` that it had in the version before: scripts with it still run."""
    return click.option(*names, cls=RenamedOption, formerly=formerly, **settings)


as_person = click.option(
    "--as",
    "who",
    default=user_name,
    metavar="WHO",
    callback=lambda _context, _option, name: name.strip(),
    help="Your name; your user name by default.",
)
_FOLDER_HELP = "The project's folder; the current one by default."
in_project = click.option(
    "--project", "folder", type=click.Path(path_type=Path), default=".", help=_FOLDER_HELP
)


def project_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """``[PROJECT]``, or ``--project`` as in every other verb: the verb gets ``folder``."""

    @functools.wraps(command)
    def with_folder(*, place: Path | None, named: Path | None, **values: Any) -> Any:
        if place is not None and named is not None:
            raise click.UsageError(_("Name the project once: as PROJECT, or with --project"))
        return command(folder=place or named or Path(), **values)

    argument = click.argument("place", metavar="[PROJECT]", type=click.Path(path_type=Path), required=False)
    option = click.option("--project", "named", type=click.Path(path_type=Path), help=_FOLDER_HELP)
    return argument(option(with_folder))


devices_option = click.option(
    "--devices",
    default="",
    metavar="SERIALS|connected|virtual:N|avd:NAME:N",
    help="Phones to use: serials with commas between them, all connected ones, N virtual ones, or N "
    "emulators with copies of an image. The experiment's by default, else a virtual one.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=None,
    help="Episodes to run at a time; as many as there are phones by default.",
)
where_option = click.option(
    "--where",
    "query",
    default="",
    metavar="QUERY",
    help="Only the trajectories that fit, as `trajectory list` finds them.",
)


def split_options(default: str) -> Callable[[_Verb], _Verb]:
    """``--split``, ``--split-by`` and ``--seed``: the verb gets ``split``, None when nothing is divided."""

    def add(verb: _Verb) -> _Verb:
        @functools.wraps(verb)
        def with_split(*, shares: str, split_by: str, split_seed: int, **values: Any) -> Any:
            split = Split(shares_of(shares), split_by, split_seed) if shares else None
            return verb(split=None if split is None or split.is_none else split, **values)

        options = (
            click.option(
                "--split", "shares", default=default, show_default=bool(default), metavar="SHARES",
                help="Shares of train and test, as in 0.8/0.2, or with validation between them, as in "
                "0.8/0.1/0.1; 1 keeps all together.",
            ),
            click.option(
                "--split-by", type=click.Choice(WAYS), default=BY_TASK, show_default=True,
                help="What stays on one side: a task, an app, or a trajectory, at random or the newest ones.",
            ),
            click.option(
                "--seed", "split_seed", type=int, default=DEFAULT_SEED, show_default=True,
                help="Seed of the split.",
            ),
        )  # fmt: skip
        for option in reversed(options):
            with_split = option(with_split)
        return cast("_Verb", with_split)

    return add


because_option = renamed_option("--because", "comment", formerly="--comment", default="",
                                help="Why, in a sentence.")  # fmt: skip
force_option = renamed_option("--force", "replaces", formerly="--replace", is_flag=True,
                              help="Replace what is there.")  # fmt: skip


def trust_option(what: str) -> Callable[[_Verb], _Verb]:
    """``--yes``: the answer to the question whether ``what`` is trusted."""
    return renamed_option("--yes", "trust", formerly="--trust", is_flag=True, help=what)


def confirmation_option(question: str) -> Callable[[_Verb], _Verb]:
    """``--yes``, without which the ``question`` is asked, on standard error: the output may be JSON."""

    def ask(context: click.Context, _option: click.Parameter, is_confirmed: bool) -> None:
        if not (is_confirmed or context.resilient_parsing):
            click.confirm(question, abort=True, err=True)

    words = "Confirm the action without prompting."
    return click.option("--yes", is_flag=True, expose_value=False, callback=ask, help=words)


def write_new_file(path: Path, text: str, *, replaces: bool) -> None:
    """Write the file of ``--output``. Raises UserError for one that is there, unless it is to be replaced."""
    # A file for other programs: the same line ends on every system.
    write_new_bytes(path, text.encode(), replaces=replaces)


def write_new_bytes(path: Path, data: bytes, *, replaces: bool) -> None:
    """As :func:`write_new_file`, for a file that is no text."""
    try:
        with path.open("wb" if replaces else "xb") as file:
            file.write(data)
    except FileExistsError:
        raise UserError(
            _("{name} is there already", name=path), "", _("Give --force to replace it")
        ) from None
    except OSError as error:
        raise UserError(_("{path} cannot be written", path=path), error.strerror or str(error), "") from error


def device_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--device SERIAL``, which may be left out while there is one phone, and ``--anyway``."""
    text = "Serial of the phone, from `waymark device list`; optional when there is one phone."
    anyway = click.option(
        "--anyway", is_flag=True, expose_value=False, callback=_note_anyway,
        help=ANYWAY_HELP,
    )  # fmt: skip
    return click.option("--device", "serial", default="", metavar="SERIAL", help=text)(anyway(command))


def _note_anyway(context: click.Context, _option: click.Parameter, value: bool) -> None:
    context.meta[ANYWAY] = value
