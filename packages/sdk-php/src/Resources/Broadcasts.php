<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Campaigns.
 *
 * @phpstan-import-type Broadcast from \Parley\Types
 * @phpstan-import-type BroadcastBreakdown from \Parley\Types
 * @phpstan-import-type BroadcastComparison from \Parley\Types
 * @phpstan-import-type BroadcastDetails from \Parley\Types
 * @phpstan-import-type BroadcastEstimate from \Parley\Types
 * @phpstan-import-type BroadcastPage from \Parley\Types
 * @phpstan-import-type BroadcastPreview from \Parley\Types
 * @phpstan-import-type BroadcastRecord from \Parley\Types
 * @phpstan-import-type BroadcastReply from \Parley\Types
 * @phpstan-import-type BroadcastReplyPage from \Parley\Types
 * @phpstan-import-type BroadcastReport from \Parley\Types
 * @phpstan-import-type BroadcastTimeline from \Parley\Types
 * @phpstan-import-type CreateBroadcast from \Parley\Types
 * @phpstan-import-type DuplicateBroadcast from \Parley\Types
 * @phpstan-import-type PaceBroadcast from \Parley\Types
 * @phpstan-import-type Recipient from \Parley\Types
 * @phpstan-import-type RecipientPage from \Parley\Types
 * @phpstan-import-type ResendFailed from \Parley\Types
 * @phpstan-import-type ScheduleBroadcast from \Parley\Types
 * @phpstan-import-type SearchBroadcasts from \Parley\Types
 * @phpstan-import-type TestBroadcast from \Parley\Types
 * @phpstan-import-type UpdateBroadcast from \Parley\Types
 */
