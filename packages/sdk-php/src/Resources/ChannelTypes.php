<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * What a channel of each type needs.
 *
 * @phpstan-import-type ChannelTypeList from \Parley\Types
 */
final class ChannelTypes
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * What a channel of each type needs.
     *
     * Needs the scope `channels:read`.
     *
     * `GET /v1/channel-types`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param 'WHATSAPP'|'MESSENGER'|'INSTAGRAM'|'TELEGRAM'|'TIKTOK'|'WEB'|null $type Only this type.
     * @return ChannelTypeList
     * @throws \Parley\ParleyError
     */
    public function list(?string $type = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listChannelTypes', 'GET', '/v1/channel-types', query: ['type' => $type]), null, $timeout, $maxRetries);
    }
}
