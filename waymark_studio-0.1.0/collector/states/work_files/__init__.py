"""The files of proposals, definitions and audits: read, changed, checked, and who may see them."""
