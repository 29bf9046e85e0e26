import type { Request, StreamOptions } from "./call.ts";
import { Resources } from "./generated/resources.ts";
import { readPieces } from "./pieces.ts";
import type { RateLimit } from "./rate-limit.ts";
import { readStream } from "./stream.ts";
import { world } from "./surroundings.ts";
import { Transport, type Attempt } from "./transport.ts";

export interface ParleyOptions {
  /**
   * The address of the API: it ends in `/api`, as `https://parley.example.com/api`. May be `process.env.X` as it is: a
   * variable that is not set is refused when the client is made, here as in `apiKey`.
   */
  readonly baseUrl: string | undefined;
  /** Both halves of an API key, joined by a colon. It acts as the whole workspace: never give it to a browser. */
  readonly apiKey: string | undefined;
  /** For each try. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How long after its start a call that may be repeated is still tried again. Default 90,000; none when `maxRetries` is given. */
  readonly giveUpAfterMs?: number | undefined;
  /** How often a call that may be repeated is tried again at most. Default: as often as `giveUpAfterMs` lets it. */
  readonly maxRetries?: number | undefined;
  /** The longest wait between two tries, whatever the server asks; beyond it the call fails. Default 60,000. */
  readonly maxWaitMs?: number | undefined;
  /** Wait before a request that the rate limit would refuse, instead of being refused first. Default false. */
  readonly waitForRateLimit?: boolean | undefined;
  /** Sent with every request, for a proxy. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Told of every try, for logs and metrics. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** A client of one workspace. */
export class Parley extends Resources {
  readonly #transport: Transport;

  /** Throws a TypeError for options that cannot work. */
  constructor(options: ParleyOptions) {
    const transport = new Transport(
      {
        baseUrl: readBaseUrl(options.baseUrl),
        apiKey: readKey(options.apiKey),
        timeoutMs: options.timeoutMs ?? 30_000,
        giveUpAfterMs: options.giveUpAfterMs,
        maxRetries: options.maxRetries,
        maxWaitMs: options.maxWaitMs ?? 60_000,
        waitForRateLimit: options.waitForRateLimit ?? false,
        headers: options.headers ?? {},
        fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
        onAttempt: options.onAttempt,
      },
      world,
    );
    super({
      call: <T>(...call: Parameters<Transport["call"]>) => transport.call(...call) as Promise<T>,
      pieces: (...call) => readPieces(transport, ...call),
      stream: <T>(request: Request, wanted: StreamOptions) =>
        readStream(transport, request, wanted) as AsyncGenerator<T, void, undefined>,
    });
    this.#transport = transport;
  }

  /** What the server last said of this key's rate; null before the first answer. */
  get rateLimit(): RateLimit | null {
    return this.#transport.rate.current;
  }
}

/** Throws a TypeError for what is no address of an API. */
export function readBaseUrl(text: string | undefined): string {
  if (!text?.trim())
    throw new TypeError("baseUrl is missing or empty: is the variable set that holds it?");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError("baseUrl must be an address as https://parley.example.com/api");
  }
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username)
    throw new TypeError("baseUrl must be http or https, without a query and without credentials");
  return url.href.replace(/\/+$/, "");
}

/** A file of one key often has a line break at its end. */
function readKey(key: string | undefined): string {
  // Quoting it in the error would put the secret into logs.
  const text = typeof key === "string" ? key.trim() : "";
  if (text === "")
    throw new TypeError("apiKey is missing or empty: is the variable set that holds it?");
  if (!/^[!-9;-~]+:[!-~]+$/.test(text))
    throw new TypeError("apiKey must be PUBLIC:SECRET, both halves of an API key");
  return text;
}
