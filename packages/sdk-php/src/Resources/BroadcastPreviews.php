<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * What contacts would get from a draft.
 *
 * @phpstan-import-type BroadcastPreview from \Parley\Types
 * @phpstan-import-type PreviewDraft from \Parley\Types
 */
final class BroadcastPreviews
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * The messages that real contacts would get from a draft, stored or not.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/broadcast-previews`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param PreviewDraft $body
     * @return BroadcastPreview
     * @throws \Parley\ParleyError
     */
    public function previewDraft(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('previewDraft', 'POST', '/v1/broadcast-previews', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
