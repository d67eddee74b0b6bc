"""The agent `process`: any program that speaks JSON lines on its standard input and output."""
