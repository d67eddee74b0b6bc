"""How models judge: a method a module, each asks its own questions of a trajectory."""
