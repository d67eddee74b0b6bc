"""A library edited entry by entry: what an edit does not mean keeps its bytes, and undo brings all back."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collector.anomalies.builtin_library import builtin_library_text
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.model.companion.activities import ACTIVITIES
from collector.model.errors import UserError
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.document.anomalies.anomaly_document import AnomalyDocument
from rule_editor.document.anomalies.anomaly_edits import ONE_BUTTON, TWO_BUTTONS
from rule_editor.document.anomalies.anomaly_templates import (
    TEMPLATES,
    in_form,
    in_language,
    other_form,
    siblings,
    template,
)
from rule_editor.document.project.references import ANOMALY, LIBRARY
from rule_editor.document.project.rule_files import RuleFiles
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.text_document import read_text

TEXT = """# the library of a project
interference_library:
  # about the battery
  - id: low_double_en  # kept
    family: low
    category: System Resource
    description: "Low"
    target_activity: LocationPermissionActivity
    params:
      param_title: "Battery low"   # the title
      param_message: "5% left"
      param_allow_btn_text: "Settings"
      param_deny_btn_text: "Ignore"
      param_allow_log_event: LOW_ACCEPTED
      param_deny_log_event: LOW_DENIED
    post_actions:
      EVENT:LOW_ACCEPTED:
        - {type: adb, command: "input keyevent 4"}
      EVENT:LOW_DENIED:
        - {type: log, message: "goes on"}
    ours: untouched

  - id: scale
    kind: native
    params:
      scale: {type: number, value: 1.3, maximum: 2.0}
    commands:
      - android: "5+"
        apply: ["settings put system font_scale {scale}"]
        undo: ["settings put system font_scale 1.0"]
        verify: [{command: settings get system font_scale, expect: "{scale}"}]
"""
DGARA = Path(__file__).parents[5] / "shared" / "data" / "d-gara" / "interference_library.yaml"


def _changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """Lines that went and lines that came."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


@pytest.fixture
def document() -> AnomalyDocument:
    return AnomalyDocument(TEXT)


def test_two_buttons_become_one_and_keep_text_and_event(document: AnomalyDocument) -> None:
    document.change("low_double_en", lambda patch: edits.set_activity(patch, ONE_BUTTON, {}))
    anomaly = document.anomaly("low_double_en")
    assert anomaly is not None
    assert anomaly.activity == ONE_BUTTON
    assert [(answer.name, answer.button, answer.event) for answer in anomaly.answers] == [
        ("accept", "Settings", "LOW_ACCEPTED")
    ]
    assert list(anomaly.events) == ["EVENT:LOW_ACCEPTED"], "what follows a button that is gone goes with it"
    assert not document.diagnostics or {diagnostic.code for diagnostic in document.diagnostics} == {"W105"}
    assert "# the title" in document.text
    assert "# kept" in document.text
    document.undo()
    assert document.text == TEXT, "one step"


def test_one_button_becomes_two_with_words_and_an_event_for_the_new_one(document: AnomalyDocument) -> None:
    document.change("low_double_en", lambda patch: edits.set_activity(patch, ONE_BUTTON, {}))
    document.change("low_double_en", lambda patch: edits.set_activity(patch, TWO_BUTTONS, {"deny": "No"}))
    anomaly = document.anomaly("low_double_en")
    assert anomaly is not None
    assert [(answer.button, answer.event) for answer in anomaly.answers] == [
        ("Settings", "LOW_ACCEPTED"),
        ("No", "LOW_DENIED"),
    ]


def test_the_event_of_a_button_takes_along_what_follows_it(document: AnomalyDocument) -> None:
    document.change("low_double_en", lambda patch: edits.set_event(patch, "accept", "OTHER"))
    gone, came = _changed(TEXT, document.text)
    assert [line.split("#")[0].strip() for line in came] == ["param_allow_log_event: OTHER", "EVENT:OTHER:"]
    assert len(gone) == 2


