"""Names of packages are told from other texts."""

import pytest

from collector.model.phone.android_names import is_home_screen, is_package


@pytest.mark.parametrize("name", ["a.b", "com.example_1.App2", "android"])
def test_package_names(name):
    assert is_package(name)


@pytest.mark.parametrize("name", ["", "1a", "a..b", "a b", "a;b", "$(x)", "a.b\n", "汉"])
def test_texts_that_are_no_package_names(name):
    assert not is_package(name)


@pytest.mark.parametrize(("name", "is_home"), [
    ("com.google.android.apps.nexuslauncher", True), ("com.sec.android.app.Launcher", True),
    ("com.miui.home", True), ("com.example.homework", False), ("com.example.home.shop", False), ("", False),
])  # fmt: skip
def test_home_screens_are_told_by_their_names(name, is_home):
    assert is_home_screen(name) is is_home
