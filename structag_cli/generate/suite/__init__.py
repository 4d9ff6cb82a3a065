"""Many requests in one run: cases in, records kept as they come, a report at the end."""

from structag_cli.generate.suite.cases import Case, read_cases
from structag_cli.generate.suite.record import Record
from structag_cli.generate.suite.run import Suite
from structag_cli.generate.suite.store import Store
from structag_cli.generate.suite.summary import Summary, summarize

__all__ = ["Case", "Record", "Store", "Suite", "Summary", "read_cases", "summarize"]
