"""Which declarations a server answers, and the listing made from them."""

from __future__ import annotations

from support.flow_declarations import declared, signature
from support.mcp_peer import tool

from flow_lsp.protocol.mcp.compared import AdviceKind
from flow_lsp.protocol.mcp.offers import NAMES_SOUGHT, Declaration, Offers, UnboundKind, UnboundTool, offers
from flow_lsp.protocol.mcp.tools import McpTool, read_tool
from flow_lsp.types.terms import Field, Kind, Named, Parameter, Primitive, Template, TypeSpec

TEXT = """
/// Two numbers become one.
@tool
fn get_sum(a: Decimal, b: Decimal) -> Result<Decimal, Never>
@tool
fn echo(message: Text) -> Result<Text, Text>
@tool
fn same<T>(value: T) -> Result<T, Never>
"""


def served(*names: str) -> list[McpTool]:
    found = [read_tool(tool(name)) for name in names]
    return [one for one in found if isinstance(one, McpTool)]


def offered(*names: str, text: str = TEXT) -> Offers:
    declarations = []
    for one in declared(text):
        assert one.spec is not None
        declarations.append(Declaration(one.name, one.identity, one.spec))
    return offers(declarations, served(*names))


def test_the_listing_has_the_declarations_own_fingerprints() -> None:
    found = offered("echo", "other", "get_sum")
    first, second, _ = declared(TEXT)
    assert found.listing.data == "0.1"
    assert [one.identity for one in found.listing.tools] == ["main.get_sum", "main.echo"]
    for one, declaration in zip(found.listing.tools, (first, second), strict=True):
        own = signature(declaration)
        assert (one.fingerprint, one.recomputed, one.problem) == (own.fingerprint, own.fingerprint, None)
        assert one.signature == own.served


def test_a_generic_declaration_is_unbound_even_where_a_tool_has_its_name() -> None:
    [unbound] = [one for one in offered("same", "echo", "get_sum").unbound if one.identity == "main.same"]
    assert unbound.kind is UnboundKind.GENERIC
    assert "is generic" in unbound.sentence


def test_a_tool_that_is_not_offered_says_what_may_have_been_meant() -> None:
    found = offered("get-sum", "Echo")
    assert found.unbound[0] == UnboundTool(
        "main.get_sum",
        UnboundKind.NOT_OFFERED,
        "The MCP server offers no tool `get_sum`. The server has `get-sum`, and an MCP tool is found by the "
        "declaration's own name.",
        "get-sum",
    )
    assert [one.nearest for one in found.unbound] == ["get-sum", "Echo", None]
    assert found.listing.tools == ()


def test_spelling_habits_and_slips_are_seen_through() -> None:
    text = "@tool\nfn get_current_weather_now() -> Result<Unit, Never>\n@tool\nfn serach() -> Result<Unit, Never>\n"
    found = offered("getCurrentWeatherNow", "search", "x", text=text)
    assert [one.nearest for one in found.unbound] == ["getCurrentWeatherNow", "search"]
    assert [one.nearest for one in offered("completely-different", text=text).unbound] == [None, None]


def test_a_server_without_tools_is_said_to_have_none() -> None:
    assert offered().unbound[0].sentence == "The MCP server offers no tool `get_sum`. It offers no tools at all."


def test_the_search_for_names_is_bounded() -> None:
    text = "".join(f"@tool\nfn missing_{number}() -> Result<Unit, Never>\n" for number in range(NAMES_SOUGHT + 5))
    near = [one.nearest for one in offered(*[f"missing_{n}_" for n in range(3)], "missing_x", text=text).unbound]
    assert near[0] == "missing_0_"
    assert near[-1] is None


def test_a_declaration_without_a_signature_is_unbound() -> None:
    template = Template("S", "a.S", 1, (), False, Kind.NONDATA)
    record = Template("R", "a.R", 1, (), False, Kind.RECORD, fields=(Field("s", Named("s")),))
    spec = TypeSpec((), (Parameter("r", Named("r")),), Primitive.UNIT, Primitive.NEVER, {"s": template, "r": record})
    [unbound] = offers([Declaration("echo", "a.echo", spec)], served("echo")).unbound
    assert unbound.kind is UnboundKind.NO_SIGNATURE


def test_advice_stands_under_the_identity_and_only_where_there_is_some() -> None:
    found = offered("echo", "get_sum")
    assert [one.kind for one in found.advice["main.echo"]] == [AdviceKind.PARAMETER, AdviceKind.NO_OUTPUT_SCHEMA]
    [one] = declared("@tool\nfn unit(a: Text) -> Result<Unit, Never>")
    assert one.spec is not None
    entry = tool("unit", inputSchema={"properties": {"a": {"type": "string"}}}, outputSchema={"type": "null"})
    match = read_tool(entry)
    assert isinstance(match, McpTool)
    assert offers([Declaration("unit", "main.unit", one.spec)], [match]).advice == {}
    known = Declaration("unit", "main.unit", one.spec, signature(one))
    assert offers([known], [match, match]).listing.tools[0].fingerprint == signature(one).fingerprint
