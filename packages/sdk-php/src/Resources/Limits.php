<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * What the plan allows.
 *
 * @phpstan-import-type PlanLimits from \Parley\Types
 */
final class Limits
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * What the plan allows, and how much of it is used.
     *
     * Needs the scope `usage:read`.
     *
     * `GET /v1/limits`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return PlanLimits
     * @throws \Parley\ParleyError
     */
    public function get(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readLimits', 'GET', '/v1/limits'), null, $timeout, $maxRetries);
    }
}
