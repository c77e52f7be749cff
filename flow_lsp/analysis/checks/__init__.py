"""The checks that need more than one file: bindings, tables, and what implementations said."""
