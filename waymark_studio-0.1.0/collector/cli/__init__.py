"""The ``waymark`` command, one module per verb group."""
