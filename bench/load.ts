import autocannon from "autocannon";

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
}

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/**
 * Drives the API with `clients` connections for `seconds`. Every request takes the next key in turn, because a key
 * may make 120 requests a minute. Throws when more than 1 in 1,000 answers was not 2xx: a fast refusal is no result.
 */
export async function load(
  baseUrl: string,
  options: {
    clients: number;
    seconds: number;
    /** Requests a second over all clients; unset: as fast as it goes. */
    rate?: number;
    keys: readonly string[];
    next: (turn: number) => LoadRequest & { key?: string };
  },
): Promise<Load> {
  let turn = 0;
  const result = await autocannon({
    url: baseUrl,
    connections: options.clients,
    duration: options.seconds,
    ...(options.rate === undefined ? {} : { overallRate: options.rate }),
    requests: [
      {
        setupRequest(request) {
          const current = turn++;
          const { method, path, body, key } = options.next(current);
          return {
            ...request,
            method,
            path,
            headers: {
              authorization: `Bearer ${key ?? options.keys[current % options.keys.length] ?? ""}`,
              ...(body === undefined ? {} : { "content-type": "application/json" }),
            },
            ...(body === undefined ? {} : { body }),
          };
        },
      },
    ],
  });
  const refused = result.non2xx + result.errors;
  const total = result["2xx"] + refused;
  if (refused * 1_000 > total) {
    throw new Error(`${refused} of ${total} answers were not 2xx (${JSON.stringify(result.statusCodeStats)})`);
  }
  return {
    perSecond: result["2xx"] / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    refused,
  };
}
