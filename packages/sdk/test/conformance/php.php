<?php

declare(strict_types=1);

// Runs the table of all clients (cases.json), and prints what happened. Arguments: the table, the stand's address.

use Parley\Internal\Surroundings;
use Parley\Parley;
use Parley\ParleyError;
use Parley\Webhook;
use Parley\WebhookError;

require __DIR__ . '/../../../sdk-php/autoload.php';
error_reporting(E_ALL);
set_error_handler(static function (int $level, string $why, string $file, int $line): bool {
    // What is silenced by @ is not reported.
    if ((error_reporting() & $level) === 0) {
        return true;
    }
    throw new ErrorException($why, 0, $level, $file, $line);
});

final class Around extends Surroundings
{
    /** @var list<int> */
    public array $waits = [];
    public float $at = 1_000_000_000.0;

    public function now(): float
    {
        return $this->at;
    }

    public function random(): float
    {
        return 0.5;
    }

    public function sleep(float $seconds): void
    {
        $this->waits[] = ms($seconds);
        $this->at += $seconds;
    }
}

function ms(?float $seconds): ?int
{
    return $seconds === null ? null : (int) round($seconds * 1000);
}

function runCall(array $case, string $baseUrl): array
{
    $call = $case['call'];
    $around = new Around();
    $client = $case['client'] ?? [];
    $parley = new Parley(
        isset($case['closed']) ? 'http://127.0.0.1:2/api' : $baseUrl,
        "pk:sk\n",
        timeout: 10,
        maxRetries: $client['maxRetries'] ?? null,
        giveUpAfter: isset($client['giveUpAfterMs']) ? $client['giveUpAfterMs'] / 1000 : null,
        waitForRateLimit: $client['waitForRateLimit'] ?? false,
        around: $around,
    );
    $given = $call['ids'] ?? [];
    if (isset($call['count'])) {
        $given[] = array_map(static fn (int $number): array => ['name' => (string) $number], $call['count'] === 0 ? [] : range(0, $call['count'] - 1));
    }
    if (isset($call['body'])) {
        $given[] = $call['body'];
    }
    $named = $call['query'] ?? [];
    foreach ($case['options'] ?? [] as $name => $value) {
        $named[$name === 'timeoutMs' ? 'timeout' : $name] = $name === 'timeoutMs' ? $value / 1000 : $value;
    }
    $gaps = $items = $said = [];
    $log = tempnam(sys_get_temp_dir(), 'parley');
    ini_set('error_log', $log);
    if ($call['noun'] === 'events' && in_array($call['method'], ['iterate', 'stream'], true)) {
        $named['onGap'] = static function (array $gap) use (&$gaps): void {
            $gaps[] = $gap;
        };
    }
    try {
        for ($time = 0; $time < ($call['times'] ?? 1); $time++) {
            $gives = $call['noun'] === 'bots'
                ? Webhook::answerBotTurn($baseUrl, ...$given, around: $around)
                : $parley->{$call['noun']}->{$call['method']}(...$given, ...$named);
        }
        if ($gives instanceof Generator) {
            foreach ($gives as $one) {
                $items[] = $one;
                if (count($items) === ($call['take'] ?? null)) {
                    break;
                }
            }
            $gives = $items;
        }
        $said['gives'] = $gives;
    } catch (InvalidArgumentException) {
        $said['mistake'] = true;
    } catch (ParleyError $error) {
        $said['fails'] = [
            'code' => $error->errorCode,
            'status' => $error->status,
            'requestId' => $error->requestId,
            'details' => $error->details,
            'limit' => $error->limit,
            'usage' => $error->usage,
            'retryAfterMs' => ms($error->retryAfter),
            'idempotencyKey' => $error->idempotencyKey,
            'attempts' => $error->attempts,
            'message' => $error->getMessage(),
        ];
    }
    $rate = $parley->rateLimit();
    if ($rate !== null) {
        $said['rate'] = ['limit' => $rate->limit, 'remaining' => $rate->remaining, 'resetInMs' => ms($rate->resetAt - $around->at)];
    }
    // Each line begins with its time in brackets.
    $warns = array_map(static fn (string $line): string => preg_replace('/^\[[^]]*\] /', '', $line), file($log, FILE_IGNORE_NEW_LINES));
    unlink($log);
    return $said + ['waits' => $around->waits, 'gaps' => $gaps, 'items' => $items, 'warns' => $warns];
}

function runHook(array $hook): array|string
{
    try {
        $given = [$hook['body'], $hook['headers'], $hook['secret'], $hook['toleranceSeconds'] ?? 300, $hook['now']];
        return ['event' => isset($hook['turn']) ? Webhook::verifyBotTurn(...$given)['token'] : Webhook::verify(...$given)['id']];
    } catch (WebhookError $error) {
        return $error->errorCode;
    } catch (InvalidArgumentException) {
        return 'MISTAKE';
    }
}

$table = json_decode((string) file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
$calls = [];
foreach ($table['calls'] as $number => $case) {
    $calls[] = runCall($case, "{$argv[2]}/case/$number/api");
}
echo json_encode(['calls' => $calls, 'webhooks' => array_map('runHook', $table['webhooks'])], JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
