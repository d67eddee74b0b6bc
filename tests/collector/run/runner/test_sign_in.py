"""A password that an agent types with a place is in no file of the project, and nobody is told of it."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from pathlib import Path

import pytest

from collector.agents.registry import DeclaredAgent, create_agent
from collector.host.user_folders import state_folder
from collector.model.action import Type
from collector.model.episode import AGENT_LOG_EVENT
from collector.model.task import Task
from collector.run.control.run_client import RunClient
from collector.run.events import ActionPredicted, EpisodeEnded, RunEvent, StepDone, to_line
from collector.run.experiment.model import AgentEntry, Cell, Experiment, RunCondition
from collector.run.results.episode_log import stored_log
from collector.run.runner.experiment_runner import ExperimentRunner
from collector.sharing.exports import export_review
from collector.sharing.review_of_files import review_of_files
from collector.store.catalogue.catalogue import Catalogue
from collector.store.project.project import Project
from collector.store.redaction.screens import MASK
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.local_phone import LocalPhoneExecutor, local_phone

PASSWORD = "hunter22"
PROGRAM = Path(__file__).with_name("sign_in_program.py")
CODES = ("aHVudGVyMj", "h1bnRlcjIy", "odW50ZXIyM")
"""What base64 of any text with the password has."""
FORMS = re.compile(f"(?i:{'[-. ,]{0,2}'.join(PASSWORD)}|{PASSWORD[::-1]})|{'|'.join(CODES)}")


def holders(*folders: Path) -> list[str]:
    """The files below folders in which any form of the password is."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return [str(path) for path in files if FORMS.search(path.read_bytes().decode("latin-1"))]


class SignInRoom:
    """A project whose agent signs in to the shop, and what its run said."""

    def __init__(self, folder: Path, how: str) -> None:
        self.project = Project.create(folder, "Shop")
        self.project.save_tasks(
            [Task("sign-in", "Sign in", app="Shop", package="com.waymark.shop", max_steps=8)]
        )
        secret = folder.with_name("secret.txt")
        secret.write_text(PASSWORD)
        command = [sys.executable, str(PROGRAM), str(secret), how]
        options = {"command": command, "tree": "nodes", "screenshot": "none"}
        self.agent = create_agent(DeclaredAgent("process", options))
        agents = (AgentEntry("mine", "process", options),)
        self.experiment = Experiment("pilot", ("sign-in",), agents, (RunCondition("baseline"),), retries=0)
        self.events: list[RunEvent] = []
        self.told: list[RunEvent] = []
        """What somebody is told who attaches after the password was typed."""

    def run(self) -> None:
        cell = Cell("sign-in", "mine", "baseline", "screenshot+tree", seed=1)
        with local_phone("shop") as phone, contextlib.closing(self.agent):
            executor = LocalPhoneExecutor(phone, self.agent)
            ExperimentRunner(self.project, self.experiment, [cell], executor, listener=self._note).run()

    def _note(self, event: RunEvent) -> None:
        self.events.append(event)
        if isinstance(event, StepDone) and event.step == 4:
            with RunClient.attach(self.project.paths, "pilot", pictures=False) as client:
                self.told = client.present()
            with Catalogue(self.project) as catalogue:
                catalogue.refresh()


@pytest.mark.parametrize("how", ["focus", "android-world"])
def test_a_password_that_is_typed_with_a_place_is_kept_nowhere(how: str, tmp_path: Path) -> None:
    room = SignInRoom(tmp_path / "shop", how)
    output = room.project.paths.runner_output("pilot")
    output.parent.mkdir(parents=True)
    output.write_text(f"worker-1: lost: {PASSWORD} is wrong\nall is well\n")
    room.run()
    ended = [event for event in room.events if isinstance(event, EpisodeEnded)]
    assert [event.steps for event in ended] == [6], ended
    (folder,) = room.project.trajectory_folders()
    page = tmp_path / "shared" / "page.html"
    page.parent.mkdir()
    export_review(review_of_files([folder], room.project.folder), "html", page)

    assert holders(room.project.folder, page.parent, state_folder()) == []
    stored = open_trajectory(folder)
    steps = stored.steps
    logged = [line["text"] for line in stored.events() if line["kind"] == AGENT_LOG_EVENT]
    assert logged == [f"step {number}: {MASK}" for number in range(1, 7)]
    said = [line.detail for line in stored_log(stored.header, steps, stored.events())]
    assert f"step 1: {MASK}" in said
    typed = [step.action for step in steps if isinstance(step.action, Type)]
    assert typed == [Type("+shop", 5), Type(redacted=True)]
    assert steps[3].agent.predicted == Type(redacted=True)
    assert steps[0].agent.thought == f"I open the shop. Then I sign in with {MASK}"
    assert steps[1].agent.thought == f"I will need {MASK}"
    predicted = [event for event in room.told if isinstance(event, ActionPredicted)]
    assert predicted[0].thought == f"I open the shop. Then I sign in with {MASK}"
    since = room.events.index(next(event for event in room.events if getattr(event, "step", 0) == 4))
    assert not FORMS.search(json.dumps([to_line(event) for event in (*room.told, *room.events[since:])]))
    assert output.read_text().splitlines()[1] == "all is well"
