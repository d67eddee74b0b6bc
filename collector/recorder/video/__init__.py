"""The video beside the steps of a recording: what waits to be written, and the writing."""
