<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Contacts from a file.
 *
 * @phpstan-import-type Import from \Parley\Types
 * @phpstan-import-type ImportLook from \Parley\Types
 * @phpstan-import-type ImportPage from \Parley\Types
 * @phpstan-import-type ImportReport from \Parley\Types
 * @phpstan-import-type LookAtImport from \Parley\Types
 * @phpstan-import-type StartImport from \Parley\Types
 */
final class Imports
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the newest hundred imports, newest first.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/imports`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last import.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return ImportPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listImports', 'GET', '/v1/imports', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the newest hundred imports, newest first: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last import.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, Import>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Upload a file of contacts.
     *
     * The body is the file. Nothing is imported yet: look at it (`POST /v1/imports/{id}/look`), then start it. A file that is not started within a day is deleted.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `UNSENT_FILES_FULL`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`, `STORAGE_FULL`.
     *
     * @param string|resource $body its bytes, or the open file (`fopen`), which is sent piece by piece
     * @param string $name Its name; the ending says what it is: .csv, .tsv, .txt or .jsonl.
     * @return Import
     * @throws \Parley\ParleyError
     */
    public function upload(mixed $body, string $name, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('uploadImport', 'POST', '/v1/imports', query: ['name' => $name], body: $body, bodyType: 'text/csv', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One import: how far it is, and why rows were refused.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/imports/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The import.
     * @return ImportReport
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readImport', 'GET', '/v1/imports/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * Look at an uploaded file: its columns, and what an import would do.
     *
     * Stores nothing. `columns` proposes a field for each column; give the mapping that you want as `map` and look again, then start with the same.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports/{id}/look`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The import.
     * @param LookAtImport $body
     * @return ImportLook
     * @throws \Parley\ParleyError
     */
    public function lookAtImport(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('lookAtImport', 'POST', '/v1/imports/' . Request::segment('id', $id) . '/look', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Start the import of an uploaded file.
     *
     * It goes on in the background, with the rights of the key: `GET /v1/imports/{id}` shows how far it is.
     *
     * A key may call it 10 times in an hour (limit `imports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports/{id}/start`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The import.
     * @param StartImport $body
     * @return Import
     * @throws \Parley\ParleyError
     */
    public function start(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('startImport', 'POST', '/v1/imports/' . Request::segment('id', $id) . '/start', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Cancel an import, or remove a file that was not started.
     *
     * The batch that runs is finished first. Rows that were imported stay.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports/{id}/cancel`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The import.
     * @return Import
     * @throws \Parley\ParleyError
     */
    public function cancel(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('cancelImport', 'POST', '/v1/imports/' . Request::segment('id', $id) . '/cancel', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * The refused rows of an import as a file of its kind.
     *
     * Each row as it was, with its line and the reason, so that it can be mended and imported again. Kept for thirty days. The audit names the key.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/imports/{id}/refused`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a import. Any other text is simply not found.
     * @return string
     * @throws \Parley\ParleyError
     */
    public function downloadRefusedRows(string $id, ?float $timeout = null, ?int $maxRetries = null): string
    {
        return $this->caller->call(new Request('downloadRefusedRows', 'GET', '/v1/imports/' . Request::segment('id', $id) . '/refused'), null, $timeout, $maxRetries);
    }

    /**
     * The refused rows of an import as a file of its kind: piece by piece as it arrives, so that no more than a piece is in memory.
     *
     * @param string $id The id of a import. Any other text is simply not found.
     * @return \Generator<int, string>
     * @throws \Parley\ParleyError
     */
    public function downloadRefusedRowsPieces(string $id, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->pieces(new Request('downloadRefusedRows', 'GET', '/v1/imports/' . Request::segment('id', $id) . '/refused'), $timeout, $maxRetries);
    }
}
