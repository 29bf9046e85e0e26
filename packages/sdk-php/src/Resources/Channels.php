<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Connected accounts of platforms.
 *
 * @phpstan-import-type ChangeChannel from \Parley\Types
 * @phpstan-import-type Channel from \Parley\Types
 * @phpstan-import-type ChannelConnected from \Parley\Types
 * @phpstan-import-type ChannelPace from \Parley\Types
 * @phpstan-import-type ChannelPage from \Parley\Types
 * @phpstan-import-type ChannelTest from \Parley\Types
 * @phpstan-import-type ConnectChannel from \Parley\Types
 * @phpstan-import-type SetChannelPace from \Parley\Types
 * @phpstan-import-type TemplateSync from \Parley\Types
 */
final class Channels
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the channels, oldest first.
     *
     * `problems` says what is wrong with a channel: refused credentials, calls with a wrong signature, silence.
     *
     * Needs the scope `channels:read`.
     *
     * `GET /v1/channels`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last channel.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return ChannelPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listChannels', 'GET', '/v1/channels', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the channels, oldest first: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before: the id of its last channel.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, Channel>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Connect an account.
     *
     * The platform is asked about the values first, and then to call us. A value that it refuses is 400 with the field's name, and nothing is stored. The same account again keeps its id and history and gets the new values. A test workspace takes no account: it has channels of the sandbox only. A setup that the platform refuses leaves the channel in `error`; it is tried again within the hour.
     *
     * Needs the scope `channels:write`.
     *
     * `POST /v1/channels`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `CHANNEL_LIMIT_REACHED`, `MISSING_SCOPE:channels:write`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param ConnectChannel $body
     * @return ChannelConnected
     * @throws \Parley\ParleyError
     */
    public function connect(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('connectChannel', 'POST', '/v1/channels', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One channel.
     *
     * Needs the scope `channels:read`.
     *
     * `GET /v1/channels/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The channel.
     * @return Channel
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readChannel', 'GET', '/v1/channels/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * Change a channel: its name, its values, its address.
     *
     * A value that is left out stays; an empty value of an optional field is removed. The platform is asked about new values first. Another `apiUrl` needs all secrets again.
     *
     * Needs the scope `channels:write`.
     *
     * `PATCH /v1/channels/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The channel.
     * @param ChangeChannel $body
     * @return Channel
     * @throws \Parley\ParleyError
     */
    public function change(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('changeChannel', 'PATCH', '/v1/channels/' . Request::segment('id', $id), body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Ask the platform about a channel's values now.
     *
     * And set it up there again. Nothing is sent to anybody. `fault` names the value that the platform refuses.
     *
     * Needs the scope `channels:write`.
     *
     * `POST /v1/channels/{id}/test`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The channel.
     * @return ChannelTest
     * @throws \Parley\ParleyError
     */
    public function test(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('testChannel', 'POST', '/v1/channels/' . Request::segment('id', $id) . '/test', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Disconnect a channel.
     *
     * Its secrets are deleted, its place in the plan is free, and its history stays. The platform is asked to stop calling. The same call twice changes nothing more.
     *
     * Needs the scope `channels:write`.
     *
     * `POST /v1/channels/{id}/disconnect`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The channel.
     * @return Channel
     * @throws \Parley\ParleyError
     */
    public function disconnect(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('disconnectChannel', 'POST', '/v1/channels/' . Request::segment('id', $id) . '/disconnect', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Bound how fast all campaigns together send on a number.
     *
     * It takes effect within a second. Replies are not bound by it.
     *
     * Needs the scope `channels:write`.
     *
     * `PUT /v1/channels/{id}/pace`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The channel.
     * @param SetChannelPace $body
     * @return ChannelPace
     * @throws \Parley\ParleyError
     */
    public function setPace(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('setChannelPace', 'PUT', '/v1/channels/' . Request::segment('id', $id) . '/pace', body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Read a channel's templates at its platform now.
     *
     * It may take half a minute for thousands.
     *
     * Needs the scope `templates:write`.
     *
     * `POST /v1/channels/{id}/template-sync`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The channel.
     * @return TemplateSync
     * @throws \Parley\ParleyError
     */
    public function syncTemplates(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('syncTemplates', 'POST', '/v1/channels/' . Request::segment('id', $id) . '/template-sync', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
