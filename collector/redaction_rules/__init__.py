"""The rules of a project that hide what is private: on every screen, before it is stored and afterwards."""
