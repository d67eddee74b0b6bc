"""Addresses are checked before adb is asked to connect to them."""

import pytest

from collector.device.transport.address import parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20:5555", "192.168.1.20:5555"),
        (" phone.local ", "phone.local:5555"),
        ("127.0.0.2", "127.0.0.2:5555"),
        ("[::1]:6000", "[::1]:6000"),
    ],
)
def test_an_address_gets_a_port(text, address):
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "a b:1", "x:99999", "host:", "host:0", "::1:5555", "host:adb", "a/b", "a;b"]
)
def test_what_is_no_address_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="expected HOST:PORT"):
        parse_address(text)
