"""The rules of ``check``: broken, missing and circular references."""

from naturalproofs.workspace.check.finding import Finding
from naturalproofs.workspace.check.run import RULES, Report, Rule, Selection, run_checks

__all__ = ["RULES", "Finding", "Report", "Rule", "Selection", "run_checks"]
