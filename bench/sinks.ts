import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createPlain, type RequestListener } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { createWhatsAppSink, type SinkOptions } from "@parley/emulators";

/** Where the product sends to, in a process of its own: the platform's sink, and a receiver of webhooks. */
export interface SinksReady {
  readonly apiUrl: string;
  readonly receiver: string;
  /** PEM; undefined when there is no openssl to make one, and the receiver speaks http. */
  readonly certificate?: string;
}

/** How many came since the last reset, and when (of `performance.timeOrigin` and this clock, in ms). */
export interface Tally {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** With "delays": from an event's time to its arrival at `/timed`, in ms; and how many events were acknowledged. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly distinct?: number;
  /** With "reports": the address of the new sink. */
  readonly apiUrl?: string;
}

/**
 * `measure`: delays count from now on. `heal`: from now on every address answers at once, and well. `reports JSON`:
 * another sink of the platform, which reports deliveries as these options say.
 */
export type SinkAsk =
  | "reset"
  | "receiver"
  | "sink"
  | "measure"
  | "delays"
  | "heal"
  | `reports ${string}`;

const SLOW_MS = 5_000;

const now = () => performance.timeOrigin + performance.now();
let count = 0;
let first = 0;
let last = 0;

const sink = await createWhatsAppSink({ ledger: false });

let healed = false;
/** A slow answer may end after a reset; it belongs to the run before. */
let resets = 0;
let flaps = 0;
let delays: number[] = [];
const acknowledged = new Set<string>();

const receive: RequestListener = (request, response) => {
  const { url = "" } = request;
  const timed = url.endsWith("/timed");
  const chunks: Buffer[] = [];
  if (timed) request.on("data", (chunk: Buffer) => chunks.push(chunk));
  else request.resume();
  request.on("end", () => {
    last = now();
    if (count++ === 0) first = last;
    if (timed) {
      const { createdAt } = JSON.parse(Buffer.concat(chunks).toString()) as { createdAt: string };
      delays.push(last - Date.parse(createdAt));
    }
    const flap = !healed && url.endsWith("/flapping") && flaps++ % 2 === 0;
    const run = resets;
    const answer = () => {
      if (!flap && run === resets) acknowledged.add(String(request.headers["webhook-id"]));
      response.writeHead(flap ? 500 : 204).end();
    };
    if (!healed && url.endsWith("/slow")) setTimeout(answer, SLOW_MS);
    else answer();
  });
};

function delaysSoFar(): Tally {
  delays.sort((a, b) => a - b);
  const at = (part: number) => delays[Math.floor(delays.length * part)] ?? Number.NaN;
  const { size: distinct } = acknowledged;
  return { count: delays.length, first, last, p50Ms: at(0.5), p99Ms: at(0.99), distinct };
}

function makeCertificate(): { key: string; cert: string } | undefined {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-cert-"));
  try {
    const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      [
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1",
        `-addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${cert}`,
      ].flatMap((words) => words.split(" ")),
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function reporting(statuses: SinkOptions["statuses"]): Promise<void> {
  const { apiUrl } = await createWhatsAppSink({ ledger: false, ...(statuses && { statuses }) });
  process.send?.({ count: 0, first: 0, last: 0, apiUrl } satisfies Tally);
}

const pair = makeCertificate();
const receiver = pair ? createSecure(pair, receive) : createPlain(receive);
receiver.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const { port } = receiver.address() as AddressInfo;

let sunk = 0;
process.on("message", (ask: SinkAsk) => {
  if (ask === "reset") {
    count = 0;
    sunk = sink.accepted;
    healed = false;
    resets++;
    delays = [];
    acknowledged.clear();
    process.send?.({});
  } else if (ask === "measure") {
    delays = [];
    process.send?.({});
  } else if (ask === "heal") {
    healed = true;
    process.send?.({});
  } else if (ask.startsWith("reports "))
    void reporting(JSON.parse(ask.slice("reports ".length)) as SinkOptions["statuses"]);
  else if (ask === "delays") process.send?.(delaysSoFar());
  else if (ask === "receiver") process.send?.({ count, first, last } satisfies Tally);
  else process.send?.({ count: sink.accepted - sunk, first: 0, last: 0 } satisfies Tally);
});
process.on("disconnect", () => process.exit(0));
process.send?.({
  apiUrl: sink.apiUrl,
  receiver: `${pair ? "https" : "http"}://127.0.0.1:${port}/hook`,
  ...(pair && { certificate: pair.cert }),
} satisfies SinksReady);
