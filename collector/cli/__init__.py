"""The ``waymark`` command, one module a verb group."""
