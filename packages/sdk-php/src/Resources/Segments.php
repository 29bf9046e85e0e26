<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Saved audiences.
 *
 * @phpstan-import-type CountDefinition from \Parley\Types
 * @phpstan-import-type CreateSegment from \Parley\Types
 * @phpstan-import-type SampleDefinition from \Parley\Types
 * @phpstan-import-type Segment from \Parley\Types
 * @phpstan-import-type SegmentCount from \Parley\Types
 * @phpstan-import-type SegmentSample from \Parley\Types
 * @phpstan-import-type UpdateSegment from \Parley\Types
 */
final class Segments
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List saved audience segments.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/segments`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @return list<Segment>
     * @throws \Parley\ParleyError
     */
    public function list(?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listSegments', 'GET', '/v1/segments'), null, $timeout, $maxRetries);
    }

    /**
     * Save a segment.
     *
     * A rule that does not fit is refused by its place. It is counted soon after.
     *
     * Needs the scope `segments:write`.
     *
     * `POST /v1/segments`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:segments:write`, `NAME_TAKEN`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param CreateSegment $body
     * @return Segment
     * @throws \Parley\ParleyError
     */
    public function create(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('createSegment', 'POST', '/v1/segments', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One segment.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/segments/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The segment.
     * @return Segment
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readSegment', 'GET', '/v1/segments/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * One segment: with the `ETag` of the record, its version.
     *
     * @param string $id The segment.
     * @return array{Segment, string}
     * @throws \Parley\ParleyError
     */
    public function getWithEtag(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readSegment', 'GET', '/v1/segments/' . Request::segment('id', $id), withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Change the name or the rules of a segment.
     *
     * What is left out stays. A campaign that has stored its audience keeps it. Counts are no part of the version.
     *
     * Needs the scope `segments:write`.
     *
     * `PATCH /v1/segments/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:segments:write`, `NOT_FOUND`, `NAME_TAKEN`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The segment.
     * @param UpdateSegment $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return Segment
     * @throws \Parley\ParleyError
     */
    public function update(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('updateSegment', 'PATCH', '/v1/segments/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * Change the name or the rules of a segment: with the `ETag` of the record, its version.
     *
     * @param string $id The segment.
     * @param UpdateSegment $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array{Segment, string}
     * @throws \Parley\ParleyError
     */
    public function updateWithEtag(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('updateSegment', 'PATCH', '/v1/segments/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch, withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Delete a segment; its contacts stay.
     *
     * 409 `NOT_ALLOWED_IN_STATE` while a scheduled or running campaign uses it, or a live or paused bot asks for it.
     *
     * Needs the scope `segments:write`.
     *
     * `DELETE /v1/segments/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:segments:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The segment.
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array<string, mixed>
     * @throws \Parley\ParleyError
     */
    public function delete(string $id, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('deleteSegment', 'DELETE', '/v1/segments/' . Request::segment('id', $id), ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * How many contacts an unsaved definition names.
     *
     * Counts for five seconds at most. Without rules: everyone who has not opted out.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:read`.
     *
     * `POST /v1/segments/count`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param CountDefinition $body
     * @return SegmentCount
     * @throws \Parley\ParleyError
     */
    public function countDefinition(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('countDefinition', 'POST', '/v1/segments/count', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Ten contacts that an unsaved definition names.
     *
     * The newest that were found in time.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:read`.
     *
     * `POST /v1/segments/sample`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param SampleDefinition $body
     * @return SegmentSample
     * @throws \Parley\ParleyError
     */
    public function sampleDefinition(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('sampleDefinition', 'POST', '/v1/segments/sample', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
