"""A project with a secret in every field of its trajectories, and a look for it in any bytes."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, PngImagePlugin

from collector.model.action import Answer, Complete, Tap, Type
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.geometry import Rect, Size
from collector.model.task import Task
from collector.model.trajectory import RUN, State, Step, Target, TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.files.layout import REDACTION_FILE
from collector.store.project.project import Project
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import hierarchy, node
from tests.helpers.tasks import put_task

SECRET = "Quorvex Zandt"
FORMS = (
    SECRET, SECRET.upper(), SECRET.lower(), SECRET.replace(" ", ""), SECRET.replace(" ", "%20"),
    SECRET.replace(" ", "+"), SECRET.replace(" ", "%s"), "quorvex-zandt", SECRET[::-1],
)  # fmt: skip
MAGENTA = (255, 0, 255)
PLACE = Rect(0, 40, 40, 60)
"""Of the node that the rule names, drawn in magenta."""
SIZE = Size(40, 80)
RULES = """
redact:
  - name: owner
    where: {selector: "resource-id='app:id/owner'"}
"""


def secret_picture(*, shows: bool, told: str = "") -> bytes:
    """A screen with the place of the secret in magenta, or without it; ``told`` stands beside the pixels."""
    rgb = np.full((SIZE.height, SIZE.width, 3), 90, dtype=np.uint8)
    if shows:
        rgb[PLACE.top : PLACE.bottom, PLACE.left : PLACE.right] = MAGENTA
    beside = PngImagePlugin.PngInfo()
    beside.add_text("Comment", told)
    png = io.BytesIO()
    image = Image.fromarray(rgb)
    exif = image.getexif()
    exif[0x010E] = told
    image.save(png, "PNG", pnginfo=beside, exif=exif)
    return png.getvalue()


def secret_dump(*, shows: bool) -> bytes:
    """Its tree: the node that the rule names, or another one that says the same."""
    owner = node(
        text=SECRET, content_desc=f"of {SECRET}", hint=SECRET, state_description=SECRET,
        resource_id="app:id/owner", bounds=str(PLACE),
    )  # fmt: skip
    other = node(
        text="Buy" if shows else f"for {SECRET}", content_desc="" if shows else SECRET,
        clickable="true", resource_id="app:id/buy", bounds="[0,0][40,20]",
    )  # fmt: skip
    return hierarchy(*((other, owner) if shows else (other,))).encode()


def _step(number: int, action: object, *, told: bool = True) -> Step:
    said = f"about {SECRET} {number}" if told else ""
    turn = AgentTurn(said, json.dumps({"say": said}), Type(SECRET), Usage(1, 1), extra={"more": [said]})
    return Step(
        0, number * 100, "2026-04-12T09:30:15.000+00:00",
        State(package="app", activity=".Main", size=SIZE, app_data={"notes": [{"title": said}]}),
        action,  # type: ignore[arg-type]
        Target((0,), Rect(0, 0, 40, 20), (f"text='{SECRET}'",), {"text": SECRET, "hint": SECRET}),
        f"Tap {SECRET}", f"note {SECRET}", f"intend {SECRET}", agent=turn if told else None,
        extra={"source_action": {"deep": [SECRET]}},
    )  # fmt: skip


def secret_project(folder: Path) -> Project:
    """A project whose run and golden trajectory say the secret wherever anything is said; no rules yet."""
    project = Project.create(folder)
    put_task(project, Task("one", "Find the owner"))
    for header in (
        TrajectoryHeader("golden", "one", instruction=f"Greet {SECRET}", note=SECRET),
        TrajectoryHeader(
            "run", "one", kind=RUN, instruction=f"Greet {SECRET}", note=SECRET, extra={"kept": [SECRET]},
            episode=Episode(agent="gpt"),
        ),
    ):  # fmt: skip
        with project.new_trajectory(header) as writer:
            _write(writer)
            folder_of = writer.folder
        window = Judgement(
            "gpt-5", "model", "1", Subject("window", "typed", 0, 1), "reached", 0.5, SECRET, {"a": SECRET},
            SECRET,
        )  # fmt: skip
        add_judgements(folder_of, [window])
        write_annotations(folder_of, "ann", {"verdict": "success", "comment": f"as {SECRET} says"})
        (folder_of / "originals").mkdir()
        (folder_of / "originals" / "source.json").write_text(SECRET)
    return project


def add_rules(project: Project, rules: str = RULES) -> None:
    (project.folder / REDACTION_FILE).write_text(rules)


def _write(writer: TrajectoryWriter) -> None:
    writer.write_first_app_data({"notes": [{"title": SECRET}]})
    writer.append(_step(0, Type(SECRET)), secret_picture(shows=False, told=SECRET), secret_dump(shows=False))
    writer.append(_step(1, Tap(5, 50)), secret_picture(shows=True, told=SECRET), secret_dump(shows=True))
    writer.append(_step(2, Answer(f"It is {SECRET}")), secret_picture(shows=True), secret_dump(shows=True))
    writer.append(_step(3, Complete()), secret_picture(shows=True), secret_dump(shows=True))
    writer.append(_step(4, None, told=False), secret_picture(shows=False), secret_dump(shows=False))
    state = State(package="app", activity=".Main", size=SIZE)
    writer.event("agent_log", 5, text=f"prompt: {SECRET}", number=1)
    writer.event_with_state(
        "cycle", 5, Step(0, 0, "", state), secret_picture(shows=True), secret_dump(shows=True), said=SECRET
    )
    if not writer.header.is_run:
        writer.reword(1, note=f"reworded {SECRET}")
        writer.delete(3)
    writer.update_header(outcome=Outcome("success", f"It named {SECRET}", extra={"raw": SECRET}))
    writer.finish()


def leaks(folder: Path) -> list[str]:
    """Where the secret is in the files of a folder, in any form, or its pixels."""
    return [
        f"{path.relative_to(folder)}: {why}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != REDACTION_FILE
        for why in leaks_in(path.read_bytes())
    ]


def leaks_in(data: bytes) -> Iterator[str]:
    """How bytes show the secret."""
    for form in FORMS:
        for code in ("utf-8", "utf-16-le", "utf-16-be"):
            if form.encode(code) in data:
                yield f"{form} in {code}"
        for shift in range(3):
            coded = base64.b64encode(b"x" * shift + form.encode())[4:-4]
            if coded in data:
                yield f"{form} in base64"
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield from (f"{name}: {why}" for why in leaks_in(archive.read(name)))
    for part in data.split(b'"'):
        if len(part) > 60 and b" " not in part[:60]:
            try:
                decoded = base64.b64decode(part, validate=True)
            except ValueError:
                continue
            yield from _decoded_leaks(decoded)
    yield from _magenta(data)


def _decoded_leaks(data: bytes) -> Iterator[str]:
    with contextlib.suppress(zlib.error):
        data = zlib.decompress(data, -15)
    yield from (f"base64: {why}" for why in leaks_in(data))


def _magenta(data: bytes) -> Iterator[str]:
    """Whether a picture has the colour of the secret place, also after it was drawn small or as JPEG."""
    if not data.startswith((b"\x89PNG", b"\xff\xd8\xff", b"RIFF", b"GIF8")):
        return
    with Image.open(io.BytesIO(data)) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            rgb = np.asarray(image.convert("RGB")).astype(int)
            if ((rgb[..., 0] > 200) & (rgb[..., 1] < 80) & (rgb[..., 2] > 200)).any():
                yield "pixels"
