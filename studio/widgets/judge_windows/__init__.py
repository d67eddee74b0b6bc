"""The windows of screens that a model was asked about, as bars over the film strip."""
