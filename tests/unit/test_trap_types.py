"""The catalogue of trap types: what it holds, what it refuses."""

from pathlib import Path

import pytest

from embsyntax.jobs import InputError
from embsyntax.trap_types import COLUMNS, TRAP_TYPES, EditLimits, read_trap_types

CATALOGUE = Path(__file__).parents[2] / "config/trap_types.tsv"


def write(folder, **cells):
    row = dict.fromkeys(COLUMNS, "some text") | {
        "trap_type": "scope",
        "needs_number": "no",
        "min_changed_words": "1",
        "max_changed_words": "3",
        "keeps_words": "yes",
    }
    path = folder / "trap_types.tsv"
    lines = [COLUMNS, [(row | cells)[column] for column in COLUMNS]]
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_catalogue_has_the_eight_types_of_the_card():
    types = read_trap_types(CATALOGUE)
    assert tuple(types) == TRAP_TYPES
    assert [row.label for row in types.values()] == [
        *("negation", "numbers", "role swap", "time order"),
        *("quantifier", "hedge", "entity swap", "scope"),
    ]
    assert [name for name, row in types.items() if row.needs_number] == ["numbers"]
    kept = {name for name, row in types.items() if row.limits.keeps_words}
    assert kept == {"role_swap", "time_order", "scope"}
    assert all(row.definition.endswith(".") for row in types.values())


def test_a_row_becomes_a_trap_type(tmp_path):
    found = read_trap_types(write(tmp_path))["scope"]
    assert found.limits == EditLimits(1, 3, keeps_words=True)
    assert (found.needs_number, found.example_trap) == (False, "some text")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"trap_type": "irony"}, "row 1, column 'trap_type': the value is 'irony'; allowed: neg"),
        ({"definition": "-"}, "column 'definition': the value is '-'; allowed: a text"),
        ({"needs_number": "true"}, "column 'needs_number': the value is 'true'; allowed: yes, no"),
        ({"keeps_words": "-"}, "column 'keeps_words': the value is '-'; allowed: yes, no"),
        ({"min_changed_words": "0"}, "column 'min_changed_words': the value is '0'; allowed: a wh"),
        ({"max_changed_words": "x"}, "column 'max_changed_words': the value is 'x'; allowed: a wh"),
        ({"min_changed_words": "4"}, "column 'max_changed_words': the value is '3'; allowed: 4"),
    ],
)
def test_a_wrong_cell_is_refused(tmp_path, cells, message):
    with pytest.raises(InputError, match=message):
        read_trap_types(write(tmp_path, **cells))


def test_a_repeated_type_is_refused(tmp_path):
    path = write(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[1]]), encoding="utf-8")
    with pytest.raises(InputError, match="row 2, column 'trap_type'.*each type once"):
        read_trap_types(path)


def test_wrong_columns_and_an_empty_table_are_refused(tmp_path):
    path = write(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("keeps_words", "keeps"), encoding="utf-8")
    with pytest.raises(InputError, match="missing or unknown columns: keeps, keeps_words"):
        read_trap_types(path)
    path.write_text(text.splitlines()[0], encoding="utf-8")
    with pytest.raises(InputError, match="no trap type"):
        read_trap_types(path)
