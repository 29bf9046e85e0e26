<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * The monthly meter.
 *
 * @phpstan-import-type UsageHistory from \Parley\Types
 * @phpstan-import-type UsageMonth from \Parley\Types
 * @phpstan-import-type UsageSummary from \Parley\Types
 */
final class Usage
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Usage of the current UTC month.
     *
     * Needs the scope `usage:read`.
     *
     * `GET /v1/usage`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return UsageSummary
     * @throws \Parley\ParleyError
     */
    public function get(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getUsage', 'GET', '/v1/usage'), null, $timeout, $maxRetries);
    }

    /**
     * The months before and this one, newest first.
     *
     * Needs the scope `usage:read`.
     *
     * `GET /v1/usage/history`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: its last month.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return UsageHistory
     * @throws \Parley\ParleyError
     */
    public function listMonths(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listUsageMonths', 'GET', '/v1/usage/history', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * The months before and this one, newest first: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: its last month.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, UsageMonth>
     * @throws \Parley\ParleyError
     */
    public function iterateMonths(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listMonths($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }
}
