"""``dumpsys window``: windows, displays, insets and the policy of the screen."""
