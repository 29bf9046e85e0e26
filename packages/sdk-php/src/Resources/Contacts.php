<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Your customers: the people who write, and the recipients of campaigns.
 *
 * @phpstan-import-type BatchContacts from \Parley\Types
 * @phpstan-import-type Contact from \Parley\Types
 * @phpstan-import-type ContactChange from \Parley\Types
 * @phpstan-import-type ContactConsent from \Parley\Types
 * @phpstan-import-type ContactCount from \Parley\Types
 * @phpstan-import-type ContactIdentities from \Parley\Types
 * @phpstan-import-type ContactPage from \Parley\Types
 * @phpstan-import-type ContactRecord from \Parley\Types
 * @phpstan-import-type ContactRecordPage from \Parley\Types
 * @phpstan-import-type ContactTimeline from \Parley\Types
 * @phpstan-import-type ContactUpsert from \Parley\Types
 * @phpstan-import-type CountContacts from \Parley\Types
 * @phpstan-import-type DuplicatePage from \Parley\Types
 * @phpstan-import-type Erasure from \Parley\Types
 * @phpstan-import-type ListedContact from \Parley\Types
 * @phpstan-import-type MergeContact from \Parley\Types
 * @phpstan-import-type MergePreview from \Parley\Types
 * @phpstan-import-type NewContact from \Parley\Types
 * @phpstan-import-type PersonDocument from \Parley\Types
 * @phpstan-import-type PutContactConsent from \Parley\Types
 * @phpstan-import-type SearchContacts from \Parley\Types
 * @phpstan-import-type UpsertContact from \Parley\Types
 * @phpstan-import-type UpsertResult from \Parley\Types
 * @phpstan-import-type UpsertResults from \Parley\Types
 * @phpstan-import-type UpsertedContact from \Parley\Types
 */
