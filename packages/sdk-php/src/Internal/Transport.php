<?php

declare(strict_types=1);

namespace Parley\Internal;

use Parley\Attempt;
use Parley\ParleyError;

/** Sends requests: credential, idempotency key, time-out, retries. One per client. */
final class Transport
{
    private const VERSION = '1.0.0';
    /** A minute, which the rate limit may ask for, and a try of half a minute. A server that is started again is back by then. */
    private const GIVE_UP_AFTER = 90.0;
    private const FIRST_GAP = 0.5;
    private const LONGEST_GAP = 8.0;

    public readonly RateGate $rate;
    private bool $saidAbsent = false;

    /**
     * @param string|null $apiKey null of a call whose path is its proof
     * @param array<string, string> $headers
     * @param (\Closure(Attempt): void)|null $onAttempt
     */
    public function __construct(
        private readonly string $baseUrl,
        #[\SensitiveParameter] private readonly ?string $apiKey,
        private readonly float $timeout,
        private readonly ?int $maxRetries,
        private readonly ?float $giveUpAfter,
        private readonly float $maxWait,
        private readonly bool $waitForRateLimit,
        private readonly array $headers,
        private readonly ?\Closure $onAttempt,
        private readonly Surroundings $around,
    ) {
        $this->rate = new RateGate($around);
    }

