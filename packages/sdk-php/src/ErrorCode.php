<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley;

/** What `ParleyError::$errorCode` says. A newer server may say one that is not here: keep a default. */
final class ErrorCode
{
    public const ATTACHMENT_REFUSED = 'ATTACHMENT_REFUSED';
    public const BODY_TOO_LARGE = 'BODY_TOO_LARGE';
    public const BROADCAST_NOT_FOUND = 'BROADCAST_NOT_FOUND';
    public const BROADCAST_NOT_STARTABLE = 'BROADCAST_NOT_STARTABLE';
    public const CHANNEL_LIMIT_REACHED = 'CHANNEL_LIMIT_REACHED';
    public const CHANNEL_NEEDED = 'CHANNEL_NEEDED';
    public const CONNECTION_FAILED = 'CONNECTION_FAILED';
    public const CONSENT_HELD = 'CONSENT_HELD';
    public const CONTACT_CONFLICT = 'CONTACT_CONFLICT';
    public const CONTACT_NEEDS_IDENTITY = 'CONTACT_NEEDS_IDENTITY';
    public const CONTACT_OPTED_OUT = 'CONTACT_OPTED_OUT';
    public const CONVERSATION_NOT_FOUND = 'CONVERSATION_NOT_FOUND';
    public const FORBIDDEN = 'FORBIDDEN';
    public const IDEMPOTENCY_IN_PROGRESS = 'IDEMPOTENCY_IN_PROGRESS';
    public const IDEMPOTENCY_KEY_REUSED = 'IDEMPOTENCY_KEY_REUSED';
    public const INSUFFICIENT_CREDITS = 'INSUFFICIENT_CREDITS';
    public const INTERNAL = 'INTERNAL';
    public const INVALID_API_KEY = 'INVALID_API_KEY';
    public const MALFORMED_API_KEY = 'MALFORMED_API_KEY';
    public const MALFORMED_JSON = 'MALFORMED_JSON';
    public const MEDIA_PENDING = 'MEDIA_PENDING';
    public const MESSAGE_LIMIT_REACHED = 'MESSAGE_LIMIT_REACHED';
    public const METHOD_NOT_ALLOWED = 'METHOD_NOT_ALLOWED';
    public const MISSING_API_KEY = 'MISSING_API_KEY';
    public const MISSING_SCOPE_AUDIT_READ = 'MISSING_SCOPE:audit:read';
    public const MISSING_SCOPE_BOTS_READ = 'MISSING_SCOPE:bots:read';
    public const MISSING_SCOPE_BOTS_WRITE = 'MISSING_SCOPE:bots:write';
    public const MISSING_SCOPE_BROADCASTS_DRAFT = 'MISSING_SCOPE:broadcasts:draft';
    public const MISSING_SCOPE_BROADCASTS_READ = 'MISSING_SCOPE:broadcasts:read';
    public const MISSING_SCOPE_BROADCASTS_WRITE = 'MISSING_SCOPE:broadcasts:write';
    public const MISSING_SCOPE_CHANNELS_READ = 'MISSING_SCOPE:channels:read';
    public const MISSING_SCOPE_CHANNELS_WRITE = 'MISSING_SCOPE:channels:write';
    public const MISSING_SCOPE_CONTACTS_CONSENT = 'MISSING_SCOPE:contacts:consent';
    public const MISSING_SCOPE_CONTACTS_ERASE = 'MISSING_SCOPE:contacts:erase';
    public const MISSING_SCOPE_CONTACTS_EXPORT = 'MISSING_SCOPE:contacts:export';
    public const MISSING_SCOPE_CONTACTS_READ = 'MISSING_SCOPE:contacts:read';
    public const MISSING_SCOPE_CONTACTS_WRITE = 'MISSING_SCOPE:contacts:write';
    public const MISSING_SCOPE_CONVERSATIONS_WRITE = 'MISSING_SCOPE:conversations:write';
    public const MISSING_SCOPE_MESSAGES_DRAFT = 'MISSING_SCOPE:messages:draft';
    public const MISSING_SCOPE_MESSAGES_READ = 'MISSING_SCOPE:messages:read';
    public const MISSING_SCOPE_MESSAGES_WRITE = 'MISSING_SCOPE:messages:write';
    public const MISSING_SCOPE_OTP_SEND = 'MISSING_SCOPE:otp:send';
    public const MISSING_SCOPE_OTP_VERIFY = 'MISSING_SCOPE:otp:verify';
    public const MISSING_SCOPE_RETENTION_WRITE = 'MISSING_SCOPE:retention:write';
    public const MISSING_SCOPE_SEGMENTS_WRITE = 'MISSING_SCOPE:segments:write';
    public const MISSING_SCOPE_TEAM_READ = 'MISSING_SCOPE:team:read';
    public const MISSING_SCOPE_TEMPLATES_READ = 'MISSING_SCOPE:templates:read';
    public const MISSING_SCOPE_TEMPLATES_SEND = 'MISSING_SCOPE:templates:send';
    public const MISSING_SCOPE_TEMPLATES_WRITE = 'MISSING_SCOPE:templates:write';
    public const MISSING_SCOPE_USAGE_READ = 'MISSING_SCOPE:usage:read';
    public const MISSING_SCOPE_WEBHOOKS_READ = 'MISSING_SCOPE:webhooks:read';
    public const MISSING_SCOPE_WEBHOOKS_WRITE = 'MISSING_SCOPE:webhooks:write';
    public const NAME_TAKEN = 'NAME_TAKEN';
    public const NOT_ALLOWED_IN_STATE = 'NOT_ALLOWED_IN_STATE';
    public const NOT_FETCHED = 'NOT_FETCHED';
    public const NOT_FOUND = 'NOT_FOUND';
    public const NOT_SUPPORTED_HERE = 'NOT_SUPPORTED_HERE';
    public const OTP_COUNTRY_REFUSED = 'OTP_COUNTRY_REFUSED';
    public const OTP_NUMBER_LIMITED = 'OTP_NUMBER_LIMITED';
    public const OTP_RATE_LIMITED = 'OTP_RATE_LIMITED';
    public const OVERLOADED = 'OVERLOADED';
    public const RATE_LIMITED = 'RATE_LIMITED';
    public const ROUTE_NOT_FOUND = 'ROUTE_NOT_FOUND';
    public const SMS_PROVIDER_NOT_VERIFIED = 'SMS_PROVIDER_NOT_VERIFIED';
    public const STORAGE_FULL = 'STORAGE_FULL';
    public const STREAM_REPLACED = 'STREAM_REPLACED';
    public const SUBSCRIPTION_SUSPENDED = 'SUBSCRIPTION_SUSPENDED';
    public const TEMPLATE_NOT_APPROVED = 'TEMPLATE_NOT_APPROVED';
    public const TEMPLATE_PARAMETERS = 'TEMPLATE_PARAMETERS';
    public const TIMED_OUT = 'TIMED_OUT';
    public const UNEXPECTED_ANSWER = 'UNEXPECTED_ANSWER';
    public const UNSENT_FILES_FULL = 'UNSENT_FILES_FULL';
    public const UNSUPPORTED_MEDIA_TYPE = 'UNSUPPORTED_MEDIA_TYPE';
    public const VALIDATION_FAILED = 'VALIDATION_FAILED';
    public const VERSION_MISMATCH = 'VERSION_MISMATCH';
}
