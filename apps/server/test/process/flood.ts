import { connect } from "node:net";

export interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly bearer: string;
  readonly body?: string;
}

export interface Flooded {
  readonly status: number;
  readonly ask: Ask;
  /** From its first byte to the last of its answer. */
  readonly ms: number;
}

const HEAD_END = "\r\n\r\n";

/**
 * Asks over `lines` kept connections for `seconds`: `rate` requests a second over all of them, or without one as fast
 * as they are answered. Each answer is passed on, refused or not. Written on bare sockets, because it shares the cores
 * with what it floods.
 */
export async function flood(
  origin: string,
  options: {
    readonly lines: number;
    readonly seconds: number;
    readonly rate?: number;
    readonly next: (turn: number) => Ask;
    readonly answered: (answer: Flooded) => void;
  },
): Promise<void> {
  const { hostname, port } = new URL(origin);
  const begun = performance.now();
  const end = begun + options.seconds * 1_000;
  const gap = options.rate === undefined ? 0 : 1_000 / options.rate;
  let turn = 0;

  const line = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let sentAt = 0;
      let ask: Ask | undefined;
      let heard = "";
      const next = () => {
        const current = turn++;
        const due = begun + current * gap;
        if (due >= end || performance.now() >= end) {
          ask = undefined;
          socket.end();
          return;
        }
        const send = () => {
          ask = options.next(current);
          sentAt = performance.now();
          socket.write(textOf(ask), "latin1");
        };
        const wait = due - performance.now();
        if (wait > 1) setTimeout(send, wait);
        else send();
      };
      socket.on("data", (chunk: Buffer) => {
        heard += chunk.toString("latin1");
        const at = heard.indexOf(HEAD_END);
        const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0);
        if (at < 0 || heard.length < at + HEAD_END.length + length || !ask) return;
        const status = Number(heard.slice(9, 12));
        heard = "";
        options.answered({ status, ask, ms: performance.now() - sentAt });
        next();
      });
      socket.on("connect", next);
      socket.on("error", reject);
      socket.on("close", () => {
        if (ask) reject(new Error(`a request was cut: ${ask.method} ${ask.path}`));
        else resolve();
      });
    });
  await Promise.all(Array.from({ length: options.lines }, line));
}

function textOf({ method, path, bearer, body }: Ask): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${bearer}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
