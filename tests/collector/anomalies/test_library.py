"""Libraries of anomalies are read whole, D-GARA's and ours, and what is wrong with them is told."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from collector.anomalies.builtin_library import builtin_library, builtin_library_text
from collector.anomalies.check import check_library
from collector.anomalies.model import CATEGORIES, COMPANION_KIND, NATIVE, AndroidVersions
from collector.anomalies.reader import read_library
from collector.anomalies.trust.dangerous_commands import danger_of
from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import apply_edits
from collector.model import i18n as words
from collector.model.companion.activities import ACTIVITIES
from collector.model.resources import asset
from collector.model.risk import RISKS
from collector.rules.lint.indexes import AnomalyIndex

NAMES = {spec.code: name for name, spec in CODES.items()}
DGARA = Path(__file__).resolve().parents[4] / "shared" / "data" / "d-gara" / "interference_library.yaml"
DIALOG = """interference_library:
  - id: a
    target_activity: LocationPermissionActivity
    params:
      param_title: T
      param_allow_btn_text: Yes please
      param_deny_btn_text: No
      param_allow_log_event: A_YES
      param_deny_log_event: A_NO
    post_actions:
      EVENT:A_YES: [{type: adb, command: am force-stop org.a.b}]
      EVENT:A_NO: [{type: log, message: on we go}]
"""
NATIVE_ONE = """anomalies:
  - id: n
    kind: native
    params: {level: {type: integer, value: 4, minimum: 1, maximum: 9}}
    commands:
      - {android: 5-8, apply: ["old {level}"], undo: [back]}
      - {android: 9+, remember: {was: read}, apply: [new], undo: ["put {was}"]}
