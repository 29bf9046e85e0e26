<?php

declare(strict_types=1);

namespace Parley\Internal;

/** What the client needs of the world. Tests give their own. */
class Surroundings
{
    public function now(): float
    {
        return microtime(true);
    }

    /** 0 to 1. */
    public function random(): float
    {
        return random_int(0, 1_000_000) / 1_000_000;
    }

    public function sleep(float $seconds): void
    {
        usleep((int) round($seconds * 1_000_000));
    }
}
