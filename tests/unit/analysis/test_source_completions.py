"""What is offered in `.flow` files: each offer, and the text that comes of taking it."""

from __future__ import annotations

import pytest
from support.snapshots import ROOT, fixture, snapshot

from flow_lsp.analysis.edits import TextEdit, applied
from flow_lsp.analysis.engine import Analysis
from flow_lsp.analysis.offers import Offer, Offers
from flow_lsp.analysis.snapshot import Folder
from flow_lsp.analysis.source_completions import source_completions

TYPES = """\
//- types.flow
/// What was found.
pub record Hit { a: Int }
enum Bad<T> { Sad(T) }
//- sub/money-x.flow
record Amount { x: Int }
"""


def offered(text: str, *, others: str = TYPES, folders: tuple[Folder, ...] = (Folder(ROOT),)) -> tuple[str, Offers]:
    """The text of a.flow without its `|`, and what is offered there."""
    made = fixture(f"{others}//- a.flow\n{text}")
    offset = made.texts["a.flow"].index("|")
    made.texts["a.flow"] = made.texts["a.flow"].replace("|", "", 1)
    found = source_completions(Analysis(), snapshot(made, folders=folders), made.key("a.flow"), offset)
    return made.texts["a.flow"], found


def labels(text: str, **kinds: object) -> list[str]:
    return [offer.label for offer in offered(text, **kinds)[1].offers]  # type: ignore[arg-type]


def named(text: str, label: str, **kinds: object) -> tuple[str, Offer]:
    before, found = offered(text, **kinds)  # type: ignore[arg-type]
    (offer,) = [offer for offer in found.offers if offer.label == label]
    return before, offer


def taken(text: str, label: str, **kinds: object) -> str:
    """The text when the offer of that label is taken, without places to fill in."""
    before, offer = named(text, label, **kinds)
    return applied(before, [TextEdit(offer.span, offer.text), *offer.edits])


# -- types -------------------------------------------------------------------------------------------------------


def test_type_parameters_come_first_then_own_types_then_built_in_ones():
    found = labels("record A<T> { x: |\n\nrecord B { a: B }\n")
    assert found[:3] == ["T", "B", "A"]  # B is used already
    assert found.index("B") < found.index("Int") < found.index("Hit")


def test_with_nothing_typed_only_the_nearest_types_of_other_files_come():
    far = "//- deep/er/far.flow\nrecord Far { x: Int }\n"
    near = "//- near.flow\n" + "".join(f"record Near{number} {{ x: Int }}\n" for number in range(8))
    _, found = offered("record A { x: | }\n", others=far + near)
    assert [offer.label for offer in found.offers if "Near" in offer.label] == [f"Near{number}" for number in range(8)]
    assert "Far" not in [offer.label for offer in found.offers]
    assert not found.complete
    assert "Far" in labels("record A { x: F| }\n", others=far + near)


def test_where_not_all_is_given_what_cannot_be_meant_is_left_out():
    many = "//- many.flow\n" + "".join(f"record Item{number:02} {{ x: Int }}\n" for number in range(30))
    _, found = offered("record Order { x: it| }\nrecord Bit { x: Int }\n", others=many)
    assert not found.complete
    given = [offer.label for offer in found.offers]
    assert "Bit" in given  # its letters hold those that are typed
    assert not {"Order", "Text", "Decimal"} & {*given}
    # Where all is given, a client looks through it by itself.
    assert {"Order", "Text"} <= {*labels("record Order { x: it| }\n", others="//- one.flow\nrecord Item { x: Int }\n")}


def test_arguments_are_places_to_fill_in_unless_they_stand_there():
    assert named("record A { x: D| }", "Dict<K, V>")[1].snippet == "Dict<${1:K}, ${2:V}>"
    assert named("record A { x: D|<Text, Int> }", "Dict<K, V>")[1].snippet == ""
    assert named("record A { x: B| }", "Bad<T>")[1].snippet == "Bad<${1:T}>"


