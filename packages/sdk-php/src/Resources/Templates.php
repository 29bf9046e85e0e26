<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * WhatsApp templates.
 *
 * @phpstan-import-type CreateTemplate from \Parley\Types
 * @phpstan-import-type EditTemplate from \Parley\Types
 * @phpstan-import-type Template from \Parley\Types
 */
final class Templates
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List approved WhatsApp templates, by name.
     *
     * Needs the scope `templates:read`.
     *
     * `GET /v1/templates`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param 'all'|null $status `all`: in any status. Without it only approved ones are listed.
     * @param string|null $channelId Only those of this channel.
     * @param string|null $name Only those with this name, in every language.
     * @return list<Template>
     * @throws \Parley\ParleyError
     */
    public function list(?string $status = null, ?string $channelId = null, ?string $name = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listTemplates', 'GET', '/v1/templates', query: ['status' => $status, 'channelId' => $channelId, 'name' => $name]), null, $timeout, $maxRetries);
    }

    /**
     * Submit a template for the platform's review.
     *
     * What the platform would refuse, and what it refuses, is a 400 with the field in `details`. `template.status` says what it decided. 503: it may have arrived; look at the list before you try again.
     *
     * Needs the scope `templates:write`.
     *
     * `POST /v1/templates`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param CreateTemplate $body
     * @return Template
     * @throws \Parley\ParleyError
     */
    public function create(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('createTemplate', 'POST', '/v1/templates', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Submit other content for a template.
     *
     * It is reviewed again. Name, language and category stay. 409 `NOT_ALLOWED_IN_STATE` unless it is APPROVED, REJECTED or PAUSED.
     *
     * Needs the scope `templates:write`.
     *
     * `PUT /v1/templates/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The template.
     * @param EditTemplate $body
     * @return Template
     * @throws \Parley\ParleyError
     */
    public function edit(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('editTemplate', 'PUT', '/v1/templates/' . Request::segment('id', $id), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Delete a template, here and at its platform.
     *
     * Other languages of its name stay. The platform takes no new template of the name for some weeks. 409 `NOT_ALLOWED_IN_STATE` while a scheduled or running campaign sends it.
     *
     * Needs the scope `templates:write`.
     *
     * `DELETE /v1/templates/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The template.
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function delete(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('deleteTemplate', 'DELETE', '/v1/templates/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * One template, whatever the platform says of it.
     *
     * Needs the scope `templates:read`.
     *
     * `GET /v1/templates/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The template.
     * @return Template
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readTemplate', 'GET', '/v1/templates/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }
}
