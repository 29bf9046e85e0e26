# Made from apps/server/openapi.json by `npm run sdk`. Do not edit.
from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, Callable, Iterable, Iterator, Literal, Optional, Protocol, Sequence, Tuple, Union, cast

from ._call import Gap, every_of, in_batches, segment
from ._transport import Options, Request

if TYPE_CHECKING:
    from . import types as t


class Caller(Protocol):
    def _call(self, request: Request, options: Options) -> Any: ...

    def _pieces(self, request: Request, options: Options) -> Iterator[bytes]: ...

    def _stream(
        self, request: Request, max_retries: Optional[int], on_gap: Optional[Callable[[Gap], None]]
    ) -> Iterator[Any]: ...


class Contacts:
    """Your customers: the people who write, and the recipients of campaigns."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        search: Optional[str] = None,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        updated_after: Optional[str] = None,
        sort: Optional[Literal["newest", "updatedAt"]] = None,
        include: Optional[Literal["refs"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactPage:
        """List contacts, newest first.

        Needs the scope `contacts:read`.

        ``GET /v1/contacts``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param search: Part of a name, email or phone; case is ignored. A phone may be written with + or 00, spaces and hyphens.
        :param page: Which page, from 1.
        :param page_size: How many a page holds. Above 200 acts as 200.
        :param updated_after: Only contacts that changed after this moment: a field, a ref or the consent. To copy all contacts read `POST /v1/contacts/search`, whose cursor leaves no one out.
        :param sort: `newest`: the newest first, as without it. `updatedAt`: the one that changed longest ago first.
        :param include: `refs`: each contact also has `refs` and `updatedAt`.
        """
        request = Request("listContacts", "GET", "/v1/contacts", query={"search": search, "page": page, "pageSize": page_size, "updatedAfter": updated_after, "sort": sort, "include": include})
        answer: t.ContactPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        search: Optional[str] = None,
        page: Optional[int] = None,
        page_size: Optional[int] = None,
        updated_after: Optional[str] = None,
        sort: Optional[Literal["newest", "updatedAt"]] = None,
        include: Optional[Literal["refs"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.ListedContact]:
        """List contacts, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(search=search, page=next.get("page", page), page_size=page_size, updated_after=updated_after, sort=sort, include=include, timeout=timeout, max_retries=max_retries), first=page)

    def create(
        self,
        body: t.NewContact,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Contact:
        """Create a contact.

        It always creates a contact, and takes no `refs`. `POST /v1/contacts/upsert` takes them, and changes a contact that exists.

        **A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**

        Needs the scope `contacts:write`.

        ``POST /v1/contacts``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONTACT_NEEDS_IDENTITY`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("createContact", "POST", "/v1/contacts", body=body, keyed=True)
        answer: t.Contact = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Contact:
        """One contact.

        A contact that was merged answers as the one it became.

        Needs the scope `contacts:read`.

        ``GET /v1/contacts/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a contact. Any other text is simply not found.
        """
        request = Request("getContact", "GET", f'/v1/contacts/{segment("id", id)}')
        answer: t.Contact = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_with_etag(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.Contact, str]:
        """One contact: with the `ETag` of the record, its version."""
        request = Request("getContact", "GET", f'/v1/contacts/{segment("id", id)}', with_etag=True)
        answer: Tuple[t.Contact, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def update(
        self,
        id: str,
        body: t.ContactChange,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Contact:
        """Change a contact.

        Emits `contact.updated` when something changed. The same call twice changes nothing more.

        Needs the scope `contacts:write`.

        ``PATCH /v1/contacts/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONTACT_NEEDS_IDENTITY`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a contact. Any other text is simply not found.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("updateContact", "PATCH", f'/v1/contacts/{segment("id", id)}', body=body, if_match=if_match)
        answer: t.Contact = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def update_with_etag(
        self,
        id: str,
        body: t.ContactChange,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.Contact, str]:
        """Change a contact: with the `ETag` of the record, its version."""
        request = Request("updateContact", "PATCH", f'/v1/contacts/{segment("id", id)}', body=body, if_match=if_match, with_etag=True)
        answer: Tuple[t.Contact, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def erase(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Erasure:
        """Erase a person: the contact at once, everything else in batches.

        Messages, files, passcodes, what campaigns stored and what events and kept answers say of the person are removed; an opt-out stays with the hash of the number. Nothing brings it back. The same call twice gives the same erasure, which `GET /v1/erasures/{id}` shows.

        Needs the scope `contacts:erase`.

        ``DELETE /v1/contacts/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        """
        request = Request("eraseContact", "DELETE", f'/v1/contacts/{segment("id", id)}')
        answer: t.Erasure = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def upsert(
        self,
        body: t.UpsertContact,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.UpsertedContact:
        """Create a contact, or change the one that it matches.

        `match` names the given values by which the contact is found. `id` finds a contact that has neither phone nor e-mail address, such as a customer on Telegram, to give it a ref; it creates none, so an unknown one is 404 `NOT_FOUND`. When they lead to several contacts, when a ref is of another contact, or when the contact has another value for a system of `match`, the answer is 409 `CONTACT_CONFLICT`, and `details` names each contact that a key met. Equal calls at once create one contact. A contact that is so already is not written and emits no event.

        Needs the scope `contacts:write`.

        ``POST /v1/contacts/upsert``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONTACT_NEEDS_IDENTITY`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `CONTACT_CONFLICT`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("upsertContact", "POST", "/v1/contacts/upsert", body=body, keyed=True)
        answer: t.UpsertedContact = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def batch(
        self,
        body: t.BatchContacts,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.UpsertResults:
        """Create or change many contacts, each as by an upsert.

        Up to 500 in one transaction, in their order. One that is refused, also for its shape, has the code of its error in its result, and stops no other.

        Needs the scope `contacts:write`.

        ``POST /v1/contacts/batch``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("batchContacts", "POST", "/v1/contacts/batch", body=body, keyed=True)
        answer: t.UpsertResults = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def batch_all(
        self,
        contacts: Iterable[t.ContactUpsert],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Tuple[t.ContactUpsert, t.UpsertResult]]:
        """Create or change many contacts, each as by an upsert: any number of them, 500 in a call.

        Gives each item with its result, in their order. It sends as the results are read.
        Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.
        """
        return in_batches(
            contacts,
            500,
            lambda part, key: self.batch({"contacts": part}, idempotency_key=key, timeout=timeout, max_retries=max_retries),
            idempotency_key,
        )

    def find_by_key(
        self,
        key: str,
        value: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactRecord:
        """The contact with a phone, an e-mail address, or another system's name.

        `key` is `phone`, `email` or `refs.crm`, as in `match` of an upsert; `ref.crm` is the same. When several contacts have the value, the answer is 409 `CONTACT_CONFLICT`, and `details` names each.

        Needs the scope `contacts:read`.

        ``GET /v1/contacts/by/{key}/{value}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `CONTACT_CONFLICT`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param key: `phone`, `email` or `ref.SYSTEM`, which may be spelt `refs.SYSTEM` as in an upsert.
        :param value: The number, the address, or what the system calls the contact.
        """
        request = Request("findContactByKey", "GET", f'/v1/contacts/by/{segment("key", key)}/{segment("value", value)}')
        answer: t.ContactRecord = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def find_by_key_with_etag(
        self,
        key: str,
        value: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.ContactRecord, str]:
        """The contact with a phone, an e-mail address, or another system's name: with the `ETag` of the record, its version."""
        request = Request("findContactByKey", "GET", f'/v1/contacts/by/{segment("key", key)}/{segment("value", value)}', with_etag=True)
        answer: Tuple[t.ContactRecord, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def search(
        self,
        body: t.SearchContacts,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactRecordPage:
        """Contacts by the grammar of segments, the one that changed longest ago first.

        In the order `updatedAt`, which is the default, a contact that changes while you read on moves to the end, so none is passed over: a copy that reads to the end has all. Without `definition`: all contacts, also those who opted out.

        Needs the scope `contacts:read`.

        ``POST /v1/contacts/search``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("searchContacts", "POST", "/v1/contacts/search", body=body, keyed=True)
        answer: t.ContactRecordPage = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def iterate_search(
        self,
        body: t.SearchContacts,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.ContactRecord]:
        """Contacts by the grammar of segments, the one that changed longest ago first: every one, page after page as they are needed."""
        return every_of(lambda next: self.search(cast("t.SearchContacts", {**body, **next}), timeout=timeout, max_retries=max_retries))

    def count(
        self,
        body: t.CountContacts,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactCount:
        """How many contacts fit a definition.

        Without `definition`: all contacts.

        Needs the scope `contacts:read`.

        ``POST /v1/contacts/count``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("countContacts", "POST", "/v1/contacts/count", body=body, keyed=True)
        answer: t.ContactCount = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get_consent(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactConsent:
        """Whether a contact may be written to, and why.

        Needs the scope `contacts:read`.

        ``GET /v1/contacts/{id}/consent``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        """
        request = Request("readContactConsent", "GET", f'/v1/contacts/{segment("id", id)}/consent')
        answer: t.ContactConsent = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def put_consent(
        self,
        id: str,
        body: t.PutContactConsent,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactConsent:
        """Opt a contact out, or in with evidence.

        After the customer's own STOP an opt-in needs `evidence` that they asked for it since, else 409 `CONSENT_HELD`. The ledger keeps the evidence, its time and the key.

        Needs the scope `contacts:consent`.

        ``PUT /v1/contacts/{id}/consent``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:consent`, `NOT_FOUND`, `CONSENT_HELD`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        """
        request = Request("putContactConsent", "PUT", f'/v1/contacts/{segment("id", id)}/consent', body=body)
        answer: t.ContactConsent = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def merge(
        self,
        id: str,
        body: t.MergeContact,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactRecord:
        """Merge another contact into this one.

        What this contact has wins, what it lacks is taken from the other, tags and notes are joined, and opted out wins. The merged id goes on answering as this contact. The same call twice changes nothing more. Emits `contact.merged` and `contact.updated`.

        Needs the scope `contacts:write`.

        ``POST /v1/contacts/{id}/merge``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        """
        request = Request("mergeContact", "POST", f'/v1/contacts/{segment("id", id)}/merge', body=body, keyed=True)
        answer: t.ContactRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def list_timeline(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactTimeline:
        """What happened to a contact, newest first.

        Messages, campaigns, consent, changes, merges, passcodes and entries of the audit, over all contacts that were merged into it. The words of messages need `messages:read` too; without it `text` is null.

        Needs the scope `contacts:read`.

        ``GET /v1/contacts/{id}/timeline``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        :param cursor: `nextCursor` of the page before: the place of its last item.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listContactTimeline", "GET", f'/v1/contacts/{segment("id", id)}/timeline', query={"cursor": cursor, "limit": limit})
        answer: t.ContactTimeline = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_timeline(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.ContactTimelineItemsItem]:
        """What happened to a contact, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_timeline(id, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def get_identities(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactIdentities:
        """Who a contact is on each channel, in other systems, and before it was merged.

        Needs the scope `contacts:read`.

        ``GET /v1/contacts/{id}/identities``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        """
        request = Request("readContactIdentities", "GET", f'/v1/contacts/{segment("id", id)}/identities')
        answer: t.ContactIdentities = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def preview_merge(
        self,
        id: str,
        *,
        merged_id: str,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MergePreview:
        """What a merge would make of two contacts.

        Changes nothing. `POST /v1/contacts/{id}/merge` does it.

        Needs the scope `contacts:read` or `contacts:write`.

        ``GET /v1/contacts/{id}/merge-preview``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The contact; a merged one means the one that it became.
        :param merged_id: The contact that would be merged into it.
        """
        request = Request("previewContactMerge", "GET", f'/v1/contacts/{segment("id", id)}/merge-preview', query={"mergedId": merged_id})
        answer: t.MergePreview = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def list_duplicates(
        self,
        *,
        by: Optional[Literal["phone", "email", "externalId"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DuplicatePage:
        """Contacts that share a number, an e-mail address or an external id.

        The same name is no duplicate. A page looks for a second at most, so it may be empty without being the last.

        Needs the scope `contacts:read` or `contacts:write`.

        ``GET /v1/contacts/duplicates``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param by: What they share; `phone` when absent.
        :param cursor: `nextCursor` of the page before: what its last contacts share.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listContactDuplicates", "GET", "/v1/contacts/duplicates", query={"by": by, "cursor": cursor, "limit": limit})
        answer: t.DuplicatePage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_duplicates(
        self,
        *,
        by: Optional[Literal["phone", "email", "externalId"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.DuplicatePageItemsItem]:
        """Contacts that share a number, an e-mail address or an external id: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_duplicates(by=by, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def export_person(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.PersonDocument:
        """Everything that is stored of one person, as one JSON document.

        For a person who asks what you know of them: the contact and those that were merged into it, consent, conversations with messages, notes and drafts, campaigns, passcodes, the audit, and which events named the person. A merged contact means the one that it became. A stored file is named by its `mediaId`: `GET /v1/media/{id}/content` gives its bytes. It is written while it is read; the audit names the key.

        Needs the scope `contacts:export`.

        ``GET /v1/contacts/{id}/export``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a contact. Any other text is simply not found.
        """
        request = Request("exportPerson", "GET", f'/v1/contacts/{segment("id", id)}/export')
        answer: t.PersonDocument = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Segments:
    """Saved audiences."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Sequence[t.Segment]:
        """List saved audience segments.

        Needs the scope `contacts:read`.

        ``GET /v1/segments``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("listSegments", "GET", "/v1/segments")
        answer: Sequence[t.Segment] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def create(
        self,
        body: t.CreateSegment,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Segment:
        """Save a segment.

        A rule that does not fit is refused by its place. It is counted soon after.

        Needs the scope `segments:write`.

        ``POST /v1/segments``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:segments:write`, `NAME_TAKEN`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("createSegment", "POST", "/v1/segments", body=body, keyed=True)
        answer: t.Segment = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Segment:
        """One segment.

        Needs the scope `contacts:read`.

        ``GET /v1/segments/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The segment.
        """
        request = Request("readSegment", "GET", f'/v1/segments/{segment("id", id)}')
        answer: t.Segment = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_with_etag(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.Segment, str]:
        """One segment: with the `ETag` of the record, its version."""
        request = Request("readSegment", "GET", f'/v1/segments/{segment("id", id)}', with_etag=True)
        answer: Tuple[t.Segment, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateSegment,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Segment:
        """Change the name or the rules of a segment.

        What is left out stays. A campaign that has stored its audience keeps it. Counts are no part of the version.

        Needs the scope `segments:write`.

        ``PATCH /v1/segments/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:segments:write`, `NOT_FOUND`, `NAME_TAKEN`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The segment.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("updateSegment", "PATCH", f'/v1/segments/{segment("id", id)}', body=body, if_match=if_match)
        answer: t.Segment = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def update_with_etag(
        self,
        id: str,
        body: t.UpdateSegment,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.Segment, str]:
        """Change the name or the rules of a segment: with the `ETag` of the record, its version."""
        request = Request("updateSegment", "PATCH", f'/v1/segments/{segment("id", id)}', body=body, if_match=if_match, with_etag=True)
        answer: Tuple[t.Segment, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def delete(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DeleteSegmentAnswer:
        """Delete a segment; its contacts stay.

        409 `NOT_ALLOWED_IN_STATE` while a scheduled or running campaign uses it, or a live or paused bot asks for it.

        Needs the scope `segments:write`.

        ``DELETE /v1/segments/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:segments:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The segment.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("deleteSegment", "DELETE", f'/v1/segments/{segment("id", id)}', if_match=if_match)
        answer: t.DeleteSegmentAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def count_definition(
        self,
        body: t.CountDefinition,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SegmentCount:
        """How many contacts an unsaved definition names.

        Counts for five seconds at most. Without rules: everyone who has not opted out.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `contacts:read`.

        ``POST /v1/segments/count``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("countDefinition", "POST", "/v1/segments/count", body=body, keyed=True)
        answer: t.SegmentCount = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def sample_definition(
        self,
        body: t.SampleDefinition,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SegmentSample:
        """Ten contacts that an unsaved definition names.

        The newest that were found in time.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `contacts:read`.

        ``POST /v1/segments/sample``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("sampleDefinition", "POST", "/v1/segments/sample", body=body, keyed=True)
        answer: t.SegmentSample = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class Messages:
    """Replies inside conversations."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(
        self,
        body: t.NewMessage,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MessageAccepted:
        """Reply inside an existing conversation.

        A reply reaches the customer only while the reply window is open: for 24 hours after the customer last wrote on WhatsApp, Messenger and Instagram, for 48 hours and at most 10 messages on TikTok; Telegram and web chat have no window. `windowExpiresAt` of the conversation says until when. Afterwards the answer is 201 with `status` `failed`: the message is stored with error code `131047` and counts in the quota, and nothing is sent. On WhatsApp a template reaches the customer then: `POST /v1/template-messages`, or a campaign. It sends a text and nothing else: files, buttons and quotes go by `POST /v1/conversations/{id}/messages`.

        **A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**

        Needs the scope `messages:write`.

        ``POST /v1/messages``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CONVERSATION_NOT_FOUND`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:messages:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("sendMessage", "POST", "/v1/messages", body=body, keyed=True)
        answer: t.MessageAccepted = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def list_all_messages(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MessagePage:
        """List the messages of all conversations, newest first.

        The first copy of everything takes a call for 200 messages. Take the feed's place before it (`GET /v1/events` with `after=latest`), and follow the feed from there: what is sent, changed or deleted meanwhile is read after the copy.

        Needs the scope `messages:read`.

        ``GET /v1/messages``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listAllMessages", "GET", "/v1/messages", query={"cursor": cursor, "limit": limit})
        answer: t.MessagePage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_all_messages(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Message]:
        """List the messages of all conversations, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_all_messages(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Message:
        """One message.

        Needs the scope `messages:read`.

        ``GET /v1/messages/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a message. Any other text is simply not found.
        """
        request = Request("getMessage", "GET", f'/v1/messages/{segment("id", id)}')
        answer: t.Message = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Otp:
    """One-time passcodes by SMS."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(
        self,
        body: t.NewOtp,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SmsResult:
        """Send a one-time passcode by SMS.

        A send the gateway rejects is 201 with `sent: false`: check `sent`.

        **A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**

        Needs the scope `otp:send`.

        ``POST /v1/otp/send``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `SMS_PROVIDER_NOT_VERIFIED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `OTP_RATE_LIMITED`, `INSUFFICIENT_CREDITS`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:otp:send`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("sendOtp", "POST", "/v1/otp/send", body=body, keyed=True)
        answer: t.SmsResult = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def start_verification(
        self,
        body: t.StartVerification,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Verification:
        """Send a code to a number, and check it later.

        Parley makes the code and keeps only a hash of it. The text is in the language of `locale`. A new code to a number for the same purpose ends the one before. A number gets one code in 30 seconds and five in ten minutes, over all channels and purposes, else 429 `OTP_NUMBER_LIMITED`. A code that was refused (`failed`) does not start the 30 seconds, so that another channel can follow at once; it is one of the five. The message costs SMS credits as `POST /otp/send` does. By WhatsApp it takes one of the month's messages, and its text is the template's; without a connected channel (`CHANNEL_NEEDED`) or an approved template (`TEMPLATE_NOT_APPROVED`) the error says what to do. When the gateway or WhatsApp refuses it the status is `failed`.

        Needs the scope `otp:verify`.

        ``POST /v1/otp/verifications``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `SMS_PROVIDER_NOT_VERIFIED`, `TEMPLATE_NOT_APPROVED`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `OTP_RATE_LIMITED`, `INSUFFICIENT_CREDITS`, `SUBSCRIPTION_SUSPENDED`, `OTP_COUNTRY_REFUSED`, `MISSING_SCOPE:otp:verify`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `OTP_NUMBER_LIMITED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("startVerification", "POST", "/v1/otp/verifications", body=body, keyed=True)
        answer: t.Verification = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get_verification(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Verification:
        """Read a verification.

        It is kept for a day after it expired.

        Needs the scope `otp:verify`.

        ``GET /v1/otp/verifications/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:otp:verify`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The verification.
        """
        request = Request("readVerification", "GET", f'/v1/otp/verifications/{segment("id", id)}')
        answer: t.Verification = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def check_verification(
        self,
        id: str,
        body: t.CheckVerification,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Verification:
        """Check the code that a person typed.

        Decide by `status`: `approved` is answered to one check only, and every later one gets 409 `NOT_ALLOWED_IN_STATE`. A wrong code is answered `pending` and uses a try. With the fifth, `triesLeft` is 0: it has ended, `GET` shows `exhausted`, and so does every later check, also of the right code. What cannot be the code, as it has letters or another number of digits, is 400 and uses no try. One that was canceled, expired or failed is answered with that status.

        Needs the scope `otp:verify`.

        ``POST /v1/otp/verifications/{id}/check``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:otp:verify`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The verification.
        """
        request = Request("checkVerification", "POST", f'/v1/otp/verifications/{segment("id", id)}/check', body=body, keyed=True)
        answer: t.Verification = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def cancel_verification(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Verification:
        """End a verification whose code is no longer wanted.

        One that has ended is answered as it is.

        Needs the scope `otp:verify`.

        ``POST /v1/otp/verifications/{id}/cancel``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:otp:verify`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The verification.
        """
        request = Request("cancelVerification", "POST", f'/v1/otp/verifications/{segment("id", id)}/cancel', keyed=True)
        answer: t.Verification = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class Templates:
    """WhatsApp templates."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        status: Optional[Literal["all"]] = None,
        channel_id: Optional[str] = None,
        name: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Sequence[t.Template]:
        """List approved WhatsApp templates, by name.

        Needs the scope `templates:read`.

        ``GET /v1/templates``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param status: `all`: in any status. Without it only approved ones are listed.
        :param channel_id: Only those of this channel.
        :param name: Only those with this name, in every language.
        """
        request = Request("listTemplates", "GET", "/v1/templates", query={"status": status, "channelId": channel_id, "name": name})
        answer: Sequence[t.Template] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def create(
        self,
        body: t.CreateTemplate,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """Submit a template for the platform's review.

        What the platform would refuse, and what it refuses, is a 400 with the field in `details`. `template.status` says what it decided. 503: it may have arrived; look at the list before you try again.

        Needs the scope `templates:write`.

        ``POST /v1/templates``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("createTemplate", "POST", "/v1/templates", body=body, keyed=True)
        answer: t.Template = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def edit(
        self,
        id: str,
        body: t.EditTemplate,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """Submit other content for a template.

        It is reviewed again. Name, language and category stay. 409 `NOT_ALLOWED_IN_STATE` unless it is APPROVED, REJECTED or PAUSED.

        Needs the scope `templates:write`.

        ``PUT /v1/templates/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The template.
        """
        request = Request("editTemplate", "PUT", f'/v1/templates/{segment("id", id)}', body=body)
        answer: t.Template = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DeleteTemplateAnswer:
        """Delete a template, here and at its platform.

        Other languages of its name stay. The platform takes no new template of the name for some weeks. 409 `NOT_ALLOWED_IN_STATE` while a scheduled or running campaign sends it.

        Needs the scope `templates:write`.

        ``DELETE /v1/templates/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The template.
        """
        request = Request("deleteTemplate", "DELETE", f'/v1/templates/{segment("id", id)}')
        answer: t.DeleteTemplateAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Template:
        """One template, whatever the platform says of it.

        Needs the scope `templates:read`.

        ``GET /v1/templates/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The template.
        """
        request = Request("readTemplate", "GET", f'/v1/templates/{segment("id", id)}')
        answer: t.Template = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Broadcasts:
    """Campaigns."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Sequence[t.Broadcast]:
        """List the 100 most recent campaigns, newest first.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("listBroadcasts", "GET", "/v1/broadcasts")
        answer: Sequence[t.Broadcast] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def create(
        self,
        body: t.CreateBroadcast,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Create a campaign as a draft.

        It is checked as a whole: what is refused names its field. Nothing is sent before `POST /broadcasts/{id}/start` or `/schedule`.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``POST /v1/broadcasts``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("createBroadcast", "POST", "/v1/broadcasts", body=body, keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def start(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Broadcast:
        """Start or resume a campaign.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/start``

        Fails with: `VALIDATION_FAILED`, `BROADCAST_NOT_STARTABLE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a broadcast. Any other text is simply not found.
        """
        request = Request("startBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/start', keyed=True)
        answer: t.Broadcast = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        include: Optional[Literal["draft"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastDetails:
        """One campaign.

        The `ETag` is the version of everything that it is made of, also without `include`.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a broadcast. Any other text is simply not found.
        :param include: `draft`: also everything that the campaign is made of.
        """
        request = Request("getBroadcast", "GET", f'/v1/broadcasts/{segment("id", id)}', query={"include": include})
        answer: t.BroadcastDetails = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_with_etag(
        self,
        id: str,
        *,
        include: Optional[Literal["draft"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.BroadcastDetails, str]:
        """One campaign: with the `ETag` of the record, its version."""
        request = Request("getBroadcast", "GET", f'/v1/broadcasts/{segment("id", id)}', query={"include": include}, with_etag=True)
        answer: Tuple[t.BroadcastDetails, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def update(
        self,
        id: str,
        body: t.UpdateBroadcast,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Change a draft.

        What is left out stays. Variables, header and buttons are replaced as a whole, and are given again with another template. The texts of an A/B campaign are replaced by all `variants` together.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``PATCH /v1/broadcasts/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("updateBroadcast", "PATCH", f'/v1/broadcasts/{segment("id", id)}', body=body, if_match=if_match)
        answer: t.BroadcastRecord = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def update_with_etag(
        self,
        id: str,
        body: t.UpdateBroadcast,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.BroadcastRecord, str]:
        """Change a draft: with the `ETag` of the record, its version."""
        request = Request("updateBroadcast", "PATCH", f'/v1/broadcasts/{segment("id", id)}', body=body, if_match=if_match, with_etag=True)
        answer: Tuple[t.BroadcastRecord, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def delete(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DeleteBroadcastAnswer:
        """Delete a draft.

        Its last event is `broadcast.status` with `CANCELLED`. A campaign in another state stays for its report: 409 `NOT_ALLOWED_IN_STATE`.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``DELETE /v1/broadcasts/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("deleteBroadcast", "DELETE", f'/v1/broadcasts/{segment("id", id)}', if_match=if_match)
        answer: t.DeleteBroadcastAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def list_recipients(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]] = None,
        statuses: Optional[Sequence[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RecipientPage:
        """List a campaign's recipients and their delivery status.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/recipients``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a broadcast. Any other text is simply not found.
        :param status: Only recipients in this state.
        :param statuses: Only recipients in any of these states, separated by commas. It goes without `status`.
        :param cursor: `nextCursor` of the page before.
        :param limit: How many at most. Above 200 acts as 200.
        """
        request = Request("listRecipients", "GET", f'/v1/broadcasts/{segment("id", id)}/recipients', query={"status": status, "statuses": statuses, "cursor": cursor, "limit": limit})
        answer: t.RecipientPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_recipients(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]] = None,
        statuses: Optional[Sequence[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Recipient]:
        """List a campaign's recipients and their delivery status: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_recipients(id, status=status, statuses=statuses, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def estimate(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastEstimate:
        """What a start would do now.

        Of a draft or a scheduled campaign; another's report has its counts: 409 `NOT_ALLOWED_IN_STATE`.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``GET /v1/broadcasts/{id}/estimate``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("estimateBroadcast", "GET", f'/v1/broadcasts/{segment("id", id)}/estimate')
        answer: t.BroadcastEstimate = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def preview(
        self,
        id: str,
        *,
        count: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastPreview:
        """The messages that real contacts would get now.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``GET /v1/broadcasts/{id}/preview``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        :param count: How many contacts.
        """
        request = Request("previewBroadcast", "GET", f'/v1/broadcasts/{segment("id", id)}/preview', query={"count": count})
        answer: t.BroadcastPreview = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def duplicate(
        self,
        id: str,
        body: t.DuplicateBroadcast,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Copy a campaign as a new draft.

        With its text, audience, times of the day and pace, and without a time at which it starts.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/duplicate``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("duplicateBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/duplicate', body=body, keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def resend_failed(
        self,
        id: str,
        body: t.ResendFailed,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Create a draft for the recipients that failed.

        Of a campaign that is paused, completed or cancelled. Numbers that accept no message are left out unless `all`. Recipients with an unknown outcome wait for `/resend-unknown`; only of a cancelled campaign `unknown` includes them. 400 when no recipient is left.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/resend-failed``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("resendFailed", "POST", f'/v1/broadcasts/{segment("id", id)}/resend-failed', body=body, keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def pause(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Pause a running campaign.

        Calls that began are finished and counted; no new one is made. `POST /broadcasts/{id}/start` resumes it.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/pause``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("pauseBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/pause', keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Cancel a campaign that has not ended.

        Recipients that still wait stay counted as waiting, and get nothing.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/cancel``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("cancelBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/cancel', keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def schedule(
        self,
        id: str,
        body: t.ScheduleBroadcast,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Start a draft at a time.

        The time must be in the future. With `localTime` its wall clock in the campaign's zone counts on each recipient's own clock.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/schedule``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("scheduleBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/schedule', body=body, keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def unschedule(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Take back the time of a scheduled campaign: it is a draft again.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/unschedule``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("unscheduleBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/unschedule', keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def pace(
        self,
        id: str,
        body: t.PaceBroadcast,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Set a campaign's pace.

        From the next batch on, within a second. A limit that a refusal of the platform left is lifted up to it.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/pace``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("paceBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/pace', body=body, keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def test(
        self,
        id: str,
        body: t.TestBroadcast,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Send a campaign's message to chosen contacts now.

        As a campaign of its own, whose `parentId` is this one: nothing of it counts in this one's report, and each message uses a slot. Give `contactIds` or `phone`; a number without a contact gets one, for which the key needs `contacts:write`.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/test``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `BROADCAST_NOT_STARTABLE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("testBroadcast", "POST", f'/v1/broadcasts/{segment("id", id)}/test', body=body, keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def resend_unknown(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastRecord:
        """Send again to the recipients with an unknown outcome.

        Some may get it twice. Of a campaign that is running, paused or completed; a completed one runs again. Each uses a new message and slot.

        Needs the scope `broadcasts:write`.

        ``POST /v1/broadcasts/{id}/resend-unknown``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("resendUnknown", "POST", f'/v1/broadcasts/{segment("id", id)}/resend-unknown', keyed=True)
        answer: t.BroadcastRecord = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def search(
        self,
        body: t.SearchBroadcasts,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastPage:
        """Campaigns by state, kind, channel, segment, name and time, newest first.

        Beyond the 100 of `GET /v1/broadcasts`.

        Needs the scope `broadcasts:read`.

        ``POST /v1/broadcasts/search``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("searchBroadcasts", "POST", "/v1/broadcasts/search", body=body, keyed=True)
        answer: t.BroadcastPage = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def iterate_search(
        self,
        body: t.SearchBroadcasts,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Broadcast]:
        """Campaigns by state, kind, channel, segment, name and time, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.search(cast("t.SearchBroadcasts", {**body, **next}), timeout=timeout, max_retries=max_retries))

    def get_report(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastReport:
        """How far every recipient of a campaign is, all at one instant.

        Counts every recipient: seconds at a million, and 503 `OVERLOADED` after 20 s. In `funnel`, `total` = `pending` + `sending` + `sent` + `failed` + `skipped`, also while it sends.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/report``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("readBroadcastReport", "GET", f'/v1/broadcasts/{segment("id", id)}/report')
        answer: t.BroadcastReport = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_timeline(
        self,
        id: str,
        *,
        by: Optional[Literal["minute", "hour", "day"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastTimeline:
        """What happened to a campaign, and its counts by time.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/timeline``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        :param by: The step of the counts; minute when absent.
        """
        request = Request("readBroadcastTimeline", "GET", f'/v1/broadcasts/{segment("id", id)}/timeline', query={"by": by})
        answer: t.BroadcastTimeline = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def compare_variants(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastComparison:
        """The variants of an A/B campaign side by side.

        Of a campaign without variants: 409 `NOT_ALLOWED_IN_STATE`.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/variants``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        """
        request = Request("compareBroadcastVariants", "GET", f'/v1/broadcasts/{segment("id", id)}/variants')
        answer: t.BroadcastComparison = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def break_down(
        self,
        id: str,
        *,
        by: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastBreakdown:
        """How far recipients are, by a present fact of theirs.

        Reads every recipient and contact of the campaign: seconds at a million, and 503 `OVERLOADED` after 20 s.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/breakdown``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        :param by: `tag`, as when absent, or `attribute.KEY`.
        """
        request = Request("breakBroadcastDown", "GET", f'/v1/broadcasts/{segment("id", id)}/breakdown', query={"by": by})
        answer: t.BroadcastBreakdown = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def list_replies(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastReplyPage:
        """Who answered a campaign, newest first.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/replies``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The campaign.
        :param cursor: `nextCursor` of the page before: time and contact of its last reply.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listBroadcastReplies", "GET", f'/v1/broadcasts/{segment("id", id)}/replies', query={"cursor": cursor, "limit": limit})
        answer: t.BroadcastReplyPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_replies(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.BroadcastReply]:
        """Who answered a campaign, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_replies(id, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def download_recipients(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]] = None,
        statuses: Optional[Sequence[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]]] = None,
        reason: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """Every recipient of a campaign as a file (CSV).

        RFC 4180, header first, in the order of their contacts, times in UTC. It is sent as it is read, so a recipient that changes meanwhile is as it was then. The audit names the key.

        Needs the scope `broadcasts:read`.

        ``GET /v1/broadcasts/{id}/recipients.csv``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a broadcast. Any other text is simply not found.
        :param status: Only recipients in this state.
        :param statuses: Only recipients in any of these states, separated by commas. It goes without `status`.
        :param reason: Only recipients that were skipped for this reason or failed with this code.
        """
        request = Request("downloadRecipients", "GET", f'/v1/broadcasts/{segment("id", id)}/recipients.csv', query={"status": status, "statuses": statuses, "reason": reason})
        answer: str = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def download_recipients_pieces(
        self,
        id: str,
        *,
        status: Optional[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]] = None,
        statuses: Optional[Sequence[Literal["pending", "sending", "sent", "delivered", "read", "failed", "skipped"]]] = None,
        reason: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[bytes]:
        """Every recipient of a campaign as a file (CSV): piece by piece as it arrives, so that no more than a piece is in memory."""
        request = Request("downloadRecipients", "GET", f'/v1/broadcasts/{segment("id", id)}/recipients.csv', query={"status": status, "statuses": statuses, "reason": reason})
        return self._caller._pieces(request, Options(None, timeout, max_retries))


class Usage:
    """The monthly meter."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.UsageSummary:
        """Usage of the current UTC month.

        Needs the scope `usage:read`.

        ``GET /v1/usage``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("getUsage", "GET", "/v1/usage")
        answer: t.UsageSummary = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def list_months(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.UsageHistory:
        """The months before and this one, newest first.

        Needs the scope `usage:read`.

        ``GET /v1/usage/history``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: its last month.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listUsageMonths", "GET", "/v1/usage/history", query={"cursor": cursor, "limit": limit})
        answer: t.UsageHistory = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_months(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.UsageMonth]:
        """The months before and this one, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_months(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))


class Conversations:
    """Threads of a contact on a channel."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        id: str,
        *,
        include: Optional[Sequence[Literal["contact", "lastMessage", "assignee"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ListedConversation:
        """One conversation.

        `include=contact` also needs the scope `contacts:read`, and `include=assignee` `team:read`.

        Needs the scope `messages:read`.

        ``GET /v1/conversations/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a conversation. Any other text is simply not found.
        :param include: What a conversation shows beside itself, separated by commas.
        """
        request = Request("getConversation", "GET", f'/v1/conversations/{segment("id", id)}', query={"include": include})
        answer: t.ListedConversation = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_with_etag(
        self,
        id: str,
        *,
        include: Optional[Sequence[Literal["contact", "lastMessage", "assignee"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.ListedConversation, str]:
        """One conversation: with the `ETag` of the record, its version."""
        request = Request("getConversation", "GET", f'/v1/conversations/{segment("id", id)}', query={"include": include}, with_etag=True)
        answer: Tuple[t.ListedConversation, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def change(
        self,
        id: str,
        body: t.ChangeConversation,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Conversation:
        """Change a conversation: status, assignee, labels, read.

        With `note` it is handed over in one step: the note is written in the same transaction. `addLabels` and `removeLabels` need no `If-Match`. The same call twice changes nothing more, but a note is written each time.

        Needs the scope `conversations:write`.

        ``PATCH /v1/conversations/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("changeConversation", "PATCH", f'/v1/conversations/{segment("id", id)}', body=body, if_match=if_match)
        answer: t.Conversation = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def change_with_etag(
        self,
        id: str,
        body: t.ChangeConversation,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.Conversation, str]:
        """Change a conversation: status, assignee, labels, read: with the `ETag` of the record, its version."""
        request = Request("changeConversation", "PATCH", f'/v1/conversations/{segment("id", id)}', body=body, if_match=if_match, with_etag=True)
        answer: Tuple[t.Conversation, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def list_messages(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MessagePage:
        """The messages of a conversation, newest first.

        Needs the scope `messages:read`.

        ``GET /v1/conversations/{id}/messages``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a conversation. Any other text is simply not found.
        :param cursor: `nextCursor` of the page before.
        :param limit: How many at most. Above 200 acts as 200.
        """
        request = Request("listMessages", "GET", f'/v1/conversations/{segment("id", id)}/messages', query={"cursor": cursor, "limit": limit})
        answer: t.MessagePage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_messages(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Message]:
        """The messages of a conversation, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_messages(id, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def send_in_conversation(
        self,
        id: str,
        body: t.SendInConversation,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Message:
        """Send a message in a conversation: text, files, buttons, a quote, a template.

        As `POST /v1/messages`, with more: files that were uploaded before, or a template in place of the text, which may go after the reply window has closed. `choices` are answers to press; a press is an inbound message whose attachment `button`, `button_reply` or `list_reply` has the payload. `replyTo` quotes a message of the conversation that the platform has: on WhatsApp, Telegram and Messenger, and with a text on TikTok; elsewhere it is refused with `NOT_SUPPORTED_HERE`. `afterwards` resolves or snoozes the conversation in the same transaction. With `answers` false the customer goes on waiting: the inbox lists the conversation as unanswered.

        Needs the scope `messages:write`.

        ``POST /v1/conversations/{id}/messages``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `ATTACHMENT_REFUSED`, `NOT_SUPPORTED_HERE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:messages:write`, `NOT_FOUND`, `CONTACT_OPTED_OUT`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("sendInConversation", "POST", f'/v1/conversations/{segment("id", id)}/messages', body=body, keyed=True)
        answer: t.Message = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def list(
        self,
        *,
        status: Optional[Literal["open", "snoozed", "resolved"]] = None,
        channel_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        assignee_id: Optional[str] = None,
        label: Optional[str] = None,
        unread: Optional[Literal["true", "false"]] = None,
        unanswered: Optional[Literal["true", "false"]] = None,
        updated_after: Optional[str] = None,
        sort: Optional[Literal["newest", "recent", "changes"]] = None,
        include: Optional[Sequence[Literal["contact", "lastMessage", "assignee"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ConversationPage:
        """List conversations, newest first.

        Each filter is optional, and a conversation must fit all. With `sort=changes` what changes while you read on moves to the end, so a copy that reads to the end has all; begin the next time with `updatedAfter`. A conversation that a campaign or a template opened is in the orders `recent` and `changes` once its customer wrote or somebody acted on it. `include=contact` also needs the scope `contacts:read`, and `include=assignee` `team:read`.

        Needs the scope `messages:read`.

        ``GET /v1/conversations``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param status: Only those in this state.
        :param channel_id: Only those of this channel.
        :param contact_id: Only those of this contact.
        :param assignee_id: Only those that this member has; `none`: those that no one has.
        :param label: Only those with this label.
        :param unread: Only those with messages that no one has read, or without.
        :param unanswered: Only open ones whose customer waits for an answer, as the inbox's view Unanswered has them, or all others.
        :param updated_after: Only those that changed later. The order is then `changes`, or `recent`.
        :param sort: `newest`: created last first, as without it. `recent`: changed last first. `changes`: changed longest ago first.
        :param include: What a conversation shows beside itself, separated by commas.
        :param cursor: `nextCursor` of the page before.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listConversations", "GET", "/v1/conversations", query={"status": status, "channelId": channel_id, "contactId": contact_id, "assigneeId": assignee_id, "label": label, "unread": unread, "unanswered": unanswered, "updatedAfter": updated_after, "sort": sort, "include": include, "cursor": cursor, "limit": limit})
        answer: t.ConversationPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        status: Optional[Literal["open", "snoozed", "resolved"]] = None,
        channel_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        assignee_id: Optional[str] = None,
        label: Optional[str] = None,
        unread: Optional[Literal["true", "false"]] = None,
        unanswered: Optional[Literal["true", "false"]] = None,
        updated_after: Optional[str] = None,
        sort: Optional[Literal["newest", "recent", "changes"]] = None,
        include: Optional[Sequence[Literal["contact", "lastMessage", "assignee"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.ListedConversation]:
        """List conversations, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(status=status, channel_id=channel_id, contact_id=contact_id, assignee_id=assignee_id, label=label, unread=unread, unanswered=unanswered, updated_after=updated_after, sort=sort, include=include, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def change_many_conversations(
        self,
        body: t.ChangeManyConversations,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ConversationsChanged:
        """Change up to 200 conversations in the same way.

        Each in a transaction of its own. Ids without a conversation are left out; `changed` says how many there were.

        Needs the scope `conversations:write`.

        ``POST /v1/conversations/changes``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("changeManyConversations", "POST", "/v1/conversations/changes", body=body, keyed=True)
        answer: t.ConversationsChanged = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def list_notes(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.NotePage:
        """List the notes of a conversation, newest first.

        Needs the scope `messages:read`.

        ``GET /v1/conversations/{id}/notes``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        :param cursor: `nextCursor` of the page before.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listNotes", "GET", f'/v1/conversations/{segment("id", id)}/notes', query={"cursor": cursor, "limit": limit})
        answer: t.NotePage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_notes(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Note]:
        """List the notes of a conversation, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_notes(id, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def write_note(
        self,
        id: str,
        body: t.WriteNote,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Note:
        """Write a note into a conversation.

        Customers never see it. The caller is its author; the inbox shows the name of a key.

        Needs the scope `conversations:write`.

        ``POST /v1/conversations/{id}/notes``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("writeNote", "POST", f'/v1/conversations/{segment("id", id)}/notes', body=body, keyed=True)
        answer: t.Note = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def suggest_reply(
        self,
        id: str,
        body: t.SuggestReply,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Suggestion:
        """Suggest a reply, which a member sends, changes or discards.

        It appears over the composer of the conversation. No customer sees it before a member sends it. Another text by the same key replaces the open one; the same call twice changes nothing more. `template` in place of `text` suggests a template, which may go after the reply window has closed.

        Needs the scope `messages:draft`.

        ``PUT /v1/conversations/{id}/suggestion``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("suggestReply", "PUT", f'/v1/conversations/{segment("id", id)}/suggestion', body=body)
        answer: t.Suggestion = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_suggestion(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Suggestion:
        """The newest suggestion of the key in a conversation, and what a member did with it.

        Needs the scope `messages:draft`.

        ``GET /v1/conversations/{id}/suggestion``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("readSuggestion", "GET", f'/v1/conversations/{segment("id", id)}/suggestion')
        answer: t.Suggestion = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def withdraw_suggestion(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WithdrawSuggestionAnswer:
        """Withdraw the open suggestion of the key.

        A suggestion that a member has used or discarded stays as it is: 404.

        Needs the scope `messages:draft`.

        ``DELETE /v1/conversations/{id}/suggestion``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("withdrawSuggestion", "DELETE", f'/v1/conversations/{segment("id", id)}/suggestion')
        answer: t.WithdrawSuggestionAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def hand_over_conversation(
        self,
        id: str,
        body: t.HandOverConversation,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Conversation:
        """Hand a conversation over from its bot to people.

        The customer gets the bot's text for it, members a note. Where no bot answers nothing changes: a program that wants such a conversation for people assigns it.

        Needs the scope `bots:write`.

        ``POST /v1/conversations/{id}/hand-over``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("handOverConversation", "POST", f'/v1/conversations/{segment("id", id)}/hand-over', body=body, keyed=True)
        answer: t.Conversation = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def give_back(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Conversation:
        """Give a conversation back to bots: the next message of the customer starts one.

        It has no assignee afterwards.

        Needs the scope `bots:write`.

        ``POST /v1/conversations/{id}/give-back``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The conversation.
        """
        request = Request("giveConversationBack", "POST", f'/v1/conversations/{segment("id", id)}/give-back', keyed=True)
        answer: t.Conversation = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class Events:
    """What happened, in order: the feed behind the webhooks."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        after: Optional[Union[int, Literal["latest"]]] = None,
        limit: Optional[int] = None,
        types: Optional[Sequence[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.EventPage:
        """The workspace's events, by sequence.

        Every event, whether or not an endpoint exists, kept for 30 days: the bodies that webhooks deliver, byte for byte. Without `after` it begins with the oldest. A key reads the kinds whose scope it holds: `message.*`, `media.*`, `note.*`, `suggestion.*`, `conversation.*`, `channel.*` and `bot.*` with `messages:read`, `contact.*` with `contacts:read`, `broadcast.*` with `broadcasts:read`, `template.*` with `templates:read`, `usage.*` with `usage:read`, `otp.*` with `otp:send`, `webhook.*` with `webhooks:read`; a key without scopes reads all. For a key with scopes a gap in `sequence` is therefore no loss.

        Needs the scope `messages:read` or `contacts:read` or `broadcasts:read` or `templates:read` or `usage:read` or `otp:send` or `webhooks:read`.

        ``GET /v1/events``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param after: Events after this sequence: `nextAfter` of the page before. `latest`: none; `nextAfter` is the place to read on from, for a program that begins now.
        :param limit: How many at most. Above 500 acts as 500.
        :param types: Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.
        """
        request = Request("listEvents", "GET", "/v1/events", query={"after": after, "limit": limit, "types": types})
        answer: t.EventPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        after: Optional[Union[int, Literal["latest"]]] = None,
        limit: Optional[int] = None,
        types: Optional[Sequence[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        on_gap: Optional[Callable[[Gap], None]] = None,
    ) -> Iterator[t.WebhookEvent]:
        """The workspace's events, by sequence: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(after=next.get("after", after), limit=limit, types=types, timeout=timeout, max_retries=max_retries), after=after, on_gap=on_gap)

    def stream(
        self,
        *,
        after: Optional[int] = None,
        types: Optional[Sequence[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]]] = None,
        max_retries: Optional[int] = None,
        on_gap: Optional[Callable[[Gap], None]] = None,
    ) -> Iterator[t.WebhookEvent]:
        """The workspace's events as they happen (server-sent events).

        Each event has its sequence as `id`, its kind as `event` and the body of the webhook as `data`. It begins after `Last-Event-ID`, else after `after`, else now; the first frame, `open`, names the place. `gap` says that events after that place are no longer kept; `end` why the server ends the stream: `shutdown`, `revoked` (the key), `replaced` (the key has more than five). A comment is sent every 15 seconds. Opening it counts as a request of the key. A key reads the kinds whose scope it holds: `message.*`, `media.*`, `note.*`, `suggestion.*`, `conversation.*`, `channel.*` and `bot.*` with `messages:read`, `contact.*` with `contacts:read`, `broadcast.*` with `broadcasts:read`, `template.*` with `templates:read`, `usage.*` with `usage:read`, `otp.*` with `otp:send`, `webhook.*` with `webhooks:read`; a key without scopes reads all. For a key with scopes a gap in `sequence` is therefore no loss.

        Needs the scope `messages:read` or `contacts:read` or `broadcasts:read` or `templates:read` or `usage:read` or `otp:send` or `webhooks:read`.

        ``GET /v1/events/stream``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param after: Events after this sequence: `nextAfter` of the page before.
        :param types: Only these kinds, separated by commas. When absent: all that the key's scopes allow. A kind whose scope the key lacks is 403.
        """
        request = Request("streamEvents", "GET", "/v1/events/stream", query={"after": after, "types": types})
        return self._caller._stream(request, max_retries, on_gap)


class Labels:
    """Labels of conversations, with their colors."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.LabelPage:
        """List the labels that have a color, by name.

        Needs the scope `messages:read` or `conversations:write`.

        ``GET /v1/labels``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:conversations:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: the name of its last label.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listLabels", "GET", "/v1/labels", query={"cursor": cursor, "limit": limit})
        answer: t.LabelPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Label]:
        """List the labels that have a color, by name: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def put(
        self,
        name: str,
        body: t.PutLabel,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Label:
        """Create a label, or change its color or its name.

        With `newName` its conversations keep the label under the new name. The same call twice changes nothing more.

        Needs the scope `conversations:write`.

        ``PUT /v1/labels/{name}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param name: 1 to 80 characters; stored in lower case.
        """
        request = Request("putLabel", "PUT", f'/v1/labels/{segment("name", name)}', body=body)
        answer: t.Label = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Label:
        """One label.

        Needs the scope `messages:read` or `conversations:write`.

        ``GET /v1/labels/{name}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param name: 1 to 80 characters; stored in lower case.
        """
        request = Request("readLabel", "GET", f'/v1/labels/{segment("name", name)}')
        answer: t.Label = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def delete(
        self,
        name: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DeleteLabelAnswer:
        """Delete a label, also from its conversations in the inbox.

        Needs the scope `conversations:write`.

        ``DELETE /v1/labels/{name}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param name: 1 to 80 characters; stored in lower case.
        """
        request = Request("deleteLabel", "DELETE", f'/v1/labels/{segment("name", name)}')
        answer: t.DeleteLabelAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Test:

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def play_inbound(
        self,
        body: t.PlayInbound,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TestInbound:
        """Write as a customer of a test workspace.

        The customer is one of the emulated platform, and the message takes the whole road: the platform's call, contact, conversation, bot, webhooks. It waits up to ten seconds until the message is stored. A customer writes (`text`, a file, both; with `replyTo` as a quote) or presses a button (`press`). In a live workspace it is refused with 409 `NOT_ALLOWED_IN_STATE`.

        Needs the scope `messages:write`.

        ``POST /v1/test/inbound``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CHANNEL_NEEDED`, `NOT_SUPPORTED_HERE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("playInbound", "POST", "/v1/test/inbound", body=body, keyed=True)
        answer: t.TestInbound = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class TemplateMessages:
    """Templates to people who need not have written yet."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def send(
        self,
        body: t.SendTemplateMessage,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplateMessageAccepted:
        """Send a template to somebody who need not have written yet.

        For order updates and the like, on WhatsApp. Contact and conversation are made in the same transaction when there are none: by `to` the contact is found as an incoming message finds it, by `ref` as another system calls it. Without `channelId` the template must be on one channel only, else 400 `CHANNEL_NEEDED`. A MARKETING template to somebody who opted out is 409 `CONTACT_OPTED_OUT`. A refused call leaves nothing behind.

        Needs the scope `templates:send`.

        ``POST /v1/template-messages``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:templates:send`, `NOT_FOUND`, `CONTACT_OPTED_OUT`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("sendTemplateMessage", "POST", "/v1/template-messages", body=body, keyed=True)
        answer: t.TemplateMessageAccepted = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def send_template_batch(
        self,
        body: t.SendTemplateBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplateMessageResults:
        """Send many template messages, each as by the single call.

        Up to 100 in one transaction, in their order: those that are refused, also for their shape, leave nothing behind and stop no other. The answer is kept under the key, refusals too: send what was refused and is mended, or fits into a limit that was raised, alone and under another key. A result is refused with `VALIDATION_FAILED` or with `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `NOT_FOUND`, `CONTACT_OPTED_OUT`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`; `details` names each fault.

        Needs the scope `templates:send`.

        ``POST /v1/template-messages/batch``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:send`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("sendTemplateBatch", "POST", "/v1/template-messages/batch", body=body, keyed=True)
        answer: t.TemplateMessageResults = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def send_all(
        self,
        messages: Iterable[t.TemplateMessage],
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Tuple[t.TemplateMessage, t.TemplateMessageResult]]:
        """Send many template messages, each as by the single call: any number of them, 100 in a call.

        Gives each item with its result, in their order. It sends as the results are read.
        Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.
        """
        return in_batches(
            messages,
            100,
            lambda part, key: self.send_template_batch({"messages": part}, idempotency_key=key, timeout=timeout, max_retries=max_retries),
            idempotency_key,
        )


class Notes:
    """Notes that members and programs write for the team."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def change(
        self,
        id: str,
        body: t.ChangeNote,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Note:
        """Change the text of a note.

        A key changes only its own notes: another's is 403 `FORBIDDEN`.

        Needs the scope `conversations:write`.

        ``PATCH /v1/notes/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `FORBIDDEN`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The note.
        """
        request = Request("changeNote", "PATCH", f'/v1/notes/{segment("id", id)}', body=body)
        answer: t.Note = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def remove(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Note:
        """Delete a note.

        Its place stays, its text is deleted. A key deletes only its own notes.

        Needs the scope `conversations:write`.

        ``DELETE /v1/notes/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `FORBIDDEN`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The note.
        """
        request = Request("removeNote", "DELETE", f'/v1/notes/{segment("id", id)}')
        answer: t.Note = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Media:
    """Files of messages, and files for messages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def store(
        self,
        body: t.StoreMedia,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MediaFile:
        """Store a file, from an address or as bytes, for a message to carry.

        With `Content-Type: application/json` the body names an address; with any other, the body is the file, and `name` or `Content-Disposition` names it. Its bytes decide what it is; the `Content-Type` helps where they do not show it. The address must be public and https: the server fetches the file once, within 30 s, and follows no redirect. One that no message carries within 24 hours is deleted.

        Needs the scope `messages:write` or `templates:send` or `templates:write` or `broadcasts:draft` or `broadcasts:write`.

        ``POST /v1/media``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `NOT_FETCHED`, `ATTACHMENT_REFUSED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:write`, `MISSING_SCOPE:templates:send`, `MISSING_SCOPE:templates:write`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `UNSENT_FILES_FULL`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`, `STORAGE_FULL`.
        """
        request = Request("storeMedia", "POST", "/v1/media", body=body, keyed=True)
        answer: t.MediaFile = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def store_file(
        self,
        file: Union[bytes, str, IO[bytes]],
        *,
        name: Optional[str] = None,
        media_type: str = "application/octet-stream",
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MediaFile:
        """Store a file, from an address or as bytes, for a message to carry: with the bytes of the file. ``media_type`` says what a file is whose bytes do not, as a text."""
        request = Request("storeMedia", "POST", "/v1/media", query={"name": name}, body=file, body_type=media_type, keyed=True)
        answer: t.MediaFile = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MediaFile:
        """One file of a message, or an upload.

        Needs the scope `messages:read`.

        ``GET /v1/media/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The file.
        """
        request = Request("readMedia", "GET", f'/v1/media/{segment("id", id)}')
        answer: t.MediaFile = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def download(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> bytes:
        """The bytes of a file.

        Its `Content-Type` is what the bytes are. `Range` and `If-None-Match` hold. 503 `MEDIA_PENDING` while it is fetched from its platform.

        Needs the scope `messages:read`.

        ``GET /v1/media/{id}/content``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `MEDIA_PENDING`, `OVERLOADED`.

        :param id: The id of a media. Any other text is simply not found.
        """
        request = Request("downloadMedia", "GET", f'/v1/media/{segment("id", id)}/content', binary=True)
        answer: bytes = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def download_pieces(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[bytes]:
        """The bytes of a file: piece by piece as it arrives, so that no more than a piece is in memory."""
        request = Request("downloadMedia", "GET", f'/v1/media/{segment("id", id)}/content', binary=True)
        return self._caller._pieces(request, Options(None, timeout, max_retries))


class SavedReplies:
    """Texts that the team shares."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SavedReplyPage:
        """List the saved replies that the team shares.

        Needs the scope `messages:read`.

        ``GET /v1/saved-replies``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("listSavedReplies", "GET", "/v1/saved-replies")
        answer: t.SavedReplyPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def put(
        self,
        shortcut: str,
        body: t.PutSavedReply,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.SavedReply:
        """Create a saved reply that the team shares, or change the one with this shortcut.

        Its files stay. A source of the knowledge that follows it is read again at once. The same call twice changes nothing more. There are 500 at most.

        Needs the scope `conversations:write`.

        ``PUT /v1/saved-replies/{shortcut}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param shortcut: 1 to 40 letters, digits, `_` and `-`; stored in lower case.
        """
        request = Request("putSavedReply", "PUT", f'/v1/saved-replies/{segment("shortcut", shortcut)}', body=body)
        answer: t.SavedReply = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def remove(
        self,
        shortcut: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RemoveSavedReplyAnswer:
        """Delete the saved reply that the team shares under this shortcut.

        Needs the scope `conversations:write`.

        ``DELETE /v1/saved-replies/{shortcut}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param shortcut: 1 to 40 letters, digits, `_` and `-`; stored in lower case.
        """
        request = Request("removeSavedReply", "DELETE", f'/v1/saved-replies/{segment("shortcut", shortcut)}')
        answer: t.RemoveSavedReplyAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Members:
    """The people of the workspace."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list_team_members(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.MemberPage:
        """List the members of the workspace.

        Needs the scope `team:read`.

        ``GET /v1/members``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:team:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listTeamMembers", "GET", "/v1/members", query={"cursor": cursor, "limit": limit})
        answer: t.MemberPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_team_members(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Member]:
        """List the members of the workspace: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_team_members(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))


class Me:
    """The key itself."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.KeyHolder:
        """The key of the request, its workspace and its scopes.

        Any scope opens it.

        Needs the scope `messages:read` or `contacts:read` or `contacts:write` or `messages:write` or `otp:send` or `templates:read` or `broadcasts:read` or `broadcasts:write` or `usage:read` or `conversations:write` or `templates:send` or `team:read` or `contacts:consent` or `contacts:erase` or `segments:write` or `messages:draft` or `broadcasts:draft` or `webhooks:read` or `webhooks:write` or `contacts:export` or `audit:read` or `channels:read` or `channels:write` or `templates:write` or `bots:read` or `bots:write` or `otp:verify` or `retention:write`.

        ``GET /v1/me``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `MISSING_SCOPE:messages:write`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:broadcasts:write`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:conversations:write`, `MISSING_SCOPE:templates:send`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:contacts:consent`, `MISSING_SCOPE:contacts:erase`, `MISSING_SCOPE:segments:write`, `MISSING_SCOPE:messages:draft`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:webhooks:read`, `MISSING_SCOPE:webhooks:write`, `MISSING_SCOPE:contacts:export`, `MISSING_SCOPE:audit:read`, `MISSING_SCOPE:channels:read`, `MISSING_SCOPE:channels:write`, `MISSING_SCOPE:templates:write`, `MISSING_SCOPE:bots:read`, `MISSING_SCOPE:bots:write`, `MISSING_SCOPE:otp:verify`, `MISSING_SCOPE:retention:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("readMe", "GET", "/v1/me")
        answer: t.KeyHolder = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Erasures:
    """People who are being erased."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Erasure:
        """How far an erasure is.

        Needs the scope `contacts:erase`.

        ``GET /v1/erasures/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The erasure.
        """
        request = Request("readErasure", "GET", f'/v1/erasures/{segment("id", id)}')
        answer: t.Erasure = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class ContactJobs:

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def start(
        self,
        body: t.StartContactJob,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactJob:
        """Change many contacts in the background.

        For the contacts that exist now; whether one fits is checked just before it is changed. `delete` needs the scope `contacts:erase` too, `opt_in` the scope `contacts:consent`. The customer's own STOP is not undone.

        Needs the scope `contacts:write`.

        ``POST /v1/contact-jobs``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `MISSING_SCOPE:contacts:consent`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("startContactJob", "POST", "/v1/contact-jobs", body=body, keyed=True)
        answer: t.ContactJob = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactJobPage:
        """List changes to many contacts, newest first.

        Needs the scope `contacts:write`.

        ``GET /v1/contact-jobs``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: the id of its last change.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listContactJobs", "GET", "/v1/contact-jobs", query={"cursor": cursor, "limit": limit})
        answer: t.ContactJobPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.ContactJob]:
        """List changes to many contacts, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactJob:
        """One change to many contacts, and how far it is.

        Needs the scope `contacts:write`.

        ``GET /v1/contact-jobs/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The change.
        """
        request = Request("readContactJob", "GET", f'/v1/contact-jobs/{segment("id", id)}')
        answer: t.ContactJob = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def move(
        self,
        id: str,
        body: t.MoveContactJob,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactJob:
        """Pause, resume or cancel a change to many contacts.

        The changes that were made stay.

        Needs the scope `contacts:write`.

        ``POST /v1/contact-jobs/{id}/moves``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The change.
        """
        request = Request("moveContactJob", "POST", f'/v1/contact-jobs/{segment("id", id)}/moves', body=body, keyed=True)
        answer: t.ContactJob = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class ContactAttributes:
    """What custom attributes of contacts hold."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactAttributePage:
        """The defined attributes of contacts, by key.

        Needs the scope `contacts:read`.

        ``GET /v1/contact-attributes``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: the key of its last attribute.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listContactAttributes", "GET", "/v1/contact-attributes", query={"cursor": cursor, "limit": limit})
        answer: t.ContactAttributePage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.ContactAttribute]:
        """The defined attributes of contacts, by key: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def put(
        self,
        key: str,
        body: t.PutContactAttribute,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactAttribute:
        """Define what an attribute holds, or replace its definition.

        Imports then read it as this type, and rules of segments must fit it. Stored values stay, and contacts may still have any JSON there.

        Needs the scope `contacts:write`.

        ``PUT /v1/contact-attributes/{key}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param key: Its name in `attributes` of contacts.
        """
        request = Request("putContactAttribute", "PUT", f'/v1/contact-attributes/{segment("key", key)}', body=body)
        answer: t.ContactAttribute = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get(
        self,
        key: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactAttribute:
        """One defined attribute.

        Needs the scope `contacts:read`.

        ``GET /v1/contact-attributes/{key}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param key: Its name in `attributes` of contacts.
        """
        request = Request("readContactAttribute", "GET", f'/v1/contact-attributes/{segment("key", key)}')
        answer: t.ContactAttribute = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def delete(
        self,
        key: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DeleteContactAttributeAnswer:
        """Remove the definition of an attribute; the values stay.

        Needs the scope `contacts:write`.

        ``DELETE /v1/contact-attributes/{key}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param key: Its name in `attributes` of contacts.
        """
        request = Request("deleteContactAttribute", "DELETE", f'/v1/contact-attributes/{segment("key", key)}')
        answer: t.DeleteContactAttributeAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class BroadcastEstimates:
    """What a start of a draft would do."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def estimate_draft(
        self,
        body: t.EstimateDraft,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastEstimate:
        """What a start of a draft would do now, stored or not.

        Counts everybody in the audience: seconds at a million contacts.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``POST /v1/broadcast-estimates``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("estimateDraft", "POST", "/v1/broadcast-estimates", body=body, keyed=True)
        answer: t.BroadcastEstimate = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class BroadcastPreviews:
    """What contacts would get from a draft."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def preview_draft(
        self,
        body: t.PreviewDraft,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.BroadcastPreview:
        """The messages that real contacts would get from a draft, stored or not.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `broadcasts:draft` or `broadcasts:write`.

        ``POST /v1/broadcast-previews``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("previewDraft", "POST", "/v1/broadcast-previews", body=body, keyed=True)
        answer: t.BroadcastPreview = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class WebhookEndpoints:
    """Addresses that events are sent to, and the deliveries."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookEndpointPage:
        """List the webhook endpoints, oldest first.

        Needs the scope `webhooks:read`.

        ``GET /v1/webhook-endpoints``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: the id of its last endpoint.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listWebhookEndpoints", "GET", "/v1/webhook-endpoints", query={"cursor": cursor, "limit": limit})
        answer: t.WebhookEndpointPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.WebhookEndpoint]:
        """List the webhook endpoints, oldest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def put(
        self,
        name: str,
        body: t.PutWebhookEndpoint,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookEndpointPut:
        """Create the webhook endpoint of a name, or change it to this.

        For a script that runs at each deployment: the same call again changes nothing, and there is one endpoint with one secret. `secret` is shown by the call that creates the endpoint, and is null afterwards; `POST …/rotate-secret` makes another one. An endpoint that is disabled stays so.

        Needs the scope `webhooks:write`.

        ``PUT /v1/webhook-endpoints/by-name/{name}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param name: The endpoint's name, as it is written: one endpoint of a name.
        """
        request = Request("putWebhookEndpoint", "PUT", f'/v1/webhook-endpoints/by-name/{segment("name", name)}', body=body)
        answer: t.WebhookEndpointPut = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookEndpoint:
        """One webhook endpoint.

        Needs the scope `webhooks:read`.

        ``GET /v1/webhook-endpoints/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        """
        request = Request("readWebhookEndpoint", "GET", f'/v1/webhook-endpoints/{segment("id", id)}')
        answer: t.WebhookEndpoint = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def get_with_etag(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.WebhookEndpoint, str]:
        """One webhook endpoint: with the `ETag` of the record, its version."""
        request = Request("readWebhookEndpoint", "GET", f'/v1/webhook-endpoints/{segment("id", id)}', with_etag=True)
        answer: Tuple[t.WebhookEndpoint, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def change(
        self,
        id: str,
        body: t.ChangeWebhookEndpoint,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookEndpoint:
        """Change a webhook endpoint: address, kinds, name, enabled.

        `enabled` true sends what was held, sets the failures in a row to zero and ends the rest after a failure. The same call twice changes nothing more.

        Needs the scope `webhooks:write`.

        ``PATCH /v1/webhook-endpoints/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `NAME_TAKEN`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("changeWebhookEndpoint", "PATCH", f'/v1/webhook-endpoints/{segment("id", id)}', body=body, if_match=if_match)
        answer: t.WebhookEndpoint = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def change_with_etag(
        self,
        id: str,
        body: t.ChangeWebhookEndpoint,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Tuple[t.WebhookEndpoint, str]:
        """Change a webhook endpoint: address, kinds, name, enabled: with the `ETag` of the record, its version."""
        request = Request("changeWebhookEndpoint", "PATCH", f'/v1/webhook-endpoints/{segment("id", id)}', body=body, if_match=if_match, with_etag=True)
        answer: Tuple[t.WebhookEndpoint, str] = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def delete(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.DeleteWebhookEndpointAnswer:
        """Delete a webhook endpoint, with what waits for it.

        Its events stay in the feed. A request that is under way ends; nothing else is sent.

        Needs the scope `webhooks:write`.

        ``DELETE /v1/webhook-endpoints/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `VERSION_MISMATCH`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        :param if_match: the ETag that a ``…_with_etag`` method gave with the record: no other version is changed
        """
        request = Request("deleteWebhookEndpoint", "DELETE", f'/v1/webhook-endpoints/{segment("id", id)}', if_match=if_match)
        answer: t.DeleteWebhookEndpointAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookDelivery:
        """Send a webhook endpoint an `endpoint.test` event.

        It goes to this endpoint alone, whatever kinds it gets. The delivery is `held` while the endpoint is disabled; `GET …/deliveries/{eventId}` shows how it ended.

        Needs the scope `webhooks:write`.

        ``POST /v1/webhook-endpoints/{id}/test``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        """
        request = Request("testWebhookEndpoint", "POST", f'/v1/webhook-endpoints/{segment("id", id)}/test', keyed=True)
        answer: t.WebhookDelivery = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def rotate_webhook_secret(
        self,
        id: str,
        body: t.RotateWebhookSecret,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookSecret:
        """Give a webhook endpoint a new secret.

        It takes over in 24 hours, or at once with `now`. Until then the secret before it signs, and `webhook-signature` carries both, so a receiver that accepts both misses nothing. Each call makes another secret: one with `now` after one without makes a third, and a receiver that has only the first two refuses what it signs. It also replaces a secret that has not taken over yet.

        Needs the scope `webhooks:write`.

        ``POST /v1/webhook-endpoints/{id}/rotate-secret``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        """
        request = Request("rotateWebhookSecret", "POST", f'/v1/webhook-endpoints/{segment("id", id)}/rotate-secret', body=body, keyed=True)
        answer: t.WebhookSecret = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def redeliver_events(
        self,
        id: str,
        body: t.RedeliverEvents,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Redelivered:
        """Send events to a webhook endpoint again.

        One event in any state by `eventId`, or with `since` all that failed: those whose tries are exhausted, and those that wait for a later try. With `delivered` also those that arrived. Each begins a new round of tries. An endpoint that failed rests for at most two minutes first; `PATCH` with `enabled` true ends its rest. Events are kept for 30 days. 409 `NOT_ALLOWED_IN_STATE` while the endpoint is disabled: enable it, which also sends what is held.

        Needs the scope `webhooks:write`.

        ``POST /v1/webhook-endpoints/{id}/redeliver``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        """
        request = Request("redeliverEvents", "POST", f'/v1/webhook-endpoints/{segment("id", id)}/redeliver', body=body, keyed=True)
        answer: t.Redelivered = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        state: Optional[Literal["pending", "delivered", "exhausted", "held"]] = None,
        type: Optional[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookDeliveryPage:
        """List the deliveries of a webhook endpoint, newest first.

        Needs the scope `webhooks:read`.

        ``GET /v1/webhook-endpoints/{id}/deliveries``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        :param state: Only deliveries in this state.
        :param type: Only this kind of event.
        :param cursor: `nextCursor` of the page before.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listWebhookDeliveries", "GET", f'/v1/webhook-endpoints/{segment("id", id)}/deliveries', query={"state": state, "type": type, "cursor": cursor, "limit": limit})
        answer: t.WebhookDeliveryPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_webhook_deliveries(
        self,
        id: str,
        *,
        state: Optional[Literal["pending", "delivered", "exhausted", "held"]] = None,
        type: Optional[Literal["message.status", "message.received", "message.created", "message.updated", "message.deleted", "media.stored", "note.created", "note.updated", "note.deleted", "suggestion.settled", "conversation.created", "conversation.updated", "contact.created", "contact.updated", "contact.opted_out", "contact.opted_in", "contact.merged", "contact.deleted", "broadcast.status", "broadcast.recipient", "template.status", "channel.status", "otp.status", "usage.threshold", "bot.handed_over", "bot.finished", "webhook.disabled", "endpoint.test"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.WebhookDelivery]:
        """List the deliveries of a webhook endpoint, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_webhook_deliveries(id, state=state, type=type, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def get_webhook_delivery(
        self,
        id: str,
        event_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.WebhookDeliveryDetails:
        """One delivery, with its request and every attempt.

        Needs the scope `webhooks:read`.

        ``GET /v1/webhook-endpoints/{id}/deliveries/{eventId}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The endpoint.
        :param event_id: The event: the `webhook-id` of its request.
        """
        request = Request("readWebhookDelivery", "GET", f'/v1/webhook-endpoints/{segment("id", id)}/deliveries/{segment("event_id", event_id)}')
        answer: t.WebhookDeliveryDetails = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Imports:
    """Contacts from a file."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ImportPage:
        """List the newest hundred imports, newest first.

        Needs the scope `contacts:write`.

        ``GET /v1/imports``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: the id of its last import.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listImports", "GET", "/v1/imports", query={"cursor": cursor, "limit": limit})
        answer: t.ImportPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Import]:
        """List the newest hundred imports, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def upload(
        self,
        body: Union[str, IO[bytes]],
        *,
        name: str,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Import:
        """Upload a file of contacts.

        The body is the file. Nothing is imported yet: look at it (`POST /v1/imports/{id}/look`), then start it. A file that is not started within a day is deleted.

        Needs the scope `contacts:write`.

        ``POST /v1/imports``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `UNSENT_FILES_FULL`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`, `STORAGE_FULL`.

        :param name: Its name; the ending says what it is: .csv, .tsv, .txt or .jsonl.
        """
        request = Request("uploadImport", "POST", "/v1/imports", query={"name": name}, body=body, body_type="text/csv", keyed=True)
        answer: t.Import = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ImportReport:
        """One import: how far it is, and why rows were refused.

        Needs the scope `contacts:write`.

        ``GET /v1/imports/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The import.
        """
        request = Request("readImport", "GET", f'/v1/imports/{segment("id", id)}')
        answer: t.ImportReport = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def look_at_import(
        self,
        id: str,
        body: t.LookAtImport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ImportLook:
        """Look at an uploaded file: its columns, and what an import would do.

        Stores nothing. `columns` proposes a field for each column; give the mapping that you want as `map` and look again, then start with the same.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `contacts:write`.

        ``POST /v1/imports/{id}/look``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The import.
        """
        request = Request("lookAtImport", "POST", f'/v1/imports/{segment("id", id)}/look', body=body, keyed=True)
        answer: t.ImportLook = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def start(
        self,
        id: str,
        body: t.StartImport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Import:
        """Start the import of an uploaded file.

        It goes on in the background, with the rights of the key: `GET /v1/imports/{id}` shows how far it is.

        A key may call it 10 times in an hour (limit `imports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `contacts:write`.

        ``POST /v1/imports/{id}/start``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The import.
        """
        request = Request("startImport", "POST", f'/v1/imports/{segment("id", id)}/start', body=body, keyed=True)
        answer: t.Import = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Import:
        """Cancel an import, or remove a file that was not started.

        The batch that runs is finished first. Rows that were imported stay.

        Needs the scope `contacts:write`.

        ``POST /v1/imports/{id}/cancel``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The import.
        """
        request = Request("cancelImport", "POST", f'/v1/imports/{segment("id", id)}/cancel', keyed=True)
        answer: t.Import = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def download_refused_rows(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """The refused rows of an import as a file of its kind.

        Each row as it was, with its line and the reason, so that it can be mended and imported again. Kept for thirty days. The audit names the key.

        Needs the scope `contacts:write`.

        ``GET /v1/imports/{id}/refused``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a import. Any other text is simply not found.
        """
        request = Request("downloadRefusedRows", "GET", f'/v1/imports/{segment("id", id)}/refused')
        answer: str = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def download_refused_rows_pieces(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[bytes]:
        """The refused rows of an import as a file of its kind: piece by piece as it arrives, so that no more than a piece is in memory."""
        request = Request("downloadRefusedRows", "GET", f'/v1/imports/{segment("id", id)}/refused')
        return self._caller._pieces(request, Options(None, timeout, max_retries))


class Exports:
    """Contacts as a file."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        body: t.CreateExport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactExport:
        """Choose contacts to read as a file.

        All contacts, those of a saved segment, or those that fit a definition. The file is written while `GET /v1/exports/{id}/content` is read, so it has the contacts of that moment; the audit then names the key, how many there were and the filter.

        A key may call it 10 times in an hour (limit `exports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `contacts:export`.

        ``POST /v1/exports``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("createExport", "POST", "/v1/exports", body=body, keyed=True)
        answer: t.ContactExport = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ContactExport:
        """One export.

        Needs the scope `contacts:export`.

        ``GET /v1/exports/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The export.
        """
        request = Request("readExport", "GET", f'/v1/exports/{segment("id", id)}')
        answer: t.ContactExport = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def download(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> str:
        """The contacts of an export as a file.

        CSV with a header (RFC 4180) or one JSON object in each line, newest contact first. An import reads it back. It is written while it is read, in pieces that give way to requests.

        Needs the scope `contacts:export`.

        ``GET /v1/exports/{id}/content``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The id of a export. Any other text is simply not found.
        """
        request = Request("downloadExport", "GET", f'/v1/exports/{segment("id", id)}/content')
        answer: str = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def download_pieces(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[bytes]:
        """The contacts of an export as a file: piece by piece as it arrives, so that no more than a piece is in memory."""
        request = Request("downloadExport", "GET", f'/v1/exports/{segment("id", id)}/content')
        return self._caller._pieces(request, Options(None, timeout, max_retries))


class Limits:
    """What the plan allows."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.PlanLimits:
        """What the plan allows, and how much of it is used.

        Needs the scope `usage:read`.

        ``GET /v1/limits``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("readLimits", "GET", "/v1/limits")
        answer: t.PlanLimits = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Audit:
    """Who changed what."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list_entries(
        self,
        *,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        subject: Optional[str] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.AuditPage:
        """Who changed what, newest first.

        Needs the scope `audit:read`.

        ``GET /v1/audit``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:audit:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param actor: Only of this actor.
        :param action: A whole action, or a noun for every action on such records.
        :param subject: Only about this record.
        :param since: Only from then on.
        :param cursor: `nextCursor` of the page before.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listAuditEntries", "GET", "/v1/audit", query={"actor": actor, "action": action, "subject": subject, "since": since, "cursor": cursor, "limit": limit})
        answer: t.AuditPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate_entries(
        self,
        *,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        subject: Optional[str] = None,
        since: Optional[str] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.AuditEntry]:
        """Who changed what, newest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list_entries(actor=actor, action=action, subject=subject, since=since, cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))


class Channels:
    """Connected accounts of platforms."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ChannelPage:
        """List the channels, oldest first.

        `problems` says what is wrong with a channel: refused credentials, calls with a wrong signature, silence.

        Needs the scope `channels:read`.

        ``GET /v1/channels``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param cursor: `nextCursor` of the page before: the id of its last channel.
        :param limit: How many items at most; above 200 acts as 200.
        """
        request = Request("listChannels", "GET", "/v1/channels", query={"cursor": cursor, "limit": limit})
        answer: t.ChannelPage = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def iterate(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[t.Channel]:
        """List the channels, oldest first: every one, page after page as they are needed."""
        return every_of(lambda next: self.list(cursor=next.get("cursor", cursor), limit=limit, timeout=timeout, max_retries=max_retries))

    def connect(
        self,
        body: t.ConnectChannel,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ChannelConnected:
        """Connect an account.

        The platform is asked about the values first, and then to call us. A value that it refuses is 400 with the field's name, and nothing is stored. The same account again keeps its id and history and gets the new values. A test workspace takes no account: it has channels of the sandbox only. A setup that the platform refuses leaves the channel in `error`; it is tried again within the hour.

        Needs the scope `channels:write`.

        ``POST /v1/channels``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `CHANNEL_LIMIT_REACHED`, `MISSING_SCOPE:channels:write`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("connectChannel", "POST", "/v1/channels", body=body, keyed=True)
        answer: t.ChannelConnected = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Channel:
        """One channel.

        Needs the scope `channels:read`.

        ``GET /v1/channels/{id}``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The channel.
        """
        request = Request("readChannel", "GET", f'/v1/channels/{segment("id", id)}')
        answer: t.Channel = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def change(
        self,
        id: str,
        body: t.ChangeChannel,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Channel:
        """Change a channel: its name, its values, its address.

        A value that is left out stays; an empty value of an optional field is removed. The platform is asked about new values first. Another `apiUrl` needs all secrets again.

        Needs the scope `channels:write`.

        ``PATCH /v1/channels/{id}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The channel.
        """
        request = Request("changeChannel", "PATCH", f'/v1/channels/{segment("id", id)}', body=body)
        answer: t.Channel = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ChannelTest:
        """Ask the platform about a channel's values now.

        And set it up there again. Nothing is sent to anybody. `fault` names the value that the platform refuses.

        Needs the scope `channels:write`.

        ``POST /v1/channels/{id}/test``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The channel.
        """
        request = Request("testChannel", "POST", f'/v1/channels/{segment("id", id)}/test', keyed=True)
        answer: t.ChannelTest = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def disconnect(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.Channel:
        """Disconnect a channel.

        Its secrets are deleted, its place in the plan is free, and its history stays. The platform is asked to stop calling. The same call twice changes nothing more.

        Needs the scope `channels:write`.

        ``POST /v1/channels/{id}/disconnect``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The channel.
        """
        request = Request("disconnectChannel", "POST", f'/v1/channels/{segment("id", id)}/disconnect', keyed=True)
        answer: t.Channel = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer

    def set_pace(
        self,
        id: str,
        body: t.SetChannelPace,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ChannelPace:
        """Bound how fast all campaigns together send on a number.

        It takes effect within a second. Replies are not bound by it.

        Needs the scope `channels:write`.

        ``PUT /v1/channels/{id}/pace``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The channel.
        """
        request = Request("setChannelPace", "PUT", f'/v1/channels/{segment("id", id)}/pace', body=body)
        answer: t.ChannelPace = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def sync_templates(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.TemplateSync:
        """Read a channel's templates at its platform now.

        It may take half a minute for thousands.

        Needs the scope `templates:write`.

        ``POST /v1/channels/{id}/template-sync``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param id: The channel.
        """
        request = Request("syncTemplates", "POST", f'/v1/channels/{segment("id", id)}/template-sync', keyed=True)
        answer: t.TemplateSync = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class ChannelTypes:
    """What a channel of each type needs."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        type: Optional[Literal["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK", "WEB"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ChannelTypeList:
        """What a channel of each type needs.

        Needs the scope `channels:read`.

        ``GET /v1/channel-types``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param type: Only this type.
        """
        request = Request("listChannelTypes", "GET", "/v1/channel-types", query={"type": type})
        answer: t.ChannelTypeList = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Retention:
    """For how long messages, files and events are kept."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RetentionTimes:
        """Show for how long messages, files and events are kept.

        Needs the scope `retention:write`.

        ``GET /v1/retention``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("readRetention", "GET", "/v1/retention")
        answer: t.RetentionTimes = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def change(
        self,
        body: t.ChangeRetention,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RetentionTimes:
        """Change for how long messages, files and events are kept.

        What is deleted cannot be brought back. When something is kept for a shorter time, nothing is deleted for 24 hours; until then the change can be taken back. Ask `POST /retention/preview` first.

        Needs the scope `retention:write`.

        ``PATCH /v1/retention``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("changeRetention", "PATCH", "/v1/retention", body=body)
        answer: t.RetentionTimes = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def preview(
        self,
        body: t.PreviewRetention,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RetentionPreview:
        """Count what a change of the retention would delete today.

        Changes nothing.

        A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.

        Needs the scope `retention:write`.

        ``POST /v1/retention/preview``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("previewRetention", "POST", "/v1/retention/preview", body=body, keyed=True)
        answer: t.RetentionPreview = self._caller._call(request, Options(idempotency_key, timeout, max_retries))
        return answer


class Knowledge:

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def put(
        self,
        external_id: str,
        body: t.PutKnowledge,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.KnowledgeSource:
        """Add a snippet, or change it, by the id that it has at its origin.

        Bots answer from it at once. The same call twice changes nothing more.

        Needs the scope `bots:write`.

        ``PUT /v1/knowledge/{externalId}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param external_id: The id that the source has at its origin.
        """
        request = Request("putKnowledge", "PUT", f'/v1/knowledge/{segment("external_id", external_id)}', body=body)
        answer: t.KnowledgeSource = self._caller._call(request, Options(None, timeout, max_retries))
        return answer

    def remove(
        self,
        external_id: str,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.RemoveKnowledgeAnswer:
        """Delete a source by the id that it has at its origin.

        Needs the scope `bots:write`.

        ``DELETE /v1/knowledge/{externalId}``

        Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.

        :param external_id: The id that the source has at its origin.
        """
        request = Request("removeKnowledge", "DELETE", f'/v1/knowledge/{segment("external_id", external_id)}')
        answer: t.RemoveKnowledgeAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Bots:

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> t.ListBotsAnswer:
        """List the bots, the newest first; archived ones last.

        Needs the scope `bots:read`.

        ``GET /v1/bots``

        Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
        """
        request = Request("listBots", "GET", "/v1/bots")
        answer: t.ListBotsAnswer = self._caller._call(request, Options(None, timeout, max_retries))
        return answer


class Resources:
    """Every part of the API."""

    def __init__(self, caller: Caller) -> None:
        self.contacts = Contacts(caller)
        self.segments = Segments(caller)
        self.messages = Messages(caller)
        self.otp = Otp(caller)
        self.templates = Templates(caller)
        self.broadcasts = Broadcasts(caller)
        self.usage = Usage(caller)
        self.conversations = Conversations(caller)
        self.events = Events(caller)
        self.labels = Labels(caller)
        self.test = Test(caller)
        self.template_messages = TemplateMessages(caller)
        self.notes = Notes(caller)
        self.media = Media(caller)
        self.saved_replies = SavedReplies(caller)
        self.members = Members(caller)
        self.me = Me(caller)
        self.erasures = Erasures(caller)
        self.contact_jobs = ContactJobs(caller)
        self.contact_attributes = ContactAttributes(caller)
        self.broadcast_estimates = BroadcastEstimates(caller)
        self.broadcast_previews = BroadcastPreviews(caller)
        self.webhook_endpoints = WebhookEndpoints(caller)
        self.imports = Imports(caller)
        self.exports = Exports(caller)
        self.limits = Limits(caller)
        self.audit = Audit(caller)
        self.channels = Channels(caller)
        self.channel_types = ChannelTypes(caller)
        self.retention = Retention(caller)
        self.knowledge = Knowledge(caller)
        self.bots = Bots(caller)
