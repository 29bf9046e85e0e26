<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Files of messages, and files for messages.
 *
 * @phpstan-import-type MediaFile from \Parley\Types
 * @phpstan-import-type StoreMedia from \Parley\Types
 */
final class Media
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Store a file, from an address or as bytes, for a message to carry.
     *
     * With `Content-Type: application/json` the body names an address; with any other, the body is the file, and `name` or `Content-Disposition` names it. Its bytes decide what it is; the `Content-Type` helps where they do not show it. The address must be public and https: the server fetches the file once, within 30 s, and follows no redirect. One that no message carries within 24 hours is deleted.
     *
     * Needs the scope `messages:write` or `templates:send` or `templates:write` or `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/media`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `NOT_FETCHED`, `ATTACHMENT_REFUSED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:write`, `MISSING_SCOPE:templates:send`, `MISSING_SCOPE:templates:write`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `UNSENT_FILES_FULL`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`, `STORAGE_FULL`.
     *
     * @param StoreMedia $body
     * @return MediaFile
     * @throws \Parley\ParleyError
     */
    public function store(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('storeMedia', 'POST', '/v1/media', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Store a file, from an address or as bytes, for a message to carry: with the bytes of the file. `mediaType` says what a file is whose bytes do not, as a text.
     *
     * @param string|resource $file its bytes, or the open file (`fopen`), which is sent piece by piece
     * @param string|null $name Of a file that is the body: its name for the customer. Without it, the `filename` of `Content-Disposition`.
     * @return MediaFile
     * @throws \Parley\ParleyError
     */
    public function storeFile(mixed $file, ?string $name = null, string $mediaType = 'application/octet-stream', ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('storeMedia', 'POST', '/v1/media', query: ['name' => $name], body: $file, bodyType: $mediaType, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One file of a message, or an upload.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/media/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The file.
     * @return MediaFile
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readMedia', 'GET', '/v1/media/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * The bytes of a file.
     *
     * Its `Content-Type` is what the bytes are. `Range` and `If-None-Match` hold. 503 `MEDIA_PENDING` while it is fetched from its platform.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/media/{id}/content`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `MEDIA_PENDING`, `OVERLOADED`.
     *
     * @param string $id The id of a media. Any other text is simply not found.
     * @return string
     * @throws \Parley\ParleyError
     */
    public function download(string $id, ?float $timeout = null, ?int $maxRetries = null): string
    {
        return $this->caller->call(new Request('downloadMedia', 'GET', '/v1/media/' . Request::segment('id', $id) . '/content', binary: true), null, $timeout, $maxRetries);
    }

    /**
     * The bytes of a file: piece by piece as it arrives, so that no more than a piece is in memory.
     *
     * @param string $id The id of a media. Any other text is simply not found.
     * @return \Generator<int, string>
     * @throws \Parley\ParleyError
     */
    public function downloadPieces(string $id, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->pieces(new Request('downloadMedia', 'GET', '/v1/media/' . Request::segment('id', $id) . '/content', binary: true), $timeout, $maxRetries);
    }
}
