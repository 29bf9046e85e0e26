<?php

declare(strict_types=1);

namespace Parley;

/** One try of a call, for logs and metrics. */
final class Attempt
{
    /**
     * @param string $operation the operation's name in the document
     * @param int $attempt 1 is the first
     * @param int|null $status null when no answer came
     * @param bool $replayed the stored answer of an earlier call under the same key
     */
    public function __construct(
        public readonly string $operation,
        public readonly string $method,
        public readonly string $url,
        public readonly int $attempt,
        public readonly ?int $status,
        public readonly ?string $requestId,
        public readonly bool $replayed,
        public readonly float $seconds,
    ) {
    }
}
