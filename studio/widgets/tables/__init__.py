"""Painted lists and tables: chosen from by keys and mouse, copied, and read aloud."""
