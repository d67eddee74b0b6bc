import pytest

from collector.adb.messages import ProtocolError
from collector.adb.smart_socket import block_length, encode_block, encode_failure


def test_blocks_are_these_bytes():
    assert encode_block("host:version") == b"000chost:version"
    assert encode_failure("no") == b"FAIL0002no"
    assert block_length(encode_block("a" * 0xFFFF)[:4]) == 0xFFFF


@pytest.mark.parametrize(
    "digits", [b"zzzz", b"-001", b"+1f0", b"0x10", b"00_1", b" 1  ", b"001", b"", "٠٠٠١".encode()[:4]]
)
def test_a_length_is_four_hexadecimal_digits(digits):
    with pytest.raises(ProtocolError):
        block_length(digits)
