import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { buildConnector } from "undici";
import { AddressRefused, createAddressGuard, literalOf } from "./address-guard.ts";
import { dial } from "./dial.ts";
import {
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  type StreamingHttp,
} from "./http.ts";
import { OriginPools } from "./origin-pools.ts";
import { call, failureOf } from "./outbound-call.ts";
import { addressesOfName, type Resolve } from "./resolve-name.ts";

const HANDSHAKE_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

// Time-outs are ours, one for the whole call. Idle sockets are kept 4 s, less than common servers do, so that a
// request seldom meets a socket that its peer is just closing: such a call counts as sent, for nobody can tell.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000, allowH2: false };

/** Calls providers at addresses the operator set. Keep-alive; redirects are never followed; no proxy from outside. */
export function createProviderHttp({
  resolve,
}: { readonly resolve?: Resolve } = {}): StreamingHttp {
  const pools = openPools(async (url) => {
    const literal = literalOf(url);
    return literal === null ? addressesOfName(url.hostname, resolve) : [literal];
  });
  return {
    request: (request) => exchange(pools, new URL(request.url), request),
    stream: (request) => open(pools, new URL(request.url), request),
  };
}

/**
 * Calls addresses a customer named (contract §5, URL check). The name is resolved when a connection is made, every
 * answer is judged, and the connection goes to a judged address or nowhere. A refusal is `HttpFailure("blocked")`.
 */
export function createGuardedHttp(options: {
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
}): StreamingHttp {
  const guard = createAddressGuard(options);
  const pools = openPools((url) => guard.addressesOf(url));
  /** The address as it was judged, which is the one that is called. */
  async function inspected(request: HttpRequest): Promise<URL> {
    try {
      return guard.inspect(request.url);
    } catch (error) {
      throw failureOf(error, false);
    }
  }
  return {
    request: async (request) => exchange(pools, await inspected(request), request),
    stream: async (request) => open(pools, await inspected(request), request),
  };
}

/**
 * Connections that go only to the addresses that `addressesOf` gives. A failure on the way has the name of its stage:
 * the name, the connection, or TLS. A handshake that nobody continues counts as TLS.
 */
function openPools(addressesOf: (url: URL) => Promise<readonly string[]>): OriginPools {
  const secure = buildConnector({ timeout: HANDSHAKE_MS, allowH2: false });
  async function reach(url: URL): Promise<Socket> {
    const addresses = await addressesOf(url);
    const socket = await dial(addresses, portOf(url));
    if (socket.remoteAddress !== undefined && addresses.includes(socket.remoteAddress))
      return socket;
    socket.destroy();
    throw new AddressRefused("the connection reached another address");
  }
  return new OriginPools({
    ...SETTINGS,
    connect(target, connected) {
      const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
      reach(url).then(
        (socket) => {
          if (url.protocol !== "https:") return connected(null, socket);
          secure({ ...target, httpSocket: socket }, (error, secured) => {
            if (error) connected(new HttpFailure("tls", false, wordsOf(error)), null);
            else connected(null, secured);
          });
        },
        (error: unknown) => connected(failureOf(error, false), null),
      );
    },
  });
}

/** Of an error of the handshake its code, which names what is wrong with a certificate. */
function wordsOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "tls";
  return code === "UND_ERR_CONNECT_TIMEOUT" ? "the TLS handshake was not finished in time" : code;
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** One request and its answer, as much of it as may be held. */
function exchange(pools: OriginPools, url: URL, request: HttpRequest): Promise<HttpResponse> {
  const limit = request.maxResponseBytes ?? MAX_RESPONSE_BYTES;
  return new Promise((resolve, reject) => {
    let head: Omit<HttpResponse, "body"> | undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    function answer(partial: boolean): void {
      if (head === undefined) return;
      const body = Buffer.concat(chunks).subarray(0, limit);
      resolve(partial ? { ...head, body, partial } : { ...head, body });
    }
    const made = call(pools, url, request, {
      started(status, headers) {
        head = { status, headers };
      },
      data(chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= limit) return;
        // What does not fit is not read: the answer stands, the socket goes.
        answer(true);
        made.close();
      },
      ended: () => answer(false),
      failed(failure) {
        if (request.acceptPartial === true && head !== undefined) answer(true);
        else reject(failure);
      },
    });
  });
}

/** One request and its answer as it comes; no more of it is in memory than the reader has not taken yet. */
function open(pools: OriginPools, url: URL, request: HttpRequest): Promise<HttpStream> {
  return new Promise((resolve, reject) => {
    let body: Readable | undefined;
    const made = call(pools, url, request, {
      started(status, headers) {
        body = new Readable({
          read: () => made.resume(),
          destroy(error, done) {
            made.close();
            done(error);
          },
        });
        // A reader meets the failure in its loop; nobody has to read.
        body.on("error", () => {});
        resolve({ status, headers, body });
      },
      data(chunk) {
        if (body?.push(chunk) === false) made.pause();
      },
      ended: () => body?.push(null),
      failed(failure) {
        if (body) body.destroy(failure);
        else reject(failure);
      },
    });
  });
}
