<?php

declare(strict_types=1);

namespace Parley\Internal;

/**
 * One request over HTTP/1.1, and its answer. Of sockets alone: needs no extension, and no `allow_url_fopen`. A redirect is
 * an answer: followed, it would carry the credential to another address.
 */
final class Connection
{
    public readonly int $status;
    /** @var array<string, string> by names in small letters */
    public readonly array $headers;
    /** @var resource */
    private $socket;
    private ?float $until;

    /**
     * Opens it, sends the request and reads the head of the answer.
     *
     * @param array<string, string> $headers
     * @param string|resource|null $body a file that is open is sent from its beginning, piece by piece
     * @param float $timeout for the whole answer, in seconds
     * @throws TimedOut|ConnectionFailed
     */
    public function __construct(string $method, string $url, array $headers, mixed $body, float $timeout)
    {
        $this->until = microtime(true) + $timeout;
        if ($timeout <= 0) {
            throw new TimedOut();
        }
        $parts = parse_url($url);
        if ($parts === false || !isset($parts['scheme'], $parts['host'])) {
            throw new ConnectionFailed('no address');
        }
        $secure = $parts['scheme'] === 'https';
        $port = $parts['port'] ?? ($secure ? 443 : 80);
        $named = isset($parts['port']) ? "{$parts['host']}:{$parts['port']}" : $parts['host'];
        $context = stream_context_create(['ssl' => ['peer_name' => trim($parts['host'], '[]')]]);
        $socket = @stream_socket_client(($secure ? 'tls' : 'tcp') . "://{$parts['host']}:$port", $number, $why, $timeout, STREAM_CLIENT_CONNECT, $context);
        if ($socket === false) {
            throw microtime(true) >= $this->until ? new TimedOut() : new NotConnected($why ?: 'no connection');
        }
        $this->socket = $socket;
        $target = ($parts['path'] ?? '/') . (isset($parts['query']) ? "?{$parts['query']}" : '');
        $lines = "$method $target HTTP/1.1\r\nHost: $named\r\nConnection: close\r\n";
        foreach ($headers as $name => $value) {
            if (preg_match('/[\r\n\0]/', $name . $value) === 1) {
                throw new \InvalidArgumentException("the header $name has a line break");
            }
            $lines .= "$name: $value\r\n";
        }
        if ($body !== null || $method !== 'GET') {
            $lines .= 'Content-Length: ' . (is_resource($body) ? fstat($body)['size'] : strlen($body ?? '')) . "\r\n";
        }
        $this->write("$lines\r\n" . (is_resource($body) ? '' : $body ?? ''));
        if (is_resource($body)) {
            rewind($body);
            while (($piece = (string) fread($body, 65_536)) !== '') {
                $this->write($piece);
            }
        }
        [$this->status, $this->headers] = $this->readHead();
    }

    /** From now on each read may wait this long, however long the whole takes. */
    public function lasts(float $seconds): void
    {
        $this->until = null;
        stream_set_timeout($this->socket, (int) $seconds);
    }

    /** The body, whole: one that stops half way is no answer. */
    public function body(): string
    {
        return implode('', iterator_to_array($this->pieces(), false));
    }

    /**
     * The body as it arrives.
     *
     * @return \Generator<int, string>
     */
    public function pieces(): \Generator
    {
        if ($this->status === 204 || $this->status === 304) {
            return;
        }
        if (strtolower($this->headers['transfer-encoding'] ?? '') === 'chunked') {
            while (($size = hexdec(rtrim(explode(';', $this->line())[0]))) > 0) {
                yield from $this->exactly((int) $size);
                $this->line();
            }
            return;
        }
        if (isset($this->headers['content-length'])) {
            yield from $this->exactly((int) $this->headers['content-length']);
            return;
        }
        while (($piece = $this->read(65_536)) !== '') {
            yield $piece;
        }
    }

    public function close(): void
    {
        if (is_resource($this->socket)) {
            fclose($this->socket);
        }
    }

    /** @return array{int, array<string, string>} */
    private function readHead(): array
    {
        do {
            if (preg_match('~\AHTTP/1\.[01] (\d{3})~', $this->line(), $found) !== 1) {
                throw new ConnectionFailed('no HTTP');
            }
            $headers = [];
            while (($line = rtrim($this->line(), "\r\n")) !== '') {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $headers[strtolower($name)] = trim($value);
            }
            // 100 and 103 go before the answer.
        } while ((int) $found[1] < 200);
        return [(int) $found[1], $headers];
    }

    /** @return \Generator<int, string> */
    private function exactly(int $length): \Generator
    {
        while ($length > 0) {
            $piece = $this->read(min($length, 65_536));
            if ($piece === '') {
                throw new ConnectionFailed('the answer was cut off');
            }
            $length -= strlen($piece);
            yield $piece;
        }
    }

    private function line(): string
    {
        $this->await();
        $line = fgets($this->socket, 65_536);
        $this->check();
        if ($line === false || !str_ends_with($line, "\n")) {
            throw new ConnectionFailed('the answer was cut off');
        }
        return $line;
    }

    private function read(int $most): string
    {
        $this->await();
        $piece = fread($this->socket, $most);
        $this->check();
        return $piece === false ? '' : $piece;
    }

    private function write(string $text): void
    {
        while ($text !== '') {
            $this->await();
            $written = @fwrite($this->socket, $text);
            if ($written === false || $written === 0) {
                throw new ConnectionFailed('the connection broke');
            }
            $text = substr($text, $written);
        }
    }

    private function await(): void
    {
        if ($this->until === null) {
            return;
        }
        $left = $this->until - microtime(true);
        if ($left <= 0) {
            throw new TimedOut();
        }
        stream_set_timeout($this->socket, (int) $left, (int) (fmod($left, 1) * 1_000_000));
    }

    private function check(): void
    {
        if (stream_get_meta_data($this->socket)['timed_out']) {
            throw new TimedOut();
        }
    }
}
