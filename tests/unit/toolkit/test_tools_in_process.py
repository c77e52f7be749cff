"""`toolkit.testing`: Tools run in process, through the real encoding both ways."""

from __future__ import annotations

import asyncio
import threading
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.toolkit_programs import generated_module

from flow_lsp.codecs.refusals import ValueRefused
from flow_lsp.toolkit import Some, ToolNotRun, ValueSet, current_call
from flow_lsp.toolkit.testing import BadReply, Failed, NotRun, Ok, Unknown, call_tool, call_tool_sync
from flow_lsp.types.terms import ListOf, OptionOf, Primitive

SOURCE = """
pub record Place { latitude: Decimal, name: Option<Text> }
pub enum Problem { Busy(Duration), Closed { why: Text } }
pub record Box<T> { value: T, more: Option<T> }
pub enum Either<T> { Left(T), Right { value: T } }
opaque record Ticket { id: Text }
@tool
pub fn current(place: Place) -> Result<Place, Problem>
@tool
pub fn twice<T>(box: Box<T>, class: Option<T>) -> Result<List<Either<T>>, Problem>
@tool
pub fn sorted<T>(values: Dict<T, Int>) -> Result<Set<T>, Never>
@tool
pub fn from_text<T>(text: Text) -> Result<Box<T>, Problem>
@tool
pub fn named<T>(text: Text) -> Result<Text, Never>
@tool
pub fn use(ticket: Ticket) -> Result<Text, Never>
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return generated_module(SOURCE, Path(tmp_path_factory.mktemp("module")), "tools_in_process")


class Implementation:
    def __init__(self, module: ModuleType, place: Any = None) -> None:
        self.module, self.place = module, place

    async def current(self, place: Any) -> Any:
        if isinstance(self.place, BaseException):
            raise self.place
        return self.place(place) if callable(self.place) else place

    def twice(self, box: Any, **more: Any) -> Any:
        [chosen] = more.values()
        found = [self.module.EitherLeft(box.value), self.module.EitherRight(box.value)]
        return [*found, self.module.EitherLeft(chosen.value)] if chosen else found

    async def sorted(self, values: Any) -> Any:
        return ValueSet(sorted(values, reverse=True))

    def from_text(self, text: str) -> Any:
        types = current_call().types
        assert types is not None
        try:
            return types.ok.read(text)
        except ValueRefused as refused:
            raise self.module.FromTextFailed(self.module.ProblemClosed(str(refused))) from None

    def named(self, text: str) -> str:
        types = current_call().types
        assert types is not None
        said = []
        asked = [
            lambda: types.term("T"),
            lambda: types.term("U"),
            lambda: types.codec("T").name,
            lambda: types.carrier("T", 1),
            lambda: types.carrier_text("T", "["),
            lambda: types.parameter("text").encode("x"),
            lambda: types.parameter("more"),
        ]
        for ask in asked:
            try:
                said.append(str(ask()))
            except ValueError as error:
                said.append(str(error))
            except Exception as error:
                said.append(f"{type(error).__name__}: {error}")
        return "\n".join(said)

    def use(self, ticket: Any) -> str:
        return str(ticket.id)


def current(module: ModuleType, does: Any, **more: Any) -> Any:
    place = module.Place(Decimal("1.50"), "x")
    return call_tool_sync(module.PROGRAM, Implementation(module, does), "current", {"place": place}, **more)


def test_the_outcomes(module: ModuleType) -> None:
    place = module.Place(Decimal("1.5"), "x")
    assert current(module, None) == Ok('{"latitude":1.5,"name":"x"}', place)
    busy = module.ProblemBusy(module.Duration(90))
    assert current(module, module.CurrentFailed(busy)) == Failed('{"Busy":"PT90S"}', busy)
    assert current(module, ToolNotRun("closed")) == NotRun("closed")
    assert current(module, ValueError("x")) == Unknown("The function `current` raised ValueError: x.")
    assert current(module, SystemExit(1)) == Unknown("The function `current` raised SystemExit: 1.")
    outcome = current(module, lambda _: module.Place(1.5))
    assert isinstance(outcome, Unknown)
    assert "A Decimal is expected for Decimal, and this is a Python float (at /latitude)" in outcome.reason
    large = current(module, lambda _: module.Place(Decimal(1), "x" * 2**24))
    assert isinstance(large, Unknown)
    assert "the limit of one message" in large.reason


def test_the_call_may_be_what_a_test_needs(module: ModuleType) -> None:
    cancelled = threading.Event()
    cancelled.set()
    seen: list[Any] = []

    def look(place: Any) -> Any:
        call = current_call()
        seen.append((call.run, call.call, call.tool, call.answered_before, call.cancelled.is_set(), call.types))
        return place

    current(module, look)
    current(module, look, run="r", call="c", answered_before=True, cancelled=cancelled)
    assert seen == [
        ("test", "1", "tools.current", False, False, None), ("r", "c", "tools.current", True, True, None),
    ]  # fmt: skip
    with pytest.raises(LookupError, match="No call is being answered here"):
        current_call()


@pytest.mark.parametrize(
    ("bound", "value", "texts"),
    [
        ("Int", 7, ['{"Left":7}', '{"Right":{"value":7}}']),
        (ListOf(Primitive.TEXT), ("a",), ['{"Left":["a"]}', '{"Right":{"value":["a"]}}']),
        ({"Option": "Int"}, None, ['{"Left":"None"}', '{"Right":{}}']),
        (OptionOf(Primitive.INT), 3, ['{"Left":{"Some":3}}', '{"Right":{"value":3}}']),
        (OptionOf(OptionOf(Primitive.INT)), Some(None), ['{"Left":{"Some":"None"}}', '{"Right":{"value":"None"}}']),
    ],
)
def test_generic_tools_take_and_give_plain_values(module: ModuleType, bound: Any, value: Any, texts: list[str]) -> None:
    for more in (None, Some(value)):
        name = next(name for name in module.PROGRAM.methods["tools.twice"][1] if name != "box")
        outcome = call_tool_sync(
            module.PROGRAM,
            Implementation(module),
            "twice",
            {"box": module.Box(value), name: more},
            types={"T": bound},
        )
        assert isinstance(outcome, Ok)
        expected = [*texts, texts[0]] if more else texts
        assert outcome.text == f"[{','.join(expected)}]"
        made = [module.EitherLeft(value), module.EitherRight(value)]
        assert outcome.value == tuple([*made, made[0]] if more else made)


def test_dicts_and_sets_of_a_parameter(module: ModuleType) -> None:
    made = Implementation(module)
    outcome = call_tool_sync(module.PROGRAM, made, "sorted", {"values": {"b": 1, "a": 2}}, types={"T": "Text"})
    assert outcome == Ok('["a","b"]', ValueSet(["a", "b"]))
    outcome = call_tool_sync(module.PROGRAM, made, "tools.sorted", {"values": {10: 1, 9: 2}}, types={"T": "Int"})
    assert outcome == Ok("[9,10]", ValueSet([9, 10]))


def test_a_value_of_a_parameter_from_text(module: ModuleType) -> None:
    def read(text: str, bound: Any = "Decimal") -> Any:
        made = Implementation(module)
        return call_tool_sync(module.PROGRAM, made, "from_text", {"text": text}, types={"T": bound})

    assert read('{"value": 1.50}') == Ok('{"value":1.5}', module.Box(Decimal("1.5")))
    refused = read('{"value": "1"}')
    assert isinstance(refused, Failed)
    assert refused.value.why == "A number is expected for Decimal, and this is a string. (at /value)"
    opaque = {"Named": {"declaration": next(iter(k for k in module.PROGRAM.classes if "Ticket" in k)), "args": []}}
    assert isinstance(read('{"value": {"id": "x"}}', opaque), BadReply)


def test_a_binding_without_a_codec_is_described_all_the_same(module: ModuleType) -> None:
    def said(bound: Any) -> list[str]:
        made = Implementation(module)
        outcome = call_tool_sync(module.PROGRAM, made, "named", {"text": ""}, types={"T": bound})
        assert isinstance(outcome, Ok), outcome
        return outcome.value.splitlines()

    no_codec = "The type parameter `T` is bound to a type without an encoding, so there is no codec of it: "
    found = said({"Function": {"params": [], "result": "Int"}})
    assert found[0].startswith("FunctionOf(")
    assert found[1] == "The Tool has no type parameter `U`; it has T."
    assert all(sentence.startswith(no_codec) for sentence in found[2:5])
    assert found[5:] == ['"x"', "The Tool has no parameter `more`."]
    found = said({"List": {"Task": "Int"}})
    assert all(sentence.startswith(no_codec) for sentence in found[2:5])
    found = said("Text")
    assert found[2:4] == ["Text", "ValueRefused: A string is expected for Text, and this is a number."]
    assert found[4].startswith("JsonRefused: ")


def test_opaque_values_may_be_given(module: ModuleType) -> None:
    outcome = call_tool_sync(module.PROGRAM, Implementation(module), "use", {"ticket": module.Ticket("t")})
    assert outcome == Ok('"t"', "t")


def test_a_test_that_calls_what_there_is_not(module: ModuleType) -> None:
    made = Implementation(module)
    place = module.Place(Decimal(1))
    wrong: list[tuple[type[Exception], str, dict[str, Any], dict[str, Any]]] = [
        (ValueError, "nothing", {}, {}),
        (TypeError, "current", {"plaice": place}, {}),
        (TypeError, "current", {}, {}),
        (ValueError, "current", {"place": place}, {"types": {"T": "Int"}}),
        (ValueError, "sorted", {"values": {}}, {}),
        (ValueError, "sorted", {"values": {}}, {"types": {"T": "Integer"}}),
        (ValueError, "sorted", {"values": {}}, {"types": {"T": "json.Value"}}),
        (ValueRefused, "current", {"place": 7}, {}),
    ]
    for kind, name, arguments, more in wrong:
        with pytest.raises(kind):
            call_tool_sync(module.PROGRAM, made, name, arguments, **more)
    with pytest.raises(TypeError, match="`current` is missing"):
        call_tool_sync(module.PROGRAM, object(), "current", {"place": place})


async def test_a_test_that_is_cancelled(module: ModuleType) -> None:
    begun = asyncio.Event()
    ended: list[str] = []

    class Waits(Implementation):
        async def current(self, place: Any) -> Any:
            begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("ended")

    place = {"place": module.Place(Decimal(1))}
    task = asyncio.ensure_future(call_tool(module.PROGRAM, Waits(module), "current", place))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert ended == ["ended"]
