<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Texts that the team shares.
 *
 * @phpstan-import-type SavedReplyPage from \Parley\Types
 */
final class SavedReplies
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the saved replies that the team shares.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/saved-replies`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return SavedReplyPage
     * @throws \Parley\ParleyError
     */
    public function list(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listSavedReplies', 'GET', '/v1/saved-replies'), null, $timeout, $maxRetries);
    }
}
