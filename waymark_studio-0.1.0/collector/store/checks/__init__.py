"""Check that the files of a project are whole, can be decoded, and hold no passwords."""
