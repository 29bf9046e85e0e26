<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Who changed what.
 *
 * @phpstan-import-type AuditEntry from \Parley\Types
 * @phpstan-import-type AuditPage from \Parley\Types
 */
final class Audit
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Who changed what, newest first.
     *
     * Needs the scope `audit:read`.
     *
     * `GET /v1/audit`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:audit:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $actor Only of this actor.
     * @param string|null $action A whole action, or a noun for every action on such records.
     * @param string|null $subject Only about this record.
     * @param string|null $since Only from then on.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return AuditPage
     * @throws \Parley\ParleyError
     */
    public function listEntries(?string $actor = null, ?string $action = null, ?string $subject = null, ?string $since = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listAuditEntries', 'GET', '/v1/audit', query: ['actor' => $actor, 'action' => $action, 'subject' => $subject, 'since' => $since, 'cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * Who changed what, newest first: every one, page after page as they are needed.
     *
     * @param string|null $actor Only of this actor.
     * @param string|null $action A whole action, or a noun for every action on such records.
     * @param string|null $subject Only about this record.
     * @param string|null $since Only from then on.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, AuditEntry>
     * @throws \Parley\ParleyError
     */
    public function iterateEntries(?string $actor = null, ?string $action = null, ?string $subject = null, ?string $since = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listEntries($actor, $action, $subject, $since, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }
}
