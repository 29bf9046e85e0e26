from __future__ import annotations

import re
import urllib.parse
from typing import Any, Callable, Iterator, Mapping, Optional

from ._call import SILENCE, Gap, read_pieces, read_stream
from ._rate_limit import RateLimit
from ._transport import Attempt, Options, Request, Settings, Surroundings, Transport
from .resources import Resources


class Parley(Resources):
    """A client of one workspace. Threads may share it."""

    def __init__(
        self,
        base_url: Optional[str],
        api_key: Optional[str],
        *,
        timeout: float = 30.0,
        max_retries: Optional[int] = None,
        max_wait: float = 60.0,
        wait_for_rate_limit: bool = False,
        headers: Optional[Mapping[str, str]] = None,
        on_attempt: Optional[Callable[[Attempt], None]] = None,
        give_up_after: Optional[float] = None,
        _around: Optional[Surroundings] = None,
    ) -> None:
        """
        :param base_url: the address of the API: it ends in ``/api``, as ``https://parley.example.com/api``. May be
            ``os.environ.get("X")`` as it is: a variable that is not set is refused, here as in ``api_key``
        :param api_key: both halves of an API key, joined by a colon. It acts as the whole workspace
        :param timeout: for each try, in seconds
        :param max_retries: how often a call that may be repeated is tried again at most. Without it as often as
            ``give_up_after`` lets it
        :param max_wait: the longest wait between two tries, in seconds, whatever the server asks; beyond it the call fails
        :param wait_for_rate_limit: wait before a request that the rate limit would refuse, instead of being refused first
        :param headers: sent with every request
        :param give_up_after: how long after its start a call that may be repeated is still tried again, in seconds: 90, or
            no time when ``max_retries`` is given
        :param on_attempt: called after every try, for logs and metrics
        :raises ValueError: for options that cannot work
        """
        settings = Settings(
            base_url=_read_base_url(base_url),
            api_key=_read_key(api_key),
            timeout=timeout,
            max_retries=max_retries,
            give_up_after=give_up_after,
            max_wait=max_wait,
            wait_for_rate_limit=wait_for_rate_limit,
            headers=headers or {},
            on_attempt=on_attempt,
        )
        self._transport = Transport(settings, _around or Surroundings())
        super().__init__(self)

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        """What the server last said of this key's rate; None before the first answer."""
        return self._transport.rate.current

    def _call(self, request: Request, options: Options) -> Any:
        return self._transport.call(request, options)

    def _pieces(self, request: Request, options: Options) -> Iterator[bytes]:
        return read_pieces(self._transport, request, options)

    def _stream(
        self, request: Request, max_retries: Optional[int], on_gap: Optional[Callable[[Gap], None]]
    ) -> Iterator[Any]:
        return read_stream(self._transport, request, max_retries=max_retries, timeout=SILENCE, on_gap=on_gap)


def _read_base_url(text: Optional[str]) -> str:
    if not (text or "").strip():
        raise ValueError("base_url is missing or empty: is the variable set that holds it?")
    try:
        url = urllib.parse.urlsplit(text or "")
        host, _ = url.hostname, url.port
    except ValueError:
        host = None
    if not host:
        raise ValueError("base_url must be an address as https://parley.example.com/api")
    if url.scheme not in ("http", "https") or url.query or url.fragment or url.username is not None:
        raise ValueError("base_url must be http or https, without a query and without credentials")
    return url.geturl().rstrip("/")


def _read_key(key: Optional[str]) -> str:
    # Quoting it in the error would put the secret into logs.
    text = key.strip() if isinstance(key, str) else ""
    if not text:
        raise ValueError("api_key is missing or empty: is the variable set that holds it?")
    if not re.fullmatch(r"[!-9;-~]+:[!-~]+", text):
        raise ValueError("api_key must be PUBLIC:SECRET, both halves of an API key")
    return text
