<?php

declare(strict_types=1);

// Everything of the client against a running server; prints what happened, as its siblings do.

use Parley\Parley;
use Parley\ParleyError;
use Parley\Webhook;
use Parley\WebhookError;

require __DIR__ . '/vendor/parley-sdk/autoload.php';

$parley = new Parley(getenv('PARLEY_URL') ?: null, getenv('PARLEY_KEY') ?: null);
$codeOf = static function (Closure $call): string {
    try {
        $call();
    } catch (ParleyError | WebhookError $error) {
        return $error->errorCode;
    }
    return 'it passed';
};
$say = static function (string $name, mixed ...$values): void {
    echo implode(' ', [$name, ...array_map(static fn (mixed $one): string => is_bool($one) ? ($one ? 'True' : 'False') : (string) $one, $values)]), "\n";
};

$phones = (string) getenv('PHONES');
$first = $parley->contacts->create(['phone' => "+$phones 0001"]);
$say('created', $first['phone'] === "{$phones}0001");
$upserts = array_map(static fn (int $number): array => ['match' => ['phone'], 'phone' => $phones . sprintf('%04d', $number)], [1, 2, 3]);
$outcomes = [];
foreach ($parley->contacts->batchAll($upserts) as [, $result]) {
    $outcomes[] = $result['outcome'];
}
$say('batch', ...$outcomes);
$ids = [];
foreach ($parley->contacts->iterate(pageSize: 1, search: $phones) as $contact) {
    $ids[$contact['id']] = true;
}
$say('listed', count($ids));
$found = iterator_to_array($parley->contacts->iterateSearch(['definition' => ['match' => 'all', 'rules' => []], 'limit' => 1]), false);
$say('searched', count($found) >= 3);
$message = ['conversationId' => $parley->conversations->list(limit: 1)['items'][0]['id'], 'text' => 'مرحبا é 👋'];
$send = static fn (): string => $parley->messages->send($message, idempotencyKey: "send-{$first['id']}")['id'];
$say('once', $send() === $send());
$say('refused', $codeOf(static fn () => $parley->contacts->create([])));
$streamed = 0;
foreach ($parley->events->stream(after: 0) as $event) {
    if (++$streamed === 2) {
        break;
    }
}
$say('streamed', $streamed);
$say('late', $codeOf(static fn () => $parley->usage->get(timeout: 0, maxRetries: 0)));
$say('rate', $parley->rateLimit()?->limit);
$stored = $parley->media->storeFile('thanks é', name: 'thanks.txt');
$say('file', $parley->media->download($stored['id']));
[$secret, $body, $at] = ['whsec_MDEyMw==', '{"type":"endpoint.test","data":{}}', time()];
$header = "t=$at,v1=" . hash_hmac('sha256', "$at.$body", $secret);
$say('verified', Webhook::verify($body, ['HTTP_X_SERVICE_SIGNATURE' => $header], $secret)['type']);
$say('forged', $codeOf(static fn () => Webhook::verify("$body ", $header, $secret)));
