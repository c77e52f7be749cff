"""Laws of the describe conversation: noise and chunks never change what an implementation answers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from flow_lsp.protocol.describe import Answered, DescribeConversation, DescribeEvent, Noise, Refused
from flow_lsp.protocol.outcome import DescribeListing

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"data":"0.3","tools":[]}}'
FRAGMENTS = [
    b"{",
    b"}",
    b'"',
    b"[",
    b":",
    b",",
    b"\\",
    b"\xff",
    b"\r",
    b"\x00",
    b'"jsonrpc":"2.0"',
    b'"id":1',
    b"x",
]

noise_lines = st.lists(
    st.lists(st.sampled_from(FRAGMENTS), max_size=8).map(b"".join)
    | st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")),
    max_size=30,
)


def told(chunks: list[bytes]) -> tuple[list[DescribeEvent], int]:
    talk = DescribeConversation(200)
    events = [event for chunk in chunks for event in talk.receive(chunk)]
    return events + talk.end(), talk.noise_count


@settings(deadline=None, max_examples=200)
@given(noise_lines, noise_lines, st.data())
def test_noise_and_chunks_do_not_change_the_answer(
    before: list[bytes], after: list[bytes], data: st.DataObject
) -> None:
    text = b"\n".join([*before, ANSWER, *after])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    chunks = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    events, count = told(chunks)
    assert [event for event in events if isinstance(event, Answered | Refused)] == (
        [Answered(DescribeListing("0.3", ()))] if after else []
    )
    assert sum(isinstance(event, Noise) for event in events) == min(count, 20)
    assert told([text]) == (events, count)


@settings(deadline=None, max_examples=100)
@given(noise_lines)
def test_every_line_that_is_no_message_is_counted_once(lines: list[bytes]) -> None:
    events, count = told([line + b"\n" for line in lines])
    assert count == len(lines)
    numbers = [event.number for event in events if isinstance(event, Noise)]
    assert numbers == list(range(1, min(count, 20) + 1))
