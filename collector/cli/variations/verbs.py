"""``waymark variations list``, ``show`` and ``check``."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from collector.cli.diagnostic_output import as_dict, counts_of, print_diagnostics
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.progress import drawing_progress
from collector.cli.project_variations import variations_in
from collector.cli.shared_options import in_project, project_argument
from collector.cli.verb_groups import variations
from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Severity
from collector.model.i18n import _
from collector.model.variation.noise import NO_NOISE, Noise
from collector.model.variation.phone_variation import ALL_APPS, Appearance, PhoneVariation
from collector.store.files.layout import is_project
from collector.variations.combination import all_versions
from collector.variations.content_types import content_apps
from collector.variations.registry import VariationFile, Variations

_LONGEST = 300
_APPS = ("shop", "todo", "messenger", "calendar", "maps", "code", "start_page")
"""The apps that --distinct draws where none is named."""


@variations.command(name="list")
@project_argument
@json_option
def list_variations(folder: Path, as_json: bool) -> None:
    """List the studio's variations, and those of a project in its folder variations/.

    Join several with `+`, and name an app with `@`: dark_theme+german@shop.
    """
    known = variations_in(folder)
    files = [file for name in known.names if (file := known.file(name)) is not None]
    if as_json:
        print_json([_listed(file, known) for file in files])
        return
    print_table(
        ("NAME", "CHANGES", "APPS", "FROM", "DESCRIPTION"),
        [
            (
                file.name,
                ", ".join(known.factors(file.name)) or "-",
                ", ".join(known.apps(file.name)) or "-",
                _("studio") if file.is_built_in else _("project"),
                _("cannot be used") if known.diagnostics(file.name) else file.description,
            )
            for file in files
        ],
    )


def _listed(file: VariationFile, known: Variations) -> dict[str, Any]:
    return {
        "name": file.name,
        "description": file.text.description,
        "extends": file.text.extends,
        "factors": list(known.factors(file.name)),
        "apps": list(known.apps(file.name)),
        "built_in": file.is_built_in,
        "path": str(file.file),
        "problems": [found.sentence for found in known.diagnostics(file.name)],
    }


@variations.command()
@click.argument("name", metavar="VARIATION")
@in_project
@json_option
def show(name: str, folder: Path, as_json: bool) -> None:
    """Show what a variation, or a combination of several, makes of the phone, in its canonical name."""
    variation = variations_in(folder).resolve(name)
    if as_json:
        print_json({**json.loads(variation.text), "digest": variation.digest})
        return
    say(variation.name)
    print_table(("FACTOR", "APP", "KEY", "VALUE"), list(_changes(variation)), last=_LONGEST)


def _differing(value: Appearance | Noise, plain: Appearance | Noise) -> Iterator[tuple[str, Any]]:
    """The keys of a value that are not as they are without a variation."""
    for key in value.__slots__:
        if getattr(value, key) != getattr(plain, key):
            yield key, getattr(value, key)


def _changes(variation: PhoneVariation) -> Iterator[tuple[str, str, str, str]]:
    plain = PhoneVariation().appearance_of(ALL_APPS)
    for app, look in variation.appearance.items():
        for key, value in _differing(look, plain):
            shown = dict(value) if isinstance(value, tuple) else value
            yield "appearance", app, key, json.dumps(shown, ensure_ascii=False)
    for app, patches in variation.content.items():
        for patch in patches:
            for key, value in patch.items():
                yield "content", app, key, json.dumps(value, ensure_ascii=False)
    for app, listed in variation.pop_ups.items():
        for pop_up in listed:
            yield "pop_ups", app, pop_up.id, json.dumps(dict(pop_up.title), ensure_ascii=False)
    for app, noise in variation.noise.items():
        for key, value in _differing(noise, NO_NOISE):
            yield "noise", app, key, json.dumps(value, ensure_ascii=False)
    for order in variation.orders:
        yield "orders", order.app, order.id, json.dumps(order.plain, ensure_ascii=False)


@variations.command()
@click.argument("names", metavar="[VARIATION]...", nargs=-1)
@click.option(
    "--distinct",
    type=click.IntRange(2, 1_000_000),
    metavar="COUNT",
    help="Also draw so many combinations, and prove by hash that no two look the same.",
)
@click.option("--app", "apps", multiple=True, metavar="NAME", help="Only these apps; repeatable.")
@in_project
@json_option
def check(
    names: Sequence[str], distinct: int | None, apps: Sequence[str], folder: Path, as_json: bool
) -> int:
    """Check variations: their keys and values, and that every app draws all its screens under each.

    Without names all of the project, or of the studio outside of one. Status 1 when there is an error, or
    when two of the combinations that --distinct draws are the same.
    """
    unknown = sorted(set(apps) - set(content_apps()))
    if unknown:
        raise click.UsageError(_("there is no app {word}", word=unknown[0]))
    known = variations_in(folder)
    chosen = names or (known.own_names if is_project(folder) else known.names)
    found = [item for name in chosen for item in _problems(name, known, apps)]
    found += () if names else known.misnamed
    failed = any(item.severity is Severity.ERROR for item in found)
    count = _draw_versions(distinct, known, apps) if distinct is not None and not failed else None
    if as_json:
        document: dict[str, Any] = {"checked": list(chosen), "diagnostics": list(map(as_dict, found)),
                                    "counts": counts_of(found)}  # fmt: skip
        print_json(document | ({"distinct": count} if count is not None else {}))
    else:
        print_diagnostics(found)
        if count is not None:
            _print_count(count)
    return 1 if failed or (count is not None and count["same"]) else 0


def _problems(name: str, known: Variations, apps: Sequence[str]) -> Iterable[Diagnostic]:
    """What is wrong with a file or a combination; a file that is right is drawn."""
    from collector.virtual.drawn_screens import draw_screens, screens_of, varied_apps

    file = known.file(name)
    found = known.diagnostics(name)
    if file is not None and any(item.severity is Severity.ERROR for item in found):
        return found
    places = file.text.content_places if file is not None else {}
    path = file.path if file is not None else name
    broken = [
        diagnostic("unfit-content", places.get(app, places.get(ALL_APPS, NOWHERE)), problem)
        for app, problem in known.unfit_content(name).items()
    ]
    if broken:
        return (*found, *(replace(item, path=path) for item in broken))
    variation = known.resolve(name)
    for app in varied_apps():
        if app.system or (apps and app.name not in apps):
            continue
        for screen in screens_of(app):
            try:
                next(draw_screens(variation, [screen]))
            except Exception as error:  # noqa: BLE001 - whatever an app makes of contents that do not fit it
                what = _("{app} cannot show its screen {screen}", app=app.name, screen=screen)
                why = f"{type(error).__name__}: {error}"[:200]
                place = places.get(app.name, places.get(ALL_APPS, NOWHERE))
                broken.append(diagnostic("unfit-content", place, what, why, _("Correct its content")))
                break
    return (*found, *(replace(item, path=path) for item in broken))


def _draw_versions(most: int, known: Variations, apps: Sequence[str]) -> dict[str, Any]:
    from collector.virtual.distinct_versions import Versions

    progress = drawing_progress()
    drawn = itertools.islice(all_versions(known, apps or _APPS), most)
    count = Versions(apps or _APPS).compare(drawn, lambda done: progress(done, most))
    return {"versions": count.versions, "screens": count.screens, "same": [list(pair) for pair in count.same]}


def _print_count(count: dict[str, Any]) -> None:
    versions, screens = count["versions"], count["screens"]
    say(_("{count} versions differ, in {screens} drawn screens", count=versions, screens=screens))
    for first, second in count["same"]:
        say(_("{second} looks as {first} does", first=first, second=second))
