"""Composition root of the window: argv, logging, excepthooks, wiring, single instance."""