def test_an_event_two_buttons_share_leaves_what_follows_with_the_other(document: AnomalyDocument) -> None:
    document.change("low_double_en", lambda patch: edits.set_event(patch, "deny", "LOW_ACCEPTED"))
    document.change("low_double_en", lambda patch: edits.set_event(patch, "deny", "OTHER"))
    assert "EVENT:LOW_ACCEPTED:" in document.text


def test_what_follows_is_written_under_its_event_and_goes_with_its_last_entry(
    document: AnomalyDocument,
) -> None:
    follow = [{"type": "adb", "command": "am force-stop {package}"}]
    document.change("low_double_en", lambda patch: edits.set_follow_ups(patch, "deny", follow))
    answer = document.library.anomalies[0].answers[1]
    assert [follow_up.command.text for follow_up in answer.follow_ups if follow_up.command] == [
        "am force-stop {package}"
    ]
    for name in ("accept", "deny"):
        document.change("low_double_en", lambda patch, name=name: edits.set_follow_ups(patch, name, []))
    assert "post_actions" not in document.text


def test_a_parameter_keeps_its_shape_and_its_commands_follow_its_name(document: AnomalyDocument) -> None:
    document.change("scale", lambda patch: edits.set_parameter(patch, "scale", 1.5))
    assert "scale: {type: number, value: 1.5, maximum: 2.0}" in document.text
    document.change("scale", lambda patch: edits.rename_parameter(patch, "scale", "factor"))
    assert document.text.count("{factor}") == 2
    assert "{scale}" not in document.text


def test_commands_of_a_range_change_and_keys_nobody_knows_stay(document: AnomalyDocument) -> None:
    document.change("scale", lambda patch: edits.set_range_key(patch, 0, "apply", ["one", "two"]))
    document.change("scale", lambda patch: edits.add_range(patch, "12+"))
    ranges = document.plain("scale")["commands"]
    assert [commands["android"] for commands in ranges] == ["5+", "12+"]
    assert ranges[0]["apply"] == ["one", "two"]
    assert ranges[0]["verify"] == [{"command": "settings get system font_scale", "expect": "{scale}"}]
    document.change("scale", lambda patch: edits.remove_range(patch, 1))
    assert "12+" not in document.text


def test_a_library_that_does_not_exist_yet_gets_its_first_entry() -> None:
    document = AnomalyDocument("")
    for name, _title in TEMPLATES:
        document.add(template(name))
    assert len(document.library.anomalies) == 3
    assert not [diagnostic for diagnostic in document.diagnostics if diagnostic.code != "W000"]
    assert document.text.startswith("interference_library:\n")


def test_added_copied_and_deleted_entries_leave_the_others_alone(document: AnomalyDocument) -> None:
    document.add(template("two"), "low_double_en")
    assert [anomaly.id for anomaly in document.library.anomalies] == [
        "low_double_en",
        "dialog_double_en",
        "scale",
    ]
    copy = document.duplicate("low_double_en")
    assert document.plain(copy)["ours"] == "untouched"
    document.delete(copy)
    document.delete("dialog_double_en")
    assert document.text == TEXT
    for wrong in ("scale", ""):
        with pytest.raises(DocumentError):
            document.add({"id": wrong})
    assert document.text == TEXT


def test_other_languages_and_forms_are_siblings_of_one_family(document: AnomalyDocument) -> None:
    plain, taken = document.plain("low_double_en"), ["low_double_en", "scale"]
    document.add(in_language("low_double_en", plain, "zh", taken), "low_double_en")
    document.add(in_form("low_double_en", plain, 1, taken), "low_double_en")
    document.change("low_single_en", lambda patch: edits.set_activity(patch, ONE_BUTTON, {}))
    every = document.library.anomalies
    assert [anomaly.id for anomaly in every] == ["low_double_en", "low_single_en", "low_double_zh", "scale"]
    first = every[0]
    assert [sibling.language for sibling in siblings(first, every)] == ["en", "zh"]
    form = other_form(first, every)
    assert form is not None
    assert (form.id, form.buttons, form.family) == ("low_single_en", 1, "low")


