<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * The key itself.
 *
 * @phpstan-import-type KeyHolder from \Parley\Types
 */
final class Me
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * The key of the request, its workspace and its scopes.
     *
     * Any scope opens it.
     *
     * Needs the scope `messages:read` or `contacts:read` or `contacts:write` or `messages:write` or `otp:send` or `templates:read` or `broadcasts:read` or `broadcasts:write` or `usage:read` or `conversations:write` or `templates:send` or `team:read` or `contacts:consent` or `contacts:erase` or `segments:write` or `messages:draft` or `broadcasts:draft` or `webhooks:read` or `webhooks:write` or `contacts:export` or `audit:read` or `channels:read` or `channels:write` or `templates:write` or `bots:read` or `bots:write` or `otp:verify` or `retention:write`.
     *
     * `GET /v1/me`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `MISSING_SCOPE:messages:write`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:broadcasts:write`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:conversations:write`, `MISSING_SCOPE:templates:send`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:contacts:consent`, `MISSING_SCOPE:contacts:erase`, `MISSING_SCOPE:segments:write`, `MISSING_SCOPE:messages:draft`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:webhooks:read`, `MISSING_SCOPE:webhooks:write`, `MISSING_SCOPE:contacts:export`, `MISSING_SCOPE:audit:read`, `MISSING_SCOPE:channels:read`, `MISSING_SCOPE:channels:write`, `MISSING_SCOPE:templates:write`, `MISSING_SCOPE:bots:read`, `MISSING_SCOPE:bots:write`, `MISSING_SCOPE:otp:verify`, `MISSING_SCOPE:retention:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return KeyHolder
     * @throws \Parley\ParleyError
     */
    public function get(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readMe', 'GET', '/v1/me'), null, $timeout, $maxRetries);
    }
}