def test_a_result_is_offered_first_where_a_function_gives_it():
    assert labels("@tool fn f() -> |")[0] == "Result<T, E>"
    assert labels("@tool fn f(x: |")[0] != "Result<T, E>"


def test_what_is_used_more_is_offered_before():
    found = labels("record A { a: Text, b: Text }\nrecord B { a: Text }\nrecord C { c: | }")
    assert found.index("Text") < found.index("Int")


def test_a_built_in_name_that_is_hidden_means_what_hides_it():
    found = labels("record Text { x: Int }\nrecord A { x: | }")
    assert found.count("Text") == 1
    assert named("record Text { x: Int }\nrecord A { x: | }", "Text")[1].detail == "declared here"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("record A { x: Hi| }\n", "import ./types.{Hit}\n\nrecord A { x: Hit }\n"),
        ("\ufeffrecord A { x: Hi| }\n", "\ufeffimport ./types.{Hit}\n\nrecord A { x: Hit }\n"),
        (
            "// All rights.\n// Reserved.\n\nrecord A { x: Hi| }\n",
            "// All rights.\n// Reserved.\n\nimport ./types.{Hit}\n\nrecord A { x: Hit }\n",
        ),
        (
            "// About A.\nrecord A { x: Hi| }\n",
            "import ./types.{Hit}\n\n// About A.\nrecord A { x: Hit }\n",
        ),
        (
            "/// Doc of A.\n\nrecord A { x: Hi| }\n",
            "import ./types.{Hit}\n\n/// Doc of A.\n\nrecord A { x: Hit }\n",
        ),
        ("record A { x: Hi|\r\n}\r\n", "import ./types.{Hit}\r\n\r\nrecord A { x: Hit\r\n}\r\n"),
        (
            "import ./types.{Bad}\nrecord A { x: Hi| }\n",
            "import ./types.{Bad, Hit}\nrecord A { x: Hit }\n",
        ),
        (
            "import ./types.{Bad, Other}\nrecord A { x: Hi| }\n",
            "import ./types.{Bad, Hit, Other}\nrecord A { x: Hit }\n",
        ),
        (
            "import ./types.{\n  Other,\n  Bad,\n}\nrecord A { x: Hi| }\n",
            "import ./types.{\n  Other,\n  Bad,\n  Hit,\n}\nrecord A { x: Hit }\n",
        ),
        (
            "import ./types.{\n  Bad\n}\nrecord A { x: Hi| }\n",
            "import ./types.{\n  Bad,\n  Hit\n}\nrecord A { x: Hit }\n",
        ),
        ("import ./types.{}\nrecord A { x: Hi| }\n", "import ./types.{Hit}\nrecord A { x: Hit }\n"),
        (
            "import ./zoo.{Z}\nrecord A { x: Hi| }\n",
            "import ./zoo.{Z}\nimport ./types.{Hit}\nrecord A { x: Hit }\n",
        ),
        (
            "import ./a1.{Z}\nimport ./zoo.{Y}\nrecord A { x: Hi| }\n",
            "import ./a1.{Z}\nimport ./types.{Hit}\nimport ./zoo.{Y}\nrecord A { x: Hit }\n",
        ),
        (
            "import ./zoo // why\nrecord A { x: Hi| }\n",  # this file imports files, not names
            "import ./zoo // why\nimport ./types\nrecord A { x: types.Hit }\n",
        ),
        (
            "import ./zoo.{Hit}\nrecord A { x: Hi| }\n",
            "import ./zoo.{Hit}\nimport ./types\nrecord A { x: types.Hit }\n",
        ),
        ("record Hit { x: Hi| }\n", "import ./types\n\nrecord Hit { x: types.Hit }\n"),
        ("record A<Hit> { x: Hi| }\n", "import ./types\n\nrecord A<Hit> { x: types.Hit }\n"),
        (
            "import ./zoo as types\nrecord A { x: Hi| }\n",
            "import ./zoo as types\nimport ./types as types2\nrecord A { x: types2.Hit }\n",
        ),
    ],
)  # fmt: skip
def test_a_type_of_another_file_brings_its_import(text: str, after: str):
    assert taken(text, after.rpartition(": ")[2].split()[0]) == after


