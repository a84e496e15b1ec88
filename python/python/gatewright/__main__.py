"""`python -m gatewright`."""

from gatewright._cli import main

raise SystemExit(main())
