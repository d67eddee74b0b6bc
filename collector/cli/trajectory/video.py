"""``waymark trajectory video``: say what the video beside the steps holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import in_project
from collector.cli.trajectory.reference import find
from collector.cli.verb_groups import trajectory
from collector.model.errors import UserError
from collector.model.i18n import _


@trajectory.command()
@click.argument("reference")
@in_project
@json_option
def video(reference: str, folder: Path, as_json: bool) -> None:
    """Say how long the video of a recording is, what was left out of it, and where its chapters are.

    Each step is a chapter. What was shown where a step is redacted is not in the video.
    """
    from collector.store.files.names import inside
    from collector.store.trajectory.reader import read_header
    from collector.store.video.mkv import read_facts
    from collector.store.video.recorded_video import video_parts

    place = find(reference, folder)
    parts = video_parts(read_header(place))
    if not parts:
        raise UserError(
            _("{id} has no video", id=place.name),
            _("it was recorded without one"),
            _("`waymark record --video` records one beside the steps"),
        )
    listed: list[dict[str, Any]] = []
    for part in parts:
        values: dict[str, Any] = {**part.as_dict(), "chapters": []}
        if part.file:
            path = inside(place, part.file)
            facts = read_facts(path)
            chapters = [{"start_ms": it.start_ms, "title": it.title} for it in facts.chapters]
            values |= {"path": str(path), "length_ms": facts.length_ms, "pictures": facts.pictures}
            values |= {"bytes": path.stat().st_size, "chapters": chapters}
        listed.append(values)
    if as_json:
        print_json({"trajectory": place.name, "parts": listed})
        return
    for values in listed:
        _say_part(values)


def _say_part(values: dict[str, Any]) -> None:
    from collector.store.video.recorded_video import clock_text

    begin = values["from_ms"]
    if values["file"]:
        size = "x".join(map(str, values.get("size", ())))
        megabytes = f"{values['bytes'] / 1e6:.1f}"
        say(
            _(
                "{file}: {length}, {size}, {megabytes} MB", file=values["file"],
                length=clock_text(values["length_ms"]), size=size, megabytes=megabytes,
            )
        )  # fmt: skip
    for start, end in values.get("left_out", ()):
        first, last = clock_text(max(0, start - begin)), clock_text(end - begin)
        say(_("  left out: {start} to {end}", start=first, end=last))
    for chapter in values["chapters"]:
        say(f"  {clock_text(chapter['start_ms'])}  {chapter['title']}")
