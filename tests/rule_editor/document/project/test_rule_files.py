"""Several rule files of a project: renaming follows references and is one step to undo."""

import pytest

from collector.model.errors import UserError
from collector.store.files.layout import LIBRARY_FILE, RULE_FILES, TASKS_FILE
from rule_editor.document.project.rule_files import RuleFiles
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.text_document import TextDocument

INJECTION = """\
rules:
  - id: low_battery  # the first
    conditions:
      all:
        - {type: state_reached, state: "cart_open"}
    actions:
      - type: inject_interference
        interference_id: 'battery'
"""
SUCCESS = """\
buy_it:
  conditions:
    - type: any_of
      sub_conditions:
        - type: state_reached
          state: cart_open
"""
STATES = """\
states:
  - id: cart_open
    task: "7"
    conditions:
      - {type: min_step, value: 1}
  - id: paid
    after: [cart_open]
    conditions:
      - {type: min_step, value: 2}
"""
SAFETY = """\
safety:
  - id: pays
    conditions:
      - {type: state_reached, state: cart_open}
"""
LIBRARY = "interference_library:\n  - id: battery\n    target_activity: LowBattery\n"
TASKS = """\
tasks:
  - id: 7
    instruction: Buy it
    rule_key: buy_it
    target_rule_ids:
      - "low_battery"
      - other
    forbidden: [pays]
"""
TEXTS = {
    "injection": INJECTION,
    "success": SUCCESS,
    "state": STATES,
    "safety": SAFETY,
    "library": LIBRARY,
    "tasks": TASKS,
}


@pytest.fixture
def project(tmp_path):
    for kind, name in {**RULE_FILES, "library": LIBRARY_FILE, "tasks": TASKS_FILE}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(TEXTS[kind], encoding="utf-8")
    return tmp_path


@pytest.fixture
def files(project):
    return RuleFiles.open(project)


def text(files, kind):
    return files.of_kind(kind)[0].text


@pytest.mark.parametrize(
    ("old", "kind", "places"),
    [
        ("low_battery", "injection", 2),
        ("buy_it", "success", 2),
        ("pays", "safety", 2),
        ("battery", "anomaly", 2),
        ("cart_open", "state", 5),
    ],
)
def test_a_new_name_is_written_wherever_the_old_one_stood(files, old, kind, places):
    assert files.rename(old, "new name") == places
    for file_kind in ("injection", "success", "state", "library", "tasks"):
        assert text(files, file_kind).replace("new name", old) == TEXTS[file_kind]
    assert "new name" in files.ids(kind)
    assert old not in files.ids(kind)


def test_a_rename_is_one_step_in_every_file_it_touched(files):
    files.rename("cart_open", "cart")
    states = files.of_kind("state")[0]
    assert states.history.done[-1].name == "Rename cart_open to cart"
    states.undo()
    assert {kind: text(files, kind) for kind in TEXTS} == TEXTS
    files.of_kind("injection")[0].redo()
    assert "cart_open" not in "".join(text(files, kind) for kind in TEXTS)


def test_a_rename_is_not_half_undone(files):
    files.rename("cart_open", "cart")
    injection, states = files.of_kind("injection")[0], files.of_kind("state")[0]
    injection.set_field("low_battery", "priority", 3)
    before = injection.text, states.text
    with pytest.raises(UserError, match="another of them was changed"):
        states.undo()
    assert (injection.text, states.text) == before
    injection.undo()
    states.undo()
    assert {kind: text(files, kind) for kind in TEXTS} == TEXTS


def test_a_name_that_yaml_reads_as_a_number_is_quoted(files):
    files.rename("buy_it", "12")
    assert text(files, "success").startswith('"12":')
    assert 'rule_key: "12"' in text(files, "tasks")


def test_a_name_that_is_taken_is_refused(files):
    with pytest.raises(UserError, match="already"):
        files.rename("cart_open", "paid")
    with pytest.raises(UserError, match="No open file"):
        files.rename("nowhere", "somewhere")
    with pytest.raises(UserError, match="needs an id"):
        files.rename("paid", " ")
    assert {kind: text(files, kind) for kind in TEXTS} == TEXTS


def test_an_id_of_two_kinds_has_to_be_told_apart():
    files = RuleFiles()
    files.add(RuleDocument(INJECTION, "a.yaml"), "injection")
    files.add(TextDocument("interference_library:\n  - id: low_battery\n", "b.yaml"), "library")
    with pytest.raises(UserError, match="several things"):
        files.rename("low_battery", "x")
    files.rename("low_battery", "x", "anomaly")
    assert text(files, "injection") == INJECTION
    assert text(files, "library") == "interference_library:\n  - id: x\n"


def test_an_id_behind_an_alias_is_refused():
    files = RuleFiles()
    files.add(RuleDocument("states:\n  - {id: &a one}\n  - {id: two, after: [*a]}\n", "s.yaml"), "state")
    before = text(files, "state")
    with pytest.raises(UserError):
        files.rename("one", "three")
    assert text(files, "state") == before


def test_sound_rules_of_a_broken_file_are_renamed_too():
    files = RuleFiles()
    broken = INJECTION + "  - id: [oops\n"
    files.add(RuleDocument(broken, "a.yaml"), "injection")
    files.rename("low_battery", "flat")
    assert text(files, "injection") == broken.replace("low_battery", "flat")


def test_files_tell_which_differ_from_the_disk(files):
    assert files.dirty == ()
    files.rename("battery", "flat")
    assert [document.path.rpartition("/")[2] for document in files.dirty] == [
        "injection.yaml",
        "library.yaml",
    ]
    for document in files.dirty:
        document.save()
    assert files.dirty == ()


def test_the_original_s_list_of_tasks_in_json_is_followed():
    files = RuleFiles()
    files.add(RuleDocument(SUCCESS, "s.yaml", "success"), "success")
    files.add(TextDocument('[\n  {"id": 1, "rule_key": "buy_it"}\n]\n', "t.json"), "tasks")
    files.rename("buy_it", "bought")
    assert text(files, "tasks") == '[\n  {"id": 1, "rule_key": "bought"}\n]\n'


def test_an_id_given_twice_is_not_renamed_everywhere():
    files = RuleFiles()
    files.add(RuleDocument("rules:\n  - id: a\n  - id: a\n", "a.yaml"), "injection")
    with pytest.raises(UserError, match="given twice"):
        files.rename("a", "b")
