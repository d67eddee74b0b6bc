"""What rules hide never reaches the disk while it is recorded."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from collector.model.action import Type
from collector.redaction_rules.trajectory_redaction import HIDDEN_REGIONS
from collector.store.files.layout import REDACTION_FILE
from tests.helpers.dumps import node
from tests.helpers.recorder_rig import FIELD, RecorderRig

ACCOUNT = node(text="DE02 5001 0517", resource_id="app:id/account", bounds="[0,400][360,500]")
RULES = """
redact:
  - name: account
    where: {selector: "resource-id='app:id/account'"}
"""


def _rig(tmp_path: Path, rules: str = RULES) -> RecorderRig:
    (tmp_path / "project.yaml").write_text("format: waymark-project\nversion: 2\n")
    (tmp_path / REDACTION_FILE).write_text(rules)
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
