"""Commands that pack and unpack archives."""
