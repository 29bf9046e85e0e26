from __future__ import annotations

import datetime
import email.utils
import errno
import http.client
import json
import math
import random
import re
import secrets
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from ._errors import ParleyError
from ._rate_limit import RateGate

VERSION = "1.0.0"
# A minute, which the rate limit may ask for, and a try of half a minute. A server that is started again is back by then.
GIVE_UP_AFTER = 90.0
FIRST_GAP = 0.5
LONGEST_GAP = 8.0


class Attempt(NamedTuple):
    """One try of a call, for logs and metrics."""

    operation: str
    """The operation's name in the document."""
    method: str
    url: str
    attempt: int
    """1 is the first."""
    status: Optional[int]
    """None when no answer came."""
    request_id: Optional[str]
    replayed: bool
    """The stored answer of an earlier call under the same key."""
    seconds: float


class Request(NamedTuple):
    """One operation of the document with its input."""

    id: str
    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    body: Any = None
    body_type: Optional[str] = None
    """The media type of a text, or of bytes, that are sent as they are."""
    keyed: bool = False
    """Takes an Idempotency-Key."""
    binary: bool = False
    """The answer is a file of any kind."""
    repeatable: bool = False
    """Without a key too the same again has its effect once."""
    if_match: Optional[str] = None
    """The version that is changed."""
    with_etag: bool = False
    """Gives the answer with its ETag, as a pair."""


class Options(NamedTuple):
    idempotency_key: Optional[str] = None
    timeout: Optional[float] = None
    max_retries: Optional[int] = None


class Surroundings(NamedTuple):
    """What the client needs of the world. Tests give their own."""

    now: Callable[[], float] = time.time
    random: Callable[[], float] = random.random
    sleep: Callable[[float], None] = time.sleep


class Settings(NamedTuple):
    base_url: str
    api_key: Optional[str]
    """None of a call whose path is its proof."""
    timeout: float
    max_retries: Optional[int]
    give_up_after: Optional[float]
    max_wait: float
    wait_for_rate_limit: bool
    headers: Mapping[str, str]
    on_attempt: Optional[Callable[[Attempt], None]]


