-- A database as 0001_core.sql made it, with at least one row in every table: pg_dump 15 --no-owner --no-privileges
-- --inserts, without its comments and settings. Never changed again: it stands for the databases that there are.
-- Made at 2026-11-23T14:52:00.047Z; master key: 32 bytes of 7;
-- key of the API: pk_FkPhL5Tg3ygOnHdxX4_imw:sk_O1cYHgrCTQ0zk5yyEX7LiIXjJ3RbdovpjquULs1mLN0
CREATE COLLATION public.letters (provider = builtin, locale = 'C.UTF-8');
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE FUNCTION public.contact_document(id uuid, name text, email text, phone text, notes text, channel_type text, external_id text, tags text[], attributes json, opted_out_at timestamp with time zone, last_seen_at timestamp with time zone, created_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
begin
  return json_build_object(
    'id', id, 'name', name, 'email', email, 'phone', phone, 'notes', notes,
    'channelType', channel_type, 'externalId', external_id, 'tags', tags, 'attributes', attributes,
    'optedOut', opted_out_at is not null, 'optedOutAt', iso(opted_out_at), 'lastSeenAt', iso(last_seen_at),
    'createdAt', iso(created_at));
end $$;
CREATE FUNCTION public.folded(held text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN replace(replace(lower((NORMALIZE(held, NFC) COLLATE public.letters)), 'i̇'::text, 'i'::text), 'ς'::text, 'σ'::text);
CREATE FUNCTION public.iso(t timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_char((t AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);
CREATE FUNCTION public.one_spelling(number text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (number !~~ '5%'::text) THEN number WHEN (number ~ '^55[1-9][1-9]9[6-9][0-9]{7}$'::text) THEN ("left"(number, 4) || substr(number, 6)) WHEN (number ~ '^(521[2-9]|549[1-3])[0-9]{9}$'::text) THEN ("left"(number, 2) || substr(number, 4)) ELSE number END;
CREATE TABLE public.api_key (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    public_key text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] DEFAULT '{}'::text[] NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.attribute_definition (
    workspace_id uuid NOT NULL,
    key text NOT NULL,
    label text NOT NULL,
    type text NOT NULL,
    choices text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT attribute_definition_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'boolean'::text, 'choice'::text])))
);
CREATE TABLE public.audit_entry (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    facts jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.broadcast (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    channel_id uuid,
    channel_type text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    status_reason text,
    template_id uuid,
    body text,
    variables text[] DEFAULT '{}'::text[] NOT NULL,
    header_text text,
    header_media_id uuid,
    button_texts jsonb DEFAULT '[]'::jsonb NOT NULL,
    segment_id uuid,
    scheduled_at timestamp with time zone,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    local_time boolean DEFAULT false NOT NULL,
    quiet_from smallint,
    quiet_until smallint,
    zones text[] DEFAULT '{""}'::text[] NOT NULL,
    parent_id uuid,
    parent_all boolean DEFAULT false NOT NULL,
    parent_unknown boolean DEFAULT false NOT NULL,
    contact_ids uuid[],
    rate_limit_per_minute integer NOT NULL,
    total_count bigint DEFAULT 0 NOT NULL,
    sent_count bigint DEFAULT 0 NOT NULL,
    delivered_count bigint DEFAULT 0 NOT NULL,
    read_count bigint DEFAULT 0 NOT NULL,
    failed_count bigint DEFAULT 0 NOT NULL,
    skipped_count bigint DEFAULT 0 NOT NULL,
    audience_cursor uuid,
    pace_tokens double precision DEFAULT 0 NOT NULL,
    pace_at timestamp with time zone,
    throttled_until timestamp with time zone,
    halved_at timestamp with time zone,
    resumed_at timestamp with time zone,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    variants jsonb,
    reply_days smallint DEFAULT 3 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT broadcast_channel_type_check CHECK ((channel_type = ANY (ARRAY['WHATSAPP'::text, 'TELEGRAM'::text]))),
    CONSTRAINT broadcast_kind_check CHECK ((kind = ANY (ARRAY['WHATSAPP_TEMPLATE'::text, 'TEXT'::text, 'SMS'::text]))),
    CONSTRAINT broadcast_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 1439))),
    CONSTRAINT broadcast_quiet_until_check CHECK (((quiet_until >= 0) AND (quiet_until <= 1439))),
    CONSTRAINT broadcast_rate_limit_per_minute_check CHECK (((rate_limit_per_minute >= 10) AND (rate_limit_per_minute <= 1000000))),
    CONSTRAINT broadcast_reply_days_check CHECK (((reply_days >= 1) AND (reply_days <= 30))),
    CONSTRAINT broadcast_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text, 'QUEUED'::text, 'RUNNING'::text, 'PAUSED'::text, 'COMPLETED'::text, 'CANCELLED'::text, 'FAILED'::text])))
);
CREATE TABLE public.broadcast_again (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    zone text NOT NULL,
    available_at timestamp with time zone,
    has_message boolean NOT NULL
);
CREATE TABLE public.broadcast_cursor (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    zone text NOT NULL,
    contact_id uuid NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.broadcast_entry (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    from_status text,
    to_status text,
    cause text,
    actor text,
    rate_from integer,
    rate_to integer,
    until timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
ALTER TABLE public.broadcast_entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.broadcast_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.broadcast_flight (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    id uuid NOT NULL,
    called_at timestamp with time zone NOT NULL,
    contact_ids uuid[] NOT NULL
);
ALTER TABLE ONLY public.broadcast_flight ALTER COLUMN contact_ids SET STORAGE EXTERNAL;
CREATE TABLE public.broadcast_header (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    media_id uuid NOT NULL,
    ref text,
    ref_at timestamp with time zone,
    lease_until timestamp with time zone
);
CREATE TABLE public.broadcast_minute (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    minute timestamp with time zone NOT NULL,
    sent bigint NOT NULL,
    delivered bigint NOT NULL,
    read bigint NOT NULL,
    failed bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.broadcast_recipient (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    address text,
    content jsonb,
    variant smallint,
    status text NOT NULL,
    reason text,
    detail text,
    message_id uuid,
    called_at timestamp with time zone,
    fence integer DEFAULT 0 NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    settled_at timestamp with time zone,
    zone text DEFAULT ''::text NOT NULL,
    holds_address boolean GENERATED ALWAYS AS ((status <> 'skipped'::text)) STORED,
    trouble text GENERATED ALWAYS AS (
CASE
    WHEN (status = ANY (ARRAY['failed'::text, 'skipped'::text])) THEN status
    ELSE NULL::text
END) STORED,
    CONSTRAINT broadcast_recipient_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text, 'skipped'::text])))
)
WITH (fillfactor='45');
CREATE TABLE public.broadcast_reply (
    workspace_id uuid NOT NULL,
    broadcast_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    message_id uuid NOT NULL,
    replied_at timestamp with time zone NOT NULL
);
CREATE TABLE public.channel (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    status_reason text,
    external_id text NOT NULL,
    api_url text,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    secrets_sealed bytea NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    throttled_until timestamp with time zone,
    sync_due_at timestamp with time zone,
    synced_at timestamp with time zone,
    sync_error text,
    secrets_since timestamp with time zone,
    secrets_end_at timestamp with time zone,
    secrets_due_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT channel_status_check CHECK ((status = ANY (ARRAY['connected'::text, 'error'::text, 'disconnected'::text]))),
    CONSTRAINT channel_type_check CHECK ((type = ANY (ARRAY['WHATSAPP'::text, 'MESSENGER'::text, 'INSTAGRAM'::text, 'TELEGRAM'::text, 'TIKTOK'::text, 'WEB'::text])))
);
CREATE TABLE public.channel_poll (
    workspace_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    moved_at timestamp with time zone NOT NULL,
    fence integer DEFAULT 1 NOT NULL,
    lease_until timestamp with time zone,
    due_at timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    error text
);
CREATE TABLE public.chat_visitor (
    workspace_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    id text NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    user_id text,
    profile jsonb DEFAULT '{}'::jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.consent_entry (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid,
    phone text,
    opted_out boolean NOT NULL,
    source text NOT NULL,
    channel_type text,
    channel_id uuid,
    detail text,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.contact (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text,
    email text,
    phone text,
    notes text,
    channel_type text,
    external_id text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    attributes json DEFAULT '{}'::json NOT NULL,
    opted_out_at timestamp with time zone,
    last_seen_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    attribute_terms tsvector,
    search text NOT NULL,
    document text GENERATED ALWAYS AS (public.contact_document(id, name, email, phone, notes, channel_type, external_id, tags, attributes, opted_out_at, last_seen_at, created_at)) STORED NOT NULL,
    CONSTRAINT contact_has_attribute_terms CHECK (((attribute_terms IS NOT NULL) OR ((attributes)::text = '{}'::text)))
)
WITH (fillfactor='90');
CREATE TABLE public.contact_alias (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid NOT NULL,
    document text NOT NULL,
    merged_at timestamp with time zone NOT NULL
);
CREATE TABLE public.contact_block (
    workspace_id uuid NOT NULL,
    level smallint DEFAULT 0 NOT NULL,
    start_id uuid NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE public.contact_change (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    id uuid NOT NULL,
    source text NOT NULL,
    ref text,
    changes json NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.contact_identity (
    workspace_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    external_id text NOT NULL,
    contact_id uuid NOT NULL,
    is_number boolean DEFAULT false NOT NULL,
    retired_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.contact_import (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    file_name text NOT NULL,
    file_hash bytea NOT NULL,
    file_size bigint NOT NULL,
    options jsonb NOT NULL,
    header text[],
    state text NOT NULL,
    "position" bigint NOT NULL,
    created bigint DEFAULT 0 NOT NULL,
    updated bigint DEFAULT 0 NOT NULL,
    unchanged bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    stopped_line bigint,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT contact_import_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'stopped'::text])))
);
CREATE TABLE public.contact_import_refusal (
    workspace_id uuid NOT NULL,
    import_id uuid NOT NULL,
    "position" bigint NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL,
    record text[] NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.contact_job (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    action text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    segment_id uuid,
    definition json,
    ids uuid[],
    state text NOT NULL,
    reason text,
    cursor uuid NOT NULL,
    until uuid NOT NULL,
    matched bigint DEFAULT 0 NOT NULL,
    changed bigint DEFAULT 0 NOT NULL,
    actor text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT contact_job_action_check CHECK ((action = ANY (ARRAY['tag'::text, 'untag'::text, 'opt_out'::text, 'opt_in'::text, 'set_attribute'::text, 'delete'::text]))),
    CONSTRAINT contact_job_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'done'::text, 'cancelled'::text, 'failed'::text])))
);
CREATE TABLE public.contact_merge_due (
    workspace_id uuid NOT NULL,
    keep_id uuid NOT NULL,
    merged_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.contact_total (
    workspace_id uuid NOT NULL,
    total bigint NOT NULL,
    open_start uuid NOT NULL,
    open_count bigint NOT NULL
);
CREATE TABLE public.conversation (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    channel_type text NOT NULL,
    external_id text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    assignee_id uuid,
    labels text[] DEFAULT '{}'::text[] NOT NULL,
    unread_count integer DEFAULT 0 NOT NULL,
    window_expires_at timestamp with time zone,
    last_message_at timestamp with time zone,
    chat_sequence bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT conversation_status_check CHECK ((status = ANY (ARRAY['open'::text, 'snoozed'::text, 'resolved'::text])))
)
WITH (fillfactor='50');
CREATE TABLE public.delivery (
    workspace_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_sequence bigint NOT NULL,
    state text NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    round_failures smallint DEFAULT 0 NOT NULL,
    order_key uuid,
    next_attempt_at timestamp with time zone NOT NULL,
    attempted_at timestamp with time zone,
    duration_ms integer,
    status_code smallint,
    answer text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text])))
)
WITH (autovacuum_vacuum_threshold='10000', autovacuum_vacuum_scale_factor='0.01', vacuum_index_cleanup='on', vacuum_truncate='false');
CREATE TABLE public.delivery_attempt (
    workspace_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_sequence bigint NOT NULL,
    number smallint NOT NULL,
    attempted_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status_code smallint,
    failure text,
    answer text
);
CREATE TABLE public.early_change (
    workspace_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    provider_message_id text NOT NULL,
    kind text NOT NULL,
    text text,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT early_change_kind_check CHECK ((kind = ANY (ARRAY['edited'::text, 'deleted'::text])))
);
CREATE TABLE public.early_status (
    workspace_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    provider_message_id text NOT NULL,
    status text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    error_code text,
    error_detail text,
    received_at timestamp with time zone NOT NULL
);
CREATE TABLE public.endpoint (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    events text[] DEFAULT '{}'::text[] NOT NULL,
    secret_sealed bytea NOT NULL,
    old_secret_sealed bytea,
    old_secret_until timestamp with time zone,
    consecutive_failures integer DEFAULT 0 NOT NULL,
    busy_until timestamp with time zone,
    disabled_at timestamp with time zone,
    disabled_reason text,
    enabled_at timestamp with time zone,
    hastening boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', vacuum_truncate='false');
CREATE TABLE public.event (
    workspace_id uuid NOT NULL,
    sequence bigint NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_threshold='10000', autovacuum_vacuum_scale_factor='0.01', vacuum_truncate='false');
CREATE TABLE public.event_sequence (
    workspace_id uuid NOT NULL,
    last bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.idempotency_key (
    workspace_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status_code smallint,
    body text,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.inbound_failure (
    id uuid NOT NULL,
    workspace_id uuid,
    channel_id uuid,
    body bytea NOT NULL,
    error text NOT NULL,
    attempts smallint DEFAULT 1 NOT NULL,
    retry_at timestamp with time zone,
    received_at timestamp with time zone NOT NULL
);
CREATE TABLE public.master_key (
    only_one boolean DEFAULT true NOT NULL,
    mark text NOT NULL,
    CONSTRAINT master_key_only_one_check CHECK (only_one)
);
CREATE TABLE public.media (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    direction text NOT NULL,
    message_id uuid,
    channel_id uuid,
    kind text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    reason text,
    detail text,
    mime_type text,
    file_name text,
    size bigint,
    sha256 bytea,
    source_sealed bytea,
    available_at timestamp with time zone,
    attempts smallint DEFAULT 0 NOT NULL,
    delete_at timestamp with time zone,
    erasure_id uuid,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT media_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
    CONSTRAINT media_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'audio'::text, 'video'::text, 'document'::text, 'sticker'::text]))),
    CONSTRAINT media_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'stored'::text, 'failed'::text])))
);
CREATE TABLE public.member (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password_hash text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'agent'::text])))
);
CREATE TABLE public.message (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid,
    contact_id uuid,
    channel_id uuid,
    direction text NOT NULL,
    type text NOT NULL,
    text text,
    attachments jsonb DEFAULT '[]'::jsonb NOT NULL,
    template jsonb,
    status text NOT NULL,
    error_code text,
    error_message text,
    source text NOT NULL,
    provider_message_id text,
    broadcast_id uuid,
    recipient_id uuid,
    part_count smallint,
    chat_created bigint,
    chat_changed bigint,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    read_at timestamp with time zone,
    CONSTRAINT message_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
    CONSTRAINT message_source_check CHECK ((source = ANY (ARRAY['api'::text, 'dashboard'::text, 'broadcast'::text, 'bot'::text, 'channel'::text]))),
    CONSTRAINT message_status_check CHECK ((status = ANY (ARRAY['received'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text])))
)
WITH (fillfactor='80');
CREATE TABLE public.message_outbox (
    workspace_id uuid NOT NULL,
    message_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    state text DEFAULT 'waiting'::text NOT NULL,
    available_at timestamp with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    fence integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    unknown_until timestamp with time zone,
    CONSTRAINT message_outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'claimed'::text, 'calling'::text, 'unknown'::text])))
);
CREATE TABLE public.message_part (
    workspace_id uuid NOT NULL,
    message_id uuid NOT NULL,
    number smallint NOT NULL,
    channel_id uuid NOT NULL,
    text text,
    media_id uuid,
    status text DEFAULT 'waiting'::text NOT NULL,
    error_code text,
    error_message text,
    provider_message_id text,
    sent_at timestamp with time zone,
    delivered_at timestamp with time zone,
    read_at timestamp with time zone,
    CONSTRAINT message_part_check CHECK (((text IS NOT NULL) OR (media_id IS NOT NULL))),
    CONSTRAINT message_part_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text])))
);
CREATE TABLE public.migration (
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.notice (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    dedupe text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    mail_attempts integer DEFAULT 0 NOT NULL,
    mail_due_at timestamp with time zone
);
CREATE TABLE public.number_pace (
    account text NOT NULL,
    tokens double precision DEFAULT 0 NOT NULL,
    at timestamp with time zone,
    ceiling integer,
    halved_at timestamp with time zone,
    throttled_until timestamp with time zone,
    most integer,
    sharers jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT number_pace_ceiling_check CHECK (((ceiling >= 10) AND (ceiling <= 1000000))),
    CONSTRAINT number_pace_most_check CHECK (((most >= 10) AND (most <= 1000000)))
)
WITH (fillfactor='50');
CREATE TABLE public.opted_out_phone (
    workspace_id uuid NOT NULL,
    phone text NOT NULL,
    since timestamp with time zone NOT NULL,
    nobodys_since timestamp with time zone
);
CREATE TABLE public.otp_record (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    provider_id uuid NOT NULL,
    provider text NOT NULL,
    mobile text NOT NULL,
    segments smallint NOT NULL,
    status text NOT NULL,
    error_code text,
    error text,
    provider_message_id text,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    receipt_due_at timestamp with time zone,
    CONSTRAINT otp_record_status_check CHECK ((status = ANY (ARRAY['calling'::text, 'sent'::text, 'delivered'::text, 'failed'::text, 'unknown'::text])))
);
CREATE TABLE public.person_erasure (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid NOT NULL,
    ids uuid[] NOT NULL,
    keys_sealed bytea,
    state text NOT NULL,
    step text NOT NULL,
    cursor text DEFAULT ''::text NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    still_named jsonb DEFAULT '{"segments": [], "campaigns": []}'::jsonb NOT NULL,
    waits_for text,
    due_at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT person_erasure_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text])))
);
CREATE TABLE public.profile_request (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    external_id text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    available_at timestamp with time zone NOT NULL
);
CREATE UNLOGGED TABLE public.rate_window (
    key text NOT NULL,
    stamps double precision[] NOT NULL,
    allowed boolean NOT NULL
);
CREATE TABLE public.sandbox_runner (
    only_one boolean DEFAULT true NOT NULL,
    holder uuid NOT NULL,
    address text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    CONSTRAINT sandbox_runner_only_one_check CHECK (only_one)
);
CREATE TABLE public.segment (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    definition json NOT NULL,
    cached_count bigint,
    cached_at timestamp with time zone,
    count_due_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sms_look_up (
    workspace_id uuid NOT NULL,
    message_id uuid NOT NULL,
    provider_id uuid NOT NULL,
    provider text NOT NULL,
    called_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL
);
CREATE TABLE public.sms_provider (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    api_url text,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    secrets_sealed bytea NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    verified_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE TABLE public.template (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    channel_id uuid NOT NULL,
    meta_id text NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    category text,
    status text NOT NULL,
    parameter_format text DEFAULT 'POSITIONAL'::text NOT NULL,
    components json NOT NULL,
    body_variable_count integer NOT NULL,
    header_format text,
    last_synced_at timestamp with time zone NOT NULL,
    told_at timestamp with time zone
);
CREATE TABLE public.usage_channel (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    channel_id uuid NOT NULL,
    sent bigint DEFAULT 0 NOT NULL,
    received bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    ai_replies bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.usage_month (
    workspace_id uuid NOT NULL,
    month date NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    announced smallint DEFAULT 0 NOT NULL
);
CREATE TABLE public.workspace (
    id uuid NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    sms_credits integer,
    suspended_at timestamp with time zone,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT workspace_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'starter'::text, 'growth'::text, 'business'::text]))),
    CONSTRAINT workspace_sms_credits_check CHECK ((sms_credits >= 0))
);
INSERT INTO public.api_key VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7007-b748-3656234391f7', 'API key', 'pk_FkPhL5Tg3ygOnHdxX4_imw', '\x9a4036b0655931397902ec0d14469cc9f84e70f3f66dc8c6c95705a47033391c', '{}', NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:51:58.047+00');
INSERT INTO public.attribute_definition VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 'city', 'City', 'choice', '{"Kuwait City",Doha}');
INSERT INTO public.audit_entry VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7002-8ee6-af1e95374c3d', 'system', 'workspace.created', '01a208e4-6edf-7001-81f6-ef635fc0c4a1', '{"plan": "business"}', '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-701e-811a-548cc3fb31f6', 'system', 'contact.merged', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '{"mergedId": "01a208e4-72c7-7015-96cd-e420d622759c"}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-702b-8a0c-c97c00f14454', 'cli', 'contacts.bulk_started', '01a208e4-72c7-702a-abea-397c1cd44b69', '{"ids": 1, "key": "nickname", "value": "nick sara", "action": "set_attribute", "segmentId": null}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7030-acc3-edb33ee46652', 'cli', 'contacts.bulk_done', '01a208e4-72c7-702a-abea-397c1cd44b69', '{"changed": 1, "matched": 1}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-701e-a745-700fede7e904', 'system', 'contact.merged', '01a208e4-72c7-7034-8b6b-8f36731ae866', '{"mergedId": "01a208e4-76af-7015-9bc4-8fa567fd31ad"}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-702d-be5f-cd2ef683fbd2', 'cli', 'contacts.bulk_started', '01a208e4-76af-702c-92ed-13fb9ed35ac2', '{"ids": 1, "key": "nickname", "value": "nick omar", "action": "set_attribute", "segmentId": null}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7032-823e-aba8a0d64474', 'cli', 'contacts.bulk_done', '01a208e4-76af-702c-92ed-13fb9ed35ac2', '{"changed": 1, "matched": 1}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7039-99b2-286b5783fa99', 'system', 'contact.merged', '01a208e4-76af-7034-8df8-2e07360b690c', '{"mergedId": "01a208e4-76af-7036-8377-10bb771ad607"}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-703d-970d-63d00c0510c5', 'cli', 'contact.erasure_started', '01a208e4-76af-7034-8df8-2e07360b690c', '{"erasureId": "01a208e4-76af-703c-a8eb-ed54c86f8840"}', '2026-11-23 14:52:00.047+00');
INSERT INTO public.broadcast VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', 'News', '01a208e4-6edf-7003-a2a4-d038541e562c', 'WHATSAPP', 'WHATSAPP_TEMPLATE', 'COMPLETED', NULL, '01a208e4-6edf-700a-94f6-0474e47ad77e', NULL, '{"{{name}} of {{attribute.city}}"}', NULL, NULL, '[]', NULL, NULL, 'UTC', false, NULL, NULL, '{""}', NULL, false, false, NULL, 1000000, 1, 1, 0, 0, 0, 0, '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', 16665, '2026-11-23 14:51:59.047+00', NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, 3, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', 'News', '01a208e4-6edf-7003-a2a4-d038541e562c', 'WHATSAPP', 'WHATSAPP_TEMPLATE', 'COMPLETED', NULL, '01a208e4-6edf-700a-94f6-0474e47ad77e', NULL, '{"{{name}} of {{attribute.city}}"}', NULL, NULL, '[]', NULL, NULL, 'UTC', false, NULL, NULL, '{""}', NULL, false, false, NULL, 1000000, 2, 2, 0, 0, 0, 0, '01a208e4-72c7-7034-8b6b-8f36731ae866', 16664, '2026-11-23 14:52:00.047+00', NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, 3, '2026-11-23 14:52:00.047+00');
INSERT INTO public.broadcast_again VALUES
	('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000004', 'Asia/Kuwait', 'infinity', false);
