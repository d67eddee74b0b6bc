"""The files of one trajectory: header, steps, events, labels, judgements; written, read and followed."""
