<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Replies inside conversations.
 *
 * @phpstan-import-type Message from \Parley\Types
 * @phpstan-import-type MessageAccepted from \Parley\Types
 * @phpstan-import-type MessagePage from \Parley\Types
 * @phpstan-import-type NewMessage from \Parley\Types
 */
final class Messages
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Reply inside an existing conversation.
     *
     * A reply reaches the customer only while the reply window is open: for 24 hours after the customer last wrote on WhatsApp, Messenger and Instagram, for 48 hours and at most 10 messages on TikTok; Telegram and web chat have no window. `windowExpiresAt` of the conversation says until when. Afterwards the answer is 201 with `status` `failed`: the message is stored with error code `131047` and counts in the quota, and nothing is sent. On WhatsApp a template reaches the customer then: `POST /v1/template-messages`, or a campaign. It sends a text and nothing else: files, buttons and quotes go by `POST /v1/conversations/{id}/messages`.
     *
     * **A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**
     *
     * Needs the scope `messages:write`.
     *
     * `POST /v1/messages`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONVERSATION_NOT_FOUND`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:messages:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param NewMessage $body
     * @return MessageAccepted
     * @throws \Parley\ParleyError
     */
    public function send(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('sendMessage', 'POST', '/v1/messages', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * List the messages of all conversations, newest first.
     *
     * The first copy of everything takes a call for 200 messages. Take the feed's place before it (`GET /v1/events` with `after=latest`), and follow the feed from there: what is sent, changed or deleted meanwhile is read after the copy.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/messages`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return MessagePage
     * @throws \Parley\ParleyError
     */
    public function listAllMessages(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listAllMessages', 'GET', '/v1/messages', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the messages of all conversations, newest first: every one, page after page as they are needed.
     *
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, Message>
     * @throws \Parley\ParleyError
     */
    public function iterateAllMessages(?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listAllMessages($next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * One message.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/messages/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a message. Any other text is simply not found.
     * @return Message
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getMessage', 'GET', '/v1/messages/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }
}
