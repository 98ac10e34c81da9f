"""Which plusforge this is."""

from importlib.metadata import version

VERSION = version("plusforge")
"""Version of the installed distribution; part of what is written and of every cache key."""
