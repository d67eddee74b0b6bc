"""Entry point of ``waymark``: run a verb, and turn errors into sentences and exit statuses."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Sequence

import click

from collector import __version__
from collector.cli.output import error_json, print_json, say
from collector.cli.verb_groups import WaymarkGroup
from collector.host.dataclass_methods import compile_methods_late
from collector.host.environment import isolate_process
from collector.host.quick_end import end_without_collecting
from collector.host.user_folders import close_user_folders
from collector.model.errors import UserError, in_one_line
from collector.model.i18n import _

_log = logging.getLogger(__name__)


def _print_licences(context: click.Context, _option: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from collector.host.licences import licences_text

        click.echo(licences_text(), nl=False)
        context.exit()


@click.group(cls=WaymarkGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="waymark")
@click.option(
    "--licences", is_flag=True, is_eager=True, expose_value=False, callback=_print_licences,
    help="Print the licences of the program and of all that comes with it.",
)  # fmt: skip
def waymark() -> None:
    """Record, check and replay trajectories of mobile GUI agents."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0 done, 1 failed or found problems, 2 wrong usage.

    Without ``arguments`` it is the whole program, with the command line of the process.
    """
    if arguments is None:
        compile_methods_late()
        isolate_process()
        end_without_collecting()
        close_user_folders()
    # A console that lacks a letter shows its code instead; nothing fails on how a file is called.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        result = waymark.main(args=arguments, prog_name="waymark", standalone_mode=False)
    except UserError as error:
        return _refused(error, arguments)
    except OSError as error:
        if error.filename is None:  # not about a file somebody named: a bug
            return _failed(error, arguments)
        _log.debug("the system refused", exc_info=True)
        return _refused(_of_system(error), arguments)
    except click.ClickException as error:
        error.show()
        if _wants_json(arguments):
            print_json(error_json(UserError(error.format_message().removesuffix("."))))
        return error.exit_code
    except click.Abort:
        click.echo("waymark: stopped", err=True)
        return 130
    except Exception as error:  # noqa: BLE001 - a bug, which is shown whole and kept
        return _failed(error, arguments)
    return result if isinstance(result, int) else 0


def _failed(error: Exception, arguments: Sequence[str] | None) -> int:
    """Print where the program has a bug, and say that a report stays here; the window shows it, too.

    Raises the error for a caller with arguments of its own.
    """
    if arguments is not None:
        raise error
    import traceback

    from collector.crash_reports.crash_reports import report_error
    from collector.host.user_folders import log_folder

    traceback.print_exception(error)
    path = report_error(error, "the command line", log_folder())
    kept = _("No report of it could be written")
    if path is not None:
        kept = _("A report of it stays on this computer: {path}", path=path)
    return _refused(UserError(_("Something went wrong in the program"), in_one_line(error), kept), None)


def _of_system(error: OSError) -> UserError:
    return UserError(
        _("{name} cannot be used", name=_shortened(str(error.filename))),
        error.strerror or str(error),
        _("Check the name, and that you may use it"),
    )


def _shortened(name: str, longest: int = 120) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _refused(error: UserError, arguments: Sequence[str] | None) -> int:
    """Say what was refused; scripts that asked for JSON get it in JSON too."""
    say(f"waymark: {error}", err=True)
    if _wants_json(arguments):
        print_json(error_json(error))
    return 1


def _wants_json(arguments: Sequence[str] | None) -> bool:
    return "--json" in (sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
elif __name__ == "__mp_main__":  # in a process that multiprocessing starts, before it does its work
    compile_methods_late()