def test_a_file_whose_name_is_no_name_is_imported_under_another():
    after = taken("import ./zoo\nrecord A { x: Am| }\n", "money_x.Amount")
    assert after == "import ./zoo\nimport ./sub/money-x as money_x\nrecord A { x: money_x.Amount }\n"


def test_a_type_that_is_imported_already_brings_nothing():
    assert named("import ./types.{Hit}\nrecord A { x: Hi| }", "Hit")[1].edits == ()
    _, offer = named("import ./types\nrecord A { x: Hi| }", "types.Hit")
    assert (offer.edits, offer.typed) == ((), "Hit")
    assert named("import ./types\nrecord A { x: typ| }", "types.Hit")[1].typed == "types.Hit"
    assert "Hit" not in labels("import ./types\nrecord A { x: Hi| }")


def test_any_json_brings_the_import_of_std():
    assert taken("record A { x: js| }\n", "json.Value") == "import std/json\n\nrecord A { x: json.Value }\n"
    assert labels("import std/json\nrecord A { x: js| }").count("json.Value") == 1


def test_files_nearer_by_are_offered_before_farther_ones():
    others = "//- far/away/one.flow\nrecord Same {}\n//- two.flow\nrecord Same {}\n"
    details = [
        offer.detail for offer in offered("record A { x: Sa| }", others=others)[1].offers if offer.label == "Same"
    ]
    assert details == ["import ./two", "import ./far/away/one"]


def test_types_of_a_repository_are_imported_by_its_name():
    folders = (Folder(ROOT), Folder("/w/vendor/kit", "acme/kit", "1.0.0"))
    after = taken(
        "record A { x: Am| }\n", "Amount", others="//- vendor/kit/money.flow\nrecord Amount {}\n", folders=folders
    )
    assert after.startswith("import acme/kit/money.{Amount}\n")


def test_what_no_import_can_reach_is_not_offered():
    others = "//- 1st.flow\nrecord Odd {}\n//- b c.flow\nrecord Odd2 {}\n"
    found = labels("record A { x: Od| }", others=others)
    assert "Odd" not in found
    assert "Odd2" not in found


def test_many_types_are_cut_and_said_to_be():
    others = "//- many.flow\n" + "".join(f"record Type{number} {{}}\n" for number in range(300))
    found = offered("record A { x: | }", others=others)[1]
    assert not found.complete
    assert len(found.offers) < 200
    narrower = offered("record A { x: Type29| }", others=others)[1]
    assert narrower.complete
    assert "Type299" in [offer.label for offer in narrower.offers]


# -- behind a module ---------------------------------------------------------------------------------------------


def test_the_types_of_a_module_stand_behind_its_point():
    assert labels("import ./types\nrecord A { x: types.| }") == ["Hit", "Bad<T>"]
    assert labels("import ./types as t\nrecord A { x: List<t.H|> }") == ["Hit", "Bad<T>"]
    assert taken("import ./types\nrecord A { x: types.H| }", "Hit").endswith("x: types.Hit }")


def test_a_module_that_is_not_imported_is():
    after = "import ./types\n\nrecord A { x: types.Hit }"
    assert taken("record A { x: types.| }", "Hit") == after
    assert taken("record A { x: json.| }", "Value") == "import std/json\n\nrecord A { x: json.Value }"
    assert labels("record A { x: nothing.| }") == []


def test_a_module_that_is_not_found_has_no_types():
    assert labels("import ./gone\nrecord A { x: gone.| }") == []


# -- imports -----------------------------------------------------------------------------------------------------


def test_the_paths_of_all_files_are_offered_with_what_they_declare():
    found = offered("import |")[1].offers
    assert [offer.text for offer in found][:4] == ["./types", "./sub/money-x", "std/json", "std/result"]
    assert found[0].detail == "Hit, Bad"


def test_a_folder_is_offered_behind_what_was_typed():
    assert "./sub" in labels("import ./|")
    assert labels("import ./sub/|") == ["./sub/money-x"]
    assert taken("import ./su|b/money\n", "./sub/money-x") == "import ./sub/money-xb/money\n"