class _AsItIs(urllib.request.HTTPErrorProcessor):
    """Every status is an answer. A redirect that is followed would carry the credential to another address."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class Transport:
    """Sends requests: credential, idempotency key, time-out, retries. One per client; threads may share it."""

    def __init__(self, settings: Settings, around: Surroundings) -> None:
        self._settings, self._around = settings, around
        self.rate = RateGate(around.now, around.sleep)
        self._opener = urllib.request.build_opener(_AsItIs)
        self._said_absent = False

    def call(self, request: Request, options: Options) -> Any:
        """Raises a ParleyError."""
        key = (new_key() if options.idempotency_key is None else options.idempotency_key) if request.keyed else None
        # No header can carry it: each try would be refused as if the connection had failed.
        if key is not None and not re.fullmatch(r"[ -~\xa0-\xff]{1,255}", key):
            raise ValueError("idempotency_key must be 1 to 255 characters that a header can carry")
        # Once: each try has the same bytes, even if the caller changes its object meanwhile.
        body = _bytes_of(request)
        attempt = 0
        until = self.begin(options)
        while True:
            attempt += 1
            try:
                return self._try(request, options, attempt, key, body)
            except ParleyError as error:
                if not self.again(request, error, attempt, until, options):
                    raise

    def begin(self, options: Options) -> float:
        """
        Waits for the first try's turn. Gives the time after which there is no other try: who says how often means no time.
        """
        settings = self._settings
        self.rate.enter(settings.wait_for_rate_limit)
        counted = options.max_retries is not None or settings.max_retries is not None
        most = (math.inf if counted else GIVE_UP_AFTER) if settings.give_up_after is None else settings.give_up_after
        return self._around.now() + most

    def again(self, request: Request, error: ParleyError, attempt: int, until: float, options: Options) -> bool:
        """True when another try is worth it, and begins before ``until``; then it has waited for it."""
        retries = self._settings.max_retries if options.max_retries is None else options.max_retries
        if (retries is not None and attempt > retries) or not may_repeat(request, error):
            return False
        # What is asked for is compared, not what chance adds to it: a whole minute is within a maximum of one.
        if (error.retry_after or 0) > self._settings.max_wait:
            return False
        # Half of it is chance, so that clients that failed together do not return together.
        jitter = self._around.random()
        most = min(LONGEST_GAP, FIRST_GAP * 2 ** min(attempt - 1, 10))
        gap = most * (0.5 + jitter / 2)
        left = until - self._around.now()
        if (error.retry_after or gap) > left:
            return False
        if error.status is None and _was_unsent(error.__cause__):
            self._say_absent(left)
        self._around.sleep(gap if error.retry_after is None else error.retry_after + jitter * 0.25)
        # Those that were refused together take turns: all at once they would be refused again.
        wait = self._settings.wait_for_rate_limit
        return self.rate.enter(wait or error.status == 429, math.inf if wait else until)

    def _say_absent(self, left: float) -> None:
        """Says once that there is no server: with a wrong address a program would seem to hang."""
        if self._said_absent:
            return
        self._said_absent = True
        span = "" if left == math.inf else f" for up to {round(left)} s"
        warnings.warn(f"parley: no server at {self._settings.base_url}; asking again{span}", stacklevel=6)

    @property
    def timeout(self) -> float:
        return self._settings.timeout

    def open(self, request: Request, timeout: float, attempt: int, headers: Dict[str, str]) -> Any:
        """Opens a stream, or a file that is read as it arrives: the answer, which the caller closes, or a ParleyError."""
        response, status, said, text = self._send(request, headers, timeout, attempt, None, None, stream=True)
        if response is not None:
            return response
        raise _refused(status, said, text, attempt, None)

    def _try(
        self, request: Request, options: Options, attempt: int, key: Optional[str], body: Any
    ) -> Any:
        timeout = self._settings.timeout if options.timeout is None else options.timeout
        headers = {"Accept": "application/json"}
        if request.if_match is not None:
            headers["If-Match"] = request.if_match
        _, status, said, raw = self._send(request, headers, timeout, attempt, key, body)
        fine = 200 <= status < 300
        if fine and request.binary:
            return raw
        if fine and said.get("content-type", "").startswith("text/csv"):
            return raw.decode("utf-8")
        value = _parse(raw)
        if fine and value is not _NO_JSON:
            return (value, said.get("etag", "")) if request.with_etag else value
        raise _refused(status, said, raw, attempt, key)

    def _send(
        self,
        request: Request,
        headers: Dict[str, str],
        timeout: float,
        attempt: int,
        key: Optional[str],
        body: Any,
        *,
        stream: bool = False,
    ) -> Tuple[Any, int, Dict[str, str], bytes]:
        settings = self._settings
        url = settings.base_url + request.path + _query_text(request.query)
        all_headers = {
            "User-Agent": f"parley-sdk-python/{VERSION}",
            **settings.headers,
            **headers,
        }
        if settings.api_key is not None:
            all_headers["Authorization"] = f"Bearer {settings.api_key}"
        if hasattr(body, "seek"):
            # Each try sends the whole file.
            all_headers["Content-Length"] = str(body.seek(0, 2))
            body.seek(0)
        if body is not None:
            all_headers["Content-Type"] = request.body_type or "application/json"
        if key is not None:
            all_headers["Idempotency-Key"] = key
        sent = urllib.request.Request(url, data=body, headers=all_headers, method=request.method)
        begun = time.monotonic()
        status: Optional[int] = None
        said: Dict[str, str] = {}
        failure: Optional[BaseException] = None
        open_: Any = None
        raw = b""
        try:
            if timeout <= 0:
                raise TimeoutError
            response = self._opener.open(sent, timeout=timeout)
            try:
                status = response.status
                said = {name.lower(): value for name, value in response.headers.items()}
                if stream and status == 200:
                    open_ = response
                else:
                    raw = _read_all(response, begun + timeout)
            finally:
                if open_ is None:
                    response.close()
        except (OSError, http.client.HTTPException) as error:
            failure = error
        finally:
            self.rate.leave(said)
        if settings.on_attempt is not None:
            replayed = said.get("idempotency-replayed") == "true"
            request_id = said.get("x-request-id")
            seconds = time.monotonic() - begun
            settings.on_attempt(
                Attempt(request.id, request.method, url, attempt, status, request_id, replayed, seconds)
            )
        if "parley-ignored" in said:
            warnings.warn(f"parley: {request.id} ignored these members: {said['parley-ignored']}", stacklevel=6)
        if "parley-held" in said:
            warnings.warn(f"parley: {request.id} did not change these members: {said['parley-held']}", stacklevel=6)
        if failure is None:
            return open_, status or 0, said, raw
        reason = failure.reason if isinstance(failure, urllib.error.URLError) else failure
        # Before Python 3.10 the one of sockets is a kind of its own.
        late = isinstance(reason, (TimeoutError, socket.timeout))
        raise ParleyError(
            "TIMED_OUT" if late else "CONNECTION_FAILED",
            attempts=attempt,
            idempotency_key=key,
            hint=f"no whole answer within {timeout:g} s" if late else f"no answer from {url}: {reason}",
        ) from failure


def _read_all(response: Any, until: float) -> bytes:
    """An answer that stops half way is no answer."""
    parts = []
    while True:
        if time.monotonic() >= until:
            raise TimeoutError
        part = response.read1(65_536)
        if not part:
            break
        parts.append(part)
    if response.length:
        raise http.client.IncompleteRead(b"")
    return b"".join(parts)


def _was_unsent(error: Optional[BaseException]) -> bool:
    """True when no byte of the request can have left: there was no connection."""
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, (ConnectionRefusedError, socket.gaierror)):
        return True
    return isinstance(reason, OSError) and reason.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH)


def may_repeat(request: Request, error: ParleyError) -> bool:
    """
    True when the same request again can only have the effect that one would have had. A PATCH may add to what it finds, as
    a note: it is sent again only when the first did not arrive, whatever version it is bound to.
    """
    if error.code == "STREAM_REPLACED":
        return False
    if error.status == 429:
        return True
    # The disk stays full until somebody makes room.
    if error.code == "STORAGE_FULL":
        return False
    if error.status == 409:
        return error.code == "IDEMPOTENCY_IN_PROGRESS"
    if error.status is None and _was_unsent(error.__cause__):
        return True
    if request.method not in ("GET", "PUT", "DELETE") and not request.keyed and not request.repeatable:
        return error.status == 503 and error.code == "OVERLOADED"
    return error.status is None or error.status >= 500


def _refused(status: int, said: Mapping[str, str], raw: bytes, attempt: int, key: Optional[str]) -> ParleyError:
    body = _parse(raw)
    retry_after = _retry_after(status, said)
    known: Dict[str, Any] = {
        "attempts": attempt,
        "idempotency_key": key,
        "status": status,
        "request_id": said.get("x-request-id"),
        "retry_after": retry_after,
    }
    if not isinstance(body, dict) or "message" not in body or 200 <= status < 300:
        return ParleyError("UNEXPECTED_ANSWER", hint=f"status {status} without the API's body", **known)
    code = str(body["message"])
    hint = "does base_url end in /api?" if code == "ROUTE_NOT_FOUND" else None
    return ParleyError(code, body=body, hint=hint, **known)


_NO_JSON = object()


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return _NO_JSON


def _retry_after(status: int, said: Mapping[str, str]) -> Optional[float]:
    """
    Seconds or, from a proxy, a date; of a rate that says neither, when it has room again. A time that is over says
    nothing: a client that returned at once would do so again and again.
    """
    text = said.get("retry-after") or (said.get("ratelimit-reset") if status == 429 else None)
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,7}", text):
        seconds = float(text)
    else:
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    return seconds if seconds > 0 else None


def _bytes_of(request: Request) -> Any:
    body = request.body
    if body is None:
        return None
    if request.body_type is None:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    if hasattr(body, "read"):
        if not body.seekable():
            raise ValueError("a file that is sent must be seekable: it is sent again when a try fails")
        return body
    return body.encode("utf-8") if isinstance(body, str) else bytes(body)


def _query_text(query: Optional[Mapping[str, Any]]) -> str:
    given = {name: _text_of(value) for name, value in (query or {}).items() if value is not None}
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text_of(one) for one in value)
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value)


def new_key() -> str:
    return f"sdk-{secrets.token_hex(18)}"
