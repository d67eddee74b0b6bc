"""What rules hide never reaches the disk while it is recorded."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from collector.model.action import Type
from collector.redaction_rules.trajectory_redaction import HIDDEN_REGIONS
from collector.store.checks.check import check_trajectory
from collector.store.files.layout import REDACTION_FILE
from tests.helpers.dumps import node
from tests.helpers.recorder_rig import BUY, FIELD, RecorderRig
from tests.helpers.video_rig import VideoRig

ACCOUNT = node(text="DE02 5001 0517", resource_id="app:id/account", bounds="[0,400][360,500]")
RULES = """
redact:
  - name: account
    where: {selector: "resource-id='app:id/account'"}
"""


def _project(tmp_path: Path, rules: str = RULES) -> None:
    (tmp_path / "project.yaml").write_text("format: waymark-project\nversion: 2\n")
    (tmp_path / REDACTION_FILE).write_text(rules)


def _rig(tmp_path: Path, rules: str = RULES) -> RecorderRig:
    _project(tmp_path, rules)
    return RecorderRig(tmp_path / "trajectories" / "task")


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_selected_node_is_hidden_in_the_picture_the_tree_and_all_words(tmp_path: Path) -> None:
    rig = _rig(tmp_path)
    rig.screen(200, FIELD)
    rig.recorder.text("DE02 5001 0517")
    rig.pass_ms(3000)
    rig.screen(120, FIELD, ACCOUNT)
    rig.tap(50, 450)
    rig.pass_ms(3000)
    rig.recorder.answer("It is de0250010517")
    rig.recorder.close()
    rig.writer.close()
    folder = rig.writer.folder
    said = _bytes(folder)
    assert b"0517" not in said
    assert b"DE02" not in said.upper()
    typed, tapped, _answered = rig.writer.steps
    assert typed.action == Type(redacted=True)
    assert tapped.redacted
    assert tapped.extra[HIDDEN_REGIONS][0]["rule"] == "account"
    picture = Image.open(folder / tapped.state.screenshot).convert("L")
    assert picture.crop((0, 400, 360, 500)).getextrema() == (0, 0)
    assert picture.crop((0, 0, 360, 390)).getextrema() == (120, 120)
    assert b'resource-id="app:id/account"' in (folder / tapped.state.tree).read_bytes()


def test_the_video_has_no_picture_of_what_is_hidden_also_where_it_was_shown_before(tmp_path: Path) -> None:
    _project(tmp_path)
    rig = VideoRig(tmp_path / "trajectories" / "task")
    greeting = node(text="Greet DE02 5001 0517", clickable="true", bounds="[0,0][360,400]")
    for grey, shown in ((10, BUY), (20, greeting), (30, BUY), (40, ACCOUNT), (50, BUY), (60, BUY)):
        rig.screen(grey, shown)
        rig.play(3000)
        rig.tap_and_play(3000)
    rig.finish()
    steps = rig.writer.steps
    assert [step.redacted for step in steps[:6]] == [False, True, False, True, False, False]
    left_out = [interval for part in rig.parts for interval in part.left_out]
    for index in (1, 3):
        begin, end = steps[index - 1].t_ms, steps[index + 1].t_ms
        assert any(start <= begin + 1 and end - 1 <= stop for start, stop in left_out), left_out
    assert b"0517" not in _bytes(rig.writer.folder)
    assert rig.facts().length_ms >= steps[-1].t_ms - 1000, "the video goes on after it was hidden"
    assert check_trajectory(rig.writer.folder) == []


def test_what_is_typed_into_a_hidden_field_is_never_written(tmp_path: Path) -> None:
    rig = _rig(tmp_path, RULES.replace("app:id/account", "app:id/name"))
    field = node(
        class_="android.widget.EditText", focused="true", resource_id="app:id/name", bounds="[0,0][360,90]"
    )
    rig.screen(10, field)
    rig.recorder.text("Quorvex")
    rig.pass_ms(3000)
    assert rig.recorder.flush(30)
    assert [step.action for step in rig.writer.steps] == [Type(redacted=True)]
    assert b"Quorvex" not in _bytes(rig.writer.folder)
    rig.close()
