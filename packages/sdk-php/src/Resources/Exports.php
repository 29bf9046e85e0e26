<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Contacts as a file.
 *
 * @phpstan-import-type ContactExport from \Parley\Types
 * @phpstan-import-type CreateExport from \Parley\Types
 */
final class Exports
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Choose contacts to read as a file.
     *
     * All contacts, those of a saved segment, or those that fit a definition. The file is written while `GET /v1/exports/{id}/content` is read, so it has the contacts of that moment; the audit then names the key, how many there were and the filter.
     *
     * A key may call it 10 times in an hour (limit `exports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:export`.
     *
     * `POST /v1/exports`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param CreateExport $body
     * @return ContactExport
     * @throws \Parley\ParleyError
     */
    public function create(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('createExport', 'POST', '/v1/exports', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One export.
     *
     * Needs the scope `contacts:export`.
     *
     * `GET /v1/exports/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The export.
     * @return ContactExport
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readExport', 'GET', '/v1/exports/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * The contacts of an export as a file.
     *
     * CSV with a header (RFC 4180) or one JSON object in each line, newest contact first. An import reads it back. It is written while it is read, in pieces that give way to requests.
     *
     * Needs the scope `contacts:export`.
     *
     * `GET /v1/exports/{id}/content`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a export. Any other text is simply not found.
     * @return string
     * @throws \Parley\ParleyError
     */
    public function download(string $id, ?float $timeout = null, ?int $maxRetries = null): string
    {
        return $this->caller->call(new Request('downloadExport', 'GET', '/v1/exports/' . Request::segment('id', $id) . '/content'), null, $timeout, $maxRetries);
    }

    /**
     * The contacts of an export as a file: piece by piece as it arrives, so that no more than a piece is in memory.
     *
     * @param string $id The id of a export. Any other text is simply not found.
     * @return \Generator<int, string>
     * @throws \Parley\ParleyError
     */
    public function downloadPieces(string $id, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->pieces(new Request('downloadExport', 'GET', '/v1/exports/' . Request::segment('id', $id) . '/content'), $timeout, $maxRetries);
    }
}
