import net from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { AddressRefused, createAddressGuard, type Resolve } from "./address-guard.ts";
import {
  HttpFailure,
  type Http,
  type HttpFailureKind,
  type HttpRequest,
  type HttpResponse,
} from "./http.ts";

const CONNECT_MS = 5_000;
const TOTAL_MS = 20_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

// Time-outs are ours, one for the whole call. Idle sockets are kept 4 s, less than common servers do, so that a
// request seldom meets a socket that its peer is just closing: such a call counts as sent, for nobody can tell.
const SETTINGS = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 4_000, allowH2: false };

/** Calls providers at addresses the operator set. Keep-alive; redirects are never followed; no proxy from outside. */
export function createProviderHttp(): Http {
  const agent = new Agent({ ...SETTINGS, connect: { timeout: CONNECT_MS } });
  return { request: (request) => exchange(agent, new URL(request.url), request) };
}

/**
 * Calls addresses a customer named (contract §5, URL check). The name is resolved when a connection is made, every
 * answer is judged, and the connection goes to a judged address or nowhere. A refusal is `HttpFailure("blocked")`.
 */
export function createGuardedHttp(options: {
  readonly allow: readonly string[];
  readonly resolve?: Resolve;
}): Http {
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
  return {
    request(request) {
      let url: URL;
      try {
        url = guard.inspect(request.url);
      } catch (error) {
        return Promise.reject(failureOf(error, false));
      }
      return exchange(agent, url, request);
    },
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

/** One request and its answer. `sent` of a failure is exact: undici calls `onRequestStart` just before it writes. */
function exchange(agent: Agent, url: URL, request: HttpRequest): Promise<HttpResponse> {
  const limit = request.maxResponseBytes ?? MAX_RESPONSE_BYTES;
  return new Promise((resolve, reject) => {
    let sent = false;
    let done = false;
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | undefined;
    let headers: Record<string, string> = {};
    const chunks: Buffer[] = [];
    let size = 0;

    const timer = setTimeout(
      () => giveUp(new HttpFailure("timeout", sent, "no answer in time")),
      request.timeoutMs ?? TOTAL_MS,
    );
    const onAbort = () => giveUp(new HttpFailure("aborted", sent, "aborted"));
    if (request.signal?.aborted) queueMicrotask(onAbort);
    else request.signal?.addEventListener("abort", onAbort, { once: true });

    function end(): boolean {
      if (done) return false;
      done = true;
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
      return true;
    }
    function answer(partial: boolean): void {
      if (status === undefined || !end()) return;
      const body = Buffer.concat(chunks).subarray(0, limit);
      resolve(partial ? { status, headers, body, partial } : { status, headers, body });
    }
    function fail(failure: HttpFailure): void {
      if (request.acceptPartial === true && status !== undefined) answer(true);
      else if (end()) reject(failure);
    }
    function giveUp(failure: HttpFailure): void {
      fail(failure);
      controller?.abort(failure);
    }

    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: request.method,
          headers: { ...request.headers },
          body: request.body ?? null,
        },
        {
          onRequestStart(given) {
            controller = given;
            // Too late already, or undici wants to send it a second time: neither may put a byte on the wire.
            if (done || sent) given.abort(new Error("not wanted any more"));
            else sent = true;
          },
          onResponseStart(_given, code, fields) {
            if (code < 200) return;
            status = code;
            headers = flatten(fields);
          },
          onResponseData(_given, chunk) {
            chunks.push(chunk);
            size += chunk.length;
            if (size <= limit) return;
            // What does not fit is not read: the answer stands, the socket goes.
            answer(true);
            controller?.abort(new Error("answer too long"));
          },
          onResponseEnd: () => answer(false),
          onResponseError: (_given, error) => fail(failureOf(error, sent)),
        },
      );
    } catch (error) {
      fail(failureOf(error, sent));
    }
  });
}

function flatten(fields: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

const DNS_CODES = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "ENODATA"]);
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_|EPROTO)/;

/** Names a failure without its text: an error of the platform may carry the address and with it a token. */
function failureOf(error: unknown, sent: boolean): HttpFailure {
  if (error instanceof HttpFailure) return error;
  if (error instanceof AddressRefused) return new HttpFailure("blocked", sent, error.message);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  let kind: HttpFailureKind = sent ? "reset" : "connect";
  if (!sent && DNS_CODES.has(code)) kind = "dns";
  else if (!sent && TLS_CODE.test(code)) kind = "tls";
  return new HttpFailure(kind, sent, code || kind);
}
