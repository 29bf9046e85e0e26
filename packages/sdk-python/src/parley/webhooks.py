"""Proof that a delivery was sent by Parley."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Union, cast

if TYPE_CHECKING:
    from .types import BotTurn, WebhookErrorCode, WebhookEvent

_SERVICE_HEADER = "x-service-signature"


class WebhookError(Exception):
    """Why a delivery is not believed. Answer it with 400."""

    code: "WebhookErrorCode"

    def __init__(self, code: "WebhookErrorCode", why: str) -> None:
        super().__init__(f"{code} ({why})")
        self.code = code


class _Claim(NamedTuple):
    time: str
    """Unix seconds, as signed."""
    signed: str
    signatures: List[bytes]
    key_of: Callable[[str], bytes]


def verify_webhook(
    raw_body: Union[str, bytes],
    headers: Any,
    secret: Union[str, Sequence[str], None],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> "WebhookEvent":
    """
    Proves that a delivery came from Parley and gives its event. Compares in constant time.

    :param raw_body: the body as it was received: parsed and written again it has other bytes
    :param headers: the request's, as any framework has them, or the value of ``X-Service-Signature`` alone
    :param secret: the endpoint's (``whsec_…``), or several while one replaces another
    :param tolerance: how far the signature's time may be from ours, in seconds
    :param now: our time in Unix seconds
    :raises WebhookError: for a delivery that is not believed
    :raises TypeError: for a parsed body, or a secret that is not set
    """
    event = _parse(_prove(raw_body, headers, secret, tolerance, now))
    if isinstance(event, dict) and isinstance(event.get("type"), str) and isinstance(event.get("data"), dict):
        return cast("WebhookEvent", event)
    raise WebhookError("MALFORMED_BODY", "signed, yet no event")


def verify_bot_turn(
    raw_body: Union[str, bytes],
    headers: Any,
    secret: Union[str, Sequence[str], None],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> "BotTurn":
    """
    As ``verify_webhook``, of a turn that Parley posts to a bot (``docs/external-bots.md``): ``secret`` is the bot's own.
    """
    turn = _parse(_prove(raw_body, headers, secret, tolerance, now))
    if isinstance(turn, dict) and turn.get("type") == "bot.turn" and isinstance(turn.get("messages"), list):
        return cast("BotTurn", turn)
    raise WebhookError("MALFORMED_BODY", "signed, yet no turn of a bot")


def _prove(
    raw_body: Union[str, bytes],
    headers: Any,
    secret: Union[str, Sequence[str], None],
    tolerance: float,
    now: Optional[float],
) -> bytes:
    """The bytes of the body, once they are proven."""
    secrets = [secret] if isinstance(secret, str) else list(secret or [])
    if not secrets or any(not isinstance(one, str) or one == "" for one in secrets):
        raise TypeError("secret must be the endpoint's secret: is the variable set that holds it?")
    if not isinstance(raw_body, (str, bytes, bytearray, memoryview)):
        raise TypeError("raw_body must be the body as it was received: a string or bytes, not parsed JSON")
    body = raw_body.encode("utf-8") if isinstance(raw_body, str) else bytes(raw_body)
    claim = _service_claim(headers) or _standard_claim(headers)
    if claim is None:
        raise WebhookError(
            "NO_SIGNATURE",
            "neither X-Service-Signature nor webhook-id, webhook-timestamp and webhook-signature are here",
        )
    proven = False
    for one in secrets:
        wanted = hmac.new(claim.key_of(one), claim.signed.encode() + body, "sha256").digest()
        for signature in claim.signatures:
            proven = hmac.compare_digest(wanted, signature) or proven
    if not proven:
        raise WebhookError("WRONG_SIGNATURE", "not signed with this secret over these bytes")
    # After the proof: the time is to be believed only now.
    ours = time.time() if now is None else now
    if not abs(ours - int(claim.time)) <= tolerance:
        raise WebhookError("STALE_SIGNATURE", f"signed at {claim.time}, it is {int(ours)}")
    return body


def _service_claim(headers: Any) -> Optional[_Claim]:
    """``t=<unix seconds>,v1=<hex>[,v1=<hex>]``: of ``<t>.<body>``, keyed with the secret as it is shown."""
    header = _header_of(headers, _SERVICE_HEADER)
    if header is None:
        return None
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    hexes = [value for name, _, value in parts if name == "v1"]
    signatures = [bytes.fromhex(one) for one in hexes if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", one)]
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]) or not signatures:
        raise WebhookError("MALFORMED_SIGNATURE", "X-Service-Signature is not t=…,v1=…")
    return _Claim(times[0], f"{times[0]}.", signatures, lambda secret: secret.encode("utf-8"))


def _standard_claim(headers: Any) -> Optional[_Claim]:
    """``v1,<base64>[ v1,<base64>]``: of ``<id>.<time>.<body>``, keyed with the bytes behind ``whsec_``."""
    header = _header_of(headers, "webhook-signature")
    event_id = _header_of(headers, "webhook-id")
    at = _header_of(headers, "webhook-timestamp")
    if header is None or event_id is None or at is None:
        return None
    found = [_base64_bytes(one[3:]) for one in header.split(" ") if one.startswith("v1,")]
    signatures = [one for one in found if one is not None]
    if not re.fullmatch(r"[0-9]{1,12}", at) or not signatures:
        raise WebhookError("MALFORMED_SIGNATURE", "the webhook-* headers are not Standard Webhooks")
    return _Claim(at, f"{event_id}.{at}.", signatures, _standard_key)


def _standard_key(secret: str) -> bytes:
    key = _base64_bytes(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if not key:
        raise TypeError("secret must be whsec_ and base64")
    return key


def _header_of(headers: Any, name: str) -> Optional[str]:
    # None: what a framework gives for a header that did not come.
    if headers is None:
        return None
    if isinstance(headers, (str, list, tuple)):
        return (headers if isinstance(headers, str) else ",".join(headers)) if name == _SERVICE_HEADER else None
    for key, value in headers.items():
        if str(key).lower() == name and value is not None:
            return value if isinstance(value, str) else ",".join(value)
    return None


def _parse(body: bytes) -> Any:
    """None for what is no JSON."""
    try:
        return json.loads(body.decode("utf-8"))
    except ValueError:
        return None


def _base64_bytes(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
