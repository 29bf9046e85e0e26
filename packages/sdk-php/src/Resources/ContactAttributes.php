<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * What custom attributes of contacts hold.
 *
 * @phpstan-import-type ContactAttribute from \Parley\Types
 * @phpstan-import-type ContactAttributePage from \Parley\Types
 * @phpstan-import-type PutContactAttribute from \Parley\Types
 */
final class ContactAttributes
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * The defined attributes of contacts, by key.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contact-attributes`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: the key of its last attribute.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return ContactAttributePage
     * @throws \Parley\ParleyError
     */
    public function list(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listContactAttributes', 'GET', '/v1/contact-attributes', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * The defined attributes of contacts, by key: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: the key of its last attribute.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, ContactAttribute>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Define what an attribute holds, or replace its definition.
     *
     * Imports then read it as this type, and rules of segments must fit it. Stored values stay, and contacts may still have any JSON there.
     *
     * Needs the scope `contacts:write`.
     *
     * `PUT /v1/contact-attributes/{key}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $key Its name in `attributes` of contacts.
     * @param PutContactAttribute $body
     * @return ContactAttribute
     * @throws \Parley\ParleyError
     */
    public function put(string $key, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('putContactAttribute', 'PUT', '/v1/contact-attributes/' . Request::segment('key', $key), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * One defined attribute.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contact-attributes/{key}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $key Its name in `attributes` of contacts.
     * @return ContactAttribute
     * @throws \Parley\ParleyError
     */
    public function get(string $key, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readContactAttribute', 'GET', '/v1/contact-attributes/' . Request::segment('key', $key)), null, $timeout, $maxRetries);
    }

    /**
     * Remove the definition of an attribute; the values stay.
     *
     * Needs the scope `contacts:write`.
     *
     * `DELETE /v1/contact-attributes/{key}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $key Its name in `attributes` of contacts.
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function delete(string $key, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('deleteContactAttribute', 'DELETE', '/v1/contact-attributes/' . Request::segment('key', $key)), null, $timeout, $maxRetries);
    }
}
