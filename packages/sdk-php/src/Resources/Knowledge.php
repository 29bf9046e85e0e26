<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * 
 *
 * @phpstan-import-type KnowledgeSource from \Parley\Types
 * @phpstan-import-type PutKnowledge from \Parley\Types
 */
final class Knowledge
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Add a snippet, or change it, by the id that it has at its origin.
     *
     * Bots answer from it at once. The same call twice changes nothing more.
     *
     * Needs the scope `bots:write`.
     *
     * `PUT /v1/knowledge/{externalId}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $externalId The id that the source has at its origin.
     * @param PutKnowledge $body
     * @return KnowledgeSource
     * @throws \Parley\ParleyError
     */
    public function put(string $externalId, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('putKnowledge', 'PUT', '/v1/knowledge/' . Request::segment('externalId', $externalId), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Delete a source by the id that it has at its origin.
     *
     * Needs the scope `bots:write`.
     *
     * `DELETE /v1/knowledge/{externalId}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $externalId The id that the source has at its origin.
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function remove(string $externalId, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('removeKnowledge', 'DELETE', '/v1/knowledge/' . Request::segment('externalId', $externalId)), null, $timeout, $maxRetries);
    }
}
