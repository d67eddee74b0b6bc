"""Author essential states: proposals of two operators, their definition, the audit, and suggestions."""
