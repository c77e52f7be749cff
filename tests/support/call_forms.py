"""The arguments of Tools read from Flow source, for tests of their documents."""

from __future__ import annotations

from support.callables import callable_tools

from flow_lsp.analysis.call_form import CallForm

SOURCE = """\
/// Somewhere on earth.
pub record Place {
    latitude: Decimal
    longitude: Decimal
    /// What people call it.
    name: Option<Text>
}
pub enum Sky {
    Clear
    /// How much of it.
    Clouds { percent: Int, from: Option<Instant> }
    Rain(Int)
    Both(Int, Text)
}
@tool
pub fn current(place: Place, sky: Option<Sky>, tags: Set<Text>) -> Result<Text, Text>
@tool
pub fn nothing() -> Result<Text, Text>
@tool
pub fn impossible(no: Never, yes: Bool) -> Result<Text, Text>
@tool
pub fn largest<T>(values: List<T>, otherwise: T, count: Int) -> Result<T, Never>
@tool
pub fn kinds(b: Bool, i: Int, t: Text, at: Instant, long: Duration, d: Dict<Int, Text>, m: Dict<Text, Place>,
  pair: (Int, Text), raw: Bytes) -> Result<Text, Text>
"""


def form(name: str, source: str = SOURCE) -> CallForm:
    """How the arguments of the Tool `name` are written."""
    spec = callable_tools(source)[name].spec
    everything = {**spec.declarations}
    for tool in callable_tools(source).values():
        everything.update(tool.spec.declarations)
    return CallForm(name, spec, {"place": "Where it is asked about."}, lambda: everything)


def marked(text: str) -> tuple[str, int]:
    """`text` without its first `|`, and where that stood."""
    offset = text.index("|")
    return text[:offset] + text[offset + 1 :], offset
