<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Labels of conversations, with their colors.
 *
 * @phpstan-import-type Label from \Parley\Types
 * @phpstan-import-type LabelPage from \Parley\Types
 * @phpstan-import-type PutLabel from \Parley\Types
 */
final class Labels
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the labels that have a color, by name.
     *
     * Needs the scope `messages:read` or `conversations:write`.
     *
     * `GET /v1/labels`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:conversations:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: the name of its last label.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return LabelPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listLabels', 'GET', '/v1/labels', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the labels that have a color, by name: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: the name of its last label.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, Label>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Create a label, or change its color or its name.
     *
     * With `newName` its conversations keep the label under the new name. The same call twice changes nothing more.
     *
     * Needs the scope `conversations:write`.
     *
     * `PUT /v1/labels/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $name 1 to 80 characters; stored in lower case.
     * @param PutLabel $body
     * @return Label
     * @throws \Parley\ParleyError
     */
    public function put(string $name, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('putLabel', 'PUT', '/v1/labels/' . Request::segment('name', $name), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * One label.
     *
     * Needs the scope `messages:read` or `conversations:write`.
     *
     * `GET /v1/labels/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $name 1 to 80 characters; stored in lower case.
     * @return Label
     * @throws \Parley\ParleyError
     */
    public function get(string $name, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readLabel', 'GET', '/v1/labels/' . Request::segment('name', $name)), null, $timeout, $maxRetries);
    }

    /**
     * Delete a label, also from its conversations in the inbox.
     *
     * Needs the scope `conversations:write`.
     *
     * `DELETE /v1/labels/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $name 1 to 80 characters; stored in lower case.
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function delete(string $name, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('deleteLabel', 'DELETE', '/v1/labels/' . Request::segment('name', $name)), null, $timeout, $maxRetries);
    }
}
