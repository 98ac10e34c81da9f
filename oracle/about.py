"""Which plusforge this is."""

VERSION = "0.1.0"
"""Part of what is written and of every cache key; pyproject.toml takes it from here."""
