<?php

declare(strict_types=1);

namespace Parley;

use Parley\Internal\Caller;
use Parley\Internal\Surroundings;
use Parley\Internal\Transport;

/** A client of one workspace. */
final class Parley extends Resources
{
    private readonly Transport $transport;

    /**
     * @param string|false|null $baseUrl the address of the API, as `getenv` gives it: it ends in `/api`, as `https://parley.example.com/api`
     * @param string|false|null $apiKey both halves of an API key, joined by a colon. It acts as the whole workspace
     * @param float $timeout for each try, in seconds
     * @param int|null $maxRetries how often a call that may be repeated is tried again at most; without it as often as
     *     `$giveUpAfter` lets it
     * @param float $maxWait the longest wait between two tries, in seconds, whatever the server asks; beyond it the call fails
     * @param bool $waitForRateLimit wait before a request that the rate limit would refuse, instead of being refused first
     * @param array<string, string> $headers sent with every request
     * @param (\Closure(Attempt): void)|null $onAttempt called after every try
     * @param float|null $giveUpAfter how long after its start a call that may be repeated is still tried again, in seconds: 90,
     *     or no time when `$maxRetries` is given
     * @throws \InvalidArgumentException for options that cannot work
     */
    public function __construct(
        string|false|null $baseUrl,
        #[\SensitiveParameter] string|false|null $apiKey,
        float $timeout = 30.0,
        ?int $maxRetries = null,
        float $maxWait = 60.0,
        bool $waitForRateLimit = false,
        array $headers = [],
        ?\Closure $onAttempt = null,
        ?float $giveUpAfter = null,
        ?Surroundings $around = null,
    ) {
        $this->transport = new Transport(
            self::readBaseUrl($baseUrl),
            self::readKey($apiKey),
            $timeout,
            $maxRetries,
            $giveUpAfter,
            $maxWait,
            $waitForRateLimit,
            $headers,
            $onAttempt,
            $around ?? new Surroundings(),
        );
        parent::__construct(new Caller($this->transport));
    }

    /** What the server last said of this key's rate; null before the first answer. */
    public function rateLimit(): ?RateLimit
    {
        return $this->transport->rate->current();
    }

    /** @internal */
    public static function readBaseUrl(string|false|null $text): string
    {
        if (trim((string) $text) === '') {
            throw new \InvalidArgumentException('baseUrl is missing or empty: is the variable set that holds it?');
        }
        $url = parse_url((string) $text);
        if ($url === false || !isset($url['scheme'], $url['host'])) {
            throw new \InvalidArgumentException('baseUrl must be an address as https://parley.example.com/api');
        }
        if (!in_array($url['scheme'], ['http', 'https'], true) || isset($url['query']) || isset($url['fragment']) || isset($url['user'])) {
            throw new \InvalidArgumentException('baseUrl must be http or https, without a query and without credentials');
        }
        return rtrim((string) $text, '/');
    }

    private static function readKey(string|false|null $key): string
    {
        // Quoting it in the error would put the secret into logs.
        $text = trim((string) $key);
        if ($text === '') {
            throw new \InvalidArgumentException('apiKey is missing or empty: is the variable set that holds it?');
        }
        if (preg_match('/\A[!-9;-~]+:[!-~]+\z/', $text) !== 1) {
            throw new \InvalidArgumentException('apiKey must be PUBLIC:SECRET, both halves of an API key');
        }
        return $text;
    }
}
