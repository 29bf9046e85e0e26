<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * 
 *
 * @phpstan-import-type PlayInbound from \Parley\Types
 * @phpstan-import-type TestInbound from \Parley\Types
 */
final class Test
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Write as a customer of a test workspace.
     *
     * The customer is one of the emulated platform, and the message takes the whole road: the platform's call, contact, conversation, bot, webhooks. It waits up to ten seconds until the message is stored. A customer writes (`text`, a file, both; with `replyTo` as a quote) or presses a button (`press`). In a live workspace it is refused with 409 `NOT_ALLOWED_IN_STATE`.
     *
     * Needs the scope `messages:write`.
     *
     * `POST /v1/test/inbound`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CHANNEL_NEEDED`, `NOT_SUPPORTED_HERE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param PlayInbound $body
     * @return TestInbound
     * @throws \Parley\ParleyError
     */
    public function playInbound(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('playInbound', 'POST', '/v1/test/inbound', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
