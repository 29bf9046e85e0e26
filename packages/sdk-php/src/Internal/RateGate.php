<?php

declare(strict_types=1);

namespace Parley\Internal;

use Parley\RateLimit;

/** Keeps what the RateLimit headers say, and waits for its turn. */
final class RateGate
{
    private ?int $limit = null;
    private int $remaining = 0;
    private float $resetAt = 0.0;

    public function __construct(private readonly Surroundings $around)
    {
    }

    public function current(): ?RateLimit
    {
        return $this->limit === null ? null : new RateLimit($this->limit, max(0, $this->remaining), $this->resetAt);
    }

    /** Waits until a request would pass, as far as is known; then counts it. False when that would be after `$until`. */
    public function enter(bool $wait, float $until = INF): bool
    {
        $seconds = $this->resetAt - $this->around->now();
        if ($wait && $this->limit !== null && $this->remaining <= 0 && $seconds > 0) {
            if ($this->resetAt > $until) {
                return false;
            }
            $this->around->sleep($seconds);
        }
        $this->remaining--;
        return true;
    }

    /** @param array<string, string> $headers */
    public function leave(array $headers): void
    {
        [$limit, $remaining, $reset] = array_map(
            static fn (string $name): ?int => preg_match('/\A[0-9]{1,9}\z/', $headers["ratelimit-$name"] ?? '') === 1 ? (int) $headers["ratelimit-$name"] : null,
            ['limit', 'remaining', 'reset'],
        );
        if ($limit !== null && $remaining !== null) {
            $this->limit = $limit;
            $this->remaining = $remaining;
            $this->resetAt = $this->around->now() + ($reset ?? 0);
        }
    }
}
