<?php

declare(strict_types=1);

namespace Parley;

/** What the server last said of this key: `limit` requests in any 60 seconds. */
final class RateLimit
{
    /**
     * @param int $remaining how many would pass now
     * @param float $resetAt when the oldest counted request stops counting, in Unix seconds
     */
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly float $resetAt,
    ) {
    }
}
