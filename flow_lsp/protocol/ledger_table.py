"""The states of a call on the host's side, and what each event does to it: the table that `ledger` follows.

Rules ("The Tool process protocol", decisions 7):
- a call gets exactly one outcome, and is forgotten with it;
- what is certain is said: NotRun only where no process can have the whole line, Unknown wherever one may;
- a call is begun when the first byte of its line is handed to the operating system, and sent when the last is,
  the LF included. From the first on the line cannot be taken back;
- a call that is not begun waits for the next process when one ends, and is refused where that one does not serve it;
- a reply counts from the first byte on: the report that all was handed over may come behind it. A call that is not
  begun is answered by no process it was sent to, so such a reply is dropped;
- a cancel proves nothing. It changes only what becomes of a call that waits: it is not begun any more. It is sent
  once, and only behind the call's own line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import Final


class State(IntEnum):  # and so below: these are looked up by number for each call, an Enum by its name in Python code
    """Where an open call is."""

    QUEUED = auto()  # opened; not a byte of its line was handed over
    BEGUN = auto()  # a part of its line was
    SENT = auto()  # its whole line was
    QUEUED_CANCELLED = auto()  # the same three, and the host asked to stop
    BEGUN_CANCELLED = auto()
    SENT_CANCELLED = auto()


class Happening(IntEnum):
    """What can happen to an open call."""

    BEGUN = auto()
    SENT = auto()
    REPLY = auto()
    CANCEL = auto()
    CLOSE = auto()  # a cancelled call gets no reply
    ENDED = auto()  # the process ended, and all it wrote has been read
    REFUSED = auto()  # the next process does not serve it, none will be started, or no line can be made of it


class Action(IntEnum):
    """What the ledger does about it."""

    NOTHING = auto()
    ADMIT = auto()  # the outcome is what the reply says
    DROP = auto()  # the reply changes nothing
    TELL = auto()  # the cancel is sent
    NOT_RUN = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """What is done, and the state that follows; None where the call is closed."""

    action: Action
    state: State | None


def _to(state: State) -> Step:
    return Step(Action.NOTHING, state)


_ADMITTED: Final = Step(Action.ADMIT, None)
_NOT_RUN: Final = Step(Action.NOT_RUN, None)
_UNKNOWN: Final = Step(Action.UNKNOWN, None)

# What a state does not list is a mistake of the caller. That all was handed over may be told without telling that
# it began, and it is a fact also where the host meant to stop.
TABLE: Final[Mapping[State, Mapping[Happening, Step]]] = {
    State.QUEUED: {
        Happening.BEGUN: _to(State.BEGUN),
        Happening.SENT: _to(State.SENT),
        Happening.REPLY: Step(Action.DROP, State.QUEUED),
        Happening.CANCEL: _to(State.QUEUED_CANCELLED),
        Happening.ENDED: _to(State.QUEUED),
        Happening.REFUSED: _NOT_RUN,
    },
    State.BEGUN: {
        Happening.SENT: _to(State.SENT),
        Happening.REPLY: _ADMITTED,
        Happening.CANCEL: Step(Action.TELL, State.BEGUN_CANCELLED),
        Happening.ENDED: _NOT_RUN,
    },
    State.SENT: {
        Happening.REPLY: _ADMITTED,
        Happening.CANCEL: Step(Action.TELL, State.SENT_CANCELLED),
        Happening.ENDED: _UNKNOWN,
    },
    State.QUEUED_CANCELLED: {
        Happening.BEGUN: Step(Action.TELL, State.BEGUN_CANCELLED),
        Happening.SENT: Step(Action.TELL, State.SENT_CANCELLED),
        Happening.REPLY: Step(Action.DROP, State.QUEUED_CANCELLED),
        Happening.CANCEL: _to(State.QUEUED_CANCELLED),
        Happening.CLOSE: _NOT_RUN,
        Happening.ENDED: _to(State.QUEUED_CANCELLED),
        Happening.REFUSED: _NOT_RUN,
    },
    State.BEGUN_CANCELLED: {
        Happening.SENT: _to(State.SENT_CANCELLED),
        Happening.REPLY: _ADMITTED,
        Happening.CANCEL: _to(State.BEGUN_CANCELLED),
        Happening.CLOSE: _UNKNOWN,
        Happening.ENDED: _NOT_RUN,
    },
    State.SENT_CANCELLED: {
        Happening.REPLY: _ADMITTED,
        Happening.CANCEL: _to(State.SENT_CANCELLED),
        Happening.CLOSE: _UNKNOWN,
        Happening.ENDED: _UNKNOWN,
    },
}
