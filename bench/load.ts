import { connect, type Socket } from "node:net";

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly count: number;
}

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadOptions {
  readonly clients: number;
  readonly seconds: number;
  /** Requests a second over all clients; unset: as fast as it goes. Late ones count from when they were due. */
  readonly rate?: number;
  readonly next: (turn: number) => LoadRequest;
  /** Ends it before its time. */
  readonly signal?: AbortSignal;
  /** Answers that are not 2xx are counted and do not end the run. */
  readonly mayRefuse?: boolean;
  /** Hears of each answer: which turn's, and milliseconds since it was due. */
  readonly onAnswer?: (turn: number, ms: number) => void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const READ_BYTES = 65_536;

/**
 * Drives the API with `clients` keep-alive connections for `seconds`, one request in the air on each. Throws when more
 * than 1 in 1,000 answers was not 2xx, unless they may be: a fast refusal is no result.
 *
 * Written on bare sockets because the load generator shares the cores with what it measures, and every turn is a
 * request of its own (key, body): what a general generator does beyond that would be counted against the product. Each
 * reads into a buffer of its own, always the same: a new one for each read is collected twice a second, 15 to 30 ms in
 * which no answer is heard, and at half load they were the 99th percentile.
 */
export async function load(origin: string, options: LoadOptions): Promise<Load> {
  const { hostname, port } = new URL(origin);
  const begun = performance.now();
  const end = begun + options.seconds * 1_000;
  const times: number[] = [];
  const faults = new Map<number, number>();
  let turn = 0;
  const due = options.rate === undefined ? undefined : 1_000 / options.rate;

  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let started = 0;
      let asked = 0;
      let status = 0;
      // Bytes of the answer that are still to come; -1 while its head is.
      let missing = -1;
      let head: Buffer | undefined;
      const answered = () => {
        const ms = performance.now() - started;
        times.push(ms);
        options.onAnswer?.(asked, ms);
        if (status < 200 || status > 299) faults.set(status, (faults.get(status) ?? 0) + 1);
        missing = -1;
        ask();
      };
      const read = (chunk: Buffer) => {
        if (missing < 0) {
          const whole: Buffer = head === undefined ? chunk : Buffer.concat([head, chunk]);
          const at = whole.indexOf(HEAD_END);
          if (at < 0) {
            head = Buffer.from(whole);
            return;
          }
          head = undefined;
          const text = whole.toString("latin1", 0, at);
          status = Number(text.slice(9, 12));
          missing = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0) - (whole.length - at - 4);
        } else missing -= chunk.length;
        if (missing === 0) answered();
      };
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const socket: Socket = connect({
        host: hostname,
        port: Number(port),
        noDelay: true,
        onread: {
          buffer,
          callback: (count) => {
            read(buffer.subarray(0, count));
            return true;
          },
        },
      });
      const ask = () => {
        const current = turn++;
        const now = performance.now();
        const at = due === undefined ? now : begun + current * due;
        if (at >= end || now >= end || options.signal?.aborted === true) {
          socket.destroy();
          resolve();
          return;
        }
        started = at;
        asked = current;
        const send = () => socket.write(render(options.next(current)), "latin1");
        if (at > now) setTimeout(send, at - now);
        else send();
      };
      socket.on("connect", ask);
      socket.on("error", reject);
      socket.on("close", () => resolve());
    });
  await Promise.all(Array.from({ length: options.clients }, one));
  const seconds = (performance.now() - begun) / 1_000;
  const refused = [...faults.values()].reduce((sum, count) => sum + count, 0);
  if ((refused * 1_000 > times.length && options.mayRefuse !== true) || times.length === 0) {
    const told = JSON.stringify(Object.fromEntries(faults));
    throw new Error(`${refused} of ${times.length} answers were not 2xx ${told}`);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    perSecond: (times.length - refused) / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    refused,
    count: times.length,
  };
}

function render({ method, path, headers = {}, body }: LoadRequest): string {
  let text = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n`;
  for (const name in headers) text += `${name}: ${headers[name] ?? ""}\r\n`;
  if (body === undefined) return `${text}\r\n`;
  return `${text}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
