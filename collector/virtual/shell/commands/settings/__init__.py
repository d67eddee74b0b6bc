"""Commands that read and change settings of the phone."""
