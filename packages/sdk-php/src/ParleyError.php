<?php

declare(strict_types=1);

namespace Parley;

/** Why a call failed. Switch on `errorCode`; every other member explains it. */
final class ParleyError extends \RuntimeException
{
    /** With VALIDATION_FAILED: every fault. @var list<array{path: string, message: string}> */
    public readonly array $details;
    /** With a plan's limit (402): the limit at that moment. */
    public readonly ?int $limit;
    /** With a plan's limit (402): the use at that moment. */
    public readonly ?int $usage;

    /**
     * @param string $errorCode one of `ErrorCode`. A newer server may say one that this version does not know: keep a default
     * @param int $attempts how often it was tried
     * @param string|null $idempotencyKey of a POST. When the outcome is not known, the same call under this key is safe for 24 hours
     * @param int|null $status the HTTP status; null when no answer came
     * @param string|null $requestId names the request in the server's log
     * @param float|null $retryAfter how long the server asked to wait, in seconds
     * @param array<string, mixed> $body
     */
    public function __construct(
        public readonly string $errorCode,
        public readonly int $attempts,
        public readonly ?string $idempotencyKey = null,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfter = null,
        array $body = [],
        ?string $hint = null,
        ?\Throwable $previous = null,
    ) {
        $this->details = is_array($body['details'] ?? null) ? $body['details'] : [];
        $this->limit = $body['limit'] ?? null;
        $this->usage = $body['usage'] ?? null;
        $faults = array_map(static fn (array $one): string => $one['path'] === '' ? $one['message'] : "{$one['path']}: {$one['message']}", $this->details);
        $why = implode('; ', $faults) ?: $hint;
        parent::__construct($why === null ? $errorCode : "$errorCode ($why)", 0, $previous);
    }
}
