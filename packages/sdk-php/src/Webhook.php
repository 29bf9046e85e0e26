<?php

declare(strict_types=1);

namespace Parley;

/**
 * Proof that a delivery was sent by Parley.
 *
 * @phpstan-import-type WebhookEvent from Types
 * @phpstan-import-type BotTurn from Types
 * @phpstan-import-type BotTurnAnswer from Types
 */
final class Webhook
{
    /** A turn takes its answer so long after it was posted, in seconds. */
    private const TURN = 60.0;
    private const SERVICE_HEADER = 'x-service-signature';

    /**
     * Proves that a delivery came from Parley and gives its event. Compares in constant time.
     *
     * @param string $rawBody the body as it was received (`file_get_contents('php://input')`): parsed and written again it has other bytes
     * @param mixed $headers the request's: `$_SERVER`, `getallheaders()`, the object of a framework, or the value of `X-Service-Signature`
     * @param string|list<string>|false|null $secret the endpoint's (`whsec_…`), or several while one replaces another
     * @param float $tolerance how far the signature's time may be from ours, in seconds
     * @param int|null $now our time in Unix seconds
     * @return WebhookEvent
     * @throws WebhookError for a delivery that is not believed
     * @throws \InvalidArgumentException for a secret that is not set
     */
    public static function verify(string $rawBody, mixed $headers, #[\SensitiveParameter] string|array|false|null $secret, float $tolerance = 300.0, ?int $now = null): array
    {
        $event = self::parse(self::prove($rawBody, $headers, $secret, $tolerance, $now));
        if (!is_array($event) || !is_string($event['type'] ?? null) || !is_array($event['data'] ?? null)) {
            throw new WebhookError('MALFORMED_BODY', 'signed, yet no event');
        }
        return $event;
    }

    /**
     * Gives the answer of a bot to a turn whose call it answered with 202, within 60 seconds after the turn. The token is the
     * proof, so it needs no key. It is tried again as a call of a client is: the same answer twice is sent once.
     *
     * @param string|false|null $baseUrl the address of the API, as of a client
     * @param BotTurnAnswer $answer
     * @param float $timeout for each try, in seconds
     * @throws ParleyError `CONFLICT` when the turn is over, `VALIDATION_FAILED` when the answer has another form
     */
    public static function answerBotTurn(string|false|null $baseUrl, string $token, array $answer, float $timeout = 10.0, ?Internal\Surroundings $around = null): void
    {
        $transport = new Internal\Transport(Parley::readBaseUrl($baseUrl), null, $timeout, null, self::TURN, self::TURN, false, [], null, $around ?? new Internal\Surroundings());
        $request = new Internal\Request('answerBotTurn', 'POST', '/v1/bot-turns/' . Internal\Request::segment('token', $token), body: $answer, repeatable: true);
        $transport->call($request, null, null, null);
    }

    /**
     * As `verify`, of a turn that Parley posts to a bot (`docs/external-bots.md`): the secret is the bot's own.
     *
     * @param string|list<string>|false|null $secret
     * @return BotTurn
     */
    public static function verifyBotTurn(string $rawBody, mixed $headers, #[\SensitiveParameter] string|array|false|null $secret, float $tolerance = 300.0, ?int $now = null): array
    {
        $turn = self::parse(self::prove($rawBody, $headers, $secret, $tolerance, $now));
        if (!is_array($turn) || ($turn['type'] ?? null) !== 'bot.turn' || !is_array($turn['messages'] ?? null)) {
            throw new WebhookError('MALFORMED_BODY', 'signed, yet no turn of a bot');
        }
        return $turn;
    }

    /**
     * The body, once it is proven.
     *
     * @param string|list<string>|false|null $secret
     */
    private static function prove(string $rawBody, mixed $headers, #[\SensitiveParameter] string|array|false|null $secret, float $tolerance, ?int $now): string
    {
        $secrets = is_array($secret) ? $secret : [(string) $secret];
        if ($secrets === [] || in_array('', $secrets, true)) {
            throw new \InvalidArgumentException("secret must be the endpoint's secret: is the variable set that holds it?");
        }
        $claim = self::serviceClaim($headers) ?? self::standardClaim($headers);
        if ($claim === null) {
            throw new WebhookError('NO_SIGNATURE', 'neither X-Service-Signature nor webhook-id, webhook-timestamp and webhook-signature are here');
        }
        [$time, $signed, $signatures, $keyOf] = $claim;
        $proven = false;
        foreach ($secrets as $one) {
            $wanted = hash_hmac('sha256', $signed . $rawBody, $keyOf($one), true);
            foreach ($signatures as $signature) {
                $proven = hash_equals($wanted, $signature) || $proven;
            }
        }
        if (!$proven) {
            throw new WebhookError('WRONG_SIGNATURE', 'not signed with this secret over these bytes');
        }
        // After the proof: the time is to be believed only now.
        $now ??= time();
        if (abs($now - (int) $time) > $tolerance) {
            throw new WebhookError('STALE_SIGNATURE', "signed at $time, it is $now");
        }
        return $rawBody;
    }

    /**
     * `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: of `<t>.<body>`, keyed with the secret as it is shown.
     *
     * @return array{string, string, list<string>, \Closure(string): string}|null
     */
    private static function serviceClaim(mixed $headers): ?array
    {
        $header = self::headerOf($headers, self::SERVICE_HEADER);
        if ($header === null) {
            return null;
        }
        $times = $signatures = [];
        foreach (explode(',', $header) as $part) {
            [$name, $value] = array_pad(explode('=', trim($part), 2), 2, '');
            if ($name === 't') {
                $times[] = $value;
            } elseif ($name === 'v1' && preg_match('/\A(?:[0-9a-f]{2})+\z/i', $value) === 1) {
                $signatures[] = (string) hex2bin($value);
            }
        }
        if (count($times) !== 1 || preg_match('/\A[0-9]{1,12}\z/', $times[0]) !== 1 || $signatures === []) {
            throw new WebhookError('MALFORMED_SIGNATURE', 'X-Service-Signature is not t=…,v1=…');
        }
        return [$times[0], "$times[0].", $signatures, static fn (string $secret): string => $secret];
    }

    /**
     * `v1,<base64>[ v1,<base64>]`: of `<id>.<time>.<body>`, keyed with the bytes behind `whsec_`.
     *
     * @return array{string, string, list<string>, \Closure(string): string}|null
     */
    private static function standardClaim(mixed $headers): ?array
    {
        [$header, $id, $time] = array_map(
            static fn (string $name): ?string => self::headerOf($headers, "webhook-$name"),
            ['signature', 'id', 'timestamp'],
        );
        if ($header === null || $id === null || $time === null) {
            return null;
        }
        $signatures = [];
        foreach (explode(' ', $header) as $one) {
            $bytes = str_starts_with($one, 'v1,') ? base64_decode(substr($one, 3), true) : false;
            if ($bytes !== false) {
                $signatures[] = $bytes;
            }
        }
        if (preg_match('/\A[0-9]{1,12}\z/', $time) !== 1 || $signatures === []) {
            throw new WebhookError('MALFORMED_SIGNATURE', 'the webhook-* headers are not Standard Webhooks');
        }
        return [$time, "$id.$time.", $signatures, self::standardKey(...)];
    }

    private static function standardKey(string $secret): string
    {
        $key = base64_decode((string) preg_replace('/\Awhsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('secret must be whsec_ and base64');
        }
        return $key;
    }

    private static function headerOf(mixed $headers, string $name): ?string
    {
        if (is_string($headers)) {
            return $name === self::SERVICE_HEADER ? $headers : null;
        }
        if (is_object($headers)) {
            // PSR-7 and Laravel have a request, Symfony a bag of headers.
            if (method_exists($headers, 'getHeaderLine')) {
                return $headers->getHeaderLine($name) ?: null;
            }
            return method_exists($headers, 'header') ? $headers->header($name) : $headers->get($name);
        }
        foreach (is_iterable($headers) ? $headers : [] as $key => $value) {
            // In $_SERVER it is HTTP_X_SERVICE_SIGNATURE.
            if (preg_replace('/\Ahttp-/', '', strtr(strtolower((string) $key), '_', '-')) === $name && $value !== null) {
                return is_array($value) ? implode(',', $value) : (string) $value;
            }
        }
        return null;
    }

    /** Null for what is no JSON. */
    private static function parse(string $body): mixed
    {
        return json_decode($body, true);
    }
}
