"""Exports: what of a project is written, for whom, divided into sides; staged whole, or gone on with."""
