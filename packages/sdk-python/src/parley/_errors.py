from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Union

if TYPE_CHECKING:
    from .types import ApiErrorCode, ClientErrorCode


class ParleyError(Exception):
    """Why a call failed. Switch on ``code``; every other member explains it."""

    code: "Union[ApiErrorCode, ClientErrorCode]"
    """A newer server may say one that this version of the client does not know: keep a default."""
    status: Optional[int]
    """The HTTP status; None when no answer came."""
    request_id: Optional[str]
    """Names the request in the server's log."""
    details: List[Mapping[str, str]]
    """With VALIDATION_FAILED: every fault, with ``path`` and ``message``. With other codes: the sentence that explains it."""
    limit: Optional[int]
    """With a plan's limit (402): the limit at that moment."""
    usage: Optional[int]
    """With a plan's limit (402): the use at that moment."""
    retry_after: Optional[float]
    """How long the server asked to wait, in seconds."""
    idempotency_key: Optional[str]
    """Of a POST. When the outcome is not known, the same call under this key is safe for 24 hours."""
    attempts: int
    """How often it was tried."""

    def __init__(
        self,
        code: str,
        *,
        attempts: int,
        idempotency_key: Optional[str] = None,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        body: Optional[Mapping[str, Any]] = None,
        hint: Optional[str] = None,
    ) -> None:
        said: Mapping[str, Any] = body or {}
        details = said.get("details")
        self.details = details if isinstance(details, list) else []
        words = (f"{one['path']}: {one.get('message')}" if one.get("path") else str(one.get("message")) for one in self.details)
        why = "; ".join(words) or hint
        super().__init__(f"{code} ({why})" if why else code)
        self.code = code  # type: ignore[assignment]
        self.status = status
        self.request_id = request_id
        self.limit = said.get("limit")
        self.usage = said.get("usage")
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key
        self.attempts = attempts
