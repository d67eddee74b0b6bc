"""Names of packages are told from other texts."""

import pytest

from collector.model.android_names import is_package


@pytest.mark.parametrize("name", ["a.b", "com.example_1.App2", "android"])
def test_package_names(name):
    assert is_package(name)


@pytest.mark.parametrize("name", ["", "1a", "a..b", "a b", "a;b", "$(x)", "a.b\n", "汉"])
def test_texts_that_are_no_package_names(name):
    assert not is_package(name)