def test_rules_that_name_an_anomaly_follow_its_new_name_as_one_step(document: AnomalyDocument) -> None:
    document.path = "library.yaml"
    rules = RuleDocument(
        "rules:\n  - id: a\n    actions: [{type: inject_interference, interference_id: scale}]\n", "r.yaml"
    )
    files = RuleFiles()
    files.add(document, LIBRARY)
    files.add(rules, rules.kind)
    files.rename("scale", "font_scale", ANOMALY)
    assert document.anomaly("font_scale") is not None
    assert "interference_id: font_scale" in rules.text
    document.undo()
    assert "interference_id: scale" in rules.text


def test_a_broken_entry_is_not_made_worse() -> None:
    text = TEXT + "  - id: broken\n    params: [\n"
    document = AnomalyDocument(text)
    with pytest.raises(UserError):
        document.change("broken", lambda patch: edits.set_field(patch, "description", "x"))
    assert document.text == text


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)


def _edit(document: AnomalyDocument, anomaly_id: str, draw: st.DataObject) -> None:
    follow = [{"type": "adb", "command": "input keyevent 4"}, {"type": "log", "message": "x: #"}]
    value = draw.draw(WORDS)
    edit = draw.draw(
        st.sampled_from(
            (
                lambda patch: edits.set_field(patch, "description", value),
                lambda patch: edits.set_parameter(patch, "param_title", value),
                lambda patch: edits.set_event(patch, "accept", "ANOTHER"),
                lambda patch: edits.set_follow_ups(patch, "accept", follow),
                lambda patch: edits.set_activity(patch, draw.draw(st.sampled_from(sorted(ACTIVITIES))), {}),
            )
        )
    )
    with contextlib.suppress(UserError):
        document.change(anomaly_id, edit)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_any_edit_keeps_every_byte_of_the_other_entries_and_is_undone_exactly(draw: st.DataObject) -> None:
    document = AnomalyDocument(builtin_library_text())
    entries = {
        entry.key: builtin_library_text()[entry.start : entry.end] for entry in document.parsed.entries
    }
    dialogs = [anomaly.id for anomaly in document.library.anomalies if anomaly.activity]
    edited: set[str] = set()
    for _step in range(draw.draw(st.integers(1, 3))):
        edited.add(chosen := draw.draw(st.sampled_from(dialogs)))
        _edit(document, chosen, draw)
    for entry in document.parsed.entries:
        if entry.key not in edited:
            assert document.text[entry.start : entry.end] == entries[entry.key]
    while document.undo():
        pass
    assert document.text == builtin_library_text()
    assert not document.dirty


@pytest.mark.skipif(not DGARA.exists(), reason="the benchmark's own files are not here")
def test_a_published_library_can_be_edited() -> None:
    document = AnomalyDocument(read_text(DGARA))
    before = document.text
    for anomaly in document.library.anomalies:
        document.change(anomaly.id, lambda patch: edits.set_parameter(patch, "param_title", "Other"))
    assert all(anomaly.value("param_title") == "Other" for anomaly in document.library.anomalies)
    gone, came = _changed(before, document.text)
    assert all("param_title" in line for line in (*gone, *came))


def test_ids_without_a_family_are_kin_when_only_form_and_language_part_them() -> None:
    first = "  - {id: low_double, target_activity: LocationPermissionActivity}\n"
    others = (
        "  - {id: low_double_en, target_activity: LocationPermissionActivity}\n"
        "  - {id: low_forced, target_activity: LowBatteryActivity}\n"
        "  - {id: lower_double_en, target_activity: LocationPermissionActivity}\n"
    )
    every = AnomalyDocument("interference_library:\n" + first + others).library.anomalies
    assert [each.id for each in siblings(every[0], every)] == ["low_double", "low_double_en"]
    form = other_form(every[0], every)
    assert form is not None
    assert form.id == "low_forced"
