"""Allows ``python -m plusforge.generator``."""

from plusforge.generator.cli import main

if __name__ == "__main__":
    main()
