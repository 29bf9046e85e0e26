import net from "node:net";
import { Readable } from "node:stream";
import { Agent, buildConnector } from "undici";
import { AddressRefused, createAddressGuard, type Resolve } from "./address-guard.ts";
import type { HttpRequest, HttpResponse, HttpStream, StreamingHttp } from "./http.ts";
import { call, failureOf } from "./outbound-call.ts";

const CONNECT_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

// Time-outs are ours, one for the whole call. Idle sockets are kept 4 s, less than common servers do, so that a
// request seldom meets a socket that its peer is just closing: such a call counts as sent, for nobody can tell.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000, allowH2: false };

/** Calls providers at addresses the operator set. Keep-alive; redirects are never followed; no proxy from outside. */
export function createProviderHttp(): StreamingHttp {
  const agent = new Agent({ ...SETTINGS, connect: { timeout: CONNECT_MS } });
  return {
    request: (request) => exchange(agent, new URL(request.url), request),
    stream: (request) => open(agent, new URL(request.url), request),
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
  const secure = buildConnector({ timeout: CONNECT_MS, allowH2: false });
  const agent = new Agent({
    ...SETTINGS,
    connect(target, connected) {
      const url = new URL(`${target.protocol}//${target.host ?? target.hostname}`);
      guard
        .addressesOf(url)
        .then((addresses) => openSocket(addresses, portOf(url)))
        .then(
          (socket) => {
            if (url.protocol === "https:") secure({ ...target, httpSocket: socket }, connected);
            else connected(null, socket);
          },
          (error: Error) => connected(error, null),
        );
    },
  });
  /** The address as it was judged, which is the one that is called. */
  async function inspected(request: HttpRequest): Promise<URL> {
    try {
      return guard.inspect(request.url);
    } catch (error) {
      throw failureOf(error, false);
    }
  }
  return {
    request: async (request) => exchange(agent, await inspected(request), request),
    stream: async (request) => open(agent, await inspected(request), request),
  };
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/**
 * A TCP connection to one of the addresses, and to no other: `lookup` gives just these (Node does not call it for a
 * literal, which is then the only address there is), and what was reached is compared once more.
 */
function openSocket(addresses: readonly string[], port: number): Promise<net.Socket> {
  const list = addresses.map((address) => ({ address, family: net.isIP(address) }));
  return new Promise((resolve, reject) => {
    const socket = net.connect({
      host: addresses[0] ?? "",
      port,
      noDelay: true,
      autoSelectFamily: true,
      ...(list.length > 1 && {
        host: "checked.invalid",
        lookup: (_host, _options, done) => done(null, list),
      }),
    });
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error("connect timed out"), { code: "ETIMEDOUT" })),
      CONNECT_MS,
    );
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.removeListener("error", fail);
      if (socket.remoteAddress !== undefined && addresses.includes(socket.remoteAddress)) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new AddressRefused("the connection reached another address"));
    });
  });
}

/** One request and its answer, as much of it as may be held. */
function exchange(agent: Agent, url: URL, request: HttpRequest): Promise<HttpResponse> {
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
    const made = call(agent, url, request, {
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
function open(agent: Agent, url: URL, request: HttpRequest): Promise<HttpStream> {
  return new Promise((resolve, reject) => {
    let body: Readable | undefined;
    const made = call(agent, url, request, {
      started(status, headers) {
        body = new Readable({
          read: () => made.resume(),
          destroy(error, done) {
            made.close();
            done(error);
          },
        });
        // Whoever reads meets the failure in the loop; nobody need read.
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
