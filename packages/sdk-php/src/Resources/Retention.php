<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * For how long messages, files and events are kept.
 *
 * @phpstan-import-type ChangeRetention from \Parley\Types
 * @phpstan-import-type PreviewRetention from \Parley\Types
 * @phpstan-import-type RetentionPreview from \Parley\Types
 * @phpstan-import-type RetentionTimes from \Parley\Types
 */
final class Retention
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Show for how long messages, files and events are kept.
     *
     * Needs the scope `retention:write`.
     *
     * `GET /v1/retention`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return RetentionTimes
     * @throws \Parley\ParleyError
     */
    public function get(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readRetention', 'GET', '/v1/retention'), null, $timeout, $maxRetries);
    }

    /**
     * Change for how long messages, files and events are kept.
     *
     * What is deleted cannot be brought back. When something is kept for a shorter time, nothing is deleted for 24 hours; until then the change can be taken back. Ask `POST /retention/preview` first.
     *
     * Needs the scope `retention:write`.
     *
     * `PATCH /v1/retention`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param ChangeRetention $body
     * @return RetentionTimes
     * @throws \Parley\ParleyError
     */
    public function change(array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('changeRetention', 'PATCH', '/v1/retention', body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Count what a change of the retention would delete today.
     *
     * Changes nothing.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `retention:write`.
     *
     * `POST /v1/retention/preview`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param PreviewRetention $body
     * @return RetentionPreview
     * @throws \Parley\ParleyError
     */
    public function preview(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('previewRetention', 'POST', '/v1/retention/preview', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
