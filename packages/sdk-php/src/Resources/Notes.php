<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Notes that members and programs write for the team.
 *
 * @phpstan-import-type ChangeNote from \Parley\Types
 * @phpstan-import-type Note from \Parley\Types
 */
final class Notes
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Change the text of a note.
     *
     * A key changes only its own notes: another's is 403 `FORBIDDEN`.
     *
     * Needs the scope `conversations:write`.
     *
     * `PATCH /v1/notes/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `FORBIDDEN`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The note.
     * @param ChangeNote $body
     * @return Note
     * @throws \Parley\ParleyError
     */
    public function change(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('changeNote', 'PATCH', '/v1/notes/' . Request::segment('id', $id), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Delete a note.
     *
     * Its place stays, its text is deleted. A key deletes only its own notes.
     *
     * Needs the scope `conversations:write`.
     *
     * `DELETE /v1/notes/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `FORBIDDEN`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The note.
     * @return Note
     * @throws \Parley\ParleyError
     */
    public function remove(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('removeNote', 'DELETE', '/v1/notes/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }
}
