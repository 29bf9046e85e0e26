"""The client of the Parley REST API, and the verification of its webhooks."""

from ._bot_turns import answer_bot_turn
from ._client import Parley
from ._errors import ParleyError
from ._rate_limit import RateLimit
from ._transport import Attempt
from .webhooks import WebhookError, verify_bot_turn, verify_webhook

__all__ = ["Attempt", "Parley", "ParleyError", "RateLimit", "WebhookError", "answer_bot_turn", "verify_bot_turn", "verify_webhook"]
