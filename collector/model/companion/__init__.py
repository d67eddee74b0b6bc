"""The companion app's contract: what a computer sends it and what it answers. No I/O, no Qt."""
