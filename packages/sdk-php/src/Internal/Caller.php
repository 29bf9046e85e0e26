<?php

declare(strict_types=1);

namespace Parley\Internal;

use Parley\ParleyError;

/** What generated methods are made of: calls, pages, batches, the stream of events. */
final class Caller
{
    /** Three comments of the server that did not arrive: the connection is dead, whatever it looks like. */
    private const SILENCE = 45.0;

    public function __construct(private readonly Transport $transport)
    {
    }

    public function call(Request $request, ?string $idempotencyKey, ?float $timeout, ?int $maxRetries): mixed
    {
        return $this->transport->call($request, $idempotencyKey, $timeout, $maxRetries);
    }

    /**
     * Every item of a list, page after page. What is added while it is read pushes others to the next page of a numbered
     * list: one that the page before showed is not shown again.
     *
     * @param \Closure(array<string, mixed>): array<string, mixed> $read
     * @param (\Closure(array<string, mixed>): void)|null $onGap
     * @return \Generator<int, mixed>
     */
    public function everyOf(\Closure $read, ?int $first = null, int|string|null $after = null, ?\Closure $onGap = null): \Generator
    {
        $position = [];
        $before = [];
        for ($number = $first ?? 1; ; $number++) {
            $page = $read($position);
            $shown = [];
            if (($page['gap'] ?? false) && $onGap !== null) {
                $from = $position['after'] ?? $after;
                $onGap(['after' => is_int($from) ? $from : 0, 'oldestSequence' => $page['oldestSequence'] ?? null]);
            }
            foreach ($page['items'] as $item) {
                $id = $item['id'] ?? null;
                if (is_string($id)) {
                    $shown[$id] = true;
                }
                if (!is_string($id) || !isset($before[$id])) {
                    yield $item;
                }
            }
            $before = $shown;
            if (array_key_exists('nextCursor', $page)) {
                if ($page['nextCursor'] === null) {
                    return;
                }
                $position = ['cursor' => $page['nextCursor']];
            } elseif (isset($page['nextAfter'])) {
                if (!($page['hasMore'] ?? false)) {
                    return;
                }
                $position = ['after' => $page['nextAfter']];
            } else {
                $size = $page['pageSize'] ?? count($page['items']);
                if ($page['items'] === [] || $number * $size >= ($page['total'] ?? 0)) {
                    return;
                }
                $position = ['page' => $number + 1];
            }
        }
    }

    /**
     * Sends any number of items in calls of at most `$most`, one after the other, as the results are read. Each call has a
     * key of its own: `KEY:1`, `KEY:2` …
     *
     * @param iterable<mixed> $items
     * @param \Closure(list<mixed>, string): array<string, mixed> $send
     * @return \Generator<int, array{mixed, mixed}>
     */
    public function inBatches(iterable $items, int $most, \Closure $send, ?string $idempotencyKey): \Generator
    {
        $key = $idempotencyKey ?? Transport::newKey();
        $number = 0;
        $part = [];
        foreach ($items as $item) {
            $part[] = $item;
            if (count($part) === $most) {
                yield from array_map(null, $part, $send($part, $key . ':' . ++$number)['results']);
                $part = [];
            }
        }
        if ($part !== []) {
            yield from array_map(null, $part, $send($part, $key . ':' . ++$number)['results']);
        }
    }

    /**
     * A file as it arrives. Until its first byte it is tried again as a call is. A connection that breaks later, or is silent
     * for the timeout, is a ParleyError: what was read until then is no whole file.
     *
     * @return \Generator<int, string>
     * @throws ParleyError
     */
    public function pieces(Request $request, ?float $timeout, ?int $maxRetries): \Generator
    {
        $until = $this->transport->begin($maxRetries);
        for ($attempt = 1; ; $attempt++) {
            try {
                $connection = $this->transport->open($request, $timeout, $attempt, ['Accept' => '*/*']);
                break;
            } catch (ParleyError $error) {
                if (!$this->transport->again($request, $error, $attempt, $until, $maxRetries)) {
                    throw $error;
                }
            }
        }
        try {
            yield from $connection->pieces();
        } catch (TimedOut | ConnectionFailed $error) {
            throw new ParleyError('CONNECTION_FAILED', $attempt, hint: 'the file was cut off', previous: $error);
        } finally {
            $connection->close();
        }
    }

    /**
     * Events as they happen. A connection that ends is opened again after the last id, however long the server is away.
     * One that never opened gives up as a call does; so does every one after `$maxRetries` failures in a row, when they
     * are given.
     *
     * @param (\Closure(array<string, mixed>): void)|null $onGap
     * @return \Generator<int, mixed>
     * @throws ParleyError when it cannot go on
     */
    public function stream(Request $request, ?int $maxRetries, ?\Closure $onGap): \Generator
    {
        $lastId = null;
        $until = $this->transport->begin($maxRetries);
        for ($attempt = 1; ; $attempt++) {
            $failure = new ParleyError('CONNECTION_FAILED', $attempt, hint: 'the stream ended');
            $connection = null;
            try {
                $headers = ['Accept' => 'text/event-stream'] + ($lastId === null ? [] : ['Last-Event-ID' => $lastId]);
                $connection = $this->transport->open($request, self::SILENCE, $attempt, $headers);
                foreach (self::framesOf($connection) as [$event, $data, $id]) {
                    $attempt = 0;
                    $maxRetries ??= PHP_INT_MAX;
                    $until = INF;
                    $lastId = $id ?? $lastId;
                    if ($event === 'gap') {
                        $onGap === null || $onGap(json_decode($data, true));
                    } elseif ($event === 'end') {
                        if ((json_decode($data, true)['reason'] ?? '') === 'replaced') {
                            throw new ParleyError('STREAM_REPLACED', 1);
                        }
                    } elseif ($data !== '' && $event !== 'open') {
                        yield json_decode($data, true);
                    }
                }
            } catch (ParleyError $error) {
                $failure = $error;
            } finally {
                $connection?->close();
            }
            if (!$this->transport->again($request, $failure, $attempt ?: 1, $until, $maxRetries)) {
                throw $failure;
            }
        }
    }

    /**
     * Server-sent events. Ends with the connection, however that ends: what is missing is asked for again.
     *
     * @return \Generator<int, array{string, string, string|null}>
     */
    private static function framesOf(Connection $connection): \Generator
    {
        $rest = '';
        try {
            foreach ($connection->pieces() as $piece) {
                $rest .= str_replace("\r", '', $piece);
                while (($end = strpos($rest, "\n\n")) !== false) {
                    yield self::readFrame(substr($rest, 0, $end));
                    $rest = substr($rest, $end + 2);
                }
            }
        } catch (TimedOut | ConnectionFailed) {
            return;
        }
    }

    /** @return array{string, string, string|null} */
    private static function readFrame(string $text): array
    {
        [$event, $data, $id] = ['message', [], null];
        foreach (explode("\n", $text) as $line) {
            preg_match('/\A(\w+):? ?(.*)\z/s', $line, $found);
            match ($found[1] ?? '') {
                'event' => $event = $found[2],
                'id' => $id = $found[2],
                'data' => $data[] = $found[2],
                default => null,
            };
        }
        return [$event, implode("\n", $data), $id];
    }
}
