"""``waymark device virtual --from``: a phone that plays recorded trajectories, and what it covers of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import in_project
from collector.cli.trajectory.reference import find_or_zip
from collector.model.i18n import _, ngettext

if TYPE_CHECKING:
    from collector.model.transition_graph import TransitionGraph
    from collector.virtual.system.phone import PhoneProfile

OFF_PATH = ("say", "count", "stay")
_OF_THE_RECORDING = {"apps": "--app", "stand_in": "--stand-in", "size": "--size", "variation": "--variation"}
"""Options of the phone that the recordings decide."""


def recording_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a phone that plays recordings."""
    for option in (
        in_project,
        json_option,
        click.option("--coverage", "covers", is_flag=True,
                     help="Print the screens and transitions of --from, and start nothing."),
        click.option("--off-path", type=click.Choice(OFF_PATH), default=OFF_PATH[0], show_default=True,
                     help="Answer to what was not recorded: say it in a toast and count it, only count it, "
                          "or stay as if nothing was done."),
        click.option("--from", "sources", multiple=True, metavar="TRAJECTORY",
                     help="Trajectory to play, by id, task/id or path; repeatable."),
    ):  # fmt: skip
        verb = option(verb)
    return verb


def read_recordings(sources: tuple[str, ...], folder: Path, *, covers: bool) -> TransitionGraph | None:
    """The graph of the screens of some trajectories; None without any. ``covers`` asks for its coverage.

    Raises UsageError for options that contradict the trajectories, or need some.
    """
    if not sources:
        if covers:
            raise click.UsageError(_("--coverage needs --from"))
        return None
    from collector.practice.graph_builder import build_graph
    from collector.store.trajectory.reader import open_trajectory

    context = click.get_current_context()
    for name, option in _OF_THE_RECORDING.items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            sentence = _("{option} does not go with --from: the recordings decide it", option=option)
            raise click.UsageError(sentence)
    return build_graph([open_trajectory(find_or_zip(source, folder)) for source in sources])


def playing(profile: PhoneProfile, graph: TransitionGraph, off_path: str) -> PhoneProfile:
    """The profile of a phone that plays a graph."""
    from collector.virtual.recorded.recorded_phone import first_screen, recorded_apps, usual_density

    size = graph.start.size
    upright = min(size, size.transposed)
    source = click.get_current_context().get_parameter_source
    has_density, has_locale = (source(name) is not ParameterSource.DEFAULT for name in ("density", "locale"))
    return replace(
        profile,
        size=upright,
        density=profile.density if has_density else usual_density(graph),
        locale=profile.locale if has_locale or not graph.language else graph.language,
        apps=recorded_apps(graph, off_path),  # type: ignore[arg-type]  # click has checked it
        starts_with=first_screen(graph),
        caret_blinks=False,
    )


def print_coverage(graph: TransitionGraph, *, as_json: bool) -> None:
    """Print the screens of a graph, and where the actions that were recorded on each lead."""
    from collector.practice.coverage import coverage

    document = coverage(graph)
    if as_json:
        print_json(document)
        return
    rows = [
        [str(edge["from"]), edge["action"], str(edge["to"]), str(len(edge["recorded_in"]))]
        for edge in document["transitions"]
    ]
    print_table([_("Screen"), _("Action"), _("Leads to"), _("Times")], rows)
    screens, edges = len(document["screens"]), len(rows)
    say("")
    covered = _(
        "{screens} of {states}, {transitions}",
        screens=ngettext("{count} screen", "{count} screens", screens),
        states=ngettext("{count} recorded state", "{count} recorded states", document["states"]),
        transitions=ngettext("{count} transition", "{count} transitions", edges),
    )
    ends = ngettext("{count} screen", "{count} screens", len(document["ends"]))
    say(
        _("{covered}; nothing was recorded on {ends}", covered=covered, ends=ends)
        if document["ends"]
        else _("{covered}; all lead on", covered=covered)
    )
