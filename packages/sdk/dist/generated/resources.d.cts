import { type Caller, type CallOptions, type ChangeOptions, type StreamOptions } from "../call.cjs";
import type { AuditPage, BatchContacts, BotListed, BreakBroadcastDownQuery, Broadcast, BroadcastBreakdown, BroadcastComparison, BroadcastDetails, BroadcastEstimate, BroadcastPage, BroadcastPreview, BroadcastRecord, BroadcastReplyPage, BroadcastReport, BroadcastTimeline, ChangeChannel, ChangeConversation, ChangeManyConversations, ChangeNote, ChangeRetention, ChangeWebhookEndpoint, Channel, ChannelConnected, ChannelPace, ChannelPage, ChannelTest, ChannelTypeList, CheckVerification, ConnectChannel, Contact, ContactAttribute, ContactAttributePage, ContactChange, ContactConsent, ContactCount, ContactExport, ContactIdentities, ContactJob, ContactJobPage, ContactPage, ContactRecord, ContactRecordPage, ContactTimeline, ContactUpsert, Conversation, ConversationPage, ConversationsChanged, CountContacts, CountDefinition, CreateBroadcast, CreateExport, CreateSegment, CreateTemplate, DownloadRecipientsQuery, DuplicateBroadcast, DuplicatePage, EditTemplate, Erasure, EstimateDraft, EventPage, GetBroadcastQuery, GetConversationQuery, HandOverConversation, Import, ImportLook, ImportPage, ImportReport, KeyHolder, KnowledgeSource, Label, LabelPage, ListAllMessagesQuery, ListAuditEntriesQuery, ListBroadcastRepliesQuery, ListChannelTypesQuery, ListChannelsQuery, ListContactAttributesQuery, ListContactDuplicatesQuery, ListContactJobsQuery, ListContactTimelineQuery, ListContactsQuery, ListConversationsQuery, ListEventsQuery, ListImportsQuery, ListLabelsQuery, ListMessagesQuery, ListNotesQuery, ListRecipientsQuery, ListTeamMembersQuery, ListTemplatesQuery, ListUsageMonthsQuery, ListWebhookDeliveriesQuery, ListWebhookEndpointsQuery, ListedConversation, LookAtImport, MediaFile, MemberPage, MergeContact, MergePreview, Message, MessageAccepted, MessagePage, MoveContactJob, NewContact, NewMessage, NewOtp, Note, NotePage, PaceBroadcast, PersonDocument, PlanLimits, PlayInbound, PreviewBroadcastQuery, PreviewContactMergeQuery, PreviewDraft, PreviewRetention, PutContactAttribute, PutContactConsent, PutKnowledge, PutLabel, PutSavedReply, PutWebhookEndpoint, ReadBroadcastTimelineQuery, RecipientPage, RedeliverEvents, Redelivered, ResendFailed, RetentionPreview, RetentionTimes, RotateWebhookSecret, SampleDefinition, SavedReply, SavedReplyPage, ScheduleBroadcast, SearchBroadcasts, SearchContacts, Segment, SegmentCount, SegmentSample, SendInConversation, SendTemplateBatch, SendTemplateMessage, SetChannelPace, SmsResult, StartContactJob, StartImport, StartVerification, StoreMedia, StoreMediaQuery, StreamEventsQuery, SuggestReply, Suggestion, Template, TemplateMessage, TemplateMessageAccepted, TemplateMessageResult, TemplateMessageResults, TemplateSync, TestBroadcast, TestInbound, UpdateBroadcast, UpdateSegment, UploadImportQuery, UpsertContact, UpsertResult, UpsertResults, UpsertedContact, UsageHistory, UsageSummary, Verification, WebhookDelivery, WebhookDeliveryDetails, WebhookDeliveryPage, WebhookEndpoint, WebhookEndpointPage, WebhookEndpointPut, WebhookEvent, WebhookSecret, WriteNote } from "./types.cjs";
/** Your customers: the people who write, and the recipients of campaigns. */
export declare class Contacts {
    #private;
    constructor(caller: Caller);
    /**
     * List contacts, newest first.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListContactsQuery, options?: CallOptions): Promise<ContactPage>;
    /**
     * List contacts, newest first: every one, page after page as they are needed.
     */
    iterate(query?: ListContactsQuery, options?: CallOptions): AsyncGenerator<ContactPage["items"][number], void, undefined>;
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
     */
    create(body: NewContact, options?: CallOptions): Promise<Contact>;
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
     */
    get(id: string, options?: CallOptions): Promise<Contact>;
    /**
     * One contact: with the `ETag` of the record, its version.
     */
    getWithEtag(id: string, options?: CallOptions): Promise<[Contact, string]>;
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
     */
    update(id: string, body: ContactChange, options?: ChangeOptions): Promise<Contact>;
    /**
     * Change a contact: with the `ETag` of the record, its version.
     */
    updateWithEtag(id: string, body: ContactChange, options?: ChangeOptions): Promise<[Contact, string]>;
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
     */
    erase(id: string, options?: CallOptions): Promise<Erasure>;
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
     */
    upsert(body: UpsertContact, options?: CallOptions): Promise<UpsertedContact>;
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
     */
    batch(body: BatchContacts, options?: CallOptions): Promise<UpsertResults>;
    /**
     * Create or change many contacts, each as by an upsert: any number of them, 500 in a call.
     *
     * Gives each item with its result, in their order. It sends as the results are read.
     *
     * Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.
     */
    batchAll(contacts: Iterable<ContactUpsert> | AsyncIterable<ContactUpsert>, options?: CallOptions): AsyncGenerator<[ContactUpsert, UpsertResult], void, undefined>;
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
     */
    findByKey(key: string, value: string, options?: CallOptions): Promise<ContactRecord>;
    /**
     * The contact with a phone, an e-mail address, or another system's name: with the `ETag` of the record, its version.
     */
    findByKeyWithEtag(key: string, value: string, options?: CallOptions): Promise<[ContactRecord, string]>;
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
     */
    search(body: SearchContacts, options?: CallOptions): Promise<ContactRecordPage>;
    /**
     * Contacts by the grammar of segments, the one that changed longest ago first: every one, page after page as they are needed.
     */
    iterateSearch(body: SearchContacts, options?: CallOptions): AsyncGenerator<ContactRecordPage["items"][number], void, undefined>;
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
     */
    count(body: CountContacts, options?: CallOptions): Promise<ContactCount>;
    /**
     * Whether a contact may be written to, and why.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/{id}/consent`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    getConsent(id: string, options?: CallOptions): Promise<ContactConsent>;
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
     */
    putConsent(id: string, body: PutContactConsent, options?: CallOptions): Promise<ContactConsent>;
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
     */
    merge(id: string, body: MergeContact, options?: CallOptions): Promise<ContactRecord>;
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
     */
    listTimeline(id: string, query?: ListContactTimelineQuery, options?: CallOptions): Promise<ContactTimeline>;
    /**
     * What happened to a contact, newest first: every one, page after page as they are needed.
     */
    iterateTimeline(id: string, query?: ListContactTimelineQuery, options?: CallOptions): AsyncGenerator<ContactTimeline["items"][number], void, undefined>;
    /**
     * Who a contact is on each channel, in other systems, and before it was merged.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contacts/{id}/identities`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    getIdentities(id: string, options?: CallOptions): Promise<ContactIdentities>;
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
     */
    previewMerge(id: string, query: PreviewContactMergeQuery, options?: CallOptions): Promise<MergePreview>;
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
     */
    listDuplicates(query?: ListContactDuplicatesQuery, options?: CallOptions): Promise<DuplicatePage>;
    /**
     * Contacts that share a number, an e-mail address or an external id: every one, page after page as they are needed.
     */
    iterateDuplicates(query?: ListContactDuplicatesQuery, options?: CallOptions): AsyncGenerator<DuplicatePage["items"][number], void, undefined>;
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
     */
    exportPerson(id: string, options?: CallOptions): Promise<PersonDocument>;
}
/** Saved audiences. */
export declare class Segments {
    #private;
    constructor(caller: Caller);
    /**
     * List saved audience segments.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/segments`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(options?: CallOptions): Promise<Segment[]>;
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
     */
    create(body: CreateSegment, options?: CallOptions): Promise<Segment>;
    /**
     * One segment.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/segments/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<Segment>;
    /**
     * One segment: with the `ETag` of the record, its version.
     */
    getWithEtag(id: string, options?: CallOptions): Promise<[Segment, string]>;
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
     */
    update(id: string, body: UpdateSegment, options?: ChangeOptions): Promise<Segment>;
    /**
     * Change the name or the rules of a segment: with the `ETag` of the record, its version.
     */
    updateWithEtag(id: string, body: UpdateSegment, options?: ChangeOptions): Promise<[Segment, string]>;
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
     */
    delete(id: string, options?: ChangeOptions): Promise<{}>;
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
     */
    countDefinition(body: CountDefinition, options?: CallOptions): Promise<SegmentCount>;
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
     */
    sampleDefinition(body: SampleDefinition, options?: CallOptions): Promise<SegmentSample>;
}
/** Replies inside conversations. */
export declare class Messages {
    #private;
    constructor(caller: Caller);
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
     */
    send(body: NewMessage, options?: CallOptions): Promise<MessageAccepted>;
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
     */
    listAllMessages(query?: ListAllMessagesQuery, options?: CallOptions): Promise<MessagePage>;
    /**
     * List the messages of all conversations, newest first: every one, page after page as they are needed.
     */
    iterateAllMessages(query?: ListAllMessagesQuery, options?: CallOptions): AsyncGenerator<MessagePage["items"][number], void, undefined>;
    /**
     * One message.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/messages/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<Message>;
}
/** One-time passcodes by SMS. */
export declare class Otp {
    #private;
    constructor(caller: Caller);
    /**
     * Send a one-time passcode by SMS.
     *
     * A send the gateway rejects is 201 with `sent: false`: check `sent`.
     *
     * **A member of the body that this call does not know is ignored: the call succeeds without it, and only the answer's header `Parley-Ignored` names it.**
     *
     * Needs the scope `otp:send`.
     *
     * `POST /v1/otp/send`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `SMS_PROVIDER_NOT_VERIFIED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `OTP_RATE_LIMITED`, `INSUFFICIENT_CREDITS`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:otp:send`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    send(body: NewOtp, options?: CallOptions): Promise<SmsResult>;
    /**
     * Send a code to a number, and check it later.
     *
     * Parley makes the code and keeps only a hash of it. The text is in the language of `locale`. A new code to a number for the same purpose ends the one before. A number gets one code in 30 seconds and five in ten minutes, over all channels and purposes, else 429 `OTP_NUMBER_LIMITED`. A code that was refused (`failed`) does not start the 30 seconds, so that another channel can follow at once; it is one of the five. The message costs SMS credits as `POST /otp/send` does. By WhatsApp it takes one of the month's messages, and its text is the template's; without a connected channel (`CHANNEL_NEEDED`) or an approved template (`TEMPLATE_NOT_APPROVED`) the error says what to do. When the gateway or WhatsApp refuses it the status is `failed`.
     *
     * Needs the scope `otp:verify`.
     *
     * `POST /v1/otp/verifications`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `SMS_PROVIDER_NOT_VERIFIED`, `TEMPLATE_NOT_APPROVED`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `OTP_RATE_LIMITED`, `INSUFFICIENT_CREDITS`, `SUBSCRIPTION_SUSPENDED`, `OTP_COUNTRY_REFUSED`, `MISSING_SCOPE:otp:verify`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `OTP_NUMBER_LIMITED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    startVerification(body: StartVerification, options?: CallOptions): Promise<Verification>;
    /**
     * Read a verification.
     *
     * It is kept for a day after it expired.
     *
     * Needs the scope `otp:verify`.
     *
     * `GET /v1/otp/verifications/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:otp:verify`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    getVerification(id: string, options?: CallOptions): Promise<Verification>;
    /**
     * Check the code that a person typed.
     *
     * Decide by `status`: `approved` is answered to one check only, and every later one gets 409 `NOT_ALLOWED_IN_STATE`. A wrong code is answered `pending` and uses a try. With the fifth, `triesLeft` is 0: it has ended, `GET` shows `exhausted`, and so does every later check, also of the right code. What cannot be the code, as it has letters or another number of digits, is 400 and uses no try. One that was canceled, expired or failed is answered with that status.
     *
     * Needs the scope `otp:verify`.
     *
     * `POST /v1/otp/verifications/{id}/check`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:otp:verify`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    checkVerification(id: string, body: CheckVerification, options?: CallOptions): Promise<Verification>;
    /**
     * End a verification whose code is no longer wanted.
     *
     * One that has ended is answered as it is.
     *
     * Needs the scope `otp:verify`.
     *
     * `POST /v1/otp/verifications/{id}/cancel`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:otp:verify`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    cancelVerification(id: string, options?: CallOptions): Promise<Verification>;
}
/** WhatsApp templates. */
export declare class Templates {
    #private;
    constructor(caller: Caller);
    /**
     * List approved WhatsApp templates, by name.
     *
     * Needs the scope `templates:read`.
     *
     * `GET /v1/templates`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListTemplatesQuery, options?: CallOptions): Promise<Template[]>;
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
     */
    create(body: CreateTemplate, options?: CallOptions): Promise<Template>;
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
     */
    edit(id: string, body: EditTemplate, options?: CallOptions): Promise<Template>;
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
     */
    delete(id: string, options?: CallOptions): Promise<{}>;
    /**
     * One template, whatever the platform says of it.
     *
     * Needs the scope `templates:read`.
     *
     * `GET /v1/templates/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<Template>;
}
/** Campaigns. */
export declare class Broadcasts {
    #private;
    constructor(caller: Caller);
    /**
     * List the 100 most recent campaigns, newest first.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(options?: CallOptions): Promise<Broadcast[]>;
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
     */
    create(body: CreateBroadcast, options?: CallOptions): Promise<BroadcastRecord>;
    /**
     * Start or resume a campaign.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/start`
     *
     * Fails with: `VALIDATION_FAILED`, `BROADCAST_NOT_STARTABLE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    start(id: string, options?: CallOptions): Promise<Broadcast>;
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
     */
    get(id: string, query?: GetBroadcastQuery, options?: CallOptions): Promise<BroadcastDetails>;
    /**
     * One campaign: with the `ETag` of the record, its version.
     */
    getWithEtag(id: string, query?: GetBroadcastQuery, options?: CallOptions): Promise<[BroadcastDetails, string]>;
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
     */
    update(id: string, body: UpdateBroadcast, options?: ChangeOptions): Promise<BroadcastRecord>;
    /**
     * Change a draft: with the `ETag` of the record, its version.
     */
    updateWithEtag(id: string, body: UpdateBroadcast, options?: ChangeOptions): Promise<[BroadcastRecord, string]>;
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
     */
    delete(id: string, options?: ChangeOptions): Promise<{}>;
    /**
     * List a campaign's recipients and their delivery status.
     *
     * Needs the scope `broadcasts:read`.
     *
     * `GET /v1/broadcasts/{id}/recipients`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:read`, `BROADCAST_NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listRecipients(id: string, query?: ListRecipientsQuery, options?: CallOptions): Promise<RecipientPage>;
    /**
     * List a campaign's recipients and their delivery status: every one, page after page as they are needed.
     */
    iterateRecipients(id: string, query?: ListRecipientsQuery, options?: CallOptions): AsyncGenerator<RecipientPage["items"][number], void, undefined>;
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
     */
    estimate(id: string, options?: CallOptions): Promise<BroadcastEstimate>;
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
     */
    preview(id: string, query?: PreviewBroadcastQuery, options?: CallOptions): Promise<BroadcastPreview>;
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
     */
    duplicate(id: string, body: DuplicateBroadcast, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    resendFailed(id: string, body: ResendFailed, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    pause(id: string, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    cancel(id: string, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    schedule(id: string, body: ScheduleBroadcast, options?: CallOptions): Promise<BroadcastRecord>;
    /**
     * Take back the time of a scheduled campaign: it is a draft again.
     *
     * Needs the scope `broadcasts:write`.
     *
     * `POST /v1/broadcasts/{id}/unschedule`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    unschedule(id: string, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    pace(id: string, body: PaceBroadcast, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    test(id: string, body: TestBroadcast, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    resendUnknown(id: string, options?: CallOptions): Promise<BroadcastRecord>;
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
     */
    search(body: SearchBroadcasts, options?: CallOptions): Promise<BroadcastPage>;
    /**
     * Campaigns by state, kind, channel, segment, name and time, newest first: every one, page after page as they are needed.
     */
    iterateSearch(body: SearchBroadcasts, options?: CallOptions): AsyncGenerator<BroadcastPage["items"][number], void, undefined>;
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
     */
    getReport(id: string, options?: CallOptions): Promise<BroadcastReport>;
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
     */
    getTimeline(id: string, query?: ReadBroadcastTimelineQuery, options?: CallOptions): Promise<BroadcastTimeline>;
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
     */
    compareVariants(id: string, options?: CallOptions): Promise<BroadcastComparison>;
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
     */
    breakDown(id: string, query?: BreakBroadcastDownQuery, options?: CallOptions): Promise<BroadcastBreakdown>;
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
     */
    listReplies(id: string, query?: ListBroadcastRepliesQuery, options?: CallOptions): Promise<BroadcastReplyPage>;
    /**
     * Who answered a campaign, newest first: every one, page after page as they are needed.
     */
    iterateReplies(id: string, query?: ListBroadcastRepliesQuery, options?: CallOptions): AsyncGenerator<BroadcastReplyPage["items"][number], void, undefined>;
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
     */
    downloadRecipients(id: string, query?: DownloadRecipientsQuery, options?: CallOptions): Promise<string>;
    /**
     * Every recipient of a campaign as a file (CSV): piece by piece as it arrives, so that no more than a piece is in memory.
     */
    downloadRecipientsPieces(id: string, query?: DownloadRecipientsQuery, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
}
/** The monthly meter. */
export declare class Usage {
    #private;
    constructor(caller: Caller);
    /**
     * Usage of the current UTC month.
     *
     * Needs the scope `usage:read`.
     *
     * `GET /v1/usage`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(options?: CallOptions): Promise<UsageSummary>;
    /**
     * The months before and this one, newest first.
     *
     * Needs the scope `usage:read`.
     *
     * `GET /v1/usage/history`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listMonths(query?: ListUsageMonthsQuery, options?: CallOptions): Promise<UsageHistory>;
    /**
     * The months before and this one, newest first: every one, page after page as they are needed.
     */
    iterateMonths(query?: ListUsageMonthsQuery, options?: CallOptions): AsyncGenerator<UsageHistory["items"][number], void, undefined>;
}
/** Threads of a contact on a channel. */
export declare class Conversations {
    #private;
    constructor(caller: Caller);
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
     */
    get(id: string, query?: GetConversationQuery, options?: CallOptions): Promise<ListedConversation>;
    /**
     * One conversation: with the `ETag` of the record, its version.
     */
    getWithEtag(id: string, query?: GetConversationQuery, options?: CallOptions): Promise<[ListedConversation, string]>;
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
     */
    change(id: string, body: ChangeConversation, options?: ChangeOptions): Promise<Conversation>;
    /**
     * Change a conversation: status, assignee, labels, read: with the `ETag` of the record, its version.
     */
    changeWithEtag(id: string, body: ChangeConversation, options?: ChangeOptions): Promise<[Conversation, string]>;
    /**
     * The messages of a conversation, newest first.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/conversations/{id}/messages`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listMessages(id: string, query?: ListMessagesQuery, options?: CallOptions): Promise<MessagePage>;
    /**
     * The messages of a conversation, newest first: every one, page after page as they are needed.
     */
    iterateMessages(id: string, query?: ListMessagesQuery, options?: CallOptions): AsyncGenerator<MessagePage["items"][number], void, undefined>;
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
     */
    sendInConversation(id: string, body: SendInConversation, options?: CallOptions): Promise<Message>;
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
     */
    list(query?: ListConversationsQuery, options?: CallOptions): Promise<ConversationPage>;
    /**
     * List conversations, newest first: every one, page after page as they are needed.
     */
    iterate(query?: ListConversationsQuery, options?: CallOptions): AsyncGenerator<ConversationPage["items"][number], void, undefined>;
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
     */
    changeManyConversations(body: ChangeManyConversations, options?: CallOptions): Promise<ConversationsChanged>;
    /**
     * List the notes of a conversation, newest first.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/conversations/{id}/notes`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listNotes(id: string, query?: ListNotesQuery, options?: CallOptions): Promise<NotePage>;
    /**
     * List the notes of a conversation, newest first: every one, page after page as they are needed.
     */
    iterateNotes(id: string, query?: ListNotesQuery, options?: CallOptions): AsyncGenerator<NotePage["items"][number], void, undefined>;
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
     */
    writeNote(id: string, body: WriteNote, options?: CallOptions): Promise<Note>;
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
     */
    suggestReply(id: string, body: SuggestReply, options?: CallOptions): Promise<Suggestion>;
    /**
     * The newest suggestion of the key in a conversation, and what a member did with it.
     *
     * Needs the scope `messages:draft`.
     *
     * `GET /v1/conversations/{id}/suggestion`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:draft`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    getSuggestion(id: string, options?: CallOptions): Promise<Suggestion>;
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
     */
    withdrawSuggestion(id: string, options?: CallOptions): Promise<{}>;
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
     */
    handOverConversation(id: string, body: HandOverConversation, options?: CallOptions): Promise<Conversation>;
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
     */
    giveBack(id: string, options?: CallOptions): Promise<Conversation>;
}
/** What happened, in order: the feed behind the webhooks. */
export declare class Events {
    #private;
    constructor(caller: Caller);
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
     */
    list(query?: ListEventsQuery, options?: CallOptions): Promise<EventPage>;
    /**
     * The workspace's events, by sequence: every one, page after page as they are needed.
     */
    iterate(query?: ListEventsQuery, options?: StreamOptions): AsyncGenerator<EventPage["items"][number], void, undefined>;
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
     */
    stream(query?: StreamEventsQuery, options?: StreamOptions): AsyncGenerator<WebhookEvent, void, undefined>;
}
/** Labels of conversations, with their colors. */
export declare class Labels {
    #private;
    constructor(caller: Caller);
    /**
     * List the labels that have a color, by name.
     *
     * Needs the scope `messages:read` or `conversations:write`.
     *
     * `GET /v1/labels`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:conversations:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListLabelsQuery, options?: CallOptions): Promise<LabelPage>;
    /**
     * List the labels that have a color, by name: every one, page after page as they are needed.
     */
    iterate(query?: ListLabelsQuery, options?: CallOptions): AsyncGenerator<LabelPage["items"][number], void, undefined>;
    /**
     * Create a label, or change its color or its name.
     *
     * With `newName` its conversations keep the label under the new name. The same call twice changes nothing more.
     *
     * Needs the scope `conversations:write`.
     *
     * `PUT /v1/labels/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    put(name: string, body: PutLabel, options?: CallOptions): Promise<Label>;
    /**
     * One label.
     *
     * Needs the scope `messages:read` or `conversations:write`.
     *
     * `GET /v1/labels/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(name: string, options?: CallOptions): Promise<Label>;
    /**
     * Delete a label, also from its conversations in the inbox.
     *
     * Needs the scope `conversations:write`.
     *
     * `DELETE /v1/labels/{name}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    delete(name: string, options?: CallOptions): Promise<{}>;
}
/**  */
export declare class Test {
    #private;
    constructor(caller: Caller);
    /**
     * Write as a customer of a test workspace.
     *
     * The customer is one of the emulated platform, and the message takes the whole road: the platform's call, contact, conversation, bot, webhooks. It waits up to ten seconds until the message is stored. A customer writes (`text`, a file, both; with `replyTo` as a quote) or presses a button (`press`). In a live workspace it is refused with 409 `NOT_ALLOWED_IN_STATE`.
     *
     * Needs the scope `messages:write`.
     *
     * `POST /v1/test/inbound`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `CHANNEL_NEEDED`, `NOT_SUPPORTED_HERE`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    playInbound(body: PlayInbound, options?: CallOptions): Promise<TestInbound>;
}
/** Templates to people who need not have written yet. */
export declare class TemplateMessages {
    #private;
    constructor(caller: Caller);
    /**
     * Send a template to somebody who need not have written yet.
     *
     * For order updates and the like, on WhatsApp. Contact and conversation are made in the same transaction when there are none: by `to` the contact is found as an incoming message finds it, by `ref` as another system calls it. Without `channelId` the template must be on one channel only, else 400 `CHANNEL_NEEDED`. A MARKETING template to somebody who opted out is 409 `CONTACT_OPTED_OUT`. A refused call leaves nothing behind.
     *
     * Needs the scope `templates:send`.
     *
     * `POST /v1/template-messages`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`, `MISSING_SCOPE:templates:send`, `NOT_FOUND`, `CONTACT_OPTED_OUT`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    send(body: SendTemplateMessage, options?: CallOptions): Promise<TemplateMessageAccepted>;
    /**
     * Send many template messages, each as by the single call.
     *
     * Up to 100 in one transaction, in their order: those that are refused, also for their shape, leave nothing behind and stop no other. The answer is kept under the key, refusals too: send what was refused and is mended, or fits into a limit that was raised, alone and under another key. A result is refused with `VALIDATION_FAILED` or with `TEMPLATE_NOT_APPROVED`, `TEMPLATE_PARAMETERS`, `CHANNEL_NEEDED`, `NOT_FOUND`, `CONTACT_OPTED_OUT`, `MESSAGE_LIMIT_REACHED`, `SUBSCRIPTION_SUSPENDED`; `details` names each fault.
     *
     * Needs the scope `templates:send`.
     *
     * `POST /v1/template-messages/batch`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:templates:send`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    sendTemplateBatch(body: SendTemplateBatch, options?: CallOptions): Promise<TemplateMessageResults>;
    /**
     * Send many template messages, each as by the single call: any number of them, 100 in a call.
     *
     * Gives each item with its result, in their order. It sends as the results are read.
     *
     * Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.
     */
    sendAll(messages: Iterable<TemplateMessage> | AsyncIterable<TemplateMessage>, options?: CallOptions): AsyncGenerator<[TemplateMessage, TemplateMessageResult], void, undefined>;
}
/** Notes that members and programs write for the team. */
export declare class Notes {
    #private;
    constructor(caller: Caller);
    /**
     * Change the text of a note.
     *
     * A key changes only its own notes: another's is 403 `FORBIDDEN`.
     *
     * Needs the scope `conversations:write`.
     *
     * `PATCH /v1/notes/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `FORBIDDEN`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    change(id: string, body: ChangeNote, options?: CallOptions): Promise<Note>;
    /**
     * Delete a note.
     *
     * Its place stays, its text is deleted. A key deletes only its own notes.
     *
     * Needs the scope `conversations:write`.
     *
     * `DELETE /v1/notes/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `FORBIDDEN`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    remove(id: string, options?: CallOptions): Promise<Note>;
}
/** Files of messages, and files for messages. */
export declare class Media {
    #private;
    constructor(caller: Caller);
    /**
     * Store a file, from an address or as bytes, for a message to carry.
     *
     * With `Content-Type: application/json` the body names an address; with any other, the body is the file, and `name` or `Content-Disposition` names it. Its bytes decide what it is; the `Content-Type` helps where they do not show it. The address must be public and https: the server fetches the file once, within 30 s, and follows no redirect. One that no message carries within 24 hours is deleted.
     *
     * Needs the scope `messages:write` or `templates:send` or `templates:write` or `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/media`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `NOT_FETCHED`, `ATTACHMENT_REFUSED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:write`, `MISSING_SCOPE:templates:send`, `MISSING_SCOPE:templates:write`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `UNSENT_FILES_FULL`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`, `STORAGE_FULL`.
     */
    store(body: StoreMedia, options?: CallOptions): Promise<MediaFile>;
    /**
     * Store a file, from an address or as bytes, for a message to carry: with the bytes of the file. `mediaType` says what a file is whose bytes do not, as a text.
     */
    storeFile(file: Uint8Array | string | Blob, query: StoreMediaQuery, options?: CallOptions & {
        mediaType?: string | undefined;
    }): Promise<MediaFile>;
    /**
     * One file of a message, or an upload.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/media/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<MediaFile>;
    /**
     * The bytes of a file.
     *
     * Its `Content-Type` is what the bytes are. `Range` and `If-None-Match` hold. 503 `MEDIA_PENDING` while it is fetched from its platform.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/media/{id}/content`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `MEDIA_PENDING`, `OVERLOADED`.
     */
    download(id: string, options?: CallOptions): Promise<Uint8Array>;
    /**
     * The bytes of a file: piece by piece as it arrives, so that no more than a piece is in memory.
     */
    downloadPieces(id: string, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
}
/** Texts that the team shares. */
export declare class SavedReplies {
    #private;
    constructor(caller: Caller);
    /**
     * List the saved replies that the team shares.
     *
     * Needs the scope `messages:read`.
     *
     * `GET /v1/saved-replies`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(options?: CallOptions): Promise<SavedReplyPage>;
    /**
     * Create a saved reply that the team shares, or change the one with this shortcut.
     *
     * Its files stay. A source of the knowledge that follows it is read again at once. The same call twice changes nothing more. There are 500 at most.
     *
     * Needs the scope `conversations:write`.
     *
     * `PUT /v1/saved-replies/{shortcut}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    put(shortcut: string, body: PutSavedReply, options?: CallOptions): Promise<SavedReply>;
    /**
     * Delete the saved reply that the team shares under this shortcut.
     *
     * Needs the scope `conversations:write`.
     *
     * `DELETE /v1/saved-replies/{shortcut}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:conversations:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    remove(shortcut: string, options?: CallOptions): Promise<{}>;
}
/** The people of the workspace. */
export declare class Members {
    #private;
    constructor(caller: Caller);
    /**
     * List the members of the workspace.
     *
     * Needs the scope `team:read`.
     *
     * `GET /v1/members`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:team:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listTeamMembers(query?: ListTeamMembersQuery, options?: CallOptions): Promise<MemberPage>;
    /**
     * List the members of the workspace: every one, page after page as they are needed.
     */
    iterateTeamMembers(query?: ListTeamMembersQuery, options?: CallOptions): AsyncGenerator<MemberPage["items"][number], void, undefined>;
}
/** The key itself. */
export declare class Me {
    #private;
    constructor(caller: Caller);
    /**
     * The key of the request, its workspace and its scopes.
     *
     * Any scope opens it.
     *
     * Needs the scope `messages:read` or `contacts:read` or `contacts:write` or `messages:write` or `otp:send` or `templates:read` or `broadcasts:read` or `broadcasts:write` or `usage:read` or `conversations:write` or `templates:send` or `team:read` or `contacts:consent` or `contacts:erase` or `segments:write` or `messages:draft` or `broadcasts:draft` or `webhooks:read` or `webhooks:write` or `contacts:export` or `audit:read` or `channels:read` or `channels:write` or `templates:write` or `bots:read` or `bots:write` or `otp:verify` or `retention:write`.
     *
     * `GET /v1/me`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:messages:read`, `MISSING_SCOPE:contacts:read`, `MISSING_SCOPE:contacts:write`, `MISSING_SCOPE:messages:write`, `MISSING_SCOPE:otp:send`, `MISSING_SCOPE:templates:read`, `MISSING_SCOPE:broadcasts:read`, `MISSING_SCOPE:broadcasts:write`, `MISSING_SCOPE:usage:read`, `MISSING_SCOPE:conversations:write`, `MISSING_SCOPE:templates:send`, `MISSING_SCOPE:team:read`, `MISSING_SCOPE:contacts:consent`, `MISSING_SCOPE:contacts:erase`, `MISSING_SCOPE:segments:write`, `MISSING_SCOPE:messages:draft`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:webhooks:read`, `MISSING_SCOPE:webhooks:write`, `MISSING_SCOPE:contacts:export`, `MISSING_SCOPE:audit:read`, `MISSING_SCOPE:channels:read`, `MISSING_SCOPE:channels:write`, `MISSING_SCOPE:templates:write`, `MISSING_SCOPE:bots:read`, `MISSING_SCOPE:bots:write`, `MISSING_SCOPE:otp:verify`, `MISSING_SCOPE:retention:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(options?: CallOptions): Promise<KeyHolder>;
}
/** People who are being erased. */
export declare class Erasures {
    #private;
    constructor(caller: Caller);
    /**
     * How far an erasure is.
     *
     * Needs the scope `contacts:erase`.
     *
     * `GET /v1/erasures/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<Erasure>;
}
/**  */
export declare class ContactJobs {
    #private;
    constructor(caller: Caller);
    /**
     * Change many contacts in the background.
     *
     * For the contacts that exist now; whether one fits is checked just before it is changed. `delete` needs the scope `contacts:erase` too, `opt_in` the scope `contacts:consent`. The customer's own STOP is not undone.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contact-jobs`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:erase`, `MISSING_SCOPE:contacts:consent`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    start(body: StartContactJob, options?: CallOptions): Promise<ContactJob>;
    /**
     * List changes to many contacts, newest first.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/contact-jobs`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListContactJobsQuery, options?: CallOptions): Promise<ContactJobPage>;
    /**
     * List changes to many contacts, newest first: every one, page after page as they are needed.
     */
    iterate(query?: ListContactJobsQuery, options?: CallOptions): AsyncGenerator<ContactJobPage["items"][number], void, undefined>;
    /**
     * One change to many contacts, and how far it is.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/contact-jobs/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<ContactJob>;
    /**
     * Pause, resume or cancel a change to many contacts.
     *
     * The changes that were made stay.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/contact-jobs/{id}/moves`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    move(id: string, body: MoveContactJob, options?: CallOptions): Promise<ContactJob>;
}
/** What custom attributes of contacts hold. */
export declare class ContactAttributes {
    #private;
    constructor(caller: Caller);
    /**
     * The defined attributes of contacts, by key.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contact-attributes`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListContactAttributesQuery, options?: CallOptions): Promise<ContactAttributePage>;
    /**
     * The defined attributes of contacts, by key: every one, page after page as they are needed.
     */
    iterate(query?: ListContactAttributesQuery, options?: CallOptions): AsyncGenerator<ContactAttributePage["items"][number], void, undefined>;
    /**
     * Define what an attribute holds, or replace its definition.
     *
     * Imports then read it as this type, and rules of segments must fit it. Stored values stay, and contacts may still have any JSON there.
     *
     * Needs the scope `contacts:write`.
     *
     * `PUT /v1/contact-attributes/{key}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    put(key: string, body: PutContactAttribute, options?: CallOptions): Promise<ContactAttribute>;
    /**
     * One defined attribute.
     *
     * Needs the scope `contacts:read`.
     *
     * `GET /v1/contact-attributes/{key}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(key: string, options?: CallOptions): Promise<ContactAttribute>;
    /**
     * Remove the definition of an attribute; the values stay.
     *
     * Needs the scope `contacts:write`.
     *
     * `DELETE /v1/contact-attributes/{key}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    delete(key: string, options?: CallOptions): Promise<{}>;
}
/** What a start of a draft would do. */
export declare class BroadcastEstimates {
    #private;
    constructor(caller: Caller);
    /**
     * What a start of a draft would do now, stored or not.
     *
     * Counts everybody in the audience: seconds at a million contacts.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/broadcast-estimates`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    estimateDraft(body: EstimateDraft, options?: CallOptions): Promise<BroadcastEstimate>;
}
/** What contacts would get from a draft. */
export declare class BroadcastPreviews {
    #private;
    constructor(caller: Caller);
    /**
     * The messages that real contacts would get from a draft, stored or not.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `broadcasts:draft` or `broadcasts:write`.
     *
     * `POST /v1/broadcast-previews`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:broadcasts:draft`, `MISSING_SCOPE:broadcasts:write`, `BROADCAST_NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    previewDraft(body: PreviewDraft, options?: CallOptions): Promise<BroadcastPreview>;
}
/** Addresses that events are sent to, and the deliveries. */
export declare class WebhookEndpoints {
    #private;
    constructor(caller: Caller);
    /**
     * List the webhook endpoints, oldest first.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListWebhookEndpointsQuery, options?: CallOptions): Promise<WebhookEndpointPage>;
    /**
     * List the webhook endpoints, oldest first: every one, page after page as they are needed.
     */
    iterate(query?: ListWebhookEndpointsQuery, options?: CallOptions): AsyncGenerator<WebhookEndpointPage["items"][number], void, undefined>;
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
     */
    put(name: string, body: PutWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointPut>;
    /**
     * One webhook endpoint.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
    /**
     * One webhook endpoint: with the `ETag` of the record, its version.
     */
    getWithEtag(id: string, options?: CallOptions): Promise<[WebhookEndpoint, string]>;
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
     */
    change(id: string, body: ChangeWebhookEndpoint, options?: ChangeOptions): Promise<WebhookEndpoint>;
    /**
     * Change a webhook endpoint: address, kinds, name, enabled: with the `ETag` of the record, its version.
     */
    changeWithEtag(id: string, body: ChangeWebhookEndpoint, options?: ChangeOptions): Promise<[WebhookEndpoint, string]>;
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
     */
    delete(id: string, options?: ChangeOptions): Promise<{}>;
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
     */
    test(id: string, options?: CallOptions): Promise<WebhookDelivery>;
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
     */
    rotateWebhookSecret(id: string, body: RotateWebhookSecret, options?: CallOptions): Promise<WebhookSecret>;
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
     */
    redeliverEvents(id: string, body: RedeliverEvents, options?: CallOptions): Promise<Redelivered>;
    /**
     * List the deliveries of a webhook endpoint, newest first.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints/{id}/deliveries`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listWebhookDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveryPage>;
    /**
     * List the deliveries of a webhook endpoint, newest first: every one, page after page as they are needed.
     */
    iterateWebhookDeliveries(id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): AsyncGenerator<WebhookDeliveryPage["items"][number], void, undefined>;
    /**
     * One delivery, with its request and every attempt.
     *
     * Needs the scope `webhooks:read`.
     *
     * `GET /v1/webhook-endpoints/{id}/deliveries/{eventId}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:webhooks:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    getWebhookDelivery(id: string, eventId: string, options?: CallOptions): Promise<WebhookDeliveryDetails>;
}
/** Contacts from a file. */
export declare class Imports {
    #private;
    constructor(caller: Caller);
    /**
     * List the newest hundred imports, newest first.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/imports`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListImportsQuery, options?: CallOptions): Promise<ImportPage>;
    /**
     * List the newest hundred imports, newest first: every one, page after page as they are needed.
     */
    iterate(query?: ListImportsQuery, options?: CallOptions): AsyncGenerator<ImportPage["items"][number], void, undefined>;
    /**
     * Upload a file of contacts.
     *
     * The body is the file. Nothing is imported yet: look at it (`POST /v1/imports/{id}/look`), then start it. A file that is not started within a day is deleted.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `UNSENT_FILES_FULL`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`, `STORAGE_FULL`.
     */
    upload(body: string | Blob, query: UploadImportQuery, options?: CallOptions): Promise<Import>;
    /**
     * One import: how far it is, and why rows were refused.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/imports/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<ImportReport>;
    /**
     * Look at an uploaded file: its columns, and what an import would do.
     *
     * Stores nothing. `columns` proposes a field for each column; give the mapping that you want as `map` and look again, then start with the same.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports/{id}/look`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    lookAtImport(id: string, body: LookAtImport, options?: CallOptions): Promise<ImportLook>;
    /**
     * Start the import of an uploaded file.
     *
     * It goes on in the background, with the rights of the key: `GET /v1/imports/{id}` shows how far it is.
     *
     * A key may call it 10 times in an hour (limit `imports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports/{id}/start`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    start(id: string, body: StartImport, options?: CallOptions): Promise<Import>;
    /**
     * Cancel an import, or remove a file that was not started.
     *
     * The batch that runs is finished first. Rows that were imported stay.
     *
     * Needs the scope `contacts:write`.
     *
     * `POST /v1/imports/{id}/cancel`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `NOT_ALLOWED_IN_STATE`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    cancel(id: string, options?: CallOptions): Promise<Import>;
    /**
     * The refused rows of an import as a file of its kind.
     *
     * Each row as it was, with its line and the reason, so that it can be mended and imported again. Kept for thirty days. The audit names the key.
     *
     * Needs the scope `contacts:write`.
     *
     * `GET /v1/imports/{id}/refused`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:write`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    downloadRefusedRows(id: string, options?: CallOptions): Promise<string>;
    /**
     * The refused rows of an import as a file of its kind: piece by piece as it arrives, so that no more than a piece is in memory.
     */
    downloadRefusedRowsPieces(id: string, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
}
/** Contacts as a file. */
export declare class Exports {
    #private;
    constructor(caller: Caller);
    /**
     * Choose contacts to read as a file.
     *
     * All contacts, those of a saved segment, or those that fit a definition. The file is written while `GET /v1/exports/{id}/content` is read, so it has the contacts of that moment; the audit then names the key, how many there were and the filter.
     *
     * A key may call it 10 times in an hour (limit `exports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `contacts:export`.
     *
     * `POST /v1/exports`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    create(body: CreateExport, options?: CallOptions): Promise<ContactExport>;
    /**
     * One export.
     *
     * Needs the scope `contacts:export`.
     *
     * `GET /v1/exports/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<ContactExport>;
    /**
     * The contacts of an export as a file.
     *
     * CSV with a header (RFC 4180) or one JSON object in each line, newest contact first. An import reads it back. It is written while it is read, in pieces that give way to requests.
     *
     * Needs the scope `contacts:export`.
     *
     * `GET /v1/exports/{id}/content`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:contacts:export`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    download(id: string, options?: CallOptions): Promise<string>;
    /**
     * The contacts of an export as a file: piece by piece as it arrives, so that no more than a piece is in memory.
     */
    downloadPieces(id: string, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
}
/** What the plan allows. */
export declare class Limits {
    #private;
    constructor(caller: Caller);
    /**
     * What the plan allows, and how much of it is used.
     *
     * Needs the scope `usage:read`.
     *
     * `GET /v1/limits`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:usage:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(options?: CallOptions): Promise<PlanLimits>;
}
/** Who changed what. */
export declare class Audit {
    #private;
    constructor(caller: Caller);
    /**
     * Who changed what, newest first.
     *
     * Needs the scope `audit:read`.
     *
     * `GET /v1/audit`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:audit:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    listEntries(query?: ListAuditEntriesQuery, options?: CallOptions): Promise<AuditPage>;
    /**
     * Who changed what, newest first: every one, page after page as they are needed.
     */
    iterateEntries(query?: ListAuditEntriesQuery, options?: CallOptions): AsyncGenerator<AuditPage["items"][number], void, undefined>;
}
/** Connected accounts of platforms. */
export declare class Channels {
    #private;
    constructor(caller: Caller);
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
     */
    list(query?: ListChannelsQuery, options?: CallOptions): Promise<ChannelPage>;
    /**
     * List the channels, oldest first: every one, page after page as they are needed.
     */
    iterate(query?: ListChannelsQuery, options?: CallOptions): AsyncGenerator<ChannelPage["items"][number], void, undefined>;
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
     */
    connect(body: ConnectChannel, options?: CallOptions): Promise<ChannelConnected>;
    /**
     * One channel.
     *
     * Needs the scope `channels:read`.
     *
     * `GET /v1/channels/{id}`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `NOT_FOUND`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(id: string, options?: CallOptions): Promise<Channel>;
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
     */
    change(id: string, body: ChangeChannel, options?: CallOptions): Promise<Channel>;
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
     */
    test(id: string, options?: CallOptions): Promise<ChannelTest>;
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
     */
    disconnect(id: string, options?: CallOptions): Promise<Channel>;
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
     */
    setPace(id: string, body: SetChannelPace, options?: CallOptions): Promise<ChannelPace>;
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
     */
    syncTemplates(id: string, options?: CallOptions): Promise<TemplateSync>;
}
/** What a channel of each type needs. */
export declare class ChannelTypes {
    #private;
    constructor(caller: Caller);
    /**
     * What a channel of each type needs.
     *
     * Needs the scope `channels:read`.
     *
     * `GET /v1/channel-types`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:channels:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(query?: ListChannelTypesQuery, options?: CallOptions): Promise<ChannelTypeList>;
}
/** For how long messages, files and events are kept. */
export declare class Retention {
    #private;
    constructor(caller: Caller);
    /**
     * Show for how long messages, files and events are kept.
     *
     * Needs the scope `retention:write`.
     *
     * `GET /v1/retention`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    get(options?: CallOptions): Promise<RetentionTimes>;
    /**
     * Change for how long messages, files and events are kept.
     *
     * What is deleted cannot be brought back. When something is kept for a shorter time, nothing is deleted for 24 hours; until then the change can be taken back. Ask `POST /retention/preview` first.
     *
     * Needs the scope `retention:write`.
     *
     * `PATCH /v1/retention`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    change(body: ChangeRetention, options?: CallOptions): Promise<RetentionTimes>;
    /**
     * Count what a change of the retention would delete today.
     *
     * Changes nothing.
     *
     * A key may call it 30 times in a minute (limit `reports`); beyond it 429 `RATE_LIMITED`, with the limit's name in `details`. Refused and repeated calls do not count.
     *
     * Needs the scope `retention:write`.
     *
     * `POST /v1/retention/preview`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:retention:write`, `IDEMPOTENCY_IN_PROGRESS`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    preview(body: PreviewRetention, options?: CallOptions): Promise<RetentionPreview>;
}
/**  */
export declare class Knowledge {
    #private;
    constructor(caller: Caller);
    /**
     * Add a snippet, or change it, by the id that it has at its origin.
     *
     * Bots answer from it at once. The same call twice changes nothing more.
     *
     * Needs the scope `bots:write`.
     *
     * `PUT /v1/knowledge/{externalId}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_ALLOWED_IN_STATE`, `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    put(externalId: string, body: PutKnowledge, options?: CallOptions): Promise<KnowledgeSource>;
    /**
     * Delete a source by the id that it has at its origin.
     *
     * Needs the scope `bots:write`.
     *
     * `DELETE /v1/knowledge/{externalId}`
     *
     * Fails with: `VALIDATION_FAILED`, `MALFORMED_JSON`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:write`, `NOT_FOUND`, `BODY_TOO_LARGE`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    remove(externalId: string, options?: CallOptions): Promise<{}>;
}
/**  */
export declare class Bots {
    #private;
    constructor(caller: Caller);
    /**
     * List the bots, the newest first; archived ones last.
     *
     * Needs the scope `bots:read`.
     *
     * `GET /v1/bots`
     *
     * Fails with: `VALIDATION_FAILED`, `MISSING_API_KEY`, `MALFORMED_API_KEY`, `INVALID_API_KEY`, `MISSING_SCOPE:bots:read`, `RATE_LIMITED`, `INTERNAL`, `OVERLOADED`.
     */
    list(options?: CallOptions): Promise<{
        items: BotListed[];
    }>;
}
/** Every part of the API. */
export declare class Resources {
    readonly contacts: Contacts;
    readonly segments: Segments;
    readonly messages: Messages;
    readonly otp: Otp;
    readonly templates: Templates;
    readonly broadcasts: Broadcasts;
    readonly usage: Usage;
    readonly conversations: Conversations;
    readonly events: Events;
    readonly labels: Labels;
    readonly test: Test;
    readonly templateMessages: TemplateMessages;
    readonly notes: Notes;
    readonly media: Media;
    readonly savedReplies: SavedReplies;
    readonly members: Members;
    readonly me: Me;
    readonly erasures: Erasures;
    readonly contactJobs: ContactJobs;
    readonly contactAttributes: ContactAttributes;
    readonly broadcastEstimates: BroadcastEstimates;
    readonly broadcastPreviews: BroadcastPreviews;
    readonly webhookEndpoints: WebhookEndpoints;
    readonly imports: Imports;
    readonly exports: Exports;
    readonly limits: Limits;
    readonly audit: Audit;
    readonly channels: Channels;
    readonly channelTypes: ChannelTypes;
    readonly retention: Retention;
    readonly knowledge: Knowledge;
    readonly bots: Bots;
    constructor(caller: Caller);
}
