"""Commands that search, change, compare and print the contents of files."""
