<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * One-time passcodes by SMS.
 *
 * @phpstan-import-type CheckVerification from \Parley\Types
 * @phpstan-import-type NewOtp from \Parley\Types
 * @phpstan-import-type SmsResult from \Parley\Types
 * @phpstan-import-type StartVerification from \Parley\Types
 * @phpstan-import-type Verification from \Parley\Types
 */
final class Otp
{
    public function __construct(private readonly Caller $caller)
    {
    }

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
     *
     * @param NewOtp $body
     * @return SmsResult
     * @throws \Parley\ParleyError
     */
    public function send(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('sendOtp', 'POST', '/v1/otp/send', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

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
     *
     * @param StartVerification $body
     * @return Verification
     * @throws \Parley\ParleyError
     */
    public function startVerification(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('startVerification', 'POST', '/v1/otp/verifications', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

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
     *
     * @param string $id The verification.
     * @return Verification
     * @throws \Parley\ParleyError
     */
    public function getVerification(string $id, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('readVerification', 'GET', '/v1/otp/verifications/' . Request::segment('id', $id)), null, $timeout, $maxRetries);
    }

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
     *
     * @param string $id The verification.
     * @param CheckVerification $body
     * @return Verification
     * @throws \Parley\ParleyError
     */
    public function checkVerification(string $id, array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('checkVerification', 'POST', '/v1/otp/verifications/' . Request::segment('id', $id) . '/check', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

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
     *
     * @param string $id The verification.
     * @return Verification
     * @throws \Parley\ParleyError
     */
    public function cancelVerification(string $id, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('cancelVerification', 'POST', '/v1/otp/verifications/' . Request::segment('id', $id) . '/cancel', keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }
}
