"""A stranger's recording must not write code into the programs that are exported from it."""

from __future__ import annotations

import ast
import subprocess

import pytest
import yaml

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.scripts import adb_shell, appium, maestro, midscene, uiautomator2
from collector.exchange.scripts.exportable import is_exportable
from collector.exchange.scripts.script import PhoneScript, ScriptStep
from collector.model.action import Key, OpenApp, Scroll, Swipe, Tap, Type, action_from_dict
from collector.model.geometry import Size

EVIL = "$(touch hacked); x"
HOSTILE = (
    action_from_dict({"kind": "tap", "x": EVIL, "y": 1}),
    action_from_dict({"kind": "swipe", "x1": EVIL, "y1": 1, "x2": 1, "y2": 1}),
    action_from_dict({"kind": "long_press", "x": 1, "y": 1, "duration_ms": EVIL}),
    OpenApp(package=f"a.b; {EVIL}"),
    OpenApp(name="Shop"),
    Key(EVIL),
    Scroll(1, 1, direction=EVIL),
)
TOOLS = (adb_shell, appium, maestro, midscene, uiautomator2)


def script(action) -> PhoneScript:
    step = ScriptStep(1, "Do it", action, Size(10, 20))
    return PhoneScript(f"n\n{EVIL}", f'"""\n{EVIL}\n', f"Buy\u2028\n{EVIL}", f"en\n{EVIL}", EVIL, (step,))


@pytest.mark.parametrize("action", HOSTILE, ids=lambda action: action.kind)
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.FORMAT.id)
def test_an_action_that_is_none_ends_the_program_and_is_reported(tool, action, tmp_path) -> None:
    log = ExchangeLog()
    text = tool.render(script(action), log)
    assert [finding.code for finding in log.findings] == ["step-left-out"]
    if tool in (maestro, midscene):
        assert "touch hacked" not in str([*yaml.safe_load_all(text)][-1]).replace(EVIL, "", 1)
    elif tool is adb_shell:
        lines = [line for line in text.splitlines() if "hacked" in line]
        assert all(line.startswith("# ") for line in lines)
        (tmp_path / "adb").write_text("#!/bin/sh\nexit 0\n")
        (tmp_path / "adb").chmod(0o755)
        done = subprocess.run(
            ["sh", "-c", text, "script", "serial"], cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        assert not (tmp_path / "hacked").exists()
    else:
        calls = ast.unparse(ast.parse(text).body[-2])
        assert "raise SystemExit" in calls
        assert "hacked" not in calls


def test_plain_actions_may_be_exported() -> None:
    for action in (Tap(1, 2), Swipe(1, 2, 3, 4), Key("back"), Key("code:61"), Scroll(1, 1), OpenApp("a.b")):
        assert is_exportable(action), action
    assert not is_exportable(Key("power", 1300)), "these tools would press it shortly"


def test_midscene_reads_no_variable_for_a_recorded_text() -> None:
    log = ExchangeLog()
    assert "${" not in midscene.render(script(Type("${OPENAI_API_KEY}")), log)
    assert [finding.code for finding in log.findings] == ["step-left-out"]