"""


def codes_in(text: str) -> list[str]:
    """Names of all findings, in order."""
    return [NAMES[diagnostic.code] for diagnostic in check_library(read_library(text, "x.yaml"))]


# -- ours ---------------------------------------------------------------------
def test_our_library_is_in_order() -> None:
    assert [diagnostic.sentence for diagnostic in check_library(builtin_library())] == []


def test_any_reader_of_yaml_reads_our_library() -> None:
    read = yaml.safe_load(builtin_library_text())["interference_library"]
    assert [entry["id"] for entry in read] == [anomaly.id for anomaly in builtin_library().anomalies]


def test_what_has_no_language_of_its_own_is_told_in_the_persons() -> None:
    english = {anomaly.id: anomaly for anomaly in builtin_library().anomalies}
    words.use_language("zh_CN", asset("translations"))
    try:
        chinese = {anomaly.id: anomaly for anomaly in builtin_library().anomalies}
    finally:
        words.use_language(words.SOURCE_LANGUAGE, asset("translations"))
    for name, anomaly in english.items():
        assert (chinese[name].description == anomaly.description) is (anomaly.kind != NATIVE), name
    assert chinese["font_scale"].description == "所有文字变大"
    assert chinese["battery_level"].parameters[0].description == "剩余百分比"
    assert chinese["battery_level"].commands == english["battery_level"].commands


def test_our_library_covers_every_category_with_both_kinds_and_at_least_24_anomalies() -> None:
    anomalies = builtin_library().anomalies
    assert len({anomaly.family for anomaly in anomalies}) >= 24
    assert {(anomaly.category, anomaly.kind) for anomaly in anomalies} == {
        (category, kind) for category in CATEGORIES for kind in (COMPANION_KIND, NATIVE)
    }


def test_our_dialogs_come_in_english_and_chinese_in_the_same_forms() -> None:
    forms: defaultdict[str, defaultdict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for anomaly in builtin_library().anomalies:
        if anomaly.language:
            forms[anomaly.family][anomaly.language].add(anomaly.buttons)
    assert len(forms) > 20
    assert all(
        set(forms_of) == {"en", "zh"} and forms_of["en"] == forms_of["zh"] for forms_of in forms.values()
    )
    assert sum(forms_of["en"] == {1, 2} for forms_of in forms.values()) >= 18


def test_our_library_has_twenty_dialogs_of_risk_that_a_safe_answer_passes() -> None:
    risky = [anomaly for anomaly in builtin_library().anomalies if anomaly.risk]
    assert len({anomaly.family for anomaly in risky}) >= 20
    assert {anomaly.risk for anomaly in risky} == set(RISKS)
    for anomaly in risky:
        declared = anomaly.declared_answer
        assert declared is not None
        assert declared.name not in anomaly.unsafe_answers, anomaly.id
        assert anomaly.unsafe_answers == ("accept",), anomaly.id
        assert not anomaly.commands, anomaly.id  # whatever is answered, the task can go on


def test_all_answers_of_a_risk_but_the_expected_one_are_unsafe_by_default() -> None:
    text = DIALOG.replace("id: a\n", "id: a\n    risk: payment\n    answer: deny\n")
    assert read_library(text).anomalies[0].unsafe_answers == ("accept",)
    assert read_library(DIALOG).anomalies[0].unsafe_answers == ()
    assert codes_in(text.replace("risk: payment", "risk: paiment")) == ["unknown-type"]
    assert codes_in(text.replace("answer: deny", "unsafe: [accept, manage]")) == ["unheard-answer"]


def test_every_native_anomaly_of_ours_says_for_which_android_it_is_and_how_it_is_undone() -> None:
    for anomaly in builtin_library().anomalies:
        assert all(str(native.versions) and native.undo for native in anomaly.native)


def test_the_rules_linter_reads_our_library_as_a_library() -> None:
    assert AnomalyIndex.read(builtin_library_text()).ids == {
        anomaly.id for anomaly in builtin_library().anomalies
    }


# -- D-GARA's -----------------------------------------------------------------
@pytest.mark.skipif(not DGARA.is_file(), reason="needs ../shared/data")
def test_dgaras_library_reads_whole_and_its_two_wrong_packages_are_told() -> None:
    library = read_library(DGARA.read_text("utf-8"))
    assert library.diagnostics == ()
    assert len(library.anomalies) == 21
    assert all(anomaly.buttons in (1, 2) and anomaly.answers[0].follow_ups for anomaly in library.anomalies)
    diagnostics = check_library(library)
    assert [NAMES[diagnostic.code] for diagnostic in diagnostics] == ["other-package", "other-package"]
    assert ["com.ctrip" in diagnostics[0].what, "com.autonavi.minimap" in diagnostics[1].what] == [True, True]


# -- reading ------------------------------------------------------------------
def test_a_dialog_knows_its_answers_and_what_follows_them() -> None:
    (anomaly,) = read_library(DIALOG).anomalies
    assert [(answer.name, answer.button, answer.event) for answer in anomaly.answers] == [
        ("accept", "Yes please", "A_YES"),
        ("deny", "No", "A_NO"),
    ]
    command = anomaly.answers[0].follow_ups[0].command
    assert command is not None
    assert command.text == "am force-stop org.a.b"
    assert anomaly.answers[1].follow_ups[0].message == "on we go"
    assert anomaly.value("param_title") == "T"


def test_follow_up_by_answer_is_read_as_by_event() -> None:
    text = DIALOG.replace("post_actions", "follow_up").replace("EVENT:A_NO", "deny")
    (anomaly,) = read_library(text).anomalies
    assert anomaly.answers[1].follow_ups[0].message == "on we go"
    assert codes_in(text) == []


def test_native_commands_are_chosen_by_android_version() -> None:
    (anomaly,) = read_library(NATIVE_ONE).anomalies
    old, new = anomaly.commands_for(7), anomaly.commands_for(15)
    assert old is not None
    assert new is not None
    assert [command.text for command in old.apply] == ["old {level}"]
    assert {name: read.command.text for name, read in new.remember.items()} == {"was": "read"}
    assert anomaly.commands_for(4) is None
    assert anomaly.parameters[0].value == 4
    assert codes_in(NATIVE_ONE) == []


@pytest.mark.parametrize("text", ["12+", "8-11", "10"])
def test_versions_are_written_as_they_are_read(text: str) -> None:
    (anomaly,) = read_library(NATIVE_ONE.replace("9+", f"'{text}'")).anomalies
    assert str(anomaly.native[1].versions) == text


def test_versions_hold_both_ends() -> None:
    assert [version in AndroidVersions(8, 11) for version in (7, 8, 11, 12)] == [False, True, True, False]
    assert 99 in AndroidVersions(12)


@given(st.text(max_size=200))
def test_no_text_makes_reading_raise(text: str) -> None:
    check_library(read_library(text))


@given(st.integers(0, len(DIALOG + NATIVE_ONE)), st.sampled_from("[]{}:-\"'#\n\t*&"))
def test_no_torn_or_altered_library_makes_reading_raise(at: int, put: str) -> None:
    for text in (DIALOG, NATIVE_ONE):
        check_library(read_library(text[:at] + put + text[at:]))
        check_library(read_library(text[:at]))


def test_a_broken_entry_leaves_the_others_readable() -> None:
    text = DIALOG + "  - id: b\n    params: [\n" + DIALOG.partition("\n")[2].replace("id: a", "id: c")
    library = read_library(text)
    assert [anomaly.id for anomaly in library.anomalies] == ["a", "c"]
    assert "yaml-syntax" in [NAMES[diagnostic.code] for diagnostic in library.diagnostics]


# -- what is wrong --------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (DIALOG.replace("post_actions", "post_action"), ["unknown-key"]),
        (DIALOG.replace("param_title", "param_titel"), ["unknown-key"]),
        (DIALOG.replace("LocationPermission", "LocationPermision"), ["unknown-activity"]),
        (DIALOG.replace("EVENT:A_NO", "EVENT:A_NOT"), ["unheard-answer"]),
        (DIALOG.replace("event: A_NO", "event: A_YES"), ["unheard-answer"] * 3),
        (DIALOG.replace("      param_deny_log_event: A_NO\n", ""), ["unheard-answer"] * 2),
        (DIALOG + DIALOG.partition("\n")[2], ["duplicate-id"]),
        (DIALOG.replace("id: a\n", "id: a\n    category: System\n"), ["unknown-type"]),
        (DIALOG.replace("type: log", "type: shout"), ["unknown-type"]),
        (DIALOG.replace("id: a\n", "family: a\n"), ["missing-field"]),
        (DIALOG.replace("{type: log, message: on we go}", "{type: adb}"), ["missing-field"]),
        (
            DIALOG.replace("{type: log, message: on we go}", "{type: adb, command: am force-stop org.c.d}"),
            ["other-package"],
        ),
        (DIALOG.replace("am force-stop", "pm uninstall"), ["dangerous-command"]),
        (
            DIALOG.replace("am force-stop org.a.b", "am start com.example.adbsmarttest/.Nope"),
            ["unknown-activity"],
        ),
        (NATIVE_ONE.replace("value: 4", "value: 40"), ["out-of-range"]),
        (NATIVE_ONE.replace("value: 4", "value: yes"), ["wrong-shape", "missing-field"]),
        (NATIVE_ONE.replace("5-8", "8-5"), ["wrong-shape"]),
        (NATIVE_ONE.replace(", undo: [back]", ""), ["no-undo"]),
        (NATIVE_ONE.replace("{was}", "{is}"), ["missing-field"]),
        ("interference_library: 3", ["wrong-shape"]),
        ("interference_library: [1]", ["wrong-shape"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(text: str, codes: list[str]) -> None:
    assert codes_in(text) == codes


def test_findings_name_their_file_line_and_anomaly() -> None:
    (diagnostic,) = check_library(read_library(DIALOG.replace("EVENT:A_NO", "EVENT:A_NOT"), "x.yaml"))
    assert (diagnostic.path, diagnostic.place.line, diagnostic.rule_id) == ("x.yaml", 12, "a")


def test_a_mistyped_activity_is_mended_by_its_fix() -> None:
    text = DIALOG.replace("LocationPermission", "LocationPermision")
    (diagnostic,) = check_library(read_library(text))
    assert apply_edits(text, diagnostic.fixes[0].edits) == DIALOG


@pytest.mark.parametrize(
    "command",
    [
        "reboot", "sleep 1; reboot -p", "/system/bin/reboot", "su -c 'reboot'", "svc power shutdown",
        "pm uninstall org.a.b", "cmd package uninstall -k org.a.b", "pm clear org.a.b", "rm -rf /sdcard/x",
        "am broadcast -a android.intent.action.MASTER_CLEAR", "recovery --wipe_data", "am hang",
        "echo $(reboot)", "if true; then reboot; fi", "sh -c reboot", "env X=1 reboot", "timeout 5 reboot",
        "emu kill",
        "su root -c reboot", "ls | xargs -n1 rm -rf", "while true; do rm -r /sdcard; done", "X=1 exec reboot",
        "find /sdcard -name '*' -delete",
        "setprop sys.powerctl reboot", "cmd thermalservice override-status 6", "sm format disk:1", "stop",
    ],
)  # fmt: skip
def test_dangerous_commands_are_known(command: str) -> None:
    assert danger_of(command)


@pytest.mark.parametrize(
    "command",
    [
        "am force-stop org.a.b", "am start -a android.settings.WIFI_SETTINGS", "input text reboot",
        "log -t x the phone will reboot soon", "echo then reboot", "emu gsm call 1",
        "find /sdcard -name delete", "am start -e a=b reboot",
        "am start org.reboot/.Main", "rm /sdcard/x.png",
        "cmd thermalservice override-status 3", "am stop-app org.a.b",
        "pm clear-permission-flags org.a.b x user-set",
    ],
)  # fmt: skip
def test_harmless_commands_are_not(command: str) -> None:
    assert danger_of(command) == ""


# -- checks and what is remembered ------------------------------------------------
CHECKED = """anomalies:
  - id: n
    kind: native
    params: {level: {type: integer, value: 4}}
    commands:
      - remember: {was: {command: read, pattern: "is (.+)"}, plain: look}
        apply: [new]
        verify: [{command: "see {level}", expect: "^{level}$", once: false}]
        undo: ["put {was}"]
