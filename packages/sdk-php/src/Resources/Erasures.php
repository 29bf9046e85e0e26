<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * People who are being erased.
 *
 * @phpstan-import-type Erasure from \Parley\Types
 */
final class Erasures
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * How far an erasure is.
     *
     * Needs the scope `contacts:erase`.
     *
     * `GET /v1/erasures/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The erasure.
     * @return Erasure
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readErasure', 'GET', '/v1/erasures/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }
}
