<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * What happened, in order: the feed behind the webhooks.
 *
 * @phpstan-import-type EventPage from \Parley\Types
 * @phpstan-import-type WebhookEvent from \Parley\Types
 */
final class Events
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * The workspace's events, by sequence.
     *
     * Every event, whether or not an endpoint exists, kept for 30 days: the bodies that webhooks deliver, byte for byte. Without `after` it begins with the oldest. A key reads the kinds whose scope it holds: `message.*`, `media.*`, `note.*`, `suggestion.*`, `conversation.*`, `channel.*` and `bot.*` with `messages:read`, `contact.*` with `contacts:read`, `broadcast.*` with `broadcasts:read`, `template.*` with `templates:read`, `usage.*` with `usage:read`, `otp.*` with `otp:send`, `webhook.*` with `webhooks:read`; a key without scopes reads all. For a key with scopes a gap in `sequence` is therefore no loss.
     *
     * Needs the scope `messages:read` or `contacts:read` or `broadcasts:read` or `templates:read` or `usage:read` or `otp:send` or `webhooks:read`.
     *
     * `GET /v1/events`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param int|'latest'|null $after Events after this sequence: `nextAfter` of the page before. `latest`: none; `nextAfter` is the place to read on from, for a program that begins now.
     * @param int|null $limit How many at most. Above 500 acts as 500.
     * @param list<'message.status'|'message.received'|'message.created'|'message.updated'|'message.deleted'|'media.stored'|'note.created'|'note.updated'|'note.deleted'|'suggestion.settled'|'conversation.created'|'conversation.updated'|'contact.created'|'contact.updated'|'contact.opted_out'|'contact.opted_in'|'contact.merged'|'contact.deleted'|'broadcast.status'|'broadcast.recipient'|'template.status'|'channel.status'|'otp.status'|'usage.threshold'|'bot.handed_over'|'bot.finished'|'webhook.disabled'|'endpoint.test'>|null $types Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.
     * @return EventPage
     * @throws \Parley\ParleyError
     */
    public function list(int|string|null $after = null, ?int $limit = null, ?array $types = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listEvents', 'GET', '/v1/events', query: ['after' => $after, 'limit' => $limit, 'types' => $types]), null, $timeout, $maxRetries);
    }

    /**
     * The workspace's events, by sequence: every one, page after page as they are needed.
     *
     * @param int|'latest'|null $after Events after this sequence: `nextAfter` of the page before. `latest`: none; `nextAfter` is the place to read on from, for a program that begins now.
     * @param int|null $limit How many at most. Above 500 acts as 500.
     * @param list<'message.status'|'message.received'|'message.created'|'message.updated'|'message.deleted'|'media.stored'|'note.created'|'note.updated'|'note.deleted'|'suggestion.settled'|'conversation.created'|'conversation.updated'|'contact.created'|'contact.updated'|'contact.opted_out'|'contact.opted_in'|'contact.merged'|'contact.deleted'|'broadcast.status'|'broadcast.recipient'|'template.status'|'channel.status'|'otp.status'|'usage.threshold'|'bot.handed_over'|'bot.finished'|'webhook.disabled'|'endpoint.test'>|null $types Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.
     * @param (\Closure(array{after: int, oldestSequence: int|null}): void)|null $onGap
     * @return \Generator<int, WebhookEvent>
     * @throws \Parley\ParleyError
     */
    public function iterate(int|string|null $after = null, ?int $limit = null, ?array $types = null, ?float $timeout = null, ?int $maxRetries = null, ?\Closure $onGap = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($next['after'] ?? $after, $limit, $types, $timeout, $maxRetries), after: $after, onGap: $onGap);
    }

    /**
     * The workspace's events as they happen (server-sent events).
     *
     * Each event has its sequence as `id`, its kind as `event` and the body of the webhook as `data`. It begins after `Last-Event-ID`, else after `after`, else now; the first frame, `open`, names the place. `gap` says that events after that place are no longer kept; `end` why the server ends the stream: `shutdown`, `revoked` (the key), `replaced` (the key has more than five). A comment is sent every 15 seconds. Opening it counts as a request of the key. A key reads the kinds whose scope it holds: `message.*`, `media.*`, `note.*`, `suggestion.*`, `conversation.*`, `channel.*` and `bot.*` with `messages:read`, `contact.*` with `contacts:read`, `broadcast.*` with `broadcasts:read`, `template.*` with `templates:read`, `usage.*` with `usage:read`, `otp.*` with `otp:send`, `webhook.*` with `webhooks:read`; a key without scopes reads all. For a key with scopes a gap in `sequence` is therefore no loss.
     *
     * Needs the scope `messages:read` or `contacts:read` or `broadcasts:read` or `templates:read` or `usage:read` or `otp:send` or `webhooks:read`.
     *
     * `GET /v1/events/stream`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param int|null $after Events after this sequence: `nextAfter` of the page before.
     * @param list<'message.status'|'message.received'|'message.created'|'message.updated'|'message.deleted'|'media.stored'|'note.created'|'note.updated'|'note.deleted'|'suggestion.settled'|'conversation.created'|'conversation.updated'|'contact.created'|'contact.updated'|'contact.opted_out'|'contact.opted_in'|'contact.merged'|'contact.deleted'|'broadcast.status'|'broadcast.recipient'|'template.status'|'channel.status'|'otp.status'|'usage.threshold'|'bot.handed_over'|'bot.finished'|'webhook.disabled'|'endpoint.test'>|null $types Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.
     * @param (\Closure(array{after: int, oldestSequence: int|null}): void)|null $onGap
     * @return \Generator<int, WebhookEvent>
     * @throws \Parley\ParleyError
     */
    public function stream(?int $after = null, ?array $types = null, ?int $maxRetries = null, ?\Closure $onGap = null): \Generator
    {
        return $this->caller->stream(new Request('streamEvents', 'GET', '/v1/events/stream', query: ['after' => $after, 'types' => $types]), $maxRetries, $onGap);
    }
}
