from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ._call import segment
from ._client import _read_base_url
from ._transport import Options, Request, Settings, Surroundings, Transport

if TYPE_CHECKING:
    from .types import BotTurnAnswer

# A turn takes its answer so long after it was posted, in seconds.
TURN = 60.0


def answer_bot_turn(
    base_url: Optional[str],
    token: str,
    answer: "BotTurnAnswer",
    *,
    timeout: float = 10.0,
    _around: Optional[Surroundings] = None,
) -> None:
    """
    Gives the answer of a bot to a turn whose call it answered with 202, within 60 seconds after the turn. The token is the
    proof, so it needs no key. It is tried again as a call of a client is: the same answer twice is sent once.

    :param base_url: the address of the API, as of a client
    :param timeout: for each try, in seconds
    :raises ParleyError: ``CONFLICT`` when the turn is over, ``VALIDATION_FAILED`` when the answer has another form
    """
    settings = Settings(
        base_url=_read_base_url(base_url),
        api_key=None,
        timeout=timeout,
        max_retries=None,
        give_up_after=TURN,
        max_wait=TURN,
        wait_for_rate_limit=False,
        headers={},
        on_attempt=None,
    )
    path = f'/v1/bot-turns/{segment("token", token)}'
    request = Request("answerBotTurn", "POST", path, body=answer, repeatable=True)
    Transport(settings, _around or Surroundings()).call(request, Options())
