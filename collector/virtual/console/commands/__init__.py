"""The commands of the console, a file for each group, and the table of all."""
