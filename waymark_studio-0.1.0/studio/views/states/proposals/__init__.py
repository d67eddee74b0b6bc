"""The tabs Proposals, Audit and History: the stages in which people agree on states."""
