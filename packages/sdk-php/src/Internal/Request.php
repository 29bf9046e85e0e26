<?php

declare(strict_types=1);

namespace Parley\Internal;

/** One operation of the document with its input. */
final class Request
{
    /**
     * @param array<string, mixed> $query
     * @param string|null $bodyType the media type of a text, or of bytes, that are sent as they are
     * @param bool $keyed takes an Idempotency-Key
     * @param bool $binary the answer is a file of any kind
     * @param bool $repeatable without a key too the same again has its effect once
     * @param string|null $ifMatch the version that is changed
     * @param bool $withEtag gives the answer with its ETag, as a pair
     */
    public function __construct(
        public readonly string $id,
        public readonly string $method,
        public readonly string $path,
        public readonly array $query = [],
        public readonly mixed $body = null,
        public readonly ?string $bodyType = null,
        public readonly bool $keyed = false,
        public readonly bool $binary = false,
        public readonly bool $repeatable = false,
        public readonly ?string $ifMatch = null,
        public readonly bool $withEtag = false,
    ) {
    }

    /** An id as a part of a path. Throws for what would lead to another address. */
    public static function segment(string $name, string $id): string
    {
        if ($id === '') {
            throw new \InvalidArgumentException("$name is empty: it must be an id");
        }
        if (preg_match('/\A\.{0,2}\z/', $id) === 1) {
            throw new \InvalidArgumentException("$name must be an id");
        }
        // As JavaScript's encodeURIComponent.
        return strtr(rawurlencode($id), ['%21' => '!', '%27' => "'", '%28' => '(', '%29' => ')', '%2A' => '*']);
    }

    public function queryText(): string
    {
        $given = [];
        foreach ($this->query as $name => $value) {
            if ($value !== null) {
                $given[$name] = is_bool($value) ? ($value ? 'true' : 'false') : (is_array($value) ? implode(',', $value) : (string) $value);
            }
        }
        return $given === [] ? '' : '?' . http_build_query($given, '', '&', PHP_QUERY_RFC3986);
    }

    /** @return string|resource|null a file that is open stays one */
    public function bodyText(): mixed
    {
        if ($this->body === null) {
            return null;
        }
        if ($this->bodyType !== null) {
            if (is_resource($this->body)) {
                if (!stream_get_meta_data($this->body)['seekable']) {
                    throw new \InvalidArgumentException('a file that is sent must be seekable: it is sent again when a try fails');
                }
                return $this->body;
            }
            return (string) $this->body;
        }
        // PHP has one empty array for a list and an object; a body is an object.
        $body = $this->body === [] ? new \stdClass() : $this->body;
        return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_LINE_TERMINATORS | JSON_PRESERVE_ZERO_FRACTION);
    }
}
