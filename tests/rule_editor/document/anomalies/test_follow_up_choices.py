"""What follows an answer: commands are known as the menu calls them, and written back unchanged."""

from __future__ import annotations

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import FollowUp, ShellCommand
from rule_editor.document.anomalies.follow_up_choices import (
    CHOICES,
    NOTHING,
    PROGRESS,
    SHELL,
    STOP,
    NamedFollowUp,
    chosen_follow_up,
    named_follow_up,
    plain_follow_ups,
)  # fmt: skip


def _adb(command: str) -> FollowUp:
    return FollowUp("adb", ShellCommand(command))


@pytest.mark.parametrize("choice", [choice.id for choice in CHOICES if choice.command])
def test_every_choice_is_recognised_in_what_it_writes(choice: str) -> None:
    (written,) = plain_follow_ups([chosen_follow_up(choice)])
    assert named_follow_up(_adb(written["command"])).choice == choice


def test_the_seconds_of_a_progress_page_are_read_back() -> None:
    (written,) = plain_follow_ups([chosen_follow_up(PROGRESS, seconds=12)])
    follow_up = named_follow_up(_adb(written["command"]))
    assert (follow_up.choice, follow_up.seconds) == (PROGRESS, 12)


def test_a_command_nobody_knows_is_a_shell_command_as_it_is_written() -> None:
    command = "am start -n com.other/.Page  --es uri 'x'"
    assert named_follow_up(_adb(command)) == NamedFollowUp(SHELL, command)
    assert plain_follow_ups([named_follow_up(_adb(command))]) == [{"type": "adb", "command": command}]


def test_spaces_and_quotes_do_not_hide_what_a_command_is() -> None:
    assert named_follow_up(_adb("am  force-stop {package}")).choice == STOP
    quoted = "am start -a android.settings.APPLICATION_DETAILS_SETTINGS -d 'package:{package}'"
    assert named_follow_up(_adb(quoted)).choice == "app"


def test_a_line_for_the_log_keeps_its_words_and_a_command_still_empty_is_left_out() -> None:
    assert plain_follow_ups([named_follow_up(FollowUp("log", None, "on", "said"))]) == [
        {"type": "log", "message": "on", "description": "said"}
    ]
    assert plain_follow_ups([chosen_follow_up(SHELL)]) == []
    assert plain_follow_ups([chosen_follow_up(NOTHING)])[0]["message"]


def test_the_studio_s_own_library_is_known_but_for_pages_of_its_own() -> None:
    every = [
        follow_up
        for anomaly in builtin_library().anomalies
        for listed in anomaly.events.values()
        for follow_up in listed
    ]
    unknown = {
        follow_up.command.text
        for follow_up in every
        if follow_up.command and named_follow_up(follow_up).choice == SHELL
    }
    assert unknown == {
        "am start -n com.example.adbsmarttest/.LoginActivity",
        "am start -a android.intent.action.VIEW -d 'market://details?id={package}'",
        "am start -a android.intent.action.VIEW -d https://shop.example/offers",
        "am start -a android.intent.action.VIEW -d https://news.example/storm",
    }
