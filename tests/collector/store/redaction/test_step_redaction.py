"""What is redacted is in no file any more, and the rest is untouched."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from collector.model.action import Type
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.geometry import Rect
from collector.model.trajectory import RUN, Target, TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement, Subject
from collector.store.checks.check import check_trajectory
from collector.store.files.errors import Damaged
from collector.store.redaction.line_masking import masked_line
from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory.judgements import add_judgements, path_of, read_judgements
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

SECRET = b"hunter22"
FIELD = (
    b'<hierarchy rotation="0"><node text="Name" bounds="[0,0][4,2]" package="a" />'
    b'<node text="hunter22" password="true" bounds="[0,2][4,4]" package="a" />'
    b'<node text="" content-desc="my hunter22" bounds="[0,6][4,8]" package="a" /></hierarchy>'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "t")) as writer:
        writer.append(step(0), png(shade=9), xml())
        writer.append(
            step(1, Type("hunter22", 8), description="Type 'hunter22'", target=None), png(shade=200), FIELD
        )
        writer.append(step(2), png(shade=1), xml())
        writer.reword(1, note="left")
    return writer.folder


@pytest.mark.fault("F35")
def test_no_file_holds_the_secret_afterwards(folder: Path) -> None:
    done = StepRedaction(folder, 1, [Rect(0, 6, 4, 8)]).apply()[1]
    for path in folder.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes(), path
    assert done.redacted
    assert done.action == Type("", 8, redacted=True)
    assert check_trajectory(folder) == []
    picture = Image.open(io.BytesIO((folder / done.state.screenshot).read_bytes())).convert("L")
    assert [picture.getpixel((1, y)) for y in range(8)] == [200, 200, 0, 0, 200, 200, 0, 0]
    assert b'text="Name"' in (folder / done.state.tree).read_bytes()


def test_what_an_import_noted_and_kept_beside_goes_too(folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        noted = step(4, Type("hunter22", 8), target=None, description="", extra={"source_action": "hunter22"})
        writer.append(noted, png(), xml())
        writer.delete(1)
    (folder / "originals").mkdir()
    (folder / "originals" / "run.json").write_bytes(SECRET)
    StepRedaction(folder, 2).apply()
    for path in folder.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes(), path


def test_what_an_agent_judges_and_people_said_of_it_goes_too(tmp_path: Path) -> None:
    turn = AgentTurn(
        "I type hunter22", '{"text": "hunter22"}', Type("hunter22", 8), Usage(100, 20), {"think": 900}
    )
    header = TrajectoryHeader("run", "t", kind=RUN, episode=Episode(agent="gpt"))
    with TrajectoryWriter.create(tmp_path, header) as writer:
        writer.append(step(0, agent=AgentTurn("First I look", predicted=Type("hunter22", 8))), png(), xml())
        writer.append(step(1, Type("hunter22", 8), agent=turn, target=None, description=""), png(), FIELD)
        writer.append(step(2, agent=AgentTurn("hunter22 is typed", "Next")), png(), xml("Nexts"))
        writer.event("anomaly", 150, injection="i", anomaly="low", transition="followed", said="pw=hunter22")
        outcome = Outcome("failure", "It typed hunter22", usage=Usage(300, 60))
        writer.update_header(outcome=outcome, note="hunter22?")
        writer.finish()
    folder = writer.folder
    window = Judgement(
        "gpt-5", "model", "1", Subject("window", "typed", 0, 1), "reached", 0.5, "It is", {"a": 1}, "raw"
    )
    whole = replace(
        window, subject=Subject(), verdict="failure", reason="It typed hunter22", raw="Next: hunter22"
    )
    beside = replace(window, subject=Subject("window", "typed", 2, 2))
    add_judgements(folder, [window, whole, beside])
    with path_of(folder, "gpt-5").open("ab") as file:
        file.write(b"hunter22, not JSON\n")
    write_annotations(folder, "lin", {"comments": [{"text": "see hunter22"}], "verdict": "failure"})
    StepRedaction(folder, 1, [Rect(0, 6, 4, 8)]).apply()
    for path in folder.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes(), path
    stored = open_trajectory(folder)
    assert stored.steps[1].agent == AgentTurn(usage=Usage(100, 20), timings_ms={"think": 900})
    assert stored.steps[0].agent == AgentTurn("First I look", predicted=Type(redacted=True))
    assert (stored.steps[2].agent.thought, stored.steps[2].agent.raw) == (f"{MASK} is typed", "Next")
    assert stored.header.outcome == replace(outcome, reason=f"It typed {MASK}")
    assert [line["said"] for line in stored.events()] == [f"pw={MASK}"]
    silent, task, untouched = read_judgements(folder).judgements
    assert silent == replace(window, reason="", raw="", proof={})
    assert task == replace(whole, reason=f"It typed {MASK}", raw=f"Next: {MASK}")
    assert untouched == beside
    assert read_annotations(folder, "lin")["comments"] == [{"text": f"see {MASK}"}]
    assert not check_trajectory(folder)


def test_words_of_a_region_are_masked_where_they_stand_alone(tmp_path: Path) -> None:
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("run", "t", kind=RUN)) as writer:
        writer.append(step(0), png(), xml("Ann Lee"))
        writer.append(step(1, agent=AgentTurn("Ann Lee calls; Ann Leeds does not")), png(), xml())
        writer.finish()
    StepRedaction(writer.folder, 0, [Rect(0, 0, 4, 8)]).apply()
    assert open_trajectory(writer.folder).steps[1].agent.thought == f"{MASK} calls; Ann Leeds does not"


def test_the_other_steps_and_later_edits_are_as_before(folder: Path) -> None:
    StepRedaction(folder, 1).apply()
    with TrajectoryWriter.open(folder) as writer:
        assert (writer.steps[0].state.screenshot, writer.steps[1].note) == ("states/0000.png", "left")
        writer.delete(0)
        assert writer.undo() == "delete step 1"
        writer.append(step(5), png(), xml())
    assert check_trajectory(folder) == []


def test_undo_after_a_redaction_takes_recorded_steps_in_their_order(folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        writer.insert(0, step(7), png(), xml())
    StepRedaction(folder, 2).apply()
    with TrajectoryWriter.open(folder) as writer:
        assert writer.undo() == "record step 4"
        assert writer.undo() == "record step 3"
        assert [step.t_ms for step in writer.steps] == [700, 0]


def test_a_tree_that_cannot_be_read_is_removed_whole(folder: Path) -> None:
    with TrajectoryWriter.open(folder) as writer:
        writer.replace(1, writer.steps[1], None, FIELD[:-20])
    done = StepRedaction(folder, 1).apply()[1]
    assert done.state.tree == ""
    assert "removed" in done.state.problem
    assert not [path for path in folder.rglob("*.xml") if SECRET in path.read_bytes()]


def test_a_step_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(Damaged, match="no step 10"):
        StepRedaction(folder, 9).apply()


def test_steps_that_share_the_screen_are_redacted_with_it(tmp_path: Path) -> None:
    header = TrajectoryHeader("run", "t", kind=RUN)
    with TrajectoryWriter.create(tmp_path, header, stores_once=True) as writer:
        for number in range(3):
            typed = Type("hunter22", 8) if number == 1 else None
            writer.append(step(number, typed or step(0).action, target=None), png(shade=200), FIELD)
        writer.append(step(3), png(shade=200), xml())
        writer.append(step(4), png(shade=7), xml())
    shared = {item.state.tree for item in writer.steps[:3]}
    assert len(shared) == 1
    redaction = StepRedaction(writer.folder, 1, [Rect(0, 0, 4, 1)])
    assert redaction.others == (0, 2, 3)
    steps = redaction.apply()
    for path in writer.folder.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_bytes(), path
    assert [item.redacted for item in steps] == [True, True, True, True, False]
    for item in steps[:4]:
        picture = Image.open(io.BytesIO((writer.folder / item.state.screenshot).read_bytes())).convert("L")
        assert [picture.getpixel((1, y)) for y in range(8)] == [0, 200, 0, 0, 200, 200, 0, 0]
    assert steps[4].state == writer.steps[4].state
    assert check_trajectory(writer.folder) == []


def test_a_password_that_a_later_screen_shows_in_plain_text_is_hidden_there_too(folder: Path) -> None:
    shown = (
        b'<hierarchy rotation="0"><node text="Your password is &quot;Hunter22&quot;" bounds="[0,4][4,6]"'
        b' package="a" /><node text="hunter" bounds="[0,0][4,2]" package="a" /></hierarchy>'
    )
    selectors = ("text='My hunter22'", "resource-id='a:id/x'")
    target = Target((0,), Rect(0, 4, 4, 6), selectors, {"text": "hunter22"})
    with TrajectoryWriter.open(folder) as writer:
        writer.append(step(5, Type("x hunter22", 10), target=target), png(shade=90), shown)
    assert StepRedaction(folder, 1).others == (3,)
    StepRedaction(folder, 1).apply()
    later = open_trajectory(folder).steps[3]
    assert (later.action, later.redacted) == (Type(redacted=True), True)
    assert (later.target.selectors, later.target.attributes) == (("resource-id='a:id/x'",), {"text": MASK})
    picture = Image.open(io.BytesIO((folder / later.state.screenshot).read_bytes())).convert("L")
    assert [picture.getpixel((1, y)) for y in range(8)] == [90, 90, 90, 90, 0, 0, 90, 90]
    assert f'text="{MASK}"'.encode() in (folder / later.state.tree).read_bytes()
    assert check_trajectory(folder) == []


def test_the_hint_of_an_empty_password_field_is_no_secret(folder: Path) -> None:
    empty = (
        b'<hierarchy rotation="0"><node text="Password" password="true" bounds="[0,2][4,4]" /></hierarchy>'
    )
    with TrajectoryWriter.open(folder) as writer:
        writer.append(step(5, description="Tap 'Password'"), png(), empty)
    StepRedaction(folder, 3).apply()
    assert open_trajectory(folder).steps[2] == writer.steps[2]


def test_names_in_lines_stay_and_what_was_said_does_not() -> None:
    def line(said: str, shouted: str) -> dict[str, object]:
        condition = {"id": "password", "rules": ["password"]}
        return {
            "kind": "cycle", "phase": "decide", "reached": ["password-typed"],
            "state": {"screenshot": "password.png"}, "action": "type", "note": said,
            "rules": [{"rule": "at-password", "reason": f"It says {shouted}", "outcome": "decide"}],
            "settings": {"condition": condition, "agent": {"options": {"a": said}}},
            "description_message": [{"code": "Type into the password", "values": {"name": said}}],
        }  # fmt: skip

    secrets = SecretTexts(["password", "decide"])
    assert masked_line(line("password", "PASSWORD"), secrets) == line(MASK, MASK)
