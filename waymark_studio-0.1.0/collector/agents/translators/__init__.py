"""Translators between the dialects that agents answer in and the action space, one module a dialect."""
