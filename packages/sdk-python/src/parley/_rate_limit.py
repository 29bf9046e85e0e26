from __future__ import annotations

import math
import re
import threading
from datetime import datetime, timezone
from typing import Callable, Mapping, NamedTuple, Optional


class RateLimit(NamedTuple):
    """What the server last said of this key: ``limit`` requests in any 60 seconds."""

    limit: int
    remaining: int
    """How many would pass now, those in the air counted."""
    reset_at: datetime
    """When the oldest counted request stops counting."""


class RateGate:
    """Keeps what the RateLimit headers say, and lets callers wait for their turn. Threads share it."""

    def __init__(self, now: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._now, self._sleep = now, sleep
        self._lock = threading.Lock()
        self._limit: Optional[int] = None
        self._remaining = 0
        self._reset_at = 0.0
        self._in_air = 0

    @property
    def current(self) -> Optional[RateLimit]:
        with self._lock:
            if self._limit is None:
                return None
            reset_at = datetime.fromtimestamp(self._reset_at, timezone.utc)
            return RateLimit(self._limit, max(0, self._remaining), reset_at)

    def enter(self, wait: bool, until: float = math.inf) -> bool:
        """Waits until a request would pass, as far as is known; then counts it. False when that would be after ``until``."""
        while True:
            with self._lock:
                seconds = self._reset_at - self._now()
                full = wait and self._limit is not None and self._remaining <= 0
                if not full or seconds <= 0:
                    # One goes and finds out; the others look again when it has, or in a second.
                    if full:
                        self._reset_at = self._now() + 1
                    self._remaining -= 1
                    self._in_air += 1
                    return True
                if self._reset_at > until:
                    return False
            self._sleep(seconds)

    def leave(self, headers: Optional[Mapping[str, str]]) -> None:
        limit, remaining, reset = (
            _count(headers.get(f"ratelimit-{name}") if headers else None) for name in ("limit", "remaining", "reset")
        )
        with self._lock:
            self._in_air -= 1
            if limit is None or remaining is None:
                return
            self._limit = limit
            self._remaining = remaining - self._in_air
            self._reset_at = self._now() + (reset or 0)


def _count(text: Optional[str]) -> Optional[int]:
    return int(text) if text and re.fullmatch(r"[0-9]{1,9}", text) else None