final class Contacts
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List contacts, newest first.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string|null $search Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens.
     * @param int|null $page Which page, from 1.
     * @param int|null $pageSize How many a page holds. Above 200 acts as 200.
     * @param string|null $updatedAfter Only contacts that changed after this moment: a field, a ref or the consent. To copy all contacts read `POST /v1/contacts/search`, whose cursor leaves no one out.
     * @param 'newest'|'updatedAt'|null $sort `newest`: the newest first, as without it. `updatedAt`: the one that changed longest ago first.
     * @param 'refs'|null $include `refs`: each contact also has `refs` and `updatedAt`.
     * @return ContactPage
     * @throws \Parley\ParleyError
     */
    public function list(?string $search = null, ?int $page = null, ?int $pageSize = null, ?string $updatedAfter = null, ?string $sort = null, ?string $include = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listContacts', 'GET', '/v1/contacts', query: ['search' => $search, 'page' => $page, 'pageSize' => $pageSize, 'updatedAfter' => $updatedAfter, 'sort' => $sort, 'include' => $include]), null, $timeout, $maxRetries);
    }

    /**
     * List contacts, newest first: every one, page after page as they are needed.
     *
     * @param string|null $search Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens.
     * @param int|null $page Which page, from 1.
     * @param int|null $pageSize How many a page holds. Above 200 acts as 200.
     * @param string|null $updatedAfter Only contacts that changed after this moment: a field, a ref or the consent. To copy all contacts read `POST /v1/contacts/search`, whose cursor leaves no one out.
     * @param 'newest'|'updatedAt'|null $sort `newest`: the newest first, as without it. `updatedAt`: the one that changed longest ago first.
     * @param 'refs'|null $include `refs`: each contact also has `refs` and `updatedAt`.
     * @return \Generator<int, ListedContact>
     * @throws \Parley\ParleyError
     */
    public function iterate(?string $search = null, ?int $page = null, ?int $pageSize = null, ?string $updatedAfter = null, ?string $sort = null, ?string $include = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->list($search, $next['page'] ?? $page, $pageSize, $updatedAfter, $sort, $include, $timeout, $maxRetries), first: $page);
    }

    /**
     * Create a contact.
     *
     * It always creates a contact, and takes no `refs`. `POST /v1/contacts/upsert` takes them, and changes a contact that exists.
     *
     * **A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contacts`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONTACT_NEEDS_IDENTITY`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param NewContact $body
     * @return Contact
     * @throws \Parley\ParleyError
     */
    public function create(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('createContact', 'POST', '/v1/contacts', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * One contact.
     *
     * A contact that was merged answers as the one it became.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a contact. Any other text is simply not found.
     * @return Contact
     * @throws \Parley\ParleyError
     */
    public function get(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getContact', 'GET', '/v1/contacts/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * One contact: with the `ETag` of the record, its version.
     *
     * @param string $id The id of a contact. Any other text is simply not found.
     * @return array{Contact, string}
     * @throws \Parley\ParleyError
     */
    public function getWithEtag(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('getContact', 'GET', '/v1/contacts/' . Request::segment('id', $id), withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Change a contact.
     *
     * Emits `contact.updated` when something changed. The same call twice changes nothing more.
     *
     * Needs the scope `contacts:write`.
     *
     * `PATCH /v1/contacts/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONTACT_NEEDS_IDENTITY`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a contact. Any other text is simply not found.
     * @param ContactChange $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return Contact
     * @throws \Parley\ParleyError
     */
    public function update(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('updateContact', 'PATCH', '/v1/contacts/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch), null, $timeout, $maxRetries);
    }

    /**
     * Change a contact: with the `ETag` of the record, its version.
     *
     * @param string $id The id of a contact. Any other text is simply not found.
     * @param ContactChange $body
     * @param ?string $ifMatch the ETag that a `…WithEtag` method gave with the record: no other version is changed
     * @return array{Contact, string}
     * @throws \Parley\ParleyError
     */
    public function updateWithEtag(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null, ?string $ifMatch = null): array
    {
        return $this->caller->call(new Request('updateContact', 'PATCH', '/v1/contacts/' . Request::segment('id', $id), body: $body, ifMatch: $ifMatch, withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Erase a person: the contact at once, everything else in batches.
     *
     * Messages, files, passcodes, what campaigns stored and what events and kept answers say of the person are removed; an opt-out stays with the hash of the number. Nothing brings it back. The same call twice gives the same erasure, which `GET /v1/erasures/{id}` shows.
     *
     * Needs the scope `contacts:erase`.
     *
     * `DELETE /v1/contacts/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @return Erasure
     * @throws \Parley\ParleyError
     */
    public function erase(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('eraseContact', 'DELETE', '/v1/contacts/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

    /**
     * Create a contact, or change the one that it matches.
     *
     * `match` names the given values by which the contact is found. `id` finds a contact that has neither phone nor e-mail address, such as a customer on Telegram, to give it a ref; it creates none, so an unknown one is 404 `NOT_FOUND`. When they lead to several contacts, when a ref is of another contact, or when the contact has another value for a system of `match`, the answer is 409 `CONTACT_CONFLICT`, and `details` names each contact that a key met. Equal calls at once create one contact. A contact that is so already is not written and emits no event.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contacts/upsert`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONTACT_NEEDS_IDENTITY`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `CONTACT_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param UpsertContact $body
     * @return UpsertedContact
     * @throws \Parley\ParleyError
     */
    public function upsert(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('upsertContact', 'POST', '/v1/contacts/upsert', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Create or change many contacts, each as by an upsert.
     *
     * Up to 500 in one transaction, in their order. One that is refused, also for its shape, has the code of its error in its result, and stops no other.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contacts/batch`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param BatchContacts $body
     * @return UpsertResults
     * @throws \Parley\ParleyError
     */
    public function batch(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('batchContacts', 'POST', '/v1/contacts/batch', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Create or change many contacts, each as by an upsert: any number of them, 500 in a call.
     *
     * Gives each item with its result, in their order. It sends as the results are read.
     * Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.
     *
     * @param iterable<ContactUpsert> $contacts
     * @return \Generator<int, array{ContactUpsert, UpsertResult}>
     * @throws \Parley\ParleyError
     */
    public function batchAll(iterable $contacts, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->inBatches($contacts, 500, fn (array $part, string $key): array => $this->batch(['contacts' => $part], $key, $timeout, $maxRetries), $idempotencyKey);
    }

    /**
     * The contact with a phone, an e-mail address, or another system's name.
     *
     * `key` is `phone`, `email` or `refs.crm`, as in `match` of an upsert; `ref.crm` is the same. When several contacts have the value, the answer is 409 `CONTACT_CONFLICT`, and `details` names each.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/by/{key}/{value}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `CONTACT_CONFLICT`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $key `phone`, `email` or `ref.SYSTEM`, which may be spelt `refs.SYSTEM` as in an upsert.
     * @param string $value The number, the address, or what the system calls the contact.
     * @return ContactRecord
     * @throws \Parley\ParleyError
     */
    public function findByKey(string $key, string $value, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('findContactByKey', 'GET', '/v1/contacts/by/' . Request::segment('key', $key) . '/' . Request::segment('value', $value)), null, $timeout, $maxRetries);
    }

    /**
     * The contact with a phone, an e-mail address, or another system's name: with the `ETag` of the record, its version.
     *
     * @param string $key `phone`, `email` or `ref.SYSTEM`, which may be spelt `refs.SYSTEM` as in an upsert.
     * @param string $value The number, the address, or what the system calls the contact.
     * @return array{ContactRecord, string}
     * @throws \Parley\ParleyError
     */
    public function findByKeyWithEtag(string $key, string $value, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('findContactByKey', 'GET', '/v1/contacts/by/' . Request::segment('key', $key) . '/' . Request::segment('value', $value), withEtag: true), null, $timeout, $maxRetries);
    }

    /**
     * Contacts by the grammar of segments, the one that changed longest ago first.
     *
     * In the order `updatedAt`, which is the default, a contact that changes while you read on moves to the end, so none is passed over: a copy that reads to the end has all. Without `definition`: all contacts, also those who opted out.
     *
     * Needs the scope `contacts:read`.
     *
     * `POST /v1/contacts/search`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param SearchContacts $body
     * @return ContactRecordPage
     * @throws \Parley\ParleyError
     */
    public function search(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('searchContacts', 'POST', '/v1/contacts/search', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Contacts by the grammar of segments, the one that changed longest ago first: every one, page after page as they are needed.
     *
     * @param SearchContacts $body
     * @return \Generator<int, ContactRecord>
     * @throws \Parley\ParleyError
     */
    public function iterateSearch(array $body, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->search($next + $body, null, $timeout, $maxRetries));
    }

    /**
     * How many contacts fit a definition.
     *
     * Without `definition`: all contacts.
     *
     * Needs the scope `contacts:read`.
     *
     * `POST /v1/contacts/count`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param CountContacts $body
     * @return ContactCount
     * @throws \Parley\ParleyError
     */
    public function count(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('countContacts', 'POST', '/v1/contacts/count', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Whether a contact may be written to, and why.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/{id}/consent`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @return ContactConsent
     * @throws \Parley\ParleyError
     */
    public function getConsent(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readContactConsent', 'GET', '/v1/contacts/' . Request::segment('id', $id) . '/consent'), null, $timeout, $maxRetries);
    }

    /**
     * Opt a contact out, or in with evidence.
     *
     * After the customer's own STOP an opt-in needs `evidence` that they asked for it since, else 409 `CONSENT_HELD`. The ledger keeps the evidence, its time and the key.
     *
     * Needs the scope `contacts:consent`.
     *
     * `PUT /v1/contacts/{id}/consent`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:consent`, `NOT_FOUND`, `CONSENT_HELD`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @param PutContactConsent $body
     * @return ContactConsent
     * @throws \Parley\ParleyError
     */
    public function putConsent(string $id, array $body, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('putContactConsent', 'PUT', '/v1/contacts/' . Request::segment('id', $id) . '/consent', body: $body), null, $timeout, $maxRetries);
    }

    /**
     * Merge another contact into this one.
     *
     * What this contact has wins, what it lacks is taken from the other, tags and notes are joined, and opted out wins. The merged id goes on answering as this contact. The same call twice changes nothing more. Emits `contact.merged` and `contact.updated`.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contacts/{id}/merge`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @param MergeContact $body
     * @return ContactRecord
     * @throws \Parley\ParleyError
     */
    public function merge(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('mergeContact', 'POST', '/v1/contacts/' . Request::segment('id', $id) . '/merge', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * What happened to a contact, newest first.
     *
     * Messages, campaigns, consent, changes, merges, passcodes and entries of the audit, over all contacts that were merged into it. The words of messages need `messages:read` too; without it `text` is null.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/{id}/timeline`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @param string|null $cursor `nextCursor` of the page before: the place of its last item.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return ContactTimeline
     * @throws \Parley\ParleyError
     */
    public function listTimeline(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listContactTimeline', 'GET', '/v1/contacts/' . Request::segment('id', $id) . '/timeline', query: ['cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * What happened to a contact, newest first: every one, page after page as they are needed.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @param string|null $cursor `nextCursor` of the page before: the place of its last item.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, array{at: string, kind: string, facts: array<string, mixed>}>
     * @throws \Parley\ParleyError
     */
    public function iterateTimeline(string $id, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listTimeline($id, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Who a contact is on each channel, in other systems, and before it was merged.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/{id}/identities`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @return ContactIdentities
     * @throws \Parley\ParleyError
     */
    public function getIdentities(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readContactIdentities', 'GET', '/v1/contacts/' . Request::segment('id', $id) . '/identities'), null, $timeout, $maxRetries);
    }

    /**
     * What a merge would make of two contacts.
     *
     * Changes nothing. `POST /v1/contacts/{id}/merge` does it.
     *
     * Needs the scope `contacts:read` or `contacts:write`.
     *
     * `GET /v1/contacts/{id}/merge-preview`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The contact; a merged one means the one that it became.
     * @param string $mergedId The contact that would be merged into it.
     * @return MergePreview
     * @throws \Parley\ParleyError
     */
    public function previewMerge(string $id, string $mergedId, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('previewContactMerge', 'GET', '/v1/contacts/' . Request::segment('id', $id) . '/merge-preview', query: ['mergedId' => $mergedId]), null, $timeout, $maxRetries);
    }

    /**
     * Contacts that share a number, an e-mail address or an external id.
     *
     * The same name is no duplicate. A page looks for a second at most, so it may be empty without being the last.
     *
     * Needs the scope `contacts:read` or `contacts:write`.
     *
     * `GET /v1/contacts/duplicates`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param 'phone'|'email'|'externalId'|null $by What they share; `phone` when absent.
     * @param string|null $cursor `nextCursor` of the page before: what its last contacts share.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return DuplicatePage
     * @throws \Parley\ParleyError
     */
    public function listDuplicates(?string $by = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('listContactDuplicates', 'GET', '/v1/contacts/duplicates', query: ['by' => $by, 'cursor' => $cursor, 'limit' => $limit]), null, $timeout, $maxRetries);
    }

    /**
     * Contacts that share a number, an e-mail address or an external id: every one, page after page as they are needed.
     *
     * @param 'phone'|'email'|'externalId'|null $by What they share; `phone` when absent.
     * @param string|null $cursor `nextCursor` of the page before: what its last contacts share.
     * @param int|null $limit How many items at most; above 200 acts as 200.
     * @return \Generator<int, array{address: string, count: int, contacts: list<Contact>}>
     * @throws \Parley\ParleyError
     */
    public function iterateDuplicates(?string $by = null, ?string $cursor = null, ?int $limit = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->everyOf(fn (array $next): array => $this->listDuplicates($by, $next['cursor'] ?? $cursor, $limit, $timeout, $maxRetries));
    }

    /**
     * Everything that is stored of one person, as one JSON document.
     *
     * For a person who asks what you know of them: the contact and those that were merged into it, consent, conversations with messages, notes and drafts, campaigns, passcodes, the audit, and which events named the person. A merged contact means the one that it became. A stored file is named by its `mediaId`: `GET /v1/media/{id}/content` gives its bytes. It is written while it is read; the audit names the key.
     *
     * Needs the scope `contacts:export`.
     *
     * `GET /v1/contacts/{id}/export`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     *
     * @param string $id The id of a contact. Any other text is simply not found.
     * @return PersonDocument
     * @throws \Parley\ParleyError
     */
    public function exportPerson(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('exportPerson', 'GET', '/v1/contacts/' . Request::segment('id', $id) . '/export'), null, $timeout, $maxRetries);
    }
}