def test_the_whole_path_is_replaced_by_a_client_that_replaces():
    _, offer = named("import ./su|b/money\n", "./sub/money-x")
    assert (offer.span, offer.word) == ((7, 11), (7, 12))


def test_what_an_import_may_name_is_offered():
    assert labels("import ./types.{|}") == ["Hit", "Bad"]
    assert labels("import ./types.{Hit, |}") == ["Bad"]
    assert taken("import ./types.|", "Hit") == "import ./types.{Hit}"
    assert labels("import std/json.{|") == ["Value"]
    assert labels("import ./gone.{|") == []
    assert labels("import ./types |") == ["as"]


# -- keywords and comments ---------------------------------------------------------------------------------------


def test_keywords_begin_a_line():
    found = labels("|")
    assert found[:2] == ["@tool fn … -> Result", "@tool"]
    assert {"pub", "record", "enum", "opaque", "host", "fn", "import"} <= set(found)
    assert labels("pub opaque |") == ["record", "record { … }", "enum", "enum { … }"]
    assert [label for label in labels("@tool\n|") if "…" not in label] == ["pub", "fn"]


def test_a_tool_is_written_as_the_files_others_are():
    text = "@tool pub fn a() -> Result<Int, Never>\n"
    assert named(f"{text}|", "@tool fn … -> Result")[1].snippet.startswith("@tool pub fn ${1:name}")
    text = "@tool\r\nfn a() -> Result<Int, Never>\r\n"
    assert named(f"{text}|", "@tool fn … -> Result")[1].snippet.startswith("@tool\r\nfn ${1:name}")
    before, offer = named("@to|", "@tool fn … -> Result")
    assert before[slice(*offer.span)] == "@to"


def test_a_doc_comment_is_begun_where_one_may_stand():
    assert taken("///|\nrecord Hit {}\n", "/// What Hit is.") == "/// What Hit is.\nrecord Hit {}\n"
    assert taken("/// |\n@tool\nfn f() -> Int\n", "/// What this Tool does.").startswith(
        "/// What this Tool does.\n@tool"
    )
    assert labels("/// text |\nrecord Hit {}\n") == []
    assert labels("record Hit {\n  ///|\n}\n") == []


@pytest.mark.parametrize("text", ["// |", "/* | */", 'let a = "|"', "record A { | }", "fn f() { | }", "record |"])
def test_nothing_is_offered_in_comments_strings_names_and_bodies(text: str):
    assert labels(text) == []


def test_a_file_that_is_not_there_has_none():
    assert source_completions(Analysis(), snapshot(fixture("")), "/w/gone.flow", 0).offers == ()


@pytest.mark.parametrize(
    "head", ["", "import ./m1\nimport ./m2\n", "import ./two.{Aa}\n", "import ./m1\nimport ./two.{Aa}\n"]
)
@pytest.mark.parametrize("parameters", ["", "<Ab>", "<Ab, Ac>"])
def test_each_type_of_one_file_is_offered_as_if_it_were_the_only_one(head: str, parameters: str):
    names = ("Aa", "Ab", "Ac", "Ad")
    others = "//- m1.flow\n//- m2.flow\n//- two.flow\n"
    together = others + "".join(f"record {name} {{ x: Int }}\n" for name in names)
    text = f"{head}record Z{parameters} {{ x: A| }}\n"

    def offers(files: str) -> set[tuple[str, str, tuple[TextEdit, ...]]]:
        found = offered(text, others=files)[1].offers
        return {
            (one.label, one.detail, one.edits)
            for one in found
            if one.declared and one.declared.path.endswith("two.flow")
        }

    alone = set()
    for name in {*names} - ({"Aa"} if "Aa" in head else set()):
        alone |= offers(
            f"{others}record Aa {{ x: Int }}\nrecord {name} {{ x: Int }}\n"
            if name != "Aa"
            else f"{others}record Aa {{ x: Int }}\n"
        )
    assert offers(together) == alone
    assert len(alone) >= 3
