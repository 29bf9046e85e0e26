<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * The people of the workspace.
 *
 * @phpstan-import-type Member from \Parley\Types
 * @phpstan-import-type MemberPage from \Parley\Types
 */
final class Members
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the members of the workspace.
     *
     * Needs the scope `team:read`.
     *
     * `GET /v1/members`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:team:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return MemberPage
     * @throws \Parley\ParleyError
     */
    public function listTeamMembers(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listTeamMembers', 'GET', '/v1/members', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the members of the workspace: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, Member>
     * @throws \Parley\ParleyError
     */
    public function iterateTeamMembers(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listTeamMembers($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }
}
