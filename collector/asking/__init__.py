"""Who answers an agent that asks its user: the task's replies, a person, or a model."""