INSERT INTO public.broadcast_cursor VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
INSERT INTO public.broadcast_entry OVERRIDING SYSTEM VALUE VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', 1, 'start', 'DRAFT', 'QUEUED', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', 2, 'stored', 'QUEUED', 'RUNNING', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', 3, 'complete', 'RUNNING', 'COMPLETED', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', 4, 'start', 'DRAFT', 'QUEUED', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', 5, 'stored', 'QUEUED', 'RUNNING', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', 6, 'complete', 'RUNNING', 'COMPLETED', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00');
INSERT INTO public.broadcast_flight VALUES
	('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000005', '2026-11-23 14:52:01.47531+00', '{00000000-0000-7000-8000-000000000004}');
INSERT INTO public.broadcast_header VALUES
	('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000006', '4::ref', '2026-11-23 14:52:01.47531+00', NULL);
INSERT INTO public.broadcast_minute VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', '2026-11-23 14:51:00+00', 1, 0, 0, 0),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', '2026-11-23 14:52:00+00', 2, 0, 0, 0);
INSERT INTO public.broadcast_recipient VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '96550001111', '["Name sara", "city sara"]', NULL, 'sent', NULL, 'detail sara', '01a208e4-72c7-7025-a150-e5b8e49715c9', '2026-11-23 14:51:59.047+00', 1, 0, '2026-11-23 14:51:59.047+00', '', DEFAULT, DEFAULT),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '96550001111', '["Name sara", "city sara"]', NULL, 'sent', NULL, NULL, '01a208e4-76af-7025-9471-1f076d9a1293', '2026-11-23 14:52:00.047+00', 1, 0, '2026-11-23 14:52:00.047+00', '', DEFAULT, DEFAULT),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7021-a077-74d84a616842', '01a208e4-72c7-7034-8b6b-8f36731ae866', '96550002222', '["Name omar", "city omar"]', NULL, 'sent', NULL, 'detail omar', '01a208e4-76af-7026-b8ce-11d3747eed1a', '2026-11-23 14:52:00.047+00', 1, 0, '2026-11-23 14:52:00.047+00', '', DEFAULT, DEFAULT);
INSERT INTO public.broadcast_reply VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7021-9402-7a751ede19a7', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '00000000-0000-7000-8000-000000000007', '2026-11-23 14:52:01.47531+00');
INSERT INTO public.channel VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'WEB', 'Site', 'connected', NULL, '95edf0ac0444c643fb9b0a89224a7364', NULL, '{"tokenVersion": "f570ce37af9a", "allowedOrigins": "https://shop.example"}', '\x012189749a97ced5837ab0f681d93ad47f9bace367013cae76ec524c27895c16895cc79b0db305da8be755a1919f8f5e6ed5b4927f758322ce00a9fc7efa4ee9666a0cd7e5ec1c1c', false, NULL, NULL, NULL, NULL, '2026-11-23 14:51:58.047+00', NULL, NULL, '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'WHATSAPP', 'Shop', 'connected', NULL, '1001', NULL, '{"wabaId": "5467"}', '\x01d93534d0ccb52332660f7a4af9c1eac28c6cd88c3a556f6708f48a03ce41ca97fce54a510beca2bbe68d3f8855a6dd11177686dedc76be92c0d483b26acb92638950b1fff96537e17c5ad56ac49c09eb584e63e23ba083e35ee99521ca91ac', false, '2026-11-23 15:52:00.047+00', '2026-11-23 15:51:58.047+00', '2026-11-23 14:51:58.047+00', NULL, '2026-11-23 14:51:58.047+00', NULL, NULL, '2026-11-23 14:51:58.047+00');
INSERT INTO public.channel_poll VALUES
	('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000008', 104, '2026-11-23 14:52:01.47531+00', 1, NULL, 'infinity', 0, NULL);
