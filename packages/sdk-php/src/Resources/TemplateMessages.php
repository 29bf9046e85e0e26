<?php

// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.

declare(strict_types=1);

namespace Parley\Resources;

use Parley\Internal\Caller;
use Parley\Internal\Request;

/**
 * Templates to people who need not have written yet.
 *
 * @phpstan-import-type SendTemplateBatch from \Parley\Types
 * @phpstan-import-type SendTemplateMessage from \Parley\Types
 * @phpstan-import-type TemplateMessage from \Parley\Types
 * @phpstan-import-type TemplateMessageAccepted from \Parley\Types
 * @phpstan-import-type TemplateMessageResult from \Parley\Types
 * @phpstan-import-type TemplateMessageResults from \Parley\Types
 */
final class TemplateMessages
{
    public function __construct(private readonly Caller $caller)
    {
    }

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
     *
     * @param SendTemplateMessage $body
     * @return TemplateMessageAccepted
     * @throws \Parley\ParleyError
     */
    public function send(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('sendTemplateMessage', 'POST', '/v1/template-messages', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

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
     *
     * @param SendTemplateBatch $body
     * @return TemplateMessageResults
     * @throws \Parley\ParleyError
     */
    public function sendTemplateBatch(array $body, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): array
    {
        return $this->caller->call(new Request('sendTemplateBatch', 'POST', '/v1/template-messages/batch', body: $body, keyed: true), $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Send many template messages, each as by the single call: any number of them, 100 in a call.
     *
     * Gives each item with its result, in their order. It sends as the results are read.
     * Call N has the idempotency key `KEY:N`: after a failure the same items under the same key have their effect once.
     *
     * @param iterable<TemplateMessage> $messages
     * @return \Generator<int, array{TemplateMessage, TemplateMessageResult}>
     * @throws \Parley\ParleyError
     */
    public function sendAll(iterable $messages, ?string $idempotencyKey = null, ?float $timeout = null, ?int $maxRetries = null): \Generator
    {
        return $this->caller->inBatches($messages, 100, fn (array $part, string $key): array => $this->sendTemplateBatch(['messages' => $part], $key, $timeout, $maxRetries), $idempotencyKey);
    }
}
