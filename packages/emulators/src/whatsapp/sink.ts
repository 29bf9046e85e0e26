import { createServer } from "node:http";
import { Ledger } from "../core/ledger.ts";
import { createOutgoing } from "../core/outgoing.ts";
import { loopback } from "../core/server.ts";
import { envelope, signed } from "./envelope.ts";

/** Accepts every send at full speed: no checks, no limits. For benchmarks. */
export interface WhatsAppSink extends AsyncDisposable {
  readonly url: string;
  readonly apiUrl: string;
  readonly accepted: number;
  readonly ledger: Ledger;
  close(): Promise<void>;
}

export interface SinkOptions {
  readonly port?: number;
  /** Counts acceptances per address and correlation id. Default true. */
  readonly ledger?: boolean;
  /** Sends one `delivered` per message to this callback, in batches. */
  readonly statuses?: {
    readonly url: string;
    readonly appSecret: string;
    readonly wabaId: string;
    readonly phoneNumberId: string;
    readonly batchSize?: number;
  };
}

const TO = /"to":"\+?(\d+)"/;
const CORRELATION = /"biz_opaque_callback_data":"([^"]*)"/;

/** Starts a sink on a loopback port. */
export async function createWhatsAppSink(options: SinkOptions = {}): Promise<WhatsAppSink> {
  const ledger = new Ledger(5_000_000);
  const outgoing = createOutgoing(10_000);
  const keep = options.ledger !== false;
  const { statuses } = options;
  let accepted = 0;
  let waiting: object[] = [];
  let sending = Promise.resolve();

  const deliver = () => {
    if (!statuses || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    const value = {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: "15550000000", phone_number_id: statuses.phoneNumberId },
      statuses: batch,
    };
    const { body, headers } = signed(
      envelope([{ wabaId: statuses.wabaId, field: "messages", value }]),
      statuses.appSecret,
    );
    sending = sending.then(() => outgoing.call("POST", statuses.url, headers, body)).then(() => {});
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => response.destroy());
    request.on("end", () => {
      accepted += 1;
      const id = `wamid.SINK${accepted.toString(36).padStart(10, "0")}`;
      let to = "";
      if (keep || statuses) {
        // A pattern, not a parser: the sink must cost less than what it measures.
        const text = Buffer.concat(chunks).toString("latin1");
        to = TO.exec(text)?.[1] ?? "";
        const correlation = CORRELATION.exec(text)?.[1] ?? "";
        if (keep) ledger.accept("sink", to, correlation);
        if (statuses) {
          waiting.push({
            id,
            status: "delivered",
            timestamp: String(Math.floor(Date.now() / 1000)),
            recipient_id: to,
            biz_opaque_callback_data: correlation,
          });
          if (waiting.length >= (statuses.batchSize ?? 100)) deliver();
        }
      }
      const body = `{"messaging_product":"whatsapp","contacts":[{"input":"${to}","wa_id":"${to}"}],"messages":[{"id":"${id}"}]}`;
      response.writeHead(200, {
        "content-type": "application/json; charset=UTF-8",
        "content-length": body.length,
      });
      response.end(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, loopback(undefined), () => resolve());
  });
  const address = server.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  // The rest, when sends pause.
  const timer = statuses ? setInterval(deliver, 50) : undefined;
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    clearInterval(timer);
    deliver();
    await sending;
    outgoing.close();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return {
    url,
    apiUrl: `${url}/v25.0`,
    get accepted() {
      return accepted;
    },
    ledger,
    close,
    [Symbol.asyncDispose]: close,
  };
}
