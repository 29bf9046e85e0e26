<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Texts that the team shares.
 *
 * @phpstan-import-type PutSavedReply from \Parley\Types
 * @phpstan-import-type SavedReply from \Parley\Types
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

    /**
     * Create a saved reply that the team shares, or change the one with this shortcut.
     *
     * Its files stay. A source of the knowledge that follows it is read again at once. The same call twice changes nothing more. There are 500 at most.
     *
     * Needs the scope `conversations:write`.
     *
     * `PUT /v1/saved-replies/{shortcut}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $shortcut 1 to 40 letters, digits, `_` and `-`; stored in lower case.
     * @param PutSavedReply $body
     * @return SavedReply
     * @throws \Parley\ParleyError
     */
    public function put(string $shortcut, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('putSavedReply', 'PUT', '/v1/saved-replies/' . Request::segment('shortcut', $shortcut), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Delete the saved reply that the team shares under this shortcut.
     *
     * Needs the scope `conversations:write`.
     *
     * `DELETE /v1/saved-replies/{shortcut}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $shortcut 1 to 40 letters, digits, `_` and `-`; stored in lower case.
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function remove(string $shortcut, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('removeSavedReply', 'DELETE', '/v1/saved-replies/' . Request::segment('shortcut', $shortcut)), null, $timeout, $maxRetries);
    }
}
