"""``python -m structag_cli``."""

from structag_cli.cli import main

if __name__ == "__main__":
    main()
