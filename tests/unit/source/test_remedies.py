"""What is proposed for a name that means nothing here."""

from __future__ import annotations

import pytest
from strategies.flow_workspaces import check_one


@pytest.mark.parametrize(
    ("written", "remedy"),
    [
        ("Json", "For any JSON value, add `import std/json` and write `json.Value`."),
        ("Tuple<Int>", "Write a tuple with brackets: `(A, B)`."),
        ("result.Result<Int, Int>", "Add `import std/result` to use it."),
        ("tpyes.Hit", "No import binds `tpyes`. Did you mean `types.Hit`?"),
        ("types.Page", "The file imported as `types` does not declare it."),
        ("Hit", "Did you mean `types.Hit`?"),
        ("hit", "Declare it in this file, or import it from the file that does."),
    ],
)
def test_remedies(written: str, remedy: str) -> None:
    checked = check_one(f"import ./types\nrecord R {{ a: {written}, b: types.Hit }}\n", types="record Hit {}\n")
    (finding,) = checked.findings
    assert finding.message.endswith(f" here. {remedy}")


def test_names_of_a_broken_import_with_a_module_are_not_unknown() -> None:
    checked = check_one("import ./types as\nrecord R { a: types.Hit }\n")
    assert [finding.rule.code for finding in checked.findings] == ["syntax"]
