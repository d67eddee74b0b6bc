"""The fault matrix of the design: each fault names the test that covers it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

MATRIX = {
    "tests/collector/device/video/test_frame_supervisor.py": {
        "F1 phone unplugged": "test_a_phone_that_was_off_for_a_while_comes_back",
        "F3 adb server killed": "test_a_killed_adb_server_is_started_and_the_address_connected_again",
        "F5 unauthorized": "test_a_phone_that_refused_is_used_once_it_agrees",
    },
    "tests/collector/device/test_faults.py": {
        "F2 cable flaps": "test_f2_a_cable_that_flaps_does_not_end_a_session",
        "F4 offline": "test_a_session_says_that_the_phone_is_lost_and_that_it_is_back",
        "F6 no adb": "test_f6_without_an_adb_it_says_how_to_get_one",
        "F7 scrcpy dies": "test_f7_a_killed_scrcpy_server_gives_way_to_another_source_and_comes_back",
        "F8 half-open link": "test_f8_a_session_notices_a_link_that_says_nothing",
        "F19 dump hangs or is broken": "test_f19_a_tree_that_cannot_be_had_is_told_and_comes_by_itself_later",
        "F20 picture cut or black": "test_a_fault_is_a_typed_error_in_plain_words_and_over_when_cleared",
        "F28 shell injection": "test_f28_words_reach_a_command_as_they_are",
        "F30 our own sockets": "test_f30_the_phone_listens_on_the_loopback_interface_alone",
    },
    "tests/collector/device/test_hostile_server.py": {
        "F31 a phone that talks nonsense": "test_every_call_to_a_phone_ends_in_its_time",
    },
    "tests/collector/store/test_disk_faults.py": {
        "F9 disk full": "test_no_room_at_any_call_loses_nothing_and_the_writer_goes_on",
        "F10 power loss": "test_power_cut_after_any_call_leaves_every_committed_step",
    },
    "tests/collector/store/checks/test_check.py": {
        "F11 damaged folder": "test_random_damage_never_raises_and_good_steps_stay_usable",
    },
    "tests/collector/store/project/test_project.py": {
        "F13 two on one project": "test_one_program_edits_a_project",
    },
    "tests/collector/device/test_session.py": {
        "F17 screen turns in a gesture": "test_a_gesture_is_cancelled_when_the_screen_turns_under_it",
    },
    "tests/collector/exchange/source/test_archive.py": {
        "F21 evil archives": "test_names_that_lead_outside_are_refused",
        "F25 bombs": "test_bombs_are_refused_by_ratio_size_and_count",
    },
    "tests/collector/hierarchy/test_parse.py": {
        "F22 XML bombs": "test_entities_are_never_expanded",
    },
    "tests/collector/exchange/test_importers.py": {
        "F24 pickles": "test_aitk_runs_keep_messages_and_refuse_pickles",
    },
    "tests/collector/recorder/passwords/test_password_detection.py": {
        "F35 secrets": "test_a_password_never_reaches_the_disk",
    },
}


def test_each_row_names_a_test_that_exists():
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in MATRIX}
    lacking = [
        f"{row}: {path}"
        for path, rows in MATRIX.items()
        for row, test in rows.items()
        if not re.search(rf"^def {test}\(", texts[path], re.MULTILINE)
    ]
    assert lacking == []