    /** @throws ParleyError */
    public function call(Request $request, ?string $idempotencyKey, ?float $timeout, ?int $maxRetries): mixed
    {
        $key = $request->keyed ? $idempotencyKey ?? self::newKey() : null;
        $sent = $key === null ? null : self::latin($key);
        // Once: each try has the same bytes.
        $body = $request->bodyText();
        $until = $this->begin($maxRetries);
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->try($request, $timeout ?? $this->timeout, $attempt, $key, $sent, $body);
            } catch (ParleyError $error) {
                if (!$this->again($request, $error, $attempt, $until, $maxRetries)) {
                    throw $error;
                }
            }
        }
    }

    /** Waits for the first try's turn. Gives the time after which there is no other try: who says how often means no time. */
    public function begin(?int $maxRetries): float
    {
        $this->rate->enter($this->waitForRateLimit);
        $counted = ($maxRetries ?? $this->maxRetries) !== null;
        return $this->around->now() + ($this->giveUpAfter ?? ($counted ? INF : self::GIVE_UP_AFTER));
    }

    /** True when another try is worth it, and begins before `$until`; then it has waited for it. */
    public function again(Request $request, ParleyError $error, int $attempt, float $until, ?int $maxRetries): bool
    {
        if ($attempt > ($maxRetries ?? $this->maxRetries ?? PHP_INT_MAX) || !self::mayRepeat($request, $error)) {
            return false;
        }
        // What is asked for is compared, not what chance adds to it: a whole minute is within a maximum of one.
        if (($error->retryAfter ?? 0) > $this->maxWait) {
            return false;
        }
        // Half of it is chance, so that clients that failed together do not return together.
        $jitter = $this->around->random();
        $most = min(self::LONGEST_GAP, self::FIRST_GAP * 2 ** min($attempt - 1, 10));
        $gap = $most * (0.5 + $jitter / 2);
        $left = $until - $this->around->now();
        if (($error->retryAfter ?? $gap) > $left) {
            return false;
        }
        if ($error->getPrevious() instanceof NotConnected) {
            $this->sayAbsent($left);
        }
        $this->around->sleep($error->retryAfter === null ? $gap : $error->retryAfter + $jitter * 0.25);
        // Those that were refused together take turns: all at once they would be refused again.
        return $this->rate->enter($this->waitForRateLimit || $error->status === 429, $this->waitForRateLimit ? INF : $until);
    }

    /** Says once that there is no server: with a wrong address a program would seem to hang. */
    private function sayAbsent(float $left): void
    {
        if ($this->saidAbsent) {
            return;
        }
        $this->saidAbsent = true;
        $time = $left === INF ? '' : ' for up to ' . round($left) . ' s';
        error_log("parley: no server at {$this->baseUrl}; asking again$time");
    }

    /**
     * Opens a stream, or a file that is read as it arrives: the answer, which the caller closes, or a ParleyError.
     *
     * @param array<string, string> $headers
     */
    public function open(Request $request, ?float $silence, int $attempt, array $headers): Connection
    {
        $silence ??= $this->timeout;
        [$connection, $raw] = $this->send($request, $headers, $silence, $attempt, null, null, null, true);
        if ($connection->status === 200) {
            $connection->lasts($silence);
            return $connection;
        }
        throw self::refused($connection, $raw, $attempt, null);
    }

    private function try(Request $request, float $timeout, int $attempt, ?string $key, ?string $sent, mixed $body): mixed
    {
        $headers = ['Accept' => 'application/json'] + ($request->ifMatch === null ? [] : ['If-Match' => $request->ifMatch]);
        [$connection, $raw] = $this->send($request, $headers, $timeout, $attempt, $key, $sent, $body, false);
        $fine = $connection->status >= 200 && $connection->status < 300;
        if ($fine && ($request->binary || str_starts_with($connection->headers['content-type'] ?? '', 'text/csv'))) {
            return $raw;
        }
        [$read, $value] = self::parse($raw);
        if ($fine && $read) {
            return $request->withEtag ? [$value, $connection->headers['etag'] ?? ''] : $value;
        }
        throw self::refused($connection, $raw, $attempt, $key);
    }

    /**
     * @param array<string, string> $headers
     * @return array{Connection, string} the answer with its body, which of a stream that opened is not read
     */
    private function send(Request $request, array $headers, float $timeout, int $attempt, ?string $key, ?string $sent, mixed $body, bool $stream): array
    {
        $url = $this->baseUrl . $request->path . $request->queryText();
        $all = ['User-Agent' => 'parley-sdk-php/' . self::VERSION] + $headers + ($this->apiKey === null ? [] : ['Authorization' => "Bearer {$this->apiKey}"]);
        if ($body !== null) {
            $all['Content-Type'] = $request->bodyType ?? 'application/json';
        }
        if ($sent !== null) {
            $all['Idempotency-Key'] = $sent;
        }
        $begun = microtime(true);
        $connection = null;
        $failure = null;
        $raw = '';
        try {
            $connection = new Connection($request->method, $url, $all + $this->headers, $body, $timeout);
            if (!$stream || $connection->status !== 200) {
                $raw = $connection->body();
                $connection->close();
            }
        } catch (TimedOut | ConnectionFailed $error) {
            $failure = $error;
            $connection?->close();
        }
        $said = $connection?->headers ?? [];
        $this->rate->leave($said);
        if ($this->onAttempt !== null) {
            $replayed = ($said['idempotency-replayed'] ?? '') === 'true';
            ($this->onAttempt)(new Attempt($request->id, $request->method, $url, $attempt, $connection?->status, $said['x-request-id'] ?? null, $replayed, microtime(true) - $begun));
        }
        if (isset($said['parley-ignored'])) {
            // No warning of PHP: frameworks make exceptions of those, after the call has had its effect.
            error_log("parley: {$request->id} ignored these members: {$said['parley-ignored']}");
        }
        if (isset($said['parley-held'])) {
            error_log("parley: {$request->id} did not change these members: {$said['parley-held']}");
        }
        if ($failure === null && $connection !== null) {
            return [$connection, $raw];
        }
        $late = $failure instanceof TimedOut;
        throw new ParleyError(
            $late ? 'TIMED_OUT' : 'CONNECTION_FAILED',
            $attempt,
            $key,
            hint: $late ? "no whole answer within $timeout s" : "no answer from $url: {$failure?->getMessage()}",
            previous: $failure,
        );
    }

    /**
     * True when the same request again can only have the effect that one would have had. A PATCH may add to what it finds, as
     * a note: it is sent again only when the first did not arrive, whatever version it is bound to.
     */
    private static function mayRepeat(Request $request, ParleyError $error): bool
    {
        return match (true) {
            $error->errorCode === 'STREAM_REPLACED' => false,
            $error->status === 429 => true,
            // The disk stays full until somebody makes room.
            $error->errorCode === 'STORAGE_FULL' => false,
            $error->status === 409 => $error->errorCode === 'IDEMPOTENCY_IN_PROGRESS',
            $error->getPrevious() instanceof NotConnected => true,
            !in_array($request->method, ['GET', 'PUT', 'DELETE'], true) && !$request->keyed && !$request->repeatable => $error->status === 503 && $error->errorCode === 'OVERLOADED',
            default => $error->status === null || $error->status >= 500,
        };
    }

    private static function refused(Connection $connection, string $raw, int $attempt, ?string $key): ParleyError
    {
        [, $body] = self::parse($raw);
        $status = $connection->status;
        $known = [$attempt, $key, $status, $connection->headers['x-request-id'] ?? null, self::retryAfter($connection)];
        if (!is_array($body) || !isset($body['message']) || ($status >= 200 && $status < 300)) {
            return new ParleyError('UNEXPECTED_ANSWER', ...$known, hint: "status $status without the API's body");
        }
        $code = (string) $body['message'];
        return new ParleyError($code, ...$known, body: $body, hint: $code === 'ROUTE_NOT_FOUND' ? 'does baseUrl end in /api?' : null);
    }

    /** @return array{bool, mixed} whether it is JSON, and what it says */
    private static function parse(string $raw): array
    {
        try {
            return [true, json_decode($raw, true, 512, JSON_THROW_ON_ERROR)];
        } catch (\JsonException) {
            return [false, null];
        }
    }

    /**
     * Seconds or, from a proxy, a date; of a rate that says neither, when it has room again. A time that is over says
     * nothing: a client that returned at once would do so again and again.
     */
    private static function retryAfter(Connection $connection): ?float
    {
        $text = $connection->headers['retry-after'] ?? ($connection->status === 429 ? $connection->headers['ratelimit-reset'] ?? '' : '');
        if (preg_match('/\A[0-9]{1,7}\z/', $text) === 1) {
            $seconds = (float) $text;
        } else {
            $at = $text === '' ? false : strtotime($text);
            $seconds = $at === false ? 0.0 : $at - microtime(true);
        }
        return $seconds > 0 ? $seconds : null;
    }

    /** A key as a header carries it, a byte for each letter. */
    private static function latin(string $key): string
    {
        $bytes = preg_replace_callback(
            '/[\xC2\xC3][\x80-\xBF]/',
            static fn (array $found): string => chr(((ord($found[0][0]) & 3) << 6) | (ord($found[0][1]) & 63)),
            $key,
        ) ?? '';
        if (preg_match('/\A(?:[ -~]|\xC2[\xA0-\xBF]|\xC3[\x80-\xBF])+\z/', $key) !== 1 || strlen($bytes) > 255) {
            throw new \InvalidArgumentException('idempotencyKey must be 1 to 255 characters that a header can carry');
        }
        return $bytes;
    }

    public static function newKey(): string
    {
        return 'sdk-' . bin2hex(random_bytes(18));
    }
}
