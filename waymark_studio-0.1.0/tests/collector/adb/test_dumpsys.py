"""Which windows forbid pictures of themselves, as old and new releases print it."""

from __future__ import annotations

from collector.adb.dumpsys import parse_secure_windows

NEW = """\
  Window #4 Window{ab12 u0 org.bank/org.bank.Pin}:
    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION
      fl=LAYOUT_IN_SCREEN SECURE HARDWARE_ACCELERATED
      pfl=SECURE_OF_ANOTHER_KIND}
  Window #5 Window{cd34 u0 org.shop/org.shop.Main}:
      fl=LAYOUT_IN_SCREEN HARDWARE_ACCELERATED
      pfl=SECURE
"""
OLD = """\
  Window #2 Window{ab12 u0 org.bank/org.bank.Pin}:
    mAttrs=WM.LayoutParams{(0,0)(fillxfill) ty=1 fl=#81812100 wanim=0x10302a1}
  Window #1 Window{cd34 u0 org.shop/org.shop.Main}:
    mAttrs=WM.LayoutParams{(0,0)(fillxfill) ty=1 fl=#81810100 wanim=0x10302a1}
"""


def test_flags_are_read_by_name_and_by_number():
    assert parse_secure_windows(NEW) == parse_secure_windows(OLD) == {"org.bank/org.bank.Pin"}


def test_a_print_without_windows_has_none():
    assert parse_secure_windows("") == frozenset()
