"""Random programs for toolkits: several Tools over one map, under names that are hard to have in Python."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from strategies.type_strategies import PARAMETERS, closed_spec, declarations, terms

from flow_lsp.types.terms import TOOL_OWNER, Field, Param, Parameter, Primitive, Template, TypeSpec

HARD_NAMES = (
    "class", "None", "match", "type", "l", "O", "self", "cls", "int", "str", "bytes", "tuple", "Set", "Mapping",
    "Decimal", "Instant", "Some", "Never", "Any", "Carrier", "Tools", "PROGRAM", "serve", "Program", "dataclass",
    "hash", "annotations", "T", "U", "T_", "_", "__", "_x", "x_", "__x", "__init__", "__slots__", "__x__", "___", "_1",
    "1x", "", "Hit", "hit", "HIT", "Hit2", "Hit_", "ﬁnd", "find", "ｃlass", "𝔘nd", "Und", "größe", "GRÖSSE",
    "e\u0301", "é", "ǆ", "ß", "名", "a-b", "a b", "a_b", "a.b", "a/b", "x\n    y = 1", '"""', "'", "\\", "\x00",
    "\u202e", "\ufdfa", "\u0301", "x" * 300, "x" * 301, "error", "value", "first", "second", "KW_ONLY", "ClassVar",
    "field", "Failed", "tool", "Union", "mro",
)  # fmt: skip
HARD_DOCS = (
    None, "", " ", "A doc.", '"', '"""', 'ends in "', "ends in \\", 'ends in \\"', '""""""', "\\N{DIGIT ONE} \\x",
    "a\n\nb\n", "tab\there", "\r", "a\r\nb", "\x00\x1b[31m", "\u202eevil", "ünï ✓ 𝔘", "word " * 60, "x" * 500,
    "    code\n      more", "'''", "{x}", "# noqa", "x\u2028y", "\x0c", "\ufeff",
)  # fmt: skip
FAILING_NAMES = ("find", "Find", "find_", "_find", "class", "int", "a-b", "名", "serve", "self", "x" * 200)

hard_names = st.sampled_from(HARD_NAMES)
hard_docs = st.sampled_from(HARD_DOCS)
failing_names = st.sampled_from(FAILING_NAMES)


@st.composite
def programs(draw: st.DrawFn, hard: bool = True) -> dict[str, TypeSpec]:
    """The Tools of a program, by identity. With `hard`, what is named has any name; in no Tool do types of one key
    meet, and what it gives holds no opaque type."""
    templates = draw(declarations())
    if hard:
        templates = {local_id: draw(renamed(template, local_id)) for local_id, template in templates.items()}
    templates = {local_id: replace(template, opaque=False) for local_id, template in templates.items()}
    heads = [(local_id, len(template.generic)) for local_id, template in templates.items()]
    tools: dict[str, TypeSpec] = {}
    for number in range(draw(st.integers(1, 3))):
        generic = draw(generics(draw(st.sampled_from([0, 0, 1, 2])), hard))
        root = terms(heads, [Param(TOOL_OWNER, index) for index in range(len(generic))])
        names = draw(st.lists(hard_names if hard else st.sampled_from("abcd"), max_size=3, unique=True))
        params = tuple(Parameter(name, draw(root), draw(hard_docs if hard else st.none())) for name in names)
        err = draw(root | st.just(Primitive.NEVER))
        name = draw(failing_names) if hard else f"tool{number}"
        place = draw(st.sampled_from(["a", "a/b", "b", "x@1/a", "x/y@1/a"])) if hard else "a"
        if f"{place}.{name}" not in tools:
            tools[f"{place}.{name}"] = closed_spec(generic, params, draw(root), err, templates)
    return tools


def generics(count: int, hard: bool) -> st.SearchStrategy[tuple[str, ...]]:
    """The names of so many type parameters."""
    if not hard:
        return st.just(PARAMETERS[:count])
    allowed = [name for name in HARD_NAMES if name not in set(Primitive)]
    return st.lists(st.sampled_from(allowed), min_size=count, max_size=count, unique=True).map(tuple)


@st.composite
def renamed(draw: st.DrawFn, template: Template, local_id: str) -> Template:
    """`template` under other names, with other docs."""
    name = draw(hard_names)
    constructors = draw(st.lists(hard_names, min_size=len(template.constructors), max_size=5, unique=True))
    return replace(
        template,
        name=name,
        identity=f"{draw(st.sampled_from(['', 'x/', 'kit@1/', 'kit@1/x/']))}{local_id}/types.{name}",
        generic=draw(generics(len(template.generic), True)),
        doc=draw(hard_docs),
        fields=draw(renamed_fields(template.fields)),
        constructors=tuple(
            [
                replace(
                    constructor,
                    name=fresh,
                    doc=draw(hard_docs),
                    named=None if constructor.named is None else draw(renamed_fields(constructor.named)),
                )
                for constructor, fresh in zip(template.constructors, constructors, strict=False)
            ]
        ),
    )


@st.composite
def renamed_fields(draw: st.DrawFn, fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """These fields under other names."""
    names = draw(st.lists(hard_names, min_size=len(fields), max_size=len(fields), unique=True))
    return tuple([Field(name, field.type, draw(hard_docs)) for name, field in zip(names, fields, strict=True)])
