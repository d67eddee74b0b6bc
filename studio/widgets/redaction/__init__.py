"""Choose what is hidden on a screen, and see the rules of a project that hide it on all."""
