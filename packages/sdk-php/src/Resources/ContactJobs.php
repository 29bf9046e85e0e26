<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * 
 *
 * @phpstan-import-type ContactJob from \Parley\Types
 * @phpstan-import-type ContactJobPage from \Parley\Types
 * @phpstan-import-type MoveContactJob from \Parley\Types
 * @phpstan-import-type StartContactJob from \Parley\Types
 */
final class ContactJobs
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Change many contacts in the background.
     *
     * For the contacts that exist now; whether one fits is checked just before it is changed. `delete` needs the scope `contacts:erase` too, `opt_in` the scope `contacts:consent`. The customer's own STOP is not undone.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contact-jobs`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `MISSING_SCOPE:contacts:consent`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param StartContactJob $body
     * @return ContactJob
     * @throws \Parley\ParleyError
     */
    public function start(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('startContactJob', 'POST', '/v1/contact-jobs', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * List changes to many contacts, newest first.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/contact-jobs`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last change.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return ContactJobPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listContactJobs', 'GET', '/v1/contact-jobs', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List changes to many contacts, newest first: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last change.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, ContactJob>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * One change to many contacts, and how far it is.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/contact-jobs/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The change.
     * @return ContactJob
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readContactJob', 'GET', '/v1/contact-jobs/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * Pause, resume or cancel a change to many contacts.
     *
     * The changes that were made stay.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contact-jobs/{id}/moves`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The change.
     * @param MoveContactJob $body
     * @return ContactJob
     * @throws \Parley\ParleyError
     */
    public function move(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('moveContactJob', 'POST', '/v1/contact-jobs/' . Request::segment('id', $id) . '/moves', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
