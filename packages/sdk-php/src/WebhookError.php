<?php

declare(strict_types=1);

namespace Parley;

/** Why a delivery is not believed. Answer it with 400. */
final class WebhookError extends \RuntimeException
{
    /** @param 'NO_SIGNATURE'|'MALFORMED_SIGNATURE'|'WRONG_SIGNATURE'|'STALE_SIGNATURE'|'MALFORMED_BODY' $errorCode */
    public function __construct(public readonly string $errorCode, string $why)
    {
        parent::__construct("$errorCode ($why)");
    }
}
