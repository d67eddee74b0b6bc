"""Decode pictures of strangers: format and size are checked first, and one limit holds for all."""