"""


def test_a_native_change_says_how_it_is_checked_and_what_is_remembered() -> None:
    (native,) = read_library(CHECKED).anomalies[0].native
    assert [(check.command.text, check.expect) for check in native.verify] == [("see {level}", "^{level}$")]
    assert {name: (value.command.text, value.pattern) for name, value in native.remember.items()} == {
        "was": ("read", "is (.+)"), "plain": ("look", ""),
    }  # fmt: skip
    assert codes_in(CHECKED) == []


@pytest.mark.parametrize(
    ("written", "broken", "name"),
    [
        ('pattern: "is (.+)"', 'pattern: "is .+"', "wrong-shape"),
        ('pattern: "is (.+)"', 'pattern: "is (.+"', "wrong-shape"),
        ('expect: "^{level}$"', 'expect: "^[{level}$"', "wrong-shape"),
        (', expect: "^{level}$"', "", "missing-field"),
        ("once: false", "once: sometimes", "wrong-shape"),
        ("expect:", "expects:", "unknown-key"),
        ('[{command: "see {level}", expect: "^{level}$", once: false}]', "[see]", "wrong-shape"),
        ('"see {level}"', '"see {lvl}"', "missing-field"),
    ],
)
def test_a_check_that_cannot_be_read_is_told(written: str, broken: str, name: str) -> None:
    assert written in CHECKED
    assert name in codes_in(CHECKED.replace(written, broken))


def test_every_native_change_of_ours_is_checked_but_a_text_message_which_leaves_no_trace() -> None:
    unchecked = {
        anomaly.id
        for anomaly in builtin_library().anomalies
        if anomaly.kind == NATIVE and not all(n.verify for n in anomaly.native)
    }
    assert unchecked == {"text_message"}


def test_the_declared_answer_is_the_authors_or_the_one_that_runs_nothing() -> None:
    def declared(answer: str) -> str:
        anomaly = read_library(DIALOG.replace("  - id: a\n", f"  - id: a\n    {answer}\n")).anomalies[0]
        return anomaly.declared_answer.name if anomaly.declared_answer is not None else "-"

    assert declared("family: a") == "deny"
    assert declared("answer: accept") == "accept"
    assert declared("answer: dismiss") == "-"
    assert codes_in(DIALOG.replace("  - id: a\n", "  - id: a\n    answer: manage\n")) == ["unheard-answer"]


@pytest.mark.parametrize("text", ["interference_library:\n", "interference_library: []\n"])
def test_a_library_whose_last_anomaly_was_taken_out_is_empty_and_not_wrong(text):
    library = read_library(text)
    assert (library.anomalies, library.diagnostics) == ((), ())


# -- our companion app ---------------------------------------------------------
CHAINED = """interference_library:
  - id: a
    target_activity: RatingActivity
    params:
      param_accept_log_event: A_YES
      param_deny_log_event: A_NO
      param_theme: dark
      param_returns: {type: integer, value: 2}
      param_chain: '%s'
    post_actions:
      EVENT:END: [{type: log, message: on we go}]
"""
LINK = '{"activity": "LowBatteryActivity", "parameters": {"param_log_event": "END"}}'


def test_looks_and_chains_of_our_companion_app_are_known() -> None:
    assert codes_in(CHAINED % f"[{LINK}]") == []


@pytest.mark.parametrize(
    ("chain", "codes"),
    [
        ("{", ["wrong-shape", "unheard-answer"]),
        (f'[{LINK}, "x"]', ["wrong-shape", "unheard-answer"]),
        (f'[{LINK}, {{"activity": "RateActivity"}}]', ["unknown-activity"]),
        (f'[{LINK}, {{"activity": "RatingActivity", "parameters": {{"param_stars": 3}}}}]', ["unknown-key"]),
    ],
)
def test_a_chain_that_cannot_be_shown_is_told(chain: str, codes: list[str]) -> None:
    assert codes_in(CHAINED % chain) == codes


def test_our_library_has_every_form_of_our_companion_app() -> None:
    shown = {anomaly.activity for anomaly in builtin_library().anomalies}
    assert set(ACTIVITIES) - shown == set()
    forced = builtin_library().get("forced_update_en")
    assert forced is not None
    assert [answer.name for answer in forced.answers] == ["accept"]
