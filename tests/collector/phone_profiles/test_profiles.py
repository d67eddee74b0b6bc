"""Profiles are read with clear diagnostics, found by what a phone says of itself, and written as read."""

from __future__ import annotations

import pytest

from collector.located_yaml.diagnostics import Severity
from collector.model.errors import UserError
from collector.model.phone.quirks import QUIRKS
from collector.model.resources import asset
from collector.phone_profiles import registry
from collector.phone_profiles.profile import NO_PROFILE, PhoneNames, profile_text
from collector.phone_profiles.reader import read_profile


@pytest.fixture
def own(monkeypatch, tmp_path):
    """Writes a profile of the person's own."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    folder = tmp_path / "data" / "phones"
    folder.mkdir(parents=True)
    return lambda name, text: (folder / f"{name}.yaml").write_text(text)


def test_the_profiles_of_the_studio_are_right_and_at_least_ten_have_quirks():
    texts = [
        read_profile(asset("phones", f"{name}.yaml").read_text(), name) for name in registry.built_in_names()
    ]
    assert [error.sentence for text in texts for error in text.diagnostics] == []
    with_quirks = [text.profile for text in texts if text.profile.quirks]
    assert len(with_quirks) >= 10
    assert {quirk for profile in with_quirks for quirk in profile.quirks} == QUIRKS.keys()
    assert not registry.profile_called("clean").quirks


@pytest.mark.parametrize(
    ("phone", "name"),
    [
        (("Xiaomi", "2201123G", "13"), "xiaomi"),
        (("xiaomi", "Redmi Note 8 Pro", "10"), "redmi-note-8-pro"),
        (("samsung", "SM-S908B", "14"), "samsung"),
        (("samsung", "SM-G950F", "7.0"), "samsung-android-7"),
        (("samsung", "SM-F9360", "13"), "samsung-fold"),
        (("Sony", "BRAVIA 4K VH2", "12"), "television"),
        (("Nokia", "6.1", "9"), "android-9"),
        (("Nokia", "6.1", "11"), ""),
        (("", "", ""), ""),
    ],
)
def test_the_profile_that_fits_most_closely_is_found(phone, name):
    assert registry.find_profile(PhoneNames(*phone)).name == name


def test_a_virtual_phone_that_is_like_no_other_has_no_profile():
    assert registry.find_profile(PhoneNames("Waymark", "Waymark Phone", "9")) == NO_PROFILE


def test_a_profile_of_ones_own_goes_before_that_of_the_studio(own):
    own("mine", "match: {manufacturers: [xiaomi]}\nquirks: [never-idle]\n")
    own("broken", "match: {manufacturers: [xiaomi], models: ['*']}\nquirks: [nothing]\n")
    found = registry.find_profile(PhoneNames("Xiaomi", "Redmi Note 8 Pro", "10"))
    assert (found.name, found.quirks, found.is_built_in) == ("mine", ("never-idle",), False)
    assert registry.profile_called("mine") == found
    with pytest.raises(UserError, match=r"broken\.yaml:2: .*no quirk called nothing"):
        registry.profile_called("broken")


def test_an_unknown_name_is_refused_with_one_that_is_near():
    with pytest.raises(UserError, match="Did you mean samsung-fold"):
        registry.profile_called("samsung-folt")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("- a", 1, "A profile is a mapping"),
        ("version: 2", 1, "profiles of version 1"),
        ("quirk: []", 1, "Nothing reads the key quirk"),
        ("quirks: [never-idel]", 1, "There is no quirk called never-idel"),
        ("match: []", 1, "match has to be a mapping"),
        ("match:\n  manufacturers: sony", 2, "manufacturers has to be a list of names"),
        ("match:\n  models: ['a;b=c']", 2, "but no : ; ="),
        ("match:\n  android: new", 2, "Write the versions as 13 or 12-15"),
        ("settings:\n  frame-source: camera", 2, "no frame-source called camera"),
        ("settings:\n  settle-ms: 3", 2, "from 50 to 10000"),
        ("virtual:\n  size: 3x4", 2, "240 to 4096"),
        ("virtual:\n  density: high", 2, ""),
        ("a: [", 1, "not YAML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, line, said):
    found = read_profile(text, "mine").diagnostics
    assert [item.place.line for item in found][:1] == [line]
    assert said in found[0].sentence
    assert found[0].severity in (Severity.ERROR, Severity.WARNING)


def test_a_profile_is_written_as_it_is_read(tmp_path):
    for name in registry.built_in_names():
        profile = read_profile(asset("phones", f"{name}.yaml").read_text(), name).profile
        text = profile_text(profile)
        assert read_profile(text, name).profile == profile
        assert not read_profile(text, name).diagnostics
