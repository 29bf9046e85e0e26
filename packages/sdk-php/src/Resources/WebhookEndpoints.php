<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Addresses that events are sent to, and the deliveries.
 *
 * @phpstan-import-type ChangeWebhookEndpoint from \Parley\Types
 * @phpstan-import-type PutWebhookEndpoint from \Parley\Types
 * @phpstan-import-type RedeliverEvents from \Parley\Types
 * @phpstan-import-type Redelivered from \Parley\Types
 * @phpstan-import-type RotateWebhookSecret from \Parley\Types
 * @phpstan-import-type WebhookDelivery from \Parley\Types
 * @phpstan-import-type WebhookDeliveryDetails from \Parley\Types
 * @phpstan-import-type WebhookDeliveryPage from \Parley\Types
 * @phpstan-import-type WebhookEndpoint from \Parley\Types
 * @phpstan-import-type WebhookEndpointPage from \Parley\Types
 * @phpstan-import-type WebhookEndpointPut from \Parley\Types
 * @phpstan-import-type WebhookSecret from \Parley\Types
 */
final class WebhookEndpoints
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the webhook endpoints, oldest first.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last endpoint.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return WebhookEndpointPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listWebhookEndpoints', 'GET', '/v1/webhook-endpoints', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the webhook endpoints, oldest first: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last endpoint.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, WebhookEndpoint>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Create the webhook endpoint of a name, or change it to this.
     *
     * For a script that runs at each deployment: the same call again changes nothing, and there is one endpoint with one secret. `secret` is shown by the call that creates the endpoint, and is null afterwards; `POST …/rotate-secret` makes another one. An endpoint that is disabled stays so.
     *
     * Needs the scope `webhooks:write`.
     *
     * `PUT /v1/webhook-endpoints/by-name/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $name The endpoint's name, as it is written: one endpoint of a name.
     * @param PutWebhookEndpoint $body
     * @return WebhookEndpointPut
     * @throws \Parley\ParleyError
     */
    public function put(string $name, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('putWebhookEndpoint', 'PUT', '/v1/webhook-endpoints/by-name/' . Request::segment('name', $name), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * One webhook endpoint.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @return WebhookEndpoint
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readWebhookEndpoint', 'GET', '/v1/webhook-endpoints/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * One webhook endpoint: with the `ETag` of the record, its version.
     *
     * @param string $id The endpoint.
     * @return array{WebhookEndpoint, string}
     * @throws \Parley\ParleyError
     */
    public function getWithEtag(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readWebhookEndpoint', 'GET', '/v1/webhook-endpoints/' . Request::segment('id', $id), withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Change a webhook endpoint: address, kinds, name, enabled.
     *
     * `enabled` true sends what was held, sets the failures in a row to zero and ends the rest after a failure. The same call twice changes nothing more.
     *
     * Needs the scope `webhooks:write`.
     *
     * `PATCH /v1/webhook-endpoints/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `NAME_TAKEN`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @param ChangeWebhookEndpoint $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return WebhookEndpoint
     * @throws \Parley\ParleyError
     */
    public function change(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('changeWebhookEndpoint', 'PATCH', '/v1/webhook-endpoints/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * Change a webhook endpoint: address, kinds, name, enabled: with the `ETag` of the record, its version.
     *
     * @param string $id The endpoint.
     * @param ChangeWebhookEndpoint $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array{WebhookEndpoint, string}
     * @throws \Parley\ParleyError
     */
    public function changeWithEtag(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('changeWebhookEndpoint', 'PATCH', '/v1/webhook-endpoints/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch, withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Delete a webhook endpoint, with what waits for it.
     *
     * Its events stay in the feed. A request that is under way ends; nothing else is sent.
     *
     * Needs the scope `webhooks:write`.
     *
     * `DELETE /v1/webhook-endpoints/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function delete(string $id, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('deleteWebhookEndpoint', 'DELETE', '/v1/webhook-endpoints/' . Request::segment('id', $id), ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * Send a webhook endpoint an `endpoint.test` event.
     *
     * It goes to this endpoint alone, whatever kinds it gets. The delivery is `held` while the endpoint is disabled; `GET …/deliveries/{eventId}` shows how it ended.
     *
     * Needs the scope `webhooks:write`.
     *
     * `POST /v1/webhook-endpoints/{id}/test`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @return WebhookDelivery
     * @throws \Parley\ParleyError
     */
    public function test(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('testWebhookEndpoint', 'POST', '/v1/webhook-endpoints/' . Request::segment('id', $id) . '/test', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Give a webhook endpoint a new secret.
     *
     * It takes over in 24 hours, or at once with `now`. Until then the secret before it signs, and `webhook-signature` carries both, so a receiver that accepts both misses nothing. Each call makes another secret: one with `now` after one without makes a third, and a receiver that has only the first two refuses what it signs. It also replaces a secret that has not taken over yet.
     *
     * Needs the scope `webhooks:write`.
     *
     * `POST /v1/webhook-endpoints/{id}/rotate-secret`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @param RotateWebhookSecret $body
     * @return WebhookSecret
     * @throws \Parley\ParleyError
     */
    public function rotateWebhookSecret(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('rotateWebhookSecret', 'POST', '/v1/webhook-endpoints/' . Request::segment('id', $id) . '/rotate-secret', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Send events to a webhook endpoint again.
     *
     * One event in any state by `eventId`, or with `since` all that failed: those whose tries are exhausted, and those that wait for a later try. With `delivered` also those that arrived. Each begins a new round of tries. An endpoint that failed rests for at most two minutes first; `PATCH` with `enabled` true ends its rest. Events are kept for 30 days. 409 `NOT_ALLOWED_IN_STATE` while the endpoint is disabled: enable it, which also sends what is held.
     *
     * Needs the scope `webhooks:write`.
     *
     * `POST /v1/webhook-endpoints/{id}/redeliver`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @param RedeliverEvents $body
     * @return Redelivered
     * @throws \Parley\ParleyError
     */
    public function redeliverEvents(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('redeliverEvents', 'POST', '/v1/webhook-endpoints/' . Request::segment('id', $id) . '/redeliver', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * List the deliveries of a webhook endpoint, newest first.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints/{id}/deliveries`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @param 'pending'|'delivered'|'exhausted'|'held'|null $state Only deliveries in this state.
     * @param 'message.status'|'message.received'|'message.created'|'message.updated'|'message.deleted'|'media.stored'|'note.created'|'note.updated'|'note.deleted'|'suggestion.settled'|'conversation.created'|'conversation.updated'|'contact.created'|'contact.updated'|'contact.opted_out'|'contact.opted_in'|'contact.merged'|'contact.deleted'|'broadcast.status'|'broadcast.recipient'|'template.status'|'channel.status'|'otp.status'|'usage.threshold'|'bot.handed_over'|'bot.finished'|'webhook.disabled'|'endpoint.test'|null $type Only this kind of event.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return WebhookDeliveryPage
     * @throws \Parley\ParleyError
     */
    public function listWebhookDeliveries(string $id, ?string $state = null, ?string $type = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listWebhookDeliveries', 'GET', '/v1/webhook-endpoints/' . Request::segment('id', $id) . '/deliveries', query: ['state' => $state, 'type' => $type, 'cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the deliveries of a webhook endpoint, newest first: every one, page after page as they are needed.
     *
     * @param string $id The endpoint.
     * @param 'pending'|'delivered'|'exhausted'|'held'|null $state Only deliveries in this state.
     * @param 'message.status'|'message.received'|'message.created'|'message.updated'|'message.deleted'|'media.stored'|'note.created'|'note.updated'|'note.deleted'|'suggestion.settled'|'conversation.created'|'conversation.updated'|'contact.created'|'contact.updated'|'contact.opted_out'|'contact.opted_in'|'contact.merged'|'contact.deleted'|'broadcast.status'|'broadcast.recipient'|'template.status'|'channel.status'|'otp.status'|'usage.threshold'|'bot.handed_over'|'bot.finished'|'webhook.disabled'|'endpoint.test'|null $type Only this kind of event.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, WebhookDelivery>
     * @throws \Parley\ParleyError
     */
    public function iterateWebhookDeliveries(string $id, ?string $state = null, ?string $type = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listWebhookDeliveries($id, $state, $type, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * One delivery, with its request and every attempt.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints/{id}/deliveries/{eventId}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The endpoint.
     * @param string $eventId The event: the `webhook-id` of its request.
     * @return WebhookDeliveryDetails
     * @throws \Parley\ParleyError
     */
    public function getWebhookDelivery(string $id, string $eventId, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readWebhookDelivery', 'GET', '/v1/webhook-endpoints/' . Request::segment('id', $id) . '/deliveries/' . Request::segment('eventId', $eventId)), null, $timeout, $maxRetries);
    }
}
