"""Reports as text: for a terminal, JSON, CSV that runs no formula, Markdown, LaTeX that compiles, JUnit."""
