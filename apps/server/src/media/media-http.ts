import type { ChannelAccount } from "../channels/adapter.ts";
import type { Context } from "../context.ts";
import { httpFor } from "../lib/check-address.ts";
import { HttpFailure, type HttpRequest, type StreamingHttp } from "../lib/http.ts";

/** The client through which a file is fetched. `refused`: an address was refused on the way. */
export interface MediaHttp extends StreamingHttp {
  readonly refused: boolean;
}

/**
 * Reaches the account's own `apiUrl` as every call to it does (`httpFor`). Reaches any other address only when it is
 * public and https, because a customer's message may name any address. `signal` ends every call.
 */
export function createMediaHttp(
  context: Pick<Context, "providerHttp" | "guardedHttp">,
  account: Pick<ChannelAccount, "apiUrl" | "guarded">,
  signal: AbortSignal,
): MediaHttp {
  const home = originOf(account.apiUrl);
  let refused = false;
  const clientOf = (request: HttpRequest) => {
    const origin = originOf(request.url);
    return origin !== null && origin === home ? httpFor(context, account) : context.guardedHttp;
  };
  const watched = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      refused ||= error instanceof HttpFailure && error.kind === "blocked";
      throw error;
    }
  };
  const bounded = (request: HttpRequest): HttpRequest => ({
    ...request,
    signal: request.signal ? AbortSignal.any([request.signal, signal]) : signal,
  });
  return {
    get refused() {
      return refused;
    },
    request: (request) => watched(clientOf(request).request(bounded(request))),
    stream: (request) => watched(clientOf(request).stream(bounded(request))),
  };
}

function originOf(url: string): string | null {
  try {
    return new URL(url).origin;
  } catch {
    return null;
  }
}
