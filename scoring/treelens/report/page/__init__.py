"""The sections of a page: a module a section, and what they are written with."""
