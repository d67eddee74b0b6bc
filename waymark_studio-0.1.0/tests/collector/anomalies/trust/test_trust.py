"""Which commands may run, and that a project cannot say so of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.anomalies.errors import UntrustedCommand
from collector.anomalies.follow_ups import commands_of
from collector.anomalies.model import Anomaly
from collector.anomalies.named_follow_ups import FOLLOW_UP_WORDS
from collector.anomalies.trust.command_effects import command_effects
from collector.anomalies.trust.command_preview import CommandSet
from collector.anomalies.trust.command_trust import CommandTrust
from collector.anomalies.trust.trust import CommandGate, TrustBook, builtin_commands
from collector.rules.grammar.model import INJECTION, Injection, Rule
from collector.store.files.errors import Damaged
from collector.store.project.project import Project

OWN = "dumpsys battery reset"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.create(tmp_path / "p")


@pytest.fixture
def book(tmp_path: Path) -> TrustBook:
    return TrustBook(tmp_path / "state" / "trusted.json")


def test_our_own_commands_may_always_run(project: Project, book: TrustBook) -> None:
    assert OWN in builtin_commands()
    assert CommandTrust(project, book=book).trusts(OWN)
    CommandGate().check(OWN, OWN)


def test_what_a_rule_writes_as_a_word_is_ours_whichever_word_it_is() -> None:
    assert commands_of(dict(enumerate(FOLLOW_UP_WORDS))) == tuple(filter(None, FOLLOW_UP_WORDS.values()))
    for command in commands_of(dict(enumerate(FOLLOW_UP_WORDS))):
        CommandGate().check(command, command)


def test_what_rules_let_follow_is_shown_with_what_it_touches() -> None:
    says = {"accept": "am force-stop org.a.b", "deny": "press_back", "dismiss": "nothing"}
    rule = Rule(id="r", kind=INJECTION, actions=(Injection(interference_id="one", follow_up=says),))
    project = CommandSet([Anomaly("one")], [rule])
    assert project.commands == ["am force-stop org.a.b", "input keyevent 4"]
    (group,) = project.preview(["am force-stop org.a.b"])
    assert (group.title, group.commands[0].packages) == ("Rule r", ("org.a.b",))


def test_a_projects_command_runs_once_it_is_trusted_and_the_project_says_so(
    project: Project, book: TrustBook
) -> None:
    trust = CommandTrust(project, book=book)
    trusts = trust.trusts
    assert book.untrusted(project.folder, ["a", OWN, "b", "a"]) == ["a", "b"]
    book.trust(project.folder, ["a"])
    assert not trusts("a")  # the project was told not to be trusted meanwhile
    project.set(trusted=True)
    assert trusts("a")
    assert not trusts("b")
    assert book.untrusted(project.folder, ["a", "b"]) == ["b"]
    book.forget(project.folder)
    assert not trusts("a")


def test_a_project_that_says_of_itself_that_it_is_trusted_is_not(project: Project, book: TrustBook) -> None:
    project.set(trusted=True)
    with pytest.raises(UntrustedCommand, match="are not trusted yet"):
        CommandTrust(project, book=book).gate().check("a", "a")


def test_a_command_that_changed_is_not_trusted_any_more(project: Project, book: TrustBook) -> None:
    project.set(trusted=True)
    book.trust(project.folder, ["input keyevent 4"])
    assert not CommandTrust(project, book=book).trusts("input keyevent 4; reboot")


def test_trust_in_one_project_is_none_in_another_and_survives(tmp_path: Path) -> None:
    path = tmp_path / "trusted.json"
    TrustBook(path).trust(tmp_path / "one", ["a"])
    assert TrustBook(path).trusts(tmp_path / "one", "a")
    assert TrustBook(path).trusts(tmp_path / "other" / ".." / "one", "a")
    assert not TrustBook(path).trusts(tmp_path / "other", "a")


@pytest.mark.parametrize("text", ["{", "[]", '{"projects": []}', '{"projects": {"/x": null}}'])
def test_a_broken_book_is_told_and_not_overwritten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trusted.json"
    path.write_text(text, "utf-8")
    with pytest.raises(Damaged):
        TrustBook(path).trust(tmp_path, ["a"])
    assert path.read_text("utf-8") == text


def test_what_a_command_touches_is_read_from_its_text() -> None:
    effects = command_effects(
        "settings put global wifi_on 0; am force-stop org.a.b; am start -a android.settings.X"
    )
    assert effects.packages == ("org.a.b",)
    assert effects.settings == ("global/wifi_on",)
    assert effects.pages == ("android.settings.X",)
    assert effects.danger == ""
    assert command_effects("svc wifi disable").services == ("wifi",)
    assert command_effects("pm uninstall org.a.b").danger == "uninstalls an app"
