"""The grammar of rule files: conditions and rules as values, their keys as a table, reading and schema."""
