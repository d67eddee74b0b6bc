"""The files of a source: listed, read, checked and mended before an import."""
