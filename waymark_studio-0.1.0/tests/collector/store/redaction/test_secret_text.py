"""What is hidden is hidden in every form in which it is repeated, and little else is."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.action import Type
from collector.store.redaction.screens import MASK
from collector.store.redaction.secret_text import SecretTexts

PASSWORD, PIN = "hunter22", "1234"


@pytest.mark.parametrize(
    "said",
    [
        "HUNTER22", "Hunter22", "h u n t e r 2 2", "h-u-n-t-e-r-2-2", "h, u, n, t, e, r, 2, 2",
        "hunter-22", "h.u.n.t.e.r.2.2", "22retnuh", "ｈｕｎｔｅｒ２２", "hünter22",
        PASSWORD.encode().hex(), PASSWORD.encode().hex(" "), PASSWORD.encode().hex(":"),
        r"\x68\x75\x6e\x74\x65\x72\x32\x32", "%68%75%6e%74%65%72%32%32",
        r"\u0068\u0075\u006e\u0074\u0065\u0072\u0032\u0032", "104, 117, 110, 116, 101, 114, 50, 50",
        *(base64.b64encode(b"x" * count + b"hunter22").decode() for count in range(4)),
        base64.urlsafe_b64encode(b"lin:Hunter22\xff\xfe").decode(),
    ],
)  # fmt: skip
def test_a_password_is_hidden_in_each_form(said: str) -> None:
    masked = SecretTexts([PASSWORD]).masked(f"I type ({said}) now")
    assert masked.replace("\\x", "").replace("\\", "").replace("%", "") == f"I type ({MASK}) now"


@pytest.mark.parametrize(
    "text", ["p&\"s's <é>/w", "a b\tc\nd e f", "密码是我的名字", "!@#$%^&*()", "🔑🔑🔑🔑"]
)
def test_a_password_is_hidden_as_json_xml_and_addresses_write_it(text: str) -> None:
    forms = (
        json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], html.escape(text),
        quote(text, safe=""), base64.b64encode(text.encode()).decode(), text.upper(),
    )  # fmt: skip
    secrets = SecretTexts([text])
    for form in forms:
        assert secrets.masked(f"<{form}>") == f"<{MASK}>"


@pytest.mark.parametrize(
    "said", ["the hunter saw 22 birds", "hunter is 22", "hunter .......... 22", "aHVudGluZw==", "hunter2"]
)
def test_what_is_not_the_password_stays(said: str) -> None:
    assert SecretTexts([PASSWORD]).masked(said) == said


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("the PIN is 1234.", f"the PIN is {MASK}."), ("1-2-3-4", MASK), ("输入1234了", f"输入{MASK}了"),
        (r'{"text": "a\n1234"}', rf'{{"text": "a\n{MASK}"}}'), ("pin_1234", f"pin_{MASK}"),
        ("MTIzNA==", MASK), ("31 32 33 34", MASK),
        ("12345", "12345"), ("[12,34]", "[12,34]"), ("x1234", "x1234"), ("12 34", "12 34"),
    ],
)  # fmt: skip
def test_a_pin_is_hidden_where_it_stands_alone(said: str, masked: str) -> None:
    assert SecretTexts([PIN]).masked(said) == masked


def test_what_is_shorter_is_not_looked_for() -> None:
    assert not SecretTexts(["12", " 7 "])


def test_pieces_that_were_typed_one_by_one_are_hidden_together() -> None:
    secrets = SecretTexts()
    for letter in PASSWORD:
        secrets.add_typed(letter)
    assert secrets.masked(f"I typed {PASSWORD}") == f"I typed {MASK}"
    assert secrets.masked("the hunt") == "the hunt"


def test_a_text_is_new_once() -> None:
    secrets = SecretTexts()
    assert secrets.add(PASSWORD)
    assert not secrets.add(f" {PASSWORD} ")


def test_typed_text_that_holds_a_password_is_dropped_whole() -> None:
    secrets = SecretTexts([PASSWORD])
    assert secrets.masked_action(Type("xHUNTER22", 9)) == Type(redacted=True)
    assert secrets.masked_action(Type("poster", 6)) == Type("poster", 6)


@given(text=st.text(), secret=st.text(min_size=3))
def test_no_form_is_left_in_what_was_masked(text: str, secret: str) -> None:
    secrets = SecretTexts([secret])
    masked = secrets.masked(f"{text} {secret} {text}")
    assert not secrets.finds(masked.replace(MASK, "\n" * 9))
