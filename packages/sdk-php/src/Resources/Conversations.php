<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Threads of a contact on a channel.
 *
 * @phpstan-import-type ChangeConversation from \Parley\Types
 * @phpstan-import-type ChangeManyConversations from \Parley\Types
 * @phpstan-import-type Conversation from \Parley\Types
 * @phpstan-import-type ConversationPage from \Parley\Types
 * @phpstan-import-type ConversationsChanged from \Parley\Types
 * @phpstan-import-type HandOverConversation from \Parley\Types
 * @phpstan-import-type ListedConversation from \Parley\Types
 * @phpstan-import-type Message from \Parley\Types
 * @phpstan-import-type MessagePage from \Parley\Types
 * @phpstan-import-type Note from \Parley\Types
 * @phpstan-import-type NotePage from \Parley\Types
 * @phpstan-import-type SendInConversation from \Parley\Types
 * @phpstan-import-type SuggestReply from \Parley\Types
 * @phpstan-import-type Suggestion from \Parley\Types
 * @phpstan-import-type WriteNote from \Parley\Types
 */
final class Conversations
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * One conversation.
     *
     * `include=contact` also needs the scope `contacts:read`, and `include=assignee` `team:read`.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/conversations/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a conversation. Any other text is simply not found.
     * @param list<'contact'|'lastMessage'|'assignee'>|null $include What a conversation shows beside itself, separated by commas.
     * @return ListedConversation
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?array $include = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getConversation', 'GET', '/v1/conversations/' . Request::segment('id', $id), query: ['include' => $include]), null, $timeout, $maxRetries);
    }

    /**
     * One conversation: with the `ETag` of the record, its version.
     *
     * @param string $id The id of a conversation. Any other text is simply not found.
     * @param list<'contact'|'lastMessage'|'assignee'>|null $include What a conversation shows beside itself, separated by commas.
     * @return array{ListedConversation, string}
     * @throws \Parley\ParleyError
     */
    public function getWithEtag(string $id, ?array $include = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getConversation', 'GET', '/v1/conversations/' . Request::segment('id', $id), query: ['include' => $include], withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Change a conversation: status, assignee, labels, read.
     *
     * With `note` it is handed over in one step: the note is written in the same transaction. `addLabels` and `removeLabels` need no `If-Match`. The same call twice changes nothing more, but a note is written each time.
     *
     * Needs the scope `conversations:write`.
     *
     * `PATCH /v1/conversations/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @param ChangeConversation $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return Conversation
     * @throws \Parley\ParleyError
     */
    public function change(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('changeConversation', 'PATCH', '/v1/conversations/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * Change a conversation: status, assignee, labels, read: with the `ETag` of the record, its version.
     *
     * @param string $id The conversation.
     * @param ChangeConversation $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array{Conversation, string}
     * @throws \Parley\ParleyError
     */
    public function changeWithEtag(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('changeConversation', 'PATCH', '/v1/conversations/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch, withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * The messages of a conversation, newest first.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/conversations/{id}/messages`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a conversation. Any other text is simply not found.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many at most. Above 200 acts as 200.
     * @return MessagePage
     * @throws \Parley\ParleyError
     */
    public function listMessages(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listMessages', 'GET', '/v1/conversations/' . Request::segment('id', $id) . '/messages', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * The messages of a conversation, newest first: every one, page after page as they are needed.
     *
     * @param string $id The id of a conversation. Any other text is simply not found.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many at most. Above 200 acts as 200.
     * @return \Generator<int, Message>
     * @throws \Parley\ParleyError
     */
    public function iterateMessages(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listMessages($id, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Send a message in a conversation: text, files, buttons, a quote, a template.
     *
     * As `POST /v1/messages`, with more: files that were uploaded before, or a template in place of the text, which may go after the reply window has closed. `choices` are answers to press; a press is an inbound message whose attachment `button`, `button_reply` or `list_reply` has the payload. `replyTo` quotes a message of the conversation that the platform has: on WhatsApp, Telegram and Messenger, and with a text on TikTok; elsewhere it is refused with `NOT_SUPPORTED_HERE`. `afterwards` resolves or snoozes the conversation in the same transaction. With `answers` false the customer goes on waiting: the inbox lists the conversation as unanswered.
     *
     * Needs the scope `messages:write`.
     *
     * `POST /v1/conversations/{id}/messages`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `ATTACHMENT_REFUSED`, `NOT_SUPPORTED_HERE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:messages:write`, `NOT_FOUND`, `CONTACT_OPTED_OUT`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @param SendInConversation $body
     * @return Message
     * @throws \Parley\ParleyError
     */
    public function sendInConversation(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('sendInConversation', 'POST', '/v1/conversations/' . Request::segment('id', $id) . '/messages', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * List conversations, newest first.
     *
     * Each filter is optional, and a conversation must fit all. With `sort=changes` what changes while you read on moves to the end, so a copy that reads to the end has all; begin the next time with `updatedAfter`. A conversation that a campaign or a template opened is in the orders `recent` and `changes` once its customer wrote or somebody acted on it. `include=contact` also needs the scope `contacts:read`, and `include=assignee` `team:read`.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/conversations`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param 'open'|'snoozed'|'resolved'|null $status Only those in this state.
     * @param string|null $channelId Only those of this channel.
     * @param string|null $contactId Only those of this contact.
     * @param string|null $assigneeId Only those that this member has; `none`: those that no one has.
     * @param string|null $label Only those with this label.
     * @param 'true'|'false'|null $unread Only those with messages that no one has read, or without.
     * @param 'true'|'false'|null $unanswered Only open ones whose customer waits for an answer, as the inbox's view Unanswered has them, or all others.
     * @param string|null $updatedAfter Only those that changed later. The order is then `changes`, or `recent`.
     * @param 'newest'|'recent'|'changes'|null $sort `newest`: created last first, as without it. `recent`: changed last first. `changes`: changed longest ago first.
     * @param list<'contact'|'lastMessage'|'assignee'>|null $include What a conversation shows beside itself, separated by commas.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return ConversationPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $status = null, ?string $channelId = null, ?string $contactId = null, ?string $assigneeId = null, ?string $label = null, ?string $unread = null, ?string $unanswered = null, ?string $updatedAfter = null, ?string $sort = null, ?array $include = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listConversations', 'GET', '/v1/conversations', query: ['status' => $status, 'channelId' => $channelId, 'contactId' => $contactId, 'assigneeId' => $assigneeId, 'label' => $label, 'unread' => $unread, 'unanswered' => $unanswered, 'updatedAfter' => $updatedAfter, 'sort' => $sort, 'include' => $include, 'cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List conversations, newest first: every one, page after page as they are needed.
     *
     * @param 'open'|'snoozed'|'resolved'|null $status Only those in this state.
     * @param string|null $channelId Only those of this channel.
     * @param string|null $contactId Only those of this contact.
     * @param string|null $assigneeId Only those that this member has; `none`: those that no one has.
     * @param string|null $label Only those with this label.
     * @param 'true'|'false'|null $unread Only those with messages that no one has read, or without.
     * @param 'true'|'false'|null $unanswered Only open ones whose customer waits for an answer, as the inbox's view Unanswered has them, or all others.
     * @param string|null $updatedAfter Only those that changed later. The order is then `changes`, or `recent`.
     * @param 'newest'|'recent'|'changes'|null $sort `newest`: created last first, as without it. `recent`: changed last first. `changes`: changed longest ago first.
     * @param list<'contact'|'lastMessage'|'assignee'>|null $include What a conversation shows beside itself, separated by commas.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, ListedConversation>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $status = null, ?string $channelId = null, ?string $contactId = null, ?string $assigneeId = null, ?string $label = null, ?string $unread = null, ?string $unanswered = null, ?string $updatedAfter = null, ?string $sort = null, ?array $include = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($status, $channelId, $contactId, $assigneeId, $label, $unread, $unanswered, $updatedAfter, $sort, $include, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Change up to 200 conversations in the same way.
     *
     * Each in a transaction of its own. Ids without a conversation are left out; `changed` says how many there were.
     *
     * Needs the scope `conversations:write`.
     *
     * `POST /v1/conversations/changes`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param ChangeManyConversations $body
     * @return ConversationsChanged
     * @throws \Parley\ParleyError
     */
    public function changeManyConversations(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('changeManyConversations', 'POST', '/v1/conversations/changes', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * List the notes of a conversation, newest first.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/conversations/{id}/notes`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return NotePage
     * @throws \Parley\ParleyError
     */
    public function listNotes(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listNotes', 'GET', '/v1/conversations/' . Request::segment('id', $id) . '/notes', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List the notes of a conversation, newest first: every one, page after page as they are needed.
     *
     * @param string $id The conversation.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, Note>
     * @throws \Parley\ParleyError
     */
    public function iterateNotes(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listNotes($id, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Write a note into a conversation.
     *
     * Customers never see it. The caller is its author; the inbox shows the name of a key.
     *
     * Needs the scope `conversations:write`.
     *
     * `POST /v1/conversations/{id}/notes`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @param WriteNote $body
     * @return Note
     * @throws \Parley\ParleyError
     */
    public function writeNote(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('writeNote', 'POST', '/v1/conversations/' . Request::segment('id', $id) . '/notes', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Suggest a reply, which a member sends, changes or discards.
     *
     * It appears over the composer of the conversation. No customer sees it before a member sends it. Another text by the same key replaces the open one; the same call twice changes nothing more. `template` in place of `text` suggests a template, which may go after the reply window has closed.
     *
     * Needs the scope `messages:draft`.
     *
     * `PUT /v1/conversations/{id}/suggestion`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @param SuggestReply $body
     * @return Suggestion
     * @throws \Parley\ParleyError
     */
    public function suggestReply(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('suggestReply', 'PUT', '/v1/conversations/' . Request::segment('id', $id) . '/suggestion', body: $body), null, $timeout, $maxRetries);
    }

    /**
     * The newest suggestion of the key in a conversation, and what a member did with it.
     *
     * Needs the scope `messages:draft`.
     *
     * `GET /v1/conversations/{id}/suggestion`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @return Suggestion
     * @throws \Parley\ParleyError
     */
    public function getSuggestion(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readSuggestion', 'GET', '/v1/conversations/' . Request::segment('id', $id) . '/suggestion'), null, $timeout, $maxRetries);
    }

    /**
     * Withdraw the open suggestion of the key.
     *
     * A suggestion that a member has used or discarded stays as it is: 404.
     *
     * Needs the scope `messages:draft`.
     *
     * `DELETE /v1/conversations/{id}/suggestion`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function withdrawSuggestion(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('withdrawSuggestion', 'DELETE', '/v1/conversations/' . Request::segment('id', $id) . '/suggestion'), null, $timeout, $maxRetries);
    }

    /**
     * Hand a conversation over from its bot to people.
     *
     * The customer gets the bot's text for it, members a note. Where no bot answers nothing changes: a program that wants such a conversation for people assigns it.
     *
     * Needs the scope `bots:write`.
     *
     * `POST /v1/conversations/{id}/hand-over`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @param HandOverConversation $body
     * @return Conversation
     * @throws \Parley\ParleyError
     */
    public function handOverConversation(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('handOverConversation', 'POST', '/v1/conversations/' . Request::segment('id', $id) . '/hand-over', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Give a conversation back to bots: the next message of the customer starts one.
     *
     * It has no assignee afterwards.
     *
     * Needs the scope `bots:write`.
     *
     * `POST /v1/conversations/{id}/give-back`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The conversation.
     * @return Conversation
     * @throws \Parley\ParleyError
     */
    public function giveBack(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('giveConversationBack', 'POST', '/v1/conversations/' . Request::segment('id', $id) . '/give-back', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
