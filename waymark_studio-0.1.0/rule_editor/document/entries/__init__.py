"""The entries of a rule file or a library, parsed separately, and edits of whole entries."""
