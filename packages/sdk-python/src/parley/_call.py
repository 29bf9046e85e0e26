"""What generated methods are made of: paths, pages, batches, the stream of events."""

from __future__ import annotations

import http.client
import json
import math
import re
import urllib.parse
from itertools import islice
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Set, Tuple, Union

from ._errors import ParleyError
from ._transport import Options, Request, Transport, new_key

# Three comments of the server that did not arrive: the connection is dead, whatever it looks like.
SILENCE = 45.0

Gap = Mapping[str, Any]


def segment(name: str, value: str) -> str:
    """An id as a part of a path. Raises a ValueError for what would lead to another address."""
    if value == "":
        raise ValueError(f"{name} is empty: it must be an id")
    if not isinstance(value, str) or re.fullmatch(r"\.{0,2}", value):
        raise ValueError(f"{name} must be an id")
    # As JavaScript's encodeURIComponent.
    return urllib.parse.quote(value, safe="!'()*")


def every_of(
    read: Callable[[Dict[str, Any]], Any],
    *,
    first: Optional[int] = None,
    after: Union[int, str, None] = None,
    on_gap: Optional[Callable[[Gap], None]] = None,
) -> Iterator[Any]:
    """
    Every item of a list, page after page. What is added while it is read pushes others to the next page of a numbered
    list: one that the page before showed is not shown again.
    """
    position: Dict[str, Any] = {}
    before: Set[str] = set()
    number = first or 1
    while True:
        page = read(position)
        items: List[Any] = page["items"]
        if page.get("gap") and on_gap is not None:
            start = position.get("after", after)
            on_gap(
                {"after": start if isinstance(start, int) else 0, "oldestSequence": page.get("oldestSequence")}
            )
        shown = set()
        for item in items:
            named = item.get("id") if isinstance(item, dict) else None
            if isinstance(named, str):
                shown.add(named)
                if named in before:
                    continue
            yield item
        before = shown
        if "nextCursor" in page:
            if page["nextCursor"] is None:
                return
            position = {"cursor": page["nextCursor"]}
        elif "nextAfter" in page:
            if not page.get("hasMore"):
                return
            position = {"after": page["nextAfter"]}
        else:
            size = page.get("pageSize") or len(items)
            if not items or number * size >= page.get("total", 0):
                return
            number += 1
            position = {"page": number}


def in_batches(
    items: Iterable[Any],
    most: int,
    send: Callable[[List[Any], str], Any],
    idempotency_key: Optional[str],
) -> Iterator[Tuple[Any, Any]]:
    """
    Sends any number of items in calls of at most ``most``, one after the other, as the results are read. Each call has
    a key of its own: ``KEY:1``, ``KEY:2`` … After a failure the same items under the same key have their effect once.
    """
    key = new_key() if idempotency_key is None else idempotency_key
    left = iter(items)
    number = 0
    while True:
        part = list(islice(left, most))
        if not part:
            return
        number += 1
        yield from zip(part, send(part, f"{key}:{number}")["results"])


def read_stream(
    transport: Transport,
    request: Request,
    *,
    max_retries: Optional[int],
    timeout: float,
    on_gap: Optional[Callable[[Gap], None]],
) -> Iterator[Any]:
    """
    Events as they happen. A connection that ends is opened again after the last id, however long the server is away.
    One that never opened gives up as a call does; so does every one after ``max_retries`` failures in a row, when they
    are given. Raises a ParleyError when it cannot go on.
    """
    last_id: Optional[str] = None
    attempt = 0
    until = transport.begin(Options(max_retries=max_retries))
    while True:
        attempt += 1
        failure = ParleyError("CONNECTION_FAILED", attempts=attempt, hint="the stream ended")
        try:
            headers = {"Accept": "text/event-stream"}
            if last_id is not None:
                headers["Last-Event-ID"] = last_id
            response = transport.open(request, timeout, attempt, headers)
            try:
                for event, data, frame_id in _frames_of(response):
                    attempt = 0
                    max_retries = 2**31 if max_retries is None else max_retries
                    until = math.inf
                    last_id = last_id if frame_id is None else frame_id
                    if event == "gap":
                        if on_gap is not None:
                            on_gap(json.loads(data))
                    elif event == "end":
                        if json.loads(data).get("reason") == "replaced":
                            raise ParleyError("STREAM_REPLACED", attempts=1)
                    elif data and event != "open":
                        yield json.loads(data)
            finally:
                response.close()
        except ParleyError as error:
            failure = error
        if not transport.again(request, failure, attempt or 1, until, Options(max_retries=max_retries)):
            raise failure


def read_pieces(transport: Transport, request: Request, options: Options) -> Iterator[bytes]:
    """
    A file as it arrives. Until its first byte it is tried again as a call is. A connection that breaks later, or is silent
    for the timeout, is a ParleyError: what was read until then is no whole file.
    """
    timeout = transport.timeout if options.timeout is None else options.timeout
    until = transport.begin(options)
    attempt = 0
    while True:
        attempt += 1
        try:
            response = transport.open(request, timeout, attempt, {"Accept": "*/*"})
            break
        except ParleyError as error:
            if not transport.again(request, error, attempt, until, options):
                raise
    try:
        while True:
            try:
                piece = response.read1(65_536)
                if not piece and response.length:
                    raise OSError("the connection ended")
            except (OSError, http.client.HTTPException) as error:
                raise ParleyError("CONNECTION_FAILED", attempts=attempt, hint="the file was cut off") from error
            if not piece:
                return
            yield piece
    finally:
        response.close()


def _frames_of(response: Any) -> Iterator[Tuple[str, str, Optional[str]]]:
    """Server-sent events. Ends with the connection, however that ends: what is missing is asked for again."""
    event, data, frame_id = "message", [], None  # type: str, List[str], Optional[str]
    seen = False
    while True:
        try:
            line = response.readline()
        except (OSError, ValueError, ParleyError):
            return
        except Exception as error:  # http.client's own, such as IncompleteRead
            if type(error).__module__ == "http.client":
                return
            raise
        if not line.endswith(b"\n"):
            return
        text = line.decode("utf-8").rstrip("\r\n")
        if not text:
            if seen:
                yield event, "\n".join(data), frame_id
            event, data, frame_id, seen = "message", [], None, False
            continue
        seen = True
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            event = value
        elif name == "id":
            frame_id = value
        elif name == "data":
            data.append(value)
