"""Plug-ins: kinds that packages bring as entry points, and the options that each kind declares."""
