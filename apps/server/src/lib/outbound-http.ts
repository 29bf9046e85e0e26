import type { Socket } from "node:net";
import { Readable } from "node:stream";
import buildConnector from "undici/lib/core/connect.js";
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
import { readPastContinue } from "./unasked-continue.ts";

const HANDSHAKE_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

// We time the whole call ourselves. Idle sockets are kept for 4 s, less than common servers keep them, so that a
// request seldom meets a socket that is just being closed. Such a call counts as sent, because nobody can tell.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000, allowH2: false };

/**
 * Calls providers at addresses that the operator set. Connections are kept alive, redirects are never followed, and no
 * proxy of the environment is used.
 */
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
 * Calls addresses that a customer named (contract §5, URL check). The name is resolved when a connection is made, and
 * each address is judged. The connection goes to one of the judged addresses or nowhere. A refusal is
 * `HttpFailure("blocked")`.
 */
export function createGuardedHttp(options: {
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
}): StreamingHttp {
  const guard = createAddressGuard(options);
  const pools = openPools((url) => guard.addressesOf(url));
  /** The address as it was judged: this one is called. */
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
 * Connections that go only to the addresses from `addressesOf`. A failure has the kind of its stage: the name, the
 * connection, or TLS. A handshake that is not finished counts as TLS.
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
          if (url.protocol !== "https:") return connected(null, readPastContinue(socket));
          secure({ ...target, httpSocket: socket }, (error, secured) => {
            if (error) connected(new HttpFailure("tls", false, wordsOf(error)), null);
            else connected(null, readPastContinue(secured));
          });
        },
        (error: unknown) => connected(failureOf(error, false), null),
      );
    },
  });
}

/** The code of a handshake's error, which says what is wrong with the certificate. */
function wordsOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "tls";
  return code === "UND_ERR_CONNECT_TIMEOUT" ? "the TLS handshake was not finished in time" : code;
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** Makes one request and reads its answer, up to the limit. */
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
        // The rest is not read: the answer stands, and the socket is closed.
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

/** Makes one request and passes its answer on as it comes. Only what the reader has not taken yet is in memory. */
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
        // The reader gets the failure in its loop. When nobody reads, the error must not end the process.
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