final class Broadcasts
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the 100 most recent campaigns, newest first.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return list<Broadcast>
     * @throws \Parley\ParleyError
     */
    public function list(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listBroadcasts', 'GET', '/v1/broadcasts'), null, $timeout, $maxRetries);
    }

    /**
     * Create a campaign as a draft.
     *
     * It is checked as a whole: what is refused names its field. Nothing is sent before `POST /broadcasts/{id}/start` or `/schedule`.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/broadcasts`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param CreateBroadcast $body
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function create(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('createBroadcast', 'POST', '/v1/broadcasts', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Start or resume a campaign.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/start`
     *
     * Fails with: `VALIDATION_FAILED`, `BROADCAST_NOT_STARTABLE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @return Broadcast
     * @throws \Parley\ParleyError
     */
    public function start(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('startBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/start', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One campaign.
     *
     * The `ETag` is the version of everything that it is made of, also without `include`.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @param 'draft'|null $include `draft`: also everything that the campaign is made of.
     * @return BroadcastDetails
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?string $include = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getBroadcast', 'GET', '/v1/broadcasts/' . Request::segment('id', $id), query: ['include' => $include]), null, $timeout, $maxRetries);
    }

    /**
     * One campaign: with the `ETag` of the record, its version.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @param 'draft'|null $include `draft`: also everything that the campaign is made of.
     * @return array{BroadcastDetails, string}
     * @throws \Parley\ParleyError
     */
    public function getWithEtag(string $id, ?string $include = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getBroadcast', 'GET', '/v1/broadcasts/' . Request::segment('id', $id), query: ['include' => $include], withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Change a draft.
     *
     * What is left out stays. Variables, header and buttons are replaced as a whole, and are given again with another template. The texts of an A/B campaign are replaced by all `variants` together.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `PATCH /v1/broadcasts/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param UpdateBroadcast $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function update(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('updateBroadcast', 'PATCH', '/v1/broadcasts/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * Change a draft: with the `ETag` of the record, its version.
     *
     * @param string $id The campaign.
     * @param UpdateBroadcast $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array{BroadcastRecord, string}
     * @throws \Parley\ParleyError
     */
    public function updateWithEtag(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('updateBroadcast', 'PATCH', '/v1/broadcasts/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch, withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Delete a draft.
     *
     * Its last event is `broadcast.status` with `CANCELLED`. A campaign in another state stays for its report: 409 `NOT_ALLOWED_IN_STATE`.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `DELETE /v1/broadcasts/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function delete(string $id, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('deleteBroadcast', 'DELETE', '/v1/broadcasts/' . Request::segment('id', $id), ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * List a campaign's recipients and their delivery status.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/recipients`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @param 'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'|null $status Only recipients in this state.
     * @param list<'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'>|null $statuses Only recipients in any of these states, separated by commas. It goes without `status`.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many at most. Above 200 acts as 200.
     * @return RecipientPage
     * @throws \Parley\ParleyError
     */
    public function listRecipients(string $id, ?string $status = null, ?array $statuses = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listRecipients', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/recipients', query: ['status' => $status, 'statuses' => $statuses, 'cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * List a campaign's recipients and their delivery status: every one, page after page as they are needed.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @param 'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'|null $status Only recipients in this state.
     * @param list<'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'>|null $statuses Only recipients in any of these states, separated by commas. It goes without `status`.
     * @param string|null $cursor `nextCursor` of the page before.
     * @param int|null $limit How many at most. Above 200 acts as 200.
     * @return \Generator<int, Recipient>
     * @throws \Parley\ParleyError
     */
    public function iterateRecipients(string $id, ?string $status = null, ?array $statuses = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listRecipients($id, $status, $statuses, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * What a start would do now.
     *
     * Of a draft or a scheduled campaign; another's report has its counts: 409 `NOT_ALLOWED_IN_STATE`.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `GET /v1/broadcasts/{id}/estimate`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastEstimate
     * @throws \Parley\ParleyError
     */
    public function estimate(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('estimateBroadcast', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/estimate'), null, $timeout, $maxRetries);
    }

    /**
     * The messages that real contacts would get now.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `GET /v1/broadcasts/{id}/preview`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param int|null $count How many contacts.
     * @return BroadcastPreview
     * @throws \Parley\ParleyError
     */
    public function preview(string $id, ?int $count = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('previewBroadcast', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/preview', query: ['count' => $count]), null, $timeout, $maxRetries);
    }

    /**
     * Copy a campaign as a new draft.
     *
     * With its text, audience, times of the day and pace, and without a time at which it starts.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/duplicate`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param DuplicateBroadcast $body
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function duplicate(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('duplicateBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/duplicate', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Create a draft for the recipients that failed.
     *
     * Of a campaign that is paused, completed or cancelled. Numbers that accept no message are left out unless `all`. Recipients with an unknown outcome wait for `/resend-unknown`; only of a cancelled campaign `unknown` includes them. 400 when no recipient is left.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/resend-failed`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param ResendFailed $body
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function resendFailed(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('resendFailed', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/resend-failed', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Pause a running campaign.
     *
     * Calls that began are finished and counted; no new one is made. `POST /broadcasts/{id}/start` resumes it.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/pause`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function pause(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('pauseBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/pause', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Cancel a campaign that has not ended.
     *
     * Recipients that still wait stay counted as waiting, and get nothing.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/cancel`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function cancel(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('cancelBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/cancel', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Start a draft at a time.
     *
     * The time must be in the future. With `localTime` its wall clock in the campaign's zone counts on each recipient's own clock.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/schedule`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param ScheduleBroadcast $body
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function schedule(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('scheduleBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/schedule', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Take back the time of a scheduled campaign: it is a draft again.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/unschedule`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function unschedule(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('unscheduleBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/unschedule', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Set a campaign's pace.
     *
     * From the next batch on, within a second. A limit that a refusal of the platform left is lifted up to it.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/pace`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param PaceBroadcast $body
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function pace(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('paceBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/pace', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Send a campaign's message to chosen contacts now.
     *
     * As a campaign of its own, whose `parentId` is this one: nothing of it counts in this one's report, and each message uses a slot. Give `contactIds` or `phone`; a number without a contact gets one, for which the key needs `contacts:write`.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/test`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `BROADCAST_NOT_STARTABLE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param TestBroadcast $body
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function test(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('testBroadcast', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/test', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Send again to the recipients with an unknown outcome.
     *
     * Some may get it twice. Of a campaign that is running, paused or completed; a completed one runs again. Each uses a new message and slot.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/resend-unknown`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastRecord
     * @throws \Parley\ParleyError
     */
    public function resendUnknown(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('resendUnknown', 'POST', '/v1/broadcasts/' . Request::segment('id', $id) . '/resend-unknown', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Campaigns by state, kind, channel, segment, name and time, newest first.
     *
     * Beyond the 100 of `GET /v1/broadcasts`.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `POST /v1/broadcasts/search`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param SearchBroadcasts $body
     * @return BroadcastPage
     * @throws \Parley\ParleyError
     */
    public function search(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('searchBroadcasts', 'POST', '/v1/broadcasts/search', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Campaigns by state, kind, channel, segment, name and time, newest first: every one, page after page as they are needed.
     *
     * @param SearchBroadcasts $body
     * @return \Generator<int, Broadcast>
     * @throws \Parley\ParleyError
     */
    public function iterateSearch(array $body, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->search($next + $body, null, $timeout, $maxRetries));
    }

    /**
     * How far every recipient of a campaign is, all at one instant.
     *
     * Counts every recipient: seconds at a million, and 503 `OVERLOADED` after 20 s. In `funnel`, `total` = `pending` + `sending` + `sent` + `failed` + `skipped`, also while it sends.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/report`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastReport
     * @throws \Parley\ParleyError
     */
    public function getReport(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readBroadcastReport', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/report'), null, $timeout, $maxRetries);
    }

    /**
     * What happened to a campaign, and its counts by time.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/timeline`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param 'minute'|'hour'|'day'|null $by The step of the counts; minute when absent.
     * @return BroadcastTimeline
     * @throws \Parley\ParleyError
     */
    public function getTimeline(string $id, ?string $by = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readBroadcastTimeline', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/timeline', query: ['by' => $by]), null, $timeout, $maxRetries);
    }

    /**
     * The variants of an A/B campaign side by side.
     *
     * Of a campaign without variants: 409 `NOT_ALLOWED_IN_STATE`.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/variants`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @return BroadcastComparison
     * @throws \Parley\ParleyError
     */
    public function compareVariants(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('compareBroadcastVariants', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/variants'), null, $timeout, $maxRetries);
    }

    /**
     * How far recipients are, by a present fact of theirs.
     *
     * Reads every recipient and contact of the campaign: seconds at a million, and 503 `OVERLOADED` after 20 s.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/breakdown`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param string|null $by `tag`, as when absent, or `attribute.KEY`.
     * @return BroadcastBreakdown
     * @throws \Parley\ParleyError
     */
    public function breakDown(string $id, ?string $by = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('breakBroadcastDown', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/breakdown', query: ['by' => $by]), null, $timeout, $maxRetries);
    }

    /**
     * Who answered a campaign, newest first.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/replies`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The campaign.
     * @param string|null $cursor `nextCursor` of the page before: time and contact of its last reply.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return BroadcastReplyPage
     * @throws \Parley\ParleyError
     */
    public function listReplies(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listBroadcastReplies', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/replies', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * Who answered a campaign, newest first: every one, page after page as they are needed.
     *
     * @param string $id The campaign.
     * @param string|null $cursor `nextCursor` of the page before: time and contact of its last reply.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, BroadcastReply>
     * @throws \Parley\ParleyError
     */
    public function iterateReplies(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listReplies($id, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Every recipient of a campaign as a file (CSV).
     *
     * RFC 4180, header first, in the order of their contacts, times in UTC. It is sent as it is read, so a recipient that changes meanwhile is as it was then. The audit names the key.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/recipients.csv`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @param 'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'|null $status Only recipients in this state.
     * @param list<'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'>|null $statuses Only recipients in any of these states, separated by commas. It goes without `status`.
     * @param string|null $reason Only recipients that were skipped for this reason or failed with this code.
     * @return string
     * @throws \Parley\ParleyError
     */
    public function downloadRecipients(string $id, ?string $status = null, ?array $statuses = null, ?string $reason = null, ?float $timeout = null, ?int $maxRetries = null): string
    {
        return $this->caller->call(new Request('downloadRecipients', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/recipients.csv', query: ['status' => $status, 'statuses' => $statuses, 'reason' => $reason]), null, $timeout, $maxRetries);
    }

    /**
     * Every recipient of a campaign as a file (CSV): piece by piece as it arrives, so that no more than a piece is in memory.
     *
     * @param string $id The id of a broadcast. Any other text is simply not found.
     * @param 'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'|null $status Only recipients in this state.
     * @param list<'pending'|'sending'|'sent'|'delivered'|'read'|'failed'|'skipped'>|null $statuses Only recipients in any of these states, separated by commas. It goes without `status`.
     * @param string|null $reason Only recipients that were skipped for this reason or failed with this code.
     * @return \Generator<int, string>
     * @throws \Parley\ParleyError
     */
    public function downloadRecipientsPieces(string $id, ?string $status = null, ?array $statuses = null, ?string $reason = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->pieces(new Request('downloadRecipients', 'GET', '/v1/broadcasts/' . Request::segment('id', $id) . '/recipients.csv', query: ['status' => $status, 'statuses' => $statuses, 'reason' => $reason]), $timeout, $maxRetries);
    }
}
