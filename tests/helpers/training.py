"""Episodes of environments for tests: golden trajectories of the sample, actions by a seed, and digests."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

from collector.environment.observation import StepObservation
from collector.environment.phone_environment import PhoneEnvironment
from collector.model.action import Action, Key, LongPress, OpenApp, Scroll, Swipe, Tap, Type
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

SAMPLE = Path(__file__).resolve().parents[2] / "assets" / "sample"
SAMPLE_APPS = ("messenger", "shop", "todo", "companion", "adbkeyboard")
"""Those of the phone on which people recorded the sample."""
_APPS = ("shop", "todo", "messenger", "calendar", "maps", "code")


def goldens_of_people() -> Iterator[StoredTrajectory]:
    """The golden trajectories of the sample that a person recorded."""
    project = Project.open(SAMPLE)
    for folder in project.trajectory_folders():
        trajectory = open_trajectory(folder)
        if trajectory.header.kind == "golden":
            yield trajectory


def random_actions(seed: int, count: int) -> list[Action]:
    """Actions that open apps, touch them anywhere, type, scroll and go back."""
    drawn = random.Random(seed)
    width, height = 480, 1064

    def one() -> Action:
        x, y = drawn.randrange(width), drawn.randrange(60, height - 60)
        return drawn.choice((
            Tap(x, y), Tap(x, y), Tap(x, y), LongPress(x, y, 700), Key("back"), Type("two words", 9),
            Swipe(x, 800, x, 300, 300), Scroll(x, y, drawn.choice(("up", "down"))),
            OpenApp(f"com.waymark.{drawn.choice(_APPS)}"),
        ))  # fmt: skip

    return [one() for _number in range(count)]


def digest_of(seen: StepObservation) -> str:
    """A digest of everything that an observation shows."""
    whole = hashlib.sha256(f"{seen.step} {seen.package} {seen.activity} {seen.rotation}".encode())
    if seen.picture is not None:
        whole.update(seen.picture.tobytes())
    whole.update(seen.xml)
    return whole.hexdigest()


def course(environment: PhoneEnvironment, seed: int, variation: str, count: int) -> list[str]:
    """Digests of the observations, rewards and last states of an episode of random actions."""
    digests = [digest_of(environment.reset(None, variation, seed))]
    for action in random_actions(seed, count):
        step = environment.step(action)
        digests.append(f"{digest_of(step.observation)} {step.reward} {step.info['seconds']}")
    digests.append(hashlib.sha256(repr(environment.state()).encode()).hexdigest())
    return digests
