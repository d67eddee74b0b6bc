"""What a person reads of an error is one line, stopped as the language in use does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Severity
from collector.model.errors import UserError
from collector.model.i18n import SOURCE_LANGUAGE, paragraph, use_language
from collector.model.resources import asset


@pytest.fixture
def chinese() -> Iterator[None]:
    assert use_language("zh_CN", asset("translations"))
    yield
    use_language(SOURCE_LANGUAGE, asset("translations"))


def test_english_sentences_stand_apart_by_stop_and_space() -> None:
    assert str(UserError("The phone is gone", "", "Plug it in")) == "The phone is gone. Plug it in"


def test_a_reason_that_goes_on_with_the_sentence_follows_a_colon() -> None:
    diagnostic = Diagnostic(
        "W604", Severity.ERROR, NOWHERE, "It cannot start", "there is no file", "Correct it"
    )
    assert diagnostic.sentence == "It cannot start: there is no file. Correct it"


@pytest.mark.usefixtures("chinese")
def test_chinese_sentences_are_stopped_by_a_chinese_full_stop() -> None:
    assert str(UserError("手机已断开", "数据线松了", "请重新连接")) == "手机已断开。数据线松了。请重新连接"


def test_a_single_sentence_has_no_stop() -> None:
    assert str(UserError("The disk is full")) == "The disk is full"


def test_whole_sentences_stand_apart_by_a_space() -> None:
    assert paragraph("One.", "", "Two.") == "One. Two."


@pytest.mark.usefixtures("chinese")
def test_whole_chinese_sentences_stand_together() -> None:
    assert paragraph("共一个。", "", "共两个。") == "共一个。共两个。"
