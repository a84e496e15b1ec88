"""The examples of the docstrings and of the package's page."""

import doctest
import re

from conftest import ROOT

import gatewright


def test_docstrings():
    finder = doctest.DocTestFinder(exclude_empty=False)
    runner = doctest.DocTestRunner()
    documented = set()
    for test in finder.find(gatewright, "gatewright", extraglobs={"gatewright": gatewright}):
        if test.examples:
            documented.add(test.name.removeprefix("gatewright").lstrip("."))
            runner.run(test)
    assert runner.summarize().failed == 0
    functions = {name for name in gatewright.__all__ if callable(getattr(gatewright, name))}
    assert functions <= documented


def test_page():
    page = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})
