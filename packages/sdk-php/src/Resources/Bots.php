<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * 
 *
 * @phpstan-import-type BotListed from \Parley\Types
 */
final class Bots
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the bots, the newest first; archived ones last.
     *
     * Needs the scope `bots:read`.
     *
     * `GET /v1/bots`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return array{items: list<BotListed>}
     * @throws \Parley\ParleyError
     */
    public function list(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listBots', 'GET', '/v1/bots'), null, $timeout, $maxRetries);
    }
}
