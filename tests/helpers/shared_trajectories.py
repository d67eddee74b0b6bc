"""Trajectories to share, with everything that must not get out of them, and every text that is hostile."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

from collector.comparison.alignment.aligned import align_stored
from collector.model import action as actions
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.geometry import Rect, Size
from collector.model.task import Task
from collector.model.trajectory import RUN, State, Step, Target, TrajectoryHeader
from collector.model.verdicts.judgement import PERSON, RULE, SUCCESS, Judgement, Subject
from collector.sharing.shared_review import SharedReview
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange
from collector.store.trajectory.judgements import add_judgements
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.labels import Comment, Labels
from tests.helpers.dumps import hierarchy, node
from tests.helpers.person_files import write_labels
from tests.helpers.run_files import anomaly_event

SECRET = "hunter2-Zauberwort"
HOSTILE = (
    "</script><img src=x onerror=\"alert('script')\">",
    "<!--<script>alert('comment')</script>",
    "\"' onmouseover=alert(1) x='\u2028\u2029",
    "\u202egnissap \u2066right to left\u2069 \u05e9\u05dc\u05d5\u05dd",
    "NUL \x00 bell \x07 half \ud83d pair",
    "javascript:alert(1) [link](javascript:alert(1)) ![p](https://example.com/p.png) | `code`",
    "{{data}} ${alert(1)} 很长的文字",
    "very long " * 2000,
)
SIZE = Size(60, 120)
STATES = {"signed-in": "Signed in <b>now</b>", "in-cart": HOSTILE[0]}
_SHOP = "com.example.shop"


def picture(shade: int) -> bytes:
    """A picture with an edge in it; the lower half is bright, so that a black region shows."""
    pixels = np.full((SIZE.height, SIZE.width, 3), 230, np.uint8)
    pixels[: 20 + shade % 40] = (shade % 200, 90, 140)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, "PNG")
    return data.getvalue()


def screen(title: str, *rest: str) -> bytes:
    """A dump with a title; the characters that XML cannot hold are left out."""
    plain = "".join(letter for letter in title if letter.isprintable() and letter not in "\x00\x07\ud83d")
    head = node(text=plain[:300], resource_id=f"{_SHOP}:id/title", bounds="[0,0][60,20]")
    return hierarchy(node(head, *rest, bounds="[0,0][60,120]", package=_SHOP)).encode("utf-8", "replace")


PASSWORD_FIELD = node(
    text=SECRET, class_="android.widget.EditText", password="true", focused="true", bounds="[5,60][55,80]",
    resource_id=f"{_SHOP}:id/password",
)  # fmt: skip


def make_shared_project(folder: Path) -> dict[str, Path]:
    """``golden`` types a password; ``run`` repeats it and says everything hostile; ``empty`` has no step."""
    project = Project.create(folder, "Shared")
    project.save_tasks(
        [Task("shop-1", f"Buy <b>it</b> {HOSTILE[0]}", "Shop", essential_states=tuple(STATES))],
        states=[StateChange(None, EssentialState(name, text)) for name, text in STATES.items()],
    )
    folders = {"golden": _golden(project), "run": _run(project)}
    with project.new_trajectory(TrajectoryHeader("empty", "shop-1", who="lin")) as writer:
        writer.finish()
    return {**folders, "empty": writer.folder}


def _golden(project: Project) -> Path:
    header = TrajectoryHeader("golden-1", "shop-1", who="lin", instruction=f"Buy <b>it</b> {HOSTILE[0]}")
    tap = actions.Tap(10, 20)
    with project.new_trajectory(header) as writer:
        _append(writer, 0, tap, "Tap 'Shop'", screen("Shop"))
        typed = actions.Type(SECRET, len(SECRET))
        _append(writer, 1, typed, f"Type '{SECRET}' into 'Password'", screen("Sign in", PASSWORD_FIELD))
        swipe = actions.Swipe(30, 100, 30, 20, 300, ((0, 30, 100), (150, 32, 60), (300, 30, 20)))
        _append(writer, 2, swipe, "Swipe up", screen("Results"))
        _append(writer, 3, None, "", screen("Cart"))
        writer.finish()
    add_judgements(
        writer.folder, [Judgement("rules", RULE, "1", Subject(), SUCCESS, reason=f"It saw {SECRET}")]
    )
    return writer.folder


def _run(project: Project) -> Path:
    """The run has one step for each hostile text, under an anomaly, before it does as the golden one."""
    header = TrajectoryHeader(
        "run-1", "shop-1", RUN,
        episode=Episode(agent="careful", model=HOSTILE[0], condition="low_battery", seed=1),
        outcome=Outcome("failure", f"{HOSTILE[1]} {SECRET}"),
    )  # fmt: skip
    with project.new_trajectory(header) as writer:
        _append(writer, 0, actions.Tap(13, 20), "Tap 'Shop'", screen("Shop"), "Open the shop")
        for at, text in enumerate(HOSTILE, start=1):
            thought = f"I type {SECRET}: {text}"
            _append(writer, at, actions.Tap(30, 50), text, screen(text), thought)
        last = len(HOSTILE) + 1
        _append(writer, last, actions.Swipe(30, 100, 30, 20), "Swipe up", screen("Results"), "Look on")
        _append(writer, last + 1, actions.Complete(), "Task complete", screen("Cart"), "Done")
        for event in (
            anomaly_event("injected", 900, "low_battery"),
            anomaly_event("answered", 1900, "low_battery", answer="deny", button=HOSTILE[0]),
        ):
            writer.event(event.pop("kind"), event.pop("t_ms"), **event)
        hits = [
            {"rule": "on_cart", "outcome": "near"},
            {"rule": "on_results", "outcome": "fired", "anomaly": "low_battery"},
        ]
        writer.event("cycle", 1000, phase="decide", step=1, rules=hits)
        writer.event("pause", 2500, step=2, reason=f"{HOSTILE[0]} {SECRET}")
        writer.event("phone_lost", 90_000)
        writer.finish()
    add_judgements(
        writer.folder,
        [
            Judgement("rules", RULE, "1", Subject(), "failure", reason=HOSTILE[0]),
            Judgement("rules", RULE, "1", Subject("state", "signed-in", 1, 1), "reached"),
            Judgement("rules", RULE, "1", Subject("state", "in-cart"), "missed"),
            Judgement("sara", PERSON, "", Subject(), "success", reason=HOSTILE[1]),
        ],
    )
    pinned = Target((0,), Rect(0, 0, 60, 20), (), {"text": HOSTILE[0]})
    comments = (Comment(HOSTILE[0], 1, "", pinned), Comment(f"It knows {SECRET}"))
    write_labels(writer.folder, Labels("sara", comments=comments, submitted="2026-04-12T09:30:15+00:00"))
    return writer.folder


def _append(
    writer: object, at: int, action: actions.Action | None, text: str, dump: bytes, thought: str = ""
) -> None:
    message = {"role": "user", "text": f"Buy it; the password is {SECRET}", "picture": {"step": at + 1}}
    request = {"model": "m", "messages": [message]}
    raw, extra = f"<answer>{thought}</answer>", {"request": request}
    turn = AgentTurn(thought, raw, timings_ms={"think": 1200}, extra=extra) if thought else None
    step = Step(at, at * 1000, "", State(size=SIZE, package=_SHOP), action, None, text, agent=turn)
    writer.append(step, picture(30 * len(text) + at), dump)  # type: ignore[attr-defined]


def shared(*folders: Path) -> SharedReview:
    """The review of some trajectories, with the words of their project."""
    project = Project.open(folders[0].parents[2])
    aligned = align_stored(list(map(open_trajectory, folders)))
    return SharedReview(aligned, project.states, project.reasons)