INSERT INTO public.chat_visitor VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'v_BwJwLcqWHTV5mKW8jgh3ew', 1, 'user-sara', '{"name": "Web sara", "email": "web-sara@example.com"}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'v_lkz9kVm1UqgUWskOGRFnTw', 1, 'user-omar', '{"name": "Web omar", "email": "web-omar@example.com"}', '2026-11-23 14:52:00.047+00');
INSERT INTO public.consent_entry VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7007-a0c8-99ad91160e70', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '96550001111', true, 'stop_word', 'WHATSAPP', '01a208e4-6edf-7003-a2a4-d038541e562c', 'stop', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7008-8d8a-4d505c6acdea', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '96550001111', false, 'stop_word', 'WHATSAPP', '01a208e4-6edf-7003-a2a4-d038541e562c', 'start', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7007-9a0b-f67b4460dce8', '01a208e4-72c7-7034-8b6b-8f36731ae866', '96550002222', true, 'stop_word', 'WHATSAPP', '01a208e4-6edf-7003-a2a4-d038541e562c', 'stop', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7008-a8a1-fe5ccce1ddc3', '01a208e4-72c7-7034-8b6b-8f36731ae866', '96550002222', false, 'stop_word', 'WHATSAPP', '01a208e4-6edf-7003-a2a4-d038541e562c', 'start', '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', 'Name sara', 'sara@example.com', '96550001111', 'notes sara', 'WHATSAPP', '96550001111', '{tag-sara}', '{"city":"city sara","web_user_id":"user-sara","web_email_unverified":"web-sara@example.com","nickname":"nick sara"}', NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:58.047+00', '2026-11-23 14:51:59.047+00', '''11a62c23tcity sara'' ''90f6c566tweb-sara@example.com'' ''a0fb3f11tnick sara'' ''d385b682tuser-sara''', 'name sarasara@example.com96550001111', DEFAULT),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7034-8b6b-8f36731ae866', 'Name omar', 'omar@example.com', '96550002222', 'notes omar', 'WHATSAPP', '96550002222', '{tag-omar}', '{"city":"city omar","web_user_id":"user-omar","web_email_unverified":"web-omar@example.com","nickname":"nick omar"}', NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:51:59.047+00', '2026-11-23 14:52:00.047+00', '''11a62c23tcity omar'' ''90f6c566tweb-omar@example.com'' ''a0fb3f11tnick omar'' ''d385b682tuser-omar''', 'name omaromar@example.com96550002222', DEFAULT);
INSERT INTO public.contact_alias VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7015-96cd-e420d622759c', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '{"id" : "01a208e4-72c7-7015-96cd-e420d622759c", "name" : "Web sara", "email" : null, "phone" : null, "notes" : null, "channelType" : "WEB", "externalId" : "user:user-sara", "tags" : [], "attributes" : {"web_user_id":"user-sara","web_email_unverified":"web-sara@example.com"}, "optedOut" : false, "optedOutAt" : null, "lastSeenAt" : "2026-11-23T14:51:59.047Z", "createdAt" : "2026-11-23T14:51:59.047Z"}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7015-9bc4-8fa567fd31ad', '01a208e4-72c7-7034-8b6b-8f36731ae866', '{"id" : "01a208e4-76af-7015-9bc4-8fa567fd31ad", "name" : "Web omar", "email" : null, "phone" : null, "notes" : null, "channelType" : "WEB", "externalId" : "user:user-omar", "tags" : [], "attributes" : {"web_user_id":"user-omar","web_email_unverified":"web-omar@example.com"}, "optedOut" : false, "optedOutAt" : null, "lastSeenAt" : "2026-11-23T14:52:00.047Z", "createdAt" : "2026-11-23T14:52:00.047Z"}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7036-8377-10bb771ad607', '01a208e4-76af-7034-8df8-2e07360b690c', '{}', '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact_block VALUES
	('00000000-0000-7000-8000-000000000001', 0, '00000000-0000-7000-8000-000000000000', 1000),
	('00000000-0000-7000-8000-000000000001', 1, '00000000-0000-7000-8000-000000000000', 1000);
INSERT INTO public.contact_change VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-72c7-7000-b417-5b28ae109c7f', 'platform', '01a208e4-6edf-7003-a2a4-d038541e562c', '[{"field":"channelType","from":null,"to":"WHATSAPP"},{"field":"externalId","from":null,"to":"96550001111"}]', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-72c7-701d-8f11-491b9214c275', 'merge', '01a208e4-72c7-7015-96cd-e420d622759c', '[{"attribute":"web_user_id","to":"user-sara"},{"attribute":"web_email_unverified","to":"web-sara@example.com"}]', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-72c7-701b-b0e1-e11684ba33c3', 'site', NULL, '[{"attribute":"web_user_id","to":"user-sara"},{"attribute":"web_email_unverified","to":"web-sara@example.com"}]', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-72c7-702f-ac35-aec9a4138682', 'bulk', '01a208e4-72c7-702a-abea-397c1cd44b69', '[{"attribute":"nickname","to":"nick sara"}]', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-76af-7000-9d59-0e8339786597', 'platform', '01a208e4-6edf-7003-a2a4-d038541e562c', '[{"field":"channelType","from":null,"to":"WHATSAPP"},{"field":"externalId","from":null,"to":"96550002222"}]', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-76af-701d-94ee-c2b4d17c2a96', 'merge', '01a208e4-76af-7015-9bc4-8fa567fd31ad', '[{"attribute":"web_user_id","to":"user-omar"},{"attribute":"web_email_unverified","to":"web-omar@example.com"}]', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-76af-701b-9c67-994306168918', 'site', NULL, '[{"attribute":"web_user_id","to":"user-omar"},{"attribute":"web_email_unverified","to":"web-omar@example.com"}]', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-76af-7031-8778-524178e95b6c', 'bulk', '01a208e4-76af-702c-92ed-13fb9ed35ac2', '[{"attribute":"nickname","to":"nick omar"}]', '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact_identity VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', '96550001111', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', true, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'KW.sara', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', false, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'user:user-sara', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', false, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', '96550002222', '01a208e4-72c7-7034-8b6b-8f36731ae866', true, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'KW.omar', '01a208e4-72c7-7034-8b6b-8f36731ae866', false, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'user:user-omar', '01a208e4-72c7-7034-8b6b-8f36731ae866', false, NULL, '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact_import VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7029-a9c3-b2fc18c5a045', 'people.csv', '\x09247187e1e5f8c2eb79ef9f1f33d60135c8fe7a0033d74d6967a8b0e8202302', 51, '{"match": "any", "format": "csv", "encoding": "utf-8", "allowOptIn": false}', '{name,phone,attributes}', 'done', 1, 0, 0, 0, 1, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-702b-a7dd-5d333163b94b', 'people.csv', '\xa5b40301dec5ea42aecfe095d4efd4d5c0327345c0487319d43bcf256c73d0a7', 51, '{"match": "any", "format": "csv", "encoding": "utf-8", "allowOptIn": false}', '{name,phone,attributes}', 'done', 1, 0, 0, 0, 1, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact_import_refusal VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7029-a9c3-b2fc18c5a045', 0, 2, 'attributes: must be a JSON object', '{sara,"+965 50001111","{not json"}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-702b-a7dd-5d333163b94b', 0, 2, 'attributes: must be a JSON object', '{omar,"+965 50002222","{not json"}', '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact_job VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-702a-abea-397c1cd44b69', 'set_attribute', '{"key": "nickname", "value": "nick sara"}', NULL, NULL, '{01a208e4-6edf-700d-9c9d-4d360e2bf2d7}', 'done', NULL, '01a208e4-72c7-702a-abea-397c1cd44b69', '01a208e4-72c7-702a-abea-397c1cd44b69', 1, 1, 'cli', '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-702c-92ed-13fb9ed35ac2', 'set_attribute', '{"key": "nickname", "value": "nick omar"}', NULL, NULL, '{01a208e4-72c7-7034-8b6b-8f36731ae866}', 'done', NULL, '01a208e4-76af-702c-92ed-13fb9ed35ac2', '01a208e4-76af-702c-92ed-13fb9ed35ac2', 1, 1, 'cli', '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00');
INSERT INTO public.contact_merge_due VALUES
	('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000009', '2026-11-23 14:52:01.47531+00');
INSERT INTO public.contact_total VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 2, '00000000-0000-0000-0000-000000000000', 2);
INSERT INTO public.conversation VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'WHATSAPP', '96550001111', 'open', NULL, '{"label sara"}', 3, '2026-11-24 14:51:59.047+00', '2026-11-23 14:52:00.047+00', 0, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7016-aca4-730379074505', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'WEB', 'user:user-sara', 'open', NULL, '{}', 1, NULL, '2026-11-23 14:51:59.047+00', 1, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7016-96f7-06ee39825525', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'WEB', 'user:user-omar', 'open', NULL, '{}', 1, NULL, '2026-11-23 14:52:00.047+00', 1, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'WHATSAPP', '96550002222', 'open', NULL, '{"label omar"}', 3, '2026-11-24 14:52:00.047+00', '2026-11-23 14:52:00.047+00', 0, '2026-11-23 14:52:00.047+00');
INSERT INTO public.delivery VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 3, 'pending', 1, 1, NULL, '2026-11-23 14:52:14.575+00', '2026-11-23 14:51:59.047+00', 0, 500, NULL, '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 25, 'pending', 0, 0, NULL, '2026-11-23 14:51:59.047+00', NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 12, 'pending', 1, 1, NULL, '2026-11-23 14:52:15.04+00', '2026-11-23 14:52:00.047+00', 3, 500, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 34, 'pending', 0, 0, NULL, '2026-11-23 14:52:00.047+00', NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 48, 'pending', 0, 0, NULL, '2026-11-23 14:52:00.047+00', NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 49, 'pending', 0, 0, NULL, '2026-11-23 14:52:00.047+00', NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00');
INSERT INTO public.delivery_attempt VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 3, 1, '2026-11-23 14:51:59.047+00', 0, 500, 'status', '{"id":"01a208e4-6edf-700e-8946-7740c8cfa208","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:58.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":3,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":null,"externalId":null,"tags":["tag-sara"],"attributes":{"city":"city sara"},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:51:58.047Z"}}}'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 12, 1, '2026-11-23 14:52:00.047+00', 3, 500, 'status', '{"id":"01a208e4-72c7-7018-becd-eea3376eb1d0","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":12,"data":{"contact":{"id":"01a208e4-72c7-7015-96cd-e420d622759c","name":"Web sara","email":null,"phone":null,"notes":null,"channelType":"WEB","externalId":"user:user-sara","tags":[],"attributes":{},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}');
INSERT INTO public.early_change VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'wamid.never', 'edited', 'text', '2026-11-23 14:52:01.47531+00', '2026-11-23 14:52:01.47531+00');
INSERT INTO public.early_status VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'wamid.96550001111.sara', 'failed', '2026-11-23 14:51:59.047+00', NULL, 'detail sara', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'wamid.96550002222.omar', 'failed', '2026-11-23 14:52:00.047+00', NULL, 'detail omar', '2026-11-23 14:52:00.047+00');
INSERT INTO public.endpoint VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7008-9af1-43540bb0b1be', 'http://127.0.0.1/hook', '{contact.created}', '\x0146046735ad339e9b7cb8e4132920674dc5140fa60f6da47ff20b805794523370b129305b03c9d3e459b93e99a2a01dc3746ca6bdc9058c994034402d260ef116895b5c6bc0ea58da9ed4c3876ed2', NULL, NULL, 2, '2026-11-23 14:52:01.047+00', NULL, NULL, NULL, false, '2026-11-23 14:51:58.047+00');
INSERT INTO public.event VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 1, '01a208e4-6edf-7004-baa1-cf606bdf43b4', 'channel.status', '{"id":"01a208e4-6edf-7004-baa1-cf606bdf43b4","type":"channel.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:58.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":1,"data":{"channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","name":"Shop","previousStatus":null,"status":"connected","reason":null,"occurredAt":"2026-11-23T14:51:58.047Z"}}', '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 2, '01a208e4-6edf-7006-8f84-89bb29a639e2', 'channel.status', '{"id":"01a208e4-6edf-7006-8f84-89bb29a639e2","type":"channel.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:58.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":2,"data":{"channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","name":"Site","previousStatus":null,"status":"connected","reason":null,"occurredAt":"2026-11-23T14:51:58.047Z"}}', '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 3, '01a208e4-6edf-700e-8946-7740c8cfa208', 'contact.created', '{"id":"01a208e4-6edf-700e-8946-7740c8cfa208","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:58.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":3,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":null,"externalId":null,"tags":["tag-sara"],"attributes":{"city":"city sara"},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:51:58.047Z"}}}', '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 4, '01a208e4-72c7-7004-9f58-106f4fc86985', 'contact.updated', '{"id":"01a208e4-72c7-7004-9f58-106f4fc86985","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":4,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":"WHATSAPP","externalId":"96550001111","tags":["tag-sara"],"attributes":{"city":"city sara"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:58.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 5, '01a208e4-72c7-7005-a2d8-2a13767997d3', 'conversation.created', '{"id":"01a208e4-72c7-7005-a2d8-2a13767997d3","type":"conversation.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":5,"data":{"conversation":{"id":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","status":"open","assigneeId":null,"labels":[],"unreadCount":1,"windowExpiresAt":"2026-11-24T14:51:59.047Z","lastMessageAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 6, '01a208e4-72c7-7006-9a1a-d3c6f303e493', 'message.received', '{"id":"01a208e4-72c7-7006-9a1a-d3c6f303e493","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":6,"data":{"messageId":"01a208e4-72c7-7002-9455-bbd62dd97e2a","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-72c7-7002-9455-bbd62dd97e2a","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","direction":"inbound","type":"image","text":"text sara","attachments":[{"type":"image","mediaId":"01a208e4-72c7-7003-9afa-b5077e095ba4","url":"http://127.0.0.1:0/media/01a208e4-72c7-7003-9afa-b5077e095ba4/AaII5G7fcAGB9u9jX8DEodjLGIELPypfeefU8QFoSH2T3noyTIvIZEnCYvORW-5L","status":"pending"}],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"wamid.in.sara","createdAt":"2026-11-23T14:51:59.047Z","sentAt":"2026-11-23T14:51:59.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 7, '01a208e4-72c7-700b-aeef-169520fe1b49', 'contact.opted_out', '{"id":"01a208e4-72c7-700b-aeef-169520fe1b49","type":"contact.opted_out","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":7,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":"WHATSAPP","externalId":"96550001111","tags":["tag-sara"],"attributes":{"city":"city sara"},"optedOut":true,"optedOutAt":"2026-11-23T14:51:59.047Z","lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:58.047Z"},"source":"stop_word","occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 8, '01a208e4-72c7-700c-90c0-dc5e629545b6', 'contact.opted_in', '{"id":"01a208e4-72c7-700c-90c0-dc5e629545b6","type":"contact.opted_in","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":8,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":"WHATSAPP","externalId":"96550001111","tags":["tag-sara"],"attributes":{"city":"city sara"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:58.047Z"},"source":"stop_word","occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 9, '01a208e4-72c7-700d-a721-83a63eb3df26', 'message.received', '{"id":"01a208e4-72c7-700d-a721-83a63eb3df26","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":9,"data":{"messageId":"01a208e4-72c7-7009-9451-07f61905314f","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-72c7-7009-9451-07f61905314f","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","direction":"inbound","type":"text","text":"STOP","attachments":[],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.2","createdAt":"2026-11-23T14:51:59.047Z","sentAt":"2026-11-23T14:51:59.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 10, '01a208e4-72c7-700e-95ef-c9c17914a291', 'message.received', '{"id":"01a208e4-72c7-700e-95ef-c9c17914a291","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":10,"data":{"messageId":"01a208e4-72c7-700a-8178-7604fbb8691f","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-72c7-700a-8178-7604fbb8691f","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","direction":"inbound","type":"text","text":"START","attachments":[],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.3","createdAt":"2026-11-23T14:51:59.047Z","sentAt":"2026-11-23T14:51:59.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 11, '01a208e4-72c7-7014-9225-75dabdf529f2', 'message.created', '{"id":"01a208e4-72c7-7014-9225-75dabdf529f2","type":"message.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":11,"data":{"messageId":"01a208e4-72c7-7013-8dcd-edcd1d697708","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-72c7-7013-8dcd-edcd1d697708","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","direction":"outbound","type":"document","text":"caption sara long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long ","attachments":[{"type":"document","mediaId":"01a208e4-72c7-7012-b9a3-533166013a72","url":"http://127.0.0.1:0/media/01a208e4-72c7-7012-b9a3-533166013a72/AaII5G7fcAGB9u9jX8DEoZyBZmBDQ_dhszWgLmLgUzrosrmE_aH2bFuqO5LCK4sZ","status":"stored","mimeType":"text/plain","size":15,"fileName":"sent sara.txt"}],"status":"sent","errorCode":null,"errorMessage":null,"source":"dashboard","providerMessageId":null,"createdAt":"2026-11-23T14:51:59.047Z","sentAt":null,"deliveredAt":null,"readAt":null}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 12, '01a208e4-72c7-7018-becd-eea3376eb1d0', 'contact.created', '{"id":"01a208e4-72c7-7018-becd-eea3376eb1d0","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":12,"data":{"contact":{"id":"01a208e4-72c7-7015-96cd-e420d622759c","name":"Web sara","email":null,"phone":null,"notes":null,"channelType":"WEB","externalId":"user:user-sara","tags":[],"attributes":{},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 13, '01a208e4-72c7-7019-82c9-9c4c483d9b48', 'conversation.created', '{"id":"01a208e4-72c7-7019-82c9-9c4c483d9b48","type":"conversation.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":13,"data":{"conversation":{"id":"01a208e4-72c7-7016-aca4-730379074505","contactId":"01a208e4-72c7-7015-96cd-e420d622759c","channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","status":"open","assigneeId":null,"labels":[],"unreadCount":1,"windowExpiresAt":null,"lastMessageAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 14, '01a208e4-72c7-701a-9c84-54a0c4da9a21', 'message.received', '{"id":"01a208e4-72c7-701a-9c84-54a0c4da9a21","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":14,"data":{"messageId":"01a208e4-72c7-7017-ae2d-b095f8c2b113","conversationId":"01a208e4-72c7-7016-aca4-730379074505","contactId":"01a208e4-72c7-7015-96cd-e420d622759c","channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","message":{"id":"01a208e4-72c7-7017-ae2d-b095f8c2b113","conversationId":"01a208e4-72c7-7016-aca4-730379074505","contactId":"01a208e4-72c7-7015-96cd-e420d622759c","direction":"inbound","type":"text","text":"chat sara","attachments":[],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"v_BwJwLcqWHTV5mKW8jgh3ew:c1","createdAt":"2026-11-23T14:51:59.047Z","sentAt":"2026-11-23T14:51:59.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 15, '01a208e4-72c7-701c-a5b8-466c4ce9ce58', 'contact.updated', '{"id":"01a208e4-72c7-701c-a5b8-466c4ce9ce58","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":15,"data":{"contact":{"id":"01a208e4-72c7-7015-96cd-e420d622759c","name":"Web sara","email":null,"phone":null,"notes":null,"channelType":"WEB","externalId":"user:user-sara","tags":[],"attributes":{"web_user_id":"user-sara","web_email_unverified":"web-sara@example.com"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 16, '01a208e4-72c7-701f-8015-fe63951d0e30', 'contact.updated', '{"id":"01a208e4-72c7-701f-8015-fe63951d0e30","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":16,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":"WHATSAPP","externalId":"96550001111","tags":["tag-sara"],"attributes":{"city":"city sara","web_user_id":"user-sara","web_email_unverified":"web-sara@example.com"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:58.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 17, '01a208e4-72c7-7020-9a50-be66bf069757', 'conversation.updated', '{"id":"01a208e4-72c7-7020-9a50-be66bf069757","type":"conversation.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":17,"data":{"conversation":{"id":"01a208e4-72c7-7016-aca4-730379074505","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","status":"open","assigneeId":null,"labels":[],"unreadCount":1,"windowExpiresAt":null,"lastMessageAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 18, '01a208e4-72c7-7022-b665-5e1dd50c2091', 'broadcast.status', '{"id":"01a208e4-72c7-7022-b665-5e1dd50c2091","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":18,"data":{"previousStatus":null,"status":"DRAFT","reason":null,"broadcast":{"id":"01a208e4-72c7-7021-9402-7a751ede19a7","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"DRAFT","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":0,"sentCount":0,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:51:59.047Z"},"occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 19, '01a208e4-72c7-7023-b2f2-c7a28f22c693', 'broadcast.status', '{"id":"01a208e4-72c7-7023-b2f2-c7a28f22c693","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":19,"data":{"previousStatus":"DRAFT","status":"QUEUED","reason":null,"broadcast":{"id":"01a208e4-72c7-7021-9402-7a751ede19a7","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"QUEUED","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":0,"sentCount":0,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:51:59.047Z"},"occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 20, '01a208e4-72c7-7024-91bc-1c24a3550af8', 'broadcast.status', '{"id":"01a208e4-72c7-7024-91bc-1c24a3550af8","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":20,"data":{"previousStatus":"QUEUED","status":"RUNNING","reason":null,"broadcast":{"id":"01a208e4-72c7-7021-9402-7a751ede19a7","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"RUNNING","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":1,"sentCount":0,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:51:59.047Z"},"occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 21, '01a208e4-72c7-7027-b2e8-074f448f81a7', 'message.created', '{"id":"01a208e4-72c7-7027-b2e8-074f448f81a7","type":"message.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":21,"data":{"messageId":"01a208e4-72c7-7025-a150-e5b8e49715c9","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-72c7-7025-a150-e5b8e49715c9","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","direction":"outbound","type":"template","text":"Hello Name sara of city sara","attachments":[],"status":"sent","errorCode":null,"errorMessage":null,"source":"broadcast","providerMessageId":null,"createdAt":"2026-11-23T14:51:59.047Z","sentAt":null,"deliveredAt":null,"readAt":null}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 22, '01a208e4-72c7-7028-aca8-1131eaca6fe1', 'broadcast.status', '{"id":"01a208e4-72c7-7028-aca8-1131eaca6fe1","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":22,"data":{"previousStatus":"RUNNING","status":"COMPLETED","reason":null,"broadcast":{"id":"01a208e4-72c7-7021-9402-7a751ede19a7","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"COMPLETED","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":1,"sentCount":1,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:51:59.047Z"},"occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 23, '01a208e4-72c7-702d-8dc7-47fb1921a78a', 'otp.status', '{"id":"01a208e4-72c7-702d-8dc7-47fb1921a78a","type":"otp.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":23,"data":{"requestId":"01a208e4-72c7-702c-9243-76f72f00f675","provider":"twilio","previousStatus":null,"status":"failed","errorCode":"INVALID_NUMBER","error":"21211 The ''To'' number +96550001111 is not valid.","occurredAt":"2026-11-23T14:51:59.047Z"}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 24, '01a208e4-72c7-7031-b572-354274789cdf', 'contact.updated', '{"id":"01a208e4-72c7-7031-b572-354274789cdf","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":24,"data":{"contact":{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":"WHATSAPP","externalId":"96550001111","tags":["tag-sara"],"attributes":{"city":"city sara","web_user_id":"user-sara","web_email_unverified":"web-sara@example.com","nickname":"nick sara"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:51:59.047Z","createdAt":"2026-11-23T14:51:58.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 25, '01a208e4-72c7-7035-9d15-5eccf87a233a', 'contact.created', '{"id":"01a208e4-72c7-7035-9d15-5eccf87a233a","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:51:59.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":25,"data":{"contact":{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":null,"externalId":null,"tags":["tag-omar"],"attributes":{"city":"city omar"},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 26, '01a208e4-76af-7004-b318-feff7e15546d', 'contact.updated', '{"id":"01a208e4-76af-7004-b318-feff7e15546d","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":26,"data":{"contact":{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":"WHATSAPP","externalId":"96550002222","tags":["tag-omar"],"attributes":{"city":"city omar"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 27, '01a208e4-76af-7005-bfae-9471d4b603f7', 'conversation.created', '{"id":"01a208e4-76af-7005-bfae-9471d4b603f7","type":"conversation.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":27,"data":{"conversation":{"id":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","status":"open","assigneeId":null,"labels":[],"unreadCount":1,"windowExpiresAt":"2026-11-24T14:52:00.047Z","lastMessageAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 28, '01a208e4-76af-7006-b0d7-8774e310db0d', 'message.received', '{"id":"01a208e4-76af-7006-b0d7-8774e310db0d","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":28,"data":{"messageId":"01a208e4-76af-7002-a9e1-a92123895cc1","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-76af-7002-a9e1-a92123895cc1","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","direction":"inbound","type":"image","text":"text omar","attachments":[{"type":"image","mediaId":"01a208e4-76af-7003-b79c-1c351624363f","url":"http://127.0.0.1:0/media/01a208e4-76af-7003-b79c-1c351624363f/AaII5G7fcAGB9u9jX8DEoQj1g7qoS3kuofUeS2Liw1g-Z8TkI1QsKSV_HEQW-I75","status":"pending"}],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"wamid.in.omar","createdAt":"2026-11-23T14:52:00.047Z","sentAt":"2026-11-23T14:52:00.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 29, '01a208e4-76af-700b-a192-fb2d2edd0153', 'contact.opted_out', '{"id":"01a208e4-76af-700b-a192-fb2d2edd0153","type":"contact.opted_out","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":29,"data":{"contact":{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":"WHATSAPP","externalId":"96550002222","tags":["tag-omar"],"attributes":{"city":"city omar"},"optedOut":true,"optedOutAt":"2026-11-23T14:52:00.047Z","lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:51:59.047Z"},"source":"stop_word","occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 30, '01a208e4-76af-700c-9089-f3f080a0ce0e', 'contact.opted_in', '{"id":"01a208e4-76af-700c-9089-f3f080a0ce0e","type":"contact.opted_in","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":30,"data":{"contact":{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":"WHATSAPP","externalId":"96550002222","tags":["tag-omar"],"attributes":{"city":"city omar"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:51:59.047Z"},"source":"stop_word","occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 31, '01a208e4-76af-700d-b432-1b766f9cac9f', 'message.received', '{"id":"01a208e4-76af-700d-b432-1b766f9cac9f","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":31,"data":{"messageId":"01a208e4-76af-7009-8fca-16e6f689627d","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-76af-7009-8fca-16e6f689627d","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","direction":"inbound","type":"text","text":"STOP","attachments":[],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.5","createdAt":"2026-11-23T14:52:00.047Z","sentAt":"2026-11-23T14:52:00.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 32, '01a208e4-76af-700e-9ad1-1a41141c6111', 'message.received', '{"id":"01a208e4-76af-700e-9ad1-1a41141c6111","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":32,"data":{"messageId":"01a208e4-76af-700a-bb16-674056f331b3","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-76af-700a-bb16-674056f331b3","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","direction":"inbound","type":"text","text":"START","attachments":[],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.6","createdAt":"2026-11-23T14:52:00.047Z","sentAt":"2026-11-23T14:52:00.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 33, '01a208e4-76af-7014-9623-b8c838ac1d08', 'message.created', '{"id":"01a208e4-76af-7014-9623-b8c838ac1d08","type":"message.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":33,"data":{"messageId":"01a208e4-76af-7013-8299-03182fc96743","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-76af-7013-8299-03182fc96743","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","direction":"outbound","type":"document","text":"caption omar long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long ","attachments":[{"type":"document","mediaId":"01a208e4-76af-7012-a4ec-b7d05a1f3233","url":"http://127.0.0.1:0/media/01a208e4-76af-7012-a4ec-b7d05a1f3233/AaII5G7fcAGB9u9jX8DEoRso_v4lD1VJmg6pHvY5x3fExXLcWnkylMmVwWSq05NG","status":"stored","mimeType":"text/plain","size":15,"fileName":"sent omar.txt"}],"status":"sent","errorCode":null,"errorMessage":null,"source":"dashboard","providerMessageId":null,"createdAt":"2026-11-23T14:52:00.047Z","sentAt":null,"deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 34, '01a208e4-76af-7018-89dd-d5d77b60da2b', 'contact.created', '{"id":"01a208e4-76af-7018-89dd-d5d77b60da2b","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":34,"data":{"contact":{"id":"01a208e4-76af-7015-9bc4-8fa567fd31ad","name":"Web omar","email":null,"phone":null,"notes":null,"channelType":"WEB","externalId":"user:user-omar","tags":[],"attributes":{},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 35, '01a208e4-76af-7019-9d9f-1d7c72e793a5', 'conversation.created', '{"id":"01a208e4-76af-7019-9d9f-1d7c72e793a5","type":"conversation.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":35,"data":{"conversation":{"id":"01a208e4-76af-7016-96f7-06ee39825525","contactId":"01a208e4-76af-7015-9bc4-8fa567fd31ad","channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","status":"open","assigneeId":null,"labels":[],"unreadCount":1,"windowExpiresAt":null,"lastMessageAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 36, '01a208e4-76af-701a-9459-c345f800ad7d', 'message.received', '{"id":"01a208e4-76af-701a-9459-c345f800ad7d","type":"message.received","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":36,"data":{"messageId":"01a208e4-76af-7017-97cd-86f916859cbf","conversationId":"01a208e4-76af-7016-96f7-06ee39825525","contactId":"01a208e4-76af-7015-9bc4-8fa567fd31ad","channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","message":{"id":"01a208e4-76af-7017-97cd-86f916859cbf","conversationId":"01a208e4-76af-7016-96f7-06ee39825525","contactId":"01a208e4-76af-7015-9bc4-8fa567fd31ad","direction":"inbound","type":"text","text":"chat omar","attachments":[],"status":"received","errorCode":null,"errorMessage":null,"source":"channel","providerMessageId":"v_lkz9kVm1UqgUWskOGRFnTw:c1","createdAt":"2026-11-23T14:52:00.047Z","sentAt":"2026-11-23T14:52:00.047Z","deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 37, '01a208e4-76af-701c-800b-07b68129e9e2', 'contact.updated', '{"id":"01a208e4-76af-701c-800b-07b68129e9e2","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":37,"data":{"contact":{"id":"01a208e4-76af-7015-9bc4-8fa567fd31ad","name":"Web omar","email":null,"phone":null,"notes":null,"channelType":"WEB","externalId":"user:user-omar","tags":[],"attributes":{"web_user_id":"user-omar","web_email_unverified":"web-omar@example.com"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 38, '01a208e4-76af-701f-9d2c-e179cb76fff8', 'contact.updated', '{"id":"01a208e4-76af-701f-9d2c-e179cb76fff8","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":38,"data":{"contact":{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":"WHATSAPP","externalId":"96550002222","tags":["tag-omar"],"attributes":{"city":"city omar","web_user_id":"user-omar","web_email_unverified":"web-omar@example.com"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 39, '01a208e4-76af-7020-b8fc-e2669aaeb2bb', 'conversation.updated', '{"id":"01a208e4-76af-7020-b8fc-e2669aaeb2bb","type":"conversation.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":39,"data":{"conversation":{"id":"01a208e4-76af-7016-96f7-06ee39825525","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7005-9f01-f6d8cc9e484e","channelType":"WEB","status":"open","assigneeId":null,"labels":[],"unreadCount":1,"windowExpiresAt":null,"lastMessageAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 40, '01a208e4-76af-7022-ae86-3b098792c99d', 'broadcast.status', '{"id":"01a208e4-76af-7022-ae86-3b098792c99d","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":40,"data":{"previousStatus":null,"status":"DRAFT","reason":null,"broadcast":{"id":"01a208e4-76af-7021-a077-74d84a616842","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"DRAFT","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":0,"sentCount":0,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:52:00.047Z"},"occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 41, '01a208e4-76af-7023-bd16-0020fdf3fa89', 'broadcast.status', '{"id":"01a208e4-76af-7023-bd16-0020fdf3fa89","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":41,"data":{"previousStatus":"DRAFT","status":"QUEUED","reason":null,"broadcast":{"id":"01a208e4-76af-7021-a077-74d84a616842","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"QUEUED","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":0,"sentCount":0,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:52:00.047Z"},"occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 42, '01a208e4-76af-7024-995c-7b0c808d80d0', 'broadcast.status', '{"id":"01a208e4-76af-7024-995c-7b0c808d80d0","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":42,"data":{"previousStatus":"QUEUED","status":"RUNNING","reason":null,"broadcast":{"id":"01a208e4-76af-7021-a077-74d84a616842","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"RUNNING","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":2,"sentCount":0,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:52:00.047Z"},"occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 43, '01a208e4-76af-7028-baea-5eea959bd06c', 'message.created', '{"id":"01a208e4-76af-7028-baea-5eea959bd06c","type":"message.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":43,"data":{"messageId":"01a208e4-76af-7025-9471-1f076d9a1293","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-76af-7025-9471-1f076d9a1293","conversationId":"01a208e4-72c7-7001-a39c-5a3b8c450041","contactId":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","direction":"outbound","type":"template","text":"Hello Name sara of city sara","attachments":[],"status":"sent","errorCode":null,"errorMessage":null,"source":"broadcast","providerMessageId":null,"createdAt":"2026-11-23T14:52:00.047Z","sentAt":null,"deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 44, '01a208e4-76af-7029-a278-99cc358aae78', 'message.created', '{"id":"01a208e4-76af-7029-a278-99cc358aae78","type":"message.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":44,"data":{"messageId":"01a208e4-76af-7026-b8ce-11d3747eed1a","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","message":{"id":"01a208e4-76af-7026-b8ce-11d3747eed1a","conversationId":"01a208e4-76af-7001-b3df-05cd1b322adc","contactId":"01a208e4-72c7-7034-8b6b-8f36731ae866","direction":"outbound","type":"template","text":"Hello Name omar of city omar","attachments":[],"status":"sent","errorCode":null,"errorMessage":null,"source":"broadcast","providerMessageId":null,"createdAt":"2026-11-23T14:52:00.047Z","sentAt":null,"deliveredAt":null,"readAt":null}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 45, '01a208e4-76af-702a-83dc-9da765332a20', 'broadcast.status', '{"id":"01a208e4-76af-702a-83dc-9da765332a20","type":"broadcast.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":45,"data":{"previousStatus":"RUNNING","status":"COMPLETED","reason":null,"broadcast":{"id":"01a208e4-76af-7021-a077-74d84a616842","name":"News","channelId":"01a208e4-6edf-7003-a2a4-d038541e562c","channelType":"WHATSAPP","kind":"WHATSAPP_TEMPLATE","status":"COMPLETED","templateId":"01a208e4-6edf-700a-94f6-0474e47ad77e","body":null,"scheduledAt":null,"rateLimitPerMinute":1000000,"totalCount":2,"sentCount":2,"deliveredCount":0,"readCount":0,"failedCount":0,"skippedCount":0,"createdAt":"2026-11-23T14:52:00.047Z"},"occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 46, '01a208e4-76af-702f-b2bd-7548b8d7571d', 'otp.status', '{"id":"01a208e4-76af-702f-b2bd-7548b8d7571d","type":"otp.status","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":46,"data":{"requestId":"01a208e4-76af-702e-a2be-17c5316e1c5c","provider":"twilio","previousStatus":null,"status":"failed","errorCode":"INVALID_NUMBER","error":"21211 The ''To'' number +96550002222 is not valid.","occurredAt":"2026-11-23T14:52:00.047Z"}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 47, '01a208e4-76af-7033-9d8d-52b264683c82', 'contact.updated', '{"id":"01a208e4-76af-7033-9d8d-52b264683c82","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":47,"data":{"contact":{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":"WHATSAPP","externalId":"96550002222","tags":["tag-omar"],"attributes":{"city":"city omar","web_user_id":"user-omar","web_email_unverified":"web-omar@example.com","nickname":"nick omar"},"optedOut":false,"optedOutAt":null,"lastSeenAt":"2026-11-23T14:52:00.047Z","createdAt":"2026-11-23T14:51:59.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 48, '01a208e4-76af-7035-9fde-267b1c4add53', 'contact.created', '{"id":"01a208e4-76af-7035-9fde-267b1c4add53","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":48,"data":{"contact":{"id":"01a208e4-76af-7034-8df8-2e07360b690c","name":"Twin","email":null,"phone":"96550003333","notes":null,"channelType":null,"externalId":null,"tags":[],"attributes":{},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 49, '01a208e4-76af-7037-ab71-f4cddfb60e27', 'contact.created', '{"id":"01a208e4-76af-7037-ab71-f4cddfb60e27","type":"contact.created","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":49,"data":{"contact":{"id":"01a208e4-76af-7036-8377-10bb771ad607","name":"Twin","email":"twin@example.com","phone":null,"notes":null,"channelType":null,"externalId":null,"tags":[],"attributes":{},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 50, '01a208e4-76af-703a-b96a-e30cf0fff083', 'contact.updated', '{"id":"01a208e4-76af-703a-b96a-e30cf0fff083","type":"contact.updated","apiVersion":"1.0.0","createdAt":"2026-11-23T14:52:00.047Z","workspaceId":"01a208e4-6edf-7001-81f6-ef635fc0c4a1","sequence":50,"data":{"contact":{"id":"01a208e4-76af-7034-8df8-2e07360b690c","name":"Twin","email":"twin@example.com","phone":"96550003333","notes":null,"channelType":null,"externalId":null,"tags":[],"attributes":{},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:52:00.047Z"}}}', '2026-11-23 14:52:00.047+00');
INSERT INTO public.event_sequence VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 50);
INSERT INTO public.idempotency_key VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7007-b748-3656234391f7', '01a208e4-6edf-700b-8a81-284b5248a1b9', '\x54e7db2d3d8d4fa25720ee9836e4321e0c1270280016279a875477b0964c9ce8', 201, '{"id":"01a208e4-6edf-700d-9c9d-4d360e2bf2d7","name":"Name sara","email":"sara@example.com","phone":"96550001111","notes":"notes sara","channelType":null,"externalId":null,"tags":["tag-sara"],"attributes":{"city":"city sara"},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:51:58.047Z"}', '2026-11-23 14:51:58.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7007-b748-3656234391f7', '01a208e4-72c7-700f-a7cb-a7431b269968', '\xf85dfe0808e03ac263d1873193e4349bff27356fae6d4c05e864b6eca1d95c72', 201, '{"id":"01a208e4-72c7-7011-b93a-2b847a60e86d","status":"sent"}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7007-b748-3656234391f7', '01a208e4-72c7-7032-a3d4-78c0bf9cec81', '\x374fc0a12070356efae0a6c45892baec4fb6c328b144596aee42053a7fafceca', 201, '{"id":"01a208e4-72c7-7034-8b6b-8f36731ae866","name":"Name omar","email":"omar@example.com","phone":"96550002222","notes":"notes omar","channelType":null,"externalId":null,"tags":["tag-omar"],"attributes":{"city":"city omar"},"optedOut":false,"optedOutAt":null,"lastSeenAt":null,"createdAt":"2026-11-23T14:51:59.047Z"}', '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7007-b748-3656234391f7', '01a208e4-76af-700f-a643-0d0d18992ec1', '\x5a5052c50fa0509a8748c54439745317e45f464b5ca3cef578fc11bd4036bb01', 201, '{"id":"01a208e4-76af-7011-90dd-3dfc601c738f","status":"sent"}', '2026-11-23 14:52:00.047+00');
INSERT INTO public.inbound_failure VALUES
	('01a208e4-72c7-702e-85e5-4ecf55ec7579', '01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', '\x7b2266726f6d223a223936353530303031313131222c2274657874223a7b22626f6479223a2273617261227d7d', 'string', 1, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-76af-7030-acc2-8e4e3448298d', '01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7003-a2a4-d038541e562c', '\x7b2266726f6d223a223936353530303032323232222c2274657874223a7b22626f6479223a226f6d6172227d7d', 'string', 1, NULL, '2026-11-23 14:52:00.047+00');
INSERT INTO public.master_key VALUES
	(true, '45ce821db3486160');
INSERT INTO public.media VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7003-9afa-b5077e095ba4', 'inbound', '01a208e4-72c7-7002-9455-bbd62dd97e2a', '01a208e4-6edf-7003-a2a4-d038541e562c', 'document', 'stored', NULL, NULL, 'text/plain', 'came sara.txt', 15, '\x5897bb6a6342e3a5e06b2669d01aa915a945e9e05f23e3005f85437aec3987f6', NULL, NULL, 1, NULL, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7012-b9a3-533166013a72', 'outbound', '01a208e4-72c7-7013-8dcd-edcd1d697708', NULL, 'document', 'stored', NULL, NULL, 'text/plain', 'sent sara.txt', 15, '\x80e5a70b5d37ded8ee3d477399647c3d2c10c590c1189a91f6b87b7f0858f71e', NULL, NULL, 0, NULL, NULL, '2026-11-23 14:51:59.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7003-b79c-1c351624363f', 'inbound', '01a208e4-76af-7002-a9e1-a92123895cc1', '01a208e4-6edf-7003-a2a4-d038541e562c', 'document', 'stored', NULL, NULL, 'text/plain', 'came omar.txt', 15, '\x2d3daf14ae1de74186ec1b2894913aa704e3bc002df474eed6b958bafd7e676a', NULL, NULL, 1, NULL, NULL, '2026-11-23 14:52:00.047+00'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7012-a4ec-b7d05a1f3233', 'outbound', '01a208e4-76af-7013-8299-03182fc96743', NULL, 'document', 'stored', NULL, NULL, 'text/plain', 'sent omar.txt', 15, '\x7a8c6c8a0367e4da0f406741843424cd36ffc40b883a6d8f4387b700d67d983a', NULL, NULL, 0, NULL, NULL, '2026-11-23 14:52:00.047+00');
INSERT INTO public.member VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '00000000-0000-7000-8000-000000000002', 'owner@example.com', 'Owner', 'owner', NULL, '2026-11-23 14:52:01.47531+00');
INSERT INTO public.message VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7002-9455-bbd62dd97e2a', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'inbound', 'image', 'text sara', '[{"url": "http://127.0.0.1:0/media/01a208e4-72c7-7003-9afa-b5077e095ba4/AaII5G7fcAGB9u9jX8DEodjLGIELPypfeefU8QFoSH2T3noyTIvIZEnCYvORW-5L", "size": 15, "type": "image", "status": "stored", "mediaId": "01a208e4-72c7-7003-9afa-b5077e095ba4", "fileName": "came sara.txt", "mimeType": "text/plain"}]', NULL, 'received', NULL, NULL, 'channel', 'wamid.96550001111.sara', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7009-9451-07f61905314f', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'inbound', 'text', 'STOP', '[]', NULL, 'received', NULL, NULL, 'channel', 'in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.2', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-700a-8178-7604fbb8691f', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'inbound', 'text', 'START', '[]', NULL, 'received', NULL, NULL, 'channel', 'in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.3', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7011-b93a-2b847a60e86d', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'text', 'reply sara', '[]', NULL, 'sent', NULL, NULL, 'api', 'wamid.1', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7013-8dcd-edcd1d697708', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'document', 'caption sara long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long ', '[{"url": "http://127.0.0.1:0/media/01a208e4-72c7-7012-b9a3-533166013a72/AaII5G7fcAGB9u9jX8DEoZyBZmBDQ_dhszWgLmLgUzrosrmE_aH2bFuqO5LCK4sZ", "size": 15, "type": "document", "status": "stored", "mediaId": "01a208e4-72c7-7012-b9a3-533166013a72", "fileName": "sent sara.txt", "mimeType": "text/plain"}]', NULL, 'sent', NULL, NULL, 'dashboard', 'wamid.2', NULL, NULL, 2, NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7017-ae2d-b095f8c2b113', '01a208e4-72c7-7016-aca4-730379074505', '01a208e4-72c7-7015-96cd-e420d622759c', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'inbound', 'text', 'chat sara', '[]', NULL, 'received', NULL, NULL, 'channel', 'v_BwJwLcqWHTV5mKW8jgh3ew:c1', NULL, NULL, NULL, 1, 1, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7025-a150-e5b8e49715c9', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'template', 'Hello Name sara of city sara', '[]', '{"name": "hello", "language": "en", "bodyParameters": ["Name sara of city sara"], "unmetParameters": []}', 'sent', NULL, NULL, 'broadcast', 'wamid.4', '01a208e4-72c7-7021-9402-7a751ede19a7', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', NULL, NULL, NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-703e-9579-933da0d2249b', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'text', 'waits sara', '[]', NULL, 'sent', NULL, NULL, 'api', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', NULL, NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7002-a9e1-a92123895cc1', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'inbound', 'image', 'text omar', '[{"url": "http://127.0.0.1:0/media/01a208e4-76af-7003-b79c-1c351624363f/AaII5G7fcAGB9u9jX8DEoQj1g7qoS3kuofUeS2Liw1g-Z8TkI1QsKSV_HEQW-I75", "size": 15, "type": "image", "status": "stored", "mediaId": "01a208e4-76af-7003-b79c-1c351624363f", "fileName": "came omar.txt", "mimeType": "text/plain"}]', NULL, 'received', NULL, NULL, 'channel', 'wamid.96550002222.omar', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7009-8fca-16e6f689627d', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'inbound', 'text', 'STOP', '[]', NULL, 'received', NULL, NULL, 'channel', 'in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.5', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-700a-bb16-674056f331b3', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'inbound', 'text', 'START', '[]', NULL, 'received', NULL, NULL, 'channel', 'in.01a208e4-6edf-7001-81f6-ef635fc0c4a1.6', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7011-90dd-3dfc601c738f', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'text', 'reply omar', '[]', NULL, 'sent', NULL, NULL, 'api', 'wamid.5', NULL, NULL, NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7025-9471-1f076d9a1293', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'template', 'Hello Name sara of city sara', '[]', '{"name": "hello", "language": "en", "bodyParameters": ["Name sara of city sara"], "unmetParameters": []}', 'sent', NULL, NULL, 'broadcast', 'wamid.8', '01a208e4-76af-7021-a077-74d84a616842', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7026-b8ce-11d3747eed1a', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'template', 'Hello Name omar of city omar', '[]', '{"name": "hello", "language": "en", "bodyParameters": ["Name omar of city omar"], "unmetParameters": []}', 'sent', NULL, NULL, 'broadcast', 'wamid.9', '01a208e4-76af-7021-a077-74d84a616842', '01a208e4-72c7-7034-8b6b-8f36731ae866', NULL, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7013-8299-03182fc96743', '01a208e4-76af-7001-b3df-05cd1b322adc', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'outbound', 'document', 'caption omar long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long ', '[{"url": "http://127.0.0.1:0/media/01a208e4-76af-7012-a4ec-b7d05a1f3233/AaII5G7fcAGB9u9jX8DEoRso_v4lD1VJmg6pHvY5x3fExXLcWnkylMmVwWSq05NG", "size": 15, "type": "document", "status": "stored", "mediaId": "01a208e4-76af-7012-a4ec-b7d05a1f3233", "fileName": "sent omar.txt", "mimeType": "text/plain"}]', NULL, 'sent', NULL, NULL, 'dashboard', 'wamid.6', NULL, NULL, 2, NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7017-97cd-86f916859cbf', '01a208e4-76af-7016-96f7-06ee39825525', '01a208e4-76af-7015-9bc4-8fa567fd31ad', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 'inbound', 'text', 'chat omar', '[]', NULL, 'received', NULL, NULL, 'channel', 'v_lkz9kVm1UqgUWskOGRFnTw:c1', NULL, NULL, NULL, 1, 1, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL, NULL);
INSERT INTO public.message_outbox VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-703e-9579-933da0d2249b', '01a208e4-72c7-7001-a39c-5a3b8c450041', '01a208e4-6edf-7003-a2a4-d038541e562c', 'waiting', '2026-11-23 14:52:00.047+00', 0, 0, NULL, NULL);
INSERT INTO public.message_part VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7013-8dcd-edcd1d697708', 1, '01a208e4-6edf-7003-a2a4-d038541e562c', 'caption sara long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long ', NULL, 'sent', NULL, NULL, 'wamid.2', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7013-8299-03182fc96743', 2, '01a208e4-6edf-7003-a2a4-d038541e562c', NULL, '01a208e4-76af-7012-a4ec-b7d05a1f3233', 'sent', NULL, NULL, 'wamid.7', '2026-11-23 14:52:00.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7013-8dcd-edcd1d697708', 2, '01a208e4-6edf-7003-a2a4-d038541e562c', NULL, '01a208e4-72c7-7012-b9a3-533166013a72', 'sent', NULL, NULL, 'wamid.3', '2026-11-23 14:51:59.047+00', NULL, NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-7013-8299-03182fc96743', 1, '01a208e4-6edf-7003-a2a4-d038541e562c', 'caption omar long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long ', NULL, 'sent', NULL, NULL, 'wamid.6', '2026-11-23 14:52:00.047+00', NULL, NULL);
INSERT INTO public.migration VALUES
	('0001_core.sql', '2026-11-23 14:51:57.471779+00');
INSERT INTO public.notice VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '00000000-0000-7000-8000-00000000000a', 'channel_error', 'Channel', 'The channel is in error', 'channel:1', '2026-11-23 14:52:01.47531+00', 0, NULL);
INSERT INTO public.number_pace VALUES
	('WHATSAPP  1001', 16664, '2026-11-23 14:52:00.047+00', NULL, NULL, NULL, NULL, '{"01a208e4-72c7-7021-9402-7a751ede19a7": {"at": 1795445519047, "rate": 1000000, "credit": 16665}, "01a208e4-76af-7021-a077-74d84a616842": {"at": 1795445520047, "rate": 1000000, "credit": 8192}}');
INSERT INTO public.opted_out_phone VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '96550009999', '2026-11-23 14:52:01.47531+00', NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '#hmac', '2026-11-23 14:52:01.47531+00', NULL);
INSERT INTO public.otp_record VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-702c-9243-76f72f00f675', '01a208e4-6edf-7009-b9be-677ee1e204c4', 'twilio', '96550001111', 1, 'failed', 'INVALID_NUMBER', '21211 The ''To'' number +96550001111 is not valid.', NULL, '2026-11-23 14:51:59.047+00', '2026-11-23 14:51:59.047+00', NULL),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-702e-a2be-17c5316e1c5c', '01a208e4-6edf-7009-b9be-677ee1e204c4', 'twilio', '96550002222', 1, 'failed', 'INVALID_NUMBER', '21211 The ''To'' number +96550002222 is not valid.', NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL);
INSERT INTO public.person_erasure VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-703c-a8eb-ed54c86f8840', '01a208e4-76af-7034-8df8-2e07360b690c', '{01a208e4-76af-7034-8df8-2e07360b690c,01a208e4-76af-7036-8377-10bb771ad607}', '\x01fdbde3abb5f57ea531a74bffd84df917ea56830894a63a047e46dd99df54087932db515c32aba6a7bf842060c13bcfd69d86210d8961b47044da8af79a66ff799837fc0d7953e252ac2b1ecc9fb5248cff1ab1a7b9871f1c990e1495b2682161b8c1dd1f416c448d5b692c13b651d8245eb4f20dc3cb5f30a38d15bb7e6604e35368a038bb', 'running', 'recipients', '', '{}', '{"segments": [], "campaigns": []}', NULL, '2026-11-23 14:52:00.047+00', 'cli', '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00', NULL);
INSERT INTO public.profile_request VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700d-9c9d-4d360e2bf2d7', '01a208e4-6edf-7003-a2a4-d038541e562c', 'psid-sara', 0, 'infinity'),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-72c7-7034-8b6b-8f36731ae866', '01a208e4-6edf-7003-a2a4-d038541e562c', 'psid-omar', 0, 'infinity');
INSERT INTO public.rate_window VALUES
	('key', '{1,2}', true);
INSERT INTO public.sandbox_runner VALUES
	(true, '00000000-0000-7000-8000-00000000000b', 'http://127.0.0.1:1', '2026-11-23 14:52:01.47531+00');
INSERT INTO public.segment VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-76af-703b-a16b-c29af760349e', 'Kuwait', '{"match":"all","rules":[{"field":"phone","op":"starts_with","value":"965"}]}', NULL, NULL, '2026-11-23 14:52:00.047+00', '2026-11-23 14:52:00.047+00');
INSERT INTO public.sms_look_up VALUES
	('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-00000000000c', '00000000-0000-7000-8000-00000000000d', 'kwtsms', '2026-11-23 14:52:01.47531+00', 'infinity');
INSERT INTO public.sms_provider VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-7009-b9be-677ee1e204c4', 'twilio', 'https://twilio.example', '{"from": "+15551234567", "accountSid": "AC1"}', '\x012629f9628ff2bfba36ced6730e8dc3d22f13950f3e6431d97be763fa220bfebcf7272bc44e03819566fbe5b1d23eace2492463bed08021593cc2b948446f4b7dd0a1f70334ec0e12bb9ad5cff85bb94b1658cd68a43039bb0570eed480ccc5d3270fc05a1274', false, '2026-11-23 14:51:58.047+00', '2026-11-23 14:51:58.047+00', '2026-11-23 14:51:58.047+00');
INSERT INTO public.template VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '01a208e4-6edf-700a-94f6-0474e47ad77e', '01a208e4-6edf-7003-a2a4-d038541e562c', '77', 'hello', 'en', 'MARKETING', 'APPROVED', 'POSITIONAL', '[{"type":"BODY","text":"Hello {{1}}"}]', 1, NULL, '2026-11-23 14:51:58.047+00', NULL);
INSERT INTO public.usage_channel VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '2026-11-01', '01a208e4-6edf-7005-9f01-f6d8cc9e484e', 0, 2, 0, 0),
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '2026-11-01', '01a208e4-6edf-7003-a2a4-d038541e562c', 8, 6, 0, 0);
INSERT INTO public.usage_month VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', '2026-11-01', 8, 0);
INSERT INTO public.workspace VALUES
	('01a208e4-6edf-7001-81f6-ef635fc0c4a1', 'A', 'business', '{}', NULL, NULL, 'UTC', '2026-11-23 14:51:58.047+00'),
	('00000000-0000-7000-8000-000000000001', 'Elsewhere', 'free', '{}', NULL, NULL, 'UTC', '2026-11-23 14:52:01.47531+00');
SELECT pg_catalog.setval('public.broadcast_entry_id_seq', 6, true);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_public_key_key UNIQUE (public_key);
ALTER TABLE ONLY public.attribute_definition
    ADD CONSTRAINT attribute_definition_pkey PRIMARY KEY (workspace_id, key);
ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.broadcast_again
    ADD CONSTRAINT broadcast_again_pkey PRIMARY KEY (workspace_id, broadcast_id, contact_id);
ALTER TABLE ONLY public.broadcast_cursor
    ADD CONSTRAINT broadcast_cursor_pkey PRIMARY KEY (workspace_id, broadcast_id, zone);
ALTER TABLE ONLY public.broadcast_entry
    ADD CONSTRAINT broadcast_entry_pkey PRIMARY KEY (workspace_id, broadcast_id, id);
ALTER TABLE ONLY public.broadcast_flight
    ADD CONSTRAINT broadcast_flight_pkey PRIMARY KEY (workspace_id, broadcast_id, id);
ALTER TABLE ONLY public.broadcast_header
    ADD CONSTRAINT broadcast_header_pkey PRIMARY KEY (workspace_id, broadcast_id, media_id);
ALTER TABLE ONLY public.broadcast_minute
    ADD CONSTRAINT broadcast_minute_pkey PRIMARY KEY (workspace_id, broadcast_id, minute);
ALTER TABLE ONLY public.broadcast
    ADD CONSTRAINT broadcast_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.broadcast_recipient
    ADD CONSTRAINT broadcast_recipient_pkey PRIMARY KEY (workspace_id, broadcast_id, contact_id);
ALTER TABLE ONLY public.broadcast_reply
    ADD CONSTRAINT broadcast_reply_pkey PRIMARY KEY (workspace_id, broadcast_id, contact_id);
ALTER TABLE ONLY public.channel
    ADD CONSTRAINT channel_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.channel_poll
    ADD CONSTRAINT channel_poll_pkey PRIMARY KEY (workspace_id, channel_id);
ALTER TABLE ONLY public.channel
    ADD CONSTRAINT channel_workspace_id_type_external_id_key UNIQUE (workspace_id, type, external_id);
ALTER TABLE ONLY public.chat_visitor
    ADD CONSTRAINT chat_visitor_pkey PRIMARY KEY (workspace_id, channel_id, id);
ALTER TABLE ONLY public.consent_entry
    ADD CONSTRAINT consent_entry_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.contact_alias
    ADD CONSTRAINT contact_alias_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.contact_block
    ADD CONSTRAINT contact_block_pkey PRIMARY KEY (workspace_id, level, start_id);
ALTER TABLE ONLY public.contact_change
    ADD CONSTRAINT contact_change_pkey PRIMARY KEY (workspace_id, contact_id, id);
ALTER TABLE ONLY public.contact_identity
    ADD CONSTRAINT contact_identity_pkey PRIMARY KEY (workspace_id, channel_id, external_id);
ALTER TABLE ONLY public.contact_import
    ADD CONSTRAINT contact_import_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.contact_import_refusal
    ADD CONSTRAINT contact_import_refusal_pkey PRIMARY KEY (workspace_id, import_id, "position");
ALTER TABLE ONLY public.contact_job
    ADD CONSTRAINT contact_job_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.contact_merge_due
    ADD CONSTRAINT contact_merge_due_pkey PRIMARY KEY (workspace_id, keep_id, merged_id);
ALTER TABLE ONLY public.contact
    ADD CONSTRAINT contact_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.contact_total
    ADD CONSTRAINT contact_total_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.conversation
    ADD CONSTRAINT conversation_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.conversation
    ADD CONSTRAINT conversation_workspace_id_channel_id_contact_id_key UNIQUE (workspace_id, channel_id, contact_id);
ALTER TABLE ONLY public.delivery_attempt
    ADD CONSTRAINT delivery_attempt_pkey PRIMARY KEY (workspace_id, endpoint_id, event_sequence, number);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (workspace_id, endpoint_id, event_sequence);
ALTER TABLE ONLY public.early_change
    ADD CONSTRAINT early_change_pkey PRIMARY KEY (workspace_id, channel_id, provider_message_id, occurred_at, kind);
ALTER TABLE ONLY public.early_status
    ADD CONSTRAINT early_status_pkey PRIMARY KEY (workspace_id, channel_id, provider_message_id, status);
ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (workspace_id, sequence);
ALTER TABLE ONLY public.event_sequence
    ADD CONSTRAINT event_sequence_pkey PRIMARY KEY (workspace_id);
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (workspace_id, api_key_id, key);
ALTER TABLE ONLY public.inbound_failure
    ADD CONSTRAINT inbound_failure_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.master_key
    ADD CONSTRAINT master_key_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.media
    ADD CONSTRAINT media_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_workspace_id_email_key UNIQUE (workspace_id, email);
ALTER TABLE ONLY public.message_outbox
    ADD CONSTRAINT message_outbox_pkey PRIMARY KEY (workspace_id, message_id);
ALTER TABLE ONLY public.message_part
    ADD CONSTRAINT message_part_pkey PRIMARY KEY (workspace_id, message_id, number);
ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT notice_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT notice_workspace_id_dedupe_key UNIQUE (workspace_id, dedupe);
ALTER TABLE ONLY public.number_pace
    ADD CONSTRAINT number_pace_pkey PRIMARY KEY (account);
ALTER TABLE ONLY public.opted_out_phone
    ADD CONSTRAINT opted_out_phone_pkey PRIMARY KEY (workspace_id, phone);
ALTER TABLE ONLY public.otp_record
    ADD CONSTRAINT otp_record_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.person_erasure
    ADD CONSTRAINT person_erasure_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.profile_request
    ADD CONSTRAINT profile_request_pkey PRIMARY KEY (workspace_id, contact_id);
ALTER TABLE ONLY public.rate_window
    ADD CONSTRAINT rate_window_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.sandbox_runner
    ADD CONSTRAINT sandbox_runner_pkey PRIMARY KEY (only_one);
ALTER TABLE ONLY public.segment
    ADD CONSTRAINT segment_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.sms_look_up
    ADD CONSTRAINT sms_look_up_pkey PRIMARY KEY (workspace_id, message_id);
ALTER TABLE ONLY public.sms_provider
    ADD CONSTRAINT sms_provider_id_key UNIQUE (id);
ALTER TABLE ONLY public.sms_provider
    ADD CONSTRAINT sms_provider_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.sms_provider
    ADD CONSTRAINT sms_provider_workspace_id_key UNIQUE (workspace_id);
ALTER TABLE ONLY public.template
    ADD CONSTRAINT template_pkey PRIMARY KEY (workspace_id, id);
ALTER TABLE ONLY public.template
    ADD CONSTRAINT template_workspace_id_channel_id_meta_id_key UNIQUE (workspace_id, channel_id, meta_id);
ALTER TABLE ONLY public.usage_channel
    ADD CONSTRAINT usage_channel_pkey PRIMARY KEY (workspace_id, month, channel_id);
ALTER TABLE ONLY public.usage_month
    ADD CONSTRAINT usage_month_pkey PRIMARY KEY (workspace_id, month);
ALTER TABLE ONLY public.workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (id);
CREATE INDEX audit_entry_by_subject ON public.audit_entry USING btree (workspace_id, subject, id);
CREATE INDEX broadcast_active ON public.broadcast USING btree (status, id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));
CREATE INDEX broadcast_again_called ON public.broadcast_again USING btree (workspace_id, broadcast_id) WHERE has_message;
CREATE INDEX broadcast_recent ON public.broadcast USING btree (workspace_id, COALESCE(completed_at, 'infinity'::timestamp with time zone), started_at) WHERE (started_at IS NOT NULL);
CREATE UNIQUE INDEX broadcast_recipient_address ON public.broadcast_recipient USING btree (workspace_id, broadcast_id, public.one_spelling(address)) WHERE holds_address;
CREATE INDEX broadcast_recipient_reason ON public.broadcast_recipient USING btree (workspace_id, broadcast_id, reason, contact_id) WHERE (reason IS NOT NULL);
CREATE INDEX broadcast_recipient_trouble ON public.broadcast_recipient USING btree (workspace_id, broadcast_id, trouble, contact_id) WHERE (trouble IS NOT NULL);
CREATE INDEX broadcast_recipient_zone ON public.broadcast_recipient USING btree (workspace_id, broadcast_id, zone, contact_id) WHERE (zone <> ''::text);
CREATE INDEX broadcast_scheduled ON public.broadcast USING btree (scheduled_at) WHERE (status = 'SCHEDULED'::text);
CREATE INDEX channel_by_account ON public.channel USING btree (type, external_id) WHERE (status <> 'disconnected'::text);
CREATE INDEX channel_by_id ON public.channel USING btree (id);
CREATE INDEX channel_by_waba ON public.channel USING btree (((settings ->> 'wabaId'::text))) WHERE (status <> 'disconnected'::text);
CREATE INDEX channel_polled ON public.channel USING btree (workspace_id, id) WHERE ((status = 'connected'::text) AND ((settings ->> 'polling'::text) = 'true'::text));
CREATE INDEX channel_sandbox ON public.channel USING btree (id) WHERE (sandbox AND (status <> 'disconnected'::text));
CREATE INDEX channel_sync_due ON public.channel USING btree (sync_due_at) WHERE (status <> 'disconnected'::text);
CREATE INDEX chat_visitor_by_user ON public.chat_visitor USING btree (workspace_id, channel_id, user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX consent_entry_by_contact ON public.consent_entry USING btree (workspace_id, contact_id, id DESC);
CREATE INDEX consent_entry_by_customer ON public.consent_entry USING btree (workspace_id, created_at) WHERE (opted_out AND (source = ANY (ARRAY['stop_word'::text, 'platform'::text])));
CREATE INDEX consent_entry_by_phone ON public.consent_entry USING btree (workspace_id, phone, id DESC) WHERE (phone IS NOT NULL);
CREATE INDEX contact_alias_by_contact ON public.contact_alias USING btree (workspace_id, contact_id);
CREATE INDEX contact_by_attribute ON public.contact USING gin (workspace_id, attribute_terms) WITH (fastupdate='on', gin_pending_list_limit='512') WHERE (attribute_terms IS NOT NULL);
CREATE INDEX contact_by_creation ON public.contact USING btree (workspace_id, created_at) INCLUDE (channel_type, opted_out_at);
CREATE INDEX contact_by_email ON public.contact USING btree (workspace_id, public.folded(email), id) WHERE (email IS NOT NULL);
CREATE INDEX contact_by_external_id ON public.contact USING btree (workspace_id, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX contact_by_opt_out ON public.contact USING btree (workspace_id) WHERE (opted_out_at IS NOT NULL);
CREATE INDEX contact_by_phone ON public.contact USING btree (workspace_id, phone, id) WHERE (phone IS NOT NULL);
CREATE INDEX contact_by_tag ON public.contact USING gin (workspace_id, tags) WITH (fastupdate='on', gin_pending_list_limit='512');
CREATE INDEX contact_change_age ON public.contact_change USING btree (created_at);
CREATE INDEX contact_identity_by_contact ON public.contact_identity USING btree (workspace_id, contact_id);
CREATE UNIQUE INDEX contact_import_open ON public.contact_import USING btree (workspace_id, file_hash, md5((options)::text)) WHERE (state = 'running'::text);
CREATE INDEX contact_import_refusal_age ON public.contact_import_refusal USING btree (created_at);
CREATE INDEX contact_job_running ON public.contact_job USING btree (updated_at) WHERE (state = 'running'::text);
CREATE INDEX contact_search ON public.contact USING gin (workspace_id, search public.gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='512');
CREATE INDEX conversation_list ON public.conversation USING btree (workspace_id, status, channel_id, id);
CREATE INDEX delivery_due ON public.delivery USING btree (workspace_id, endpoint_id, next_attempt_at, event_sequence) WHERE (state = 'pending'::text);
CREATE INDEX delivery_failed ON public.delivery USING btree (workspace_id, endpoint_id, event_sequence) WHERE (state = 'exhausted'::text);
CREATE INDEX delivery_order ON public.delivery USING btree (workspace_id, endpoint_id, order_key, event_sequence) WHERE ((state = 'pending'::text) AND (order_key IS NOT NULL));
CREATE INDEX early_change_age ON public.early_change USING btree (received_at);
CREATE INDEX early_status_age ON public.early_status USING btree (received_at);
CREATE INDEX endpoint_hastening ON public.endpoint USING btree (workspace_id, id) WHERE hastening;
CREATE INDEX event_by_id ON public.event USING btree (id);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (created_at);
CREATE INDEX inbound_failure_by_workspace ON public.inbound_failure USING btree (workspace_id, retry_at);
CREATE INDEX inbound_failure_due ON public.inbound_failure USING btree (retry_at) WHERE (retry_at IS NOT NULL);
CREATE INDEX media_due ON public.media USING btree (available_at) WHERE ((state = 'pending'::text) AND (available_at IS NOT NULL));
CREATE INDEX media_erased ON public.media USING btree (workspace_id, erasure_id) WHERE (erasure_id IS NOT NULL);
CREATE INDEX media_expired ON public.media USING btree (delete_at) WHERE (delete_at IS NOT NULL);
CREATE INDEX media_of_message ON public.media USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);
CREATE UNIQUE INDEX message_by_provider_id ON public.message USING btree (workspace_id, COALESCE(channel_id, '00000000-0000-0000-0000-000000000000'::uuid), provider_message_id) WHERE (provider_message_id IS NOT NULL);
CREATE UNIQUE INDEX message_chat ON public.message USING btree (workspace_id, conversation_id, chat_changed) WHERE (chat_changed IS NOT NULL);
CREATE INDEX message_outbox_due ON public.message_outbox USING btree (available_at, message_id) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX message_outbox_in_flight ON public.message_outbox USING btree (workspace_id, conversation_id) WHERE (state = ANY (ARRAY['claimed'::text, 'calling'::text]));
CREATE INDEX message_outbox_lane ON public.message_outbox USING btree (workspace_id, conversation_id, message_id);
CREATE INDEX message_outbox_leased ON public.message_outbox USING btree (lease_until) WHERE (state = ANY (ARRAY['claimed'::text, 'calling'::text]));
CREATE INDEX message_outbox_unknown ON public.message_outbox USING btree (unknown_until) WHERE (state = 'unknown'::text);
CREATE UNIQUE INDEX message_part_by_provider_id ON public.message_part USING btree (workspace_id, channel_id, provider_message_id) WHERE (provider_message_id IS NOT NULL);
CREATE INDEX message_thread ON public.message USING btree (workspace_id, conversation_id, id DESC);
CREATE INDEX notice_unmailed ON public.notice USING btree (mail_due_at) WHERE (mail_due_at IS NOT NULL);
CREATE INDEX opted_out_phone_nobodys ON public.opted_out_phone USING btree (nobodys_since) WHERE (nobodys_since IS NOT NULL);
CREATE INDEX opted_out_phone_since ON public.opted_out_phone USING btree (since);
CREATE INDEX otp_record_by_mobile ON public.otp_record USING btree (workspace_id, mobile, id);
CREATE INDEX otp_record_by_provider_id ON public.otp_record USING btree (workspace_id, provider_message_id) WHERE (provider_message_id IS NOT NULL);
CREATE INDEX otp_record_open ON public.otp_record USING btree (created_at) WHERE (status = 'calling'::text);
CREATE INDEX otp_record_receipt_due ON public.otp_record USING btree (receipt_due_at) WHERE (receipt_due_at IS NOT NULL);
CREATE INDEX person_erasure_due ON public.person_erasure USING btree (due_at) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX person_erasure_open ON public.person_erasure USING btree (workspace_id, contact_id) WHERE (state = 'running'::text);
CREATE INDEX profile_request_due ON public.profile_request USING btree (available_at);
CREATE INDEX segment_due ON public.segment USING btree (count_due_at);
CREATE INDEX sms_look_up_due ON public.sms_look_up USING btree (due_at);
CREATE INDEX sms_provider_sandbox ON public.sms_provider USING btree (id) WHERE sandbox;
CREATE STATISTICS public.conversation_of_channel (dependencies) ON workspace_id, channel_id FROM public.conversation;
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.attribute_definition
    ADD CONSTRAINT attribute_definition_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.audit_entry
    ADD CONSTRAINT audit_entry_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.channel
    ADD CONSTRAINT channel_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.contact_import
    ADD CONSTRAINT contact_import_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.contact_job
    ADD CONSTRAINT contact_job_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.member
    ADD CONSTRAINT member_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.notice
    ADD CONSTRAINT notice_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.person_erasure
    ADD CONSTRAINT person_erasure_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.segment
    ADD CONSTRAINT segment_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.sms_provider
    ADD CONSTRAINT sms_provider_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
ALTER TABLE ONLY public.template
    ADD CONSTRAINT template_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspace(id);
