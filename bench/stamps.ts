import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A platform that notes when each call reached it, in a process of its own. */
export type StampsAsk = "take";
export interface Stamps {
  /** Of campaigns, in the order of arrival: ms of `performance.timeOrigin` and this clock. */
  readonly campaign: readonly number[];
  /** Of replies, by the name that their text begins with. */
  readonly replies: Readonly<Record<string, number>>;
}

const REPLY = /"body":"(reply \d+)/;

let campaign: number[] = [];
let replies: Record<string, number> = {};
let taken = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("error", () => response.destroy());
  request.on("end", () => {
    const at = performance.timeOrigin + performance.now();
    const reply = REPLY.exec(Buffer.concat(chunks).toString("latin1"))?.[1];
    if (reply === undefined) campaign.push(at);
    else replies[reply] ??= at;
    const id = `wamid.STAMP${process.pid}${(taken++).toString(36)}`;
    const body = `{"messaging_product":"whatsapp","contacts":[],"messages":[{"id":"${id}"}]}`;
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

process.on("message", () => {
  process.send?.({ campaign, replies } satisfies Stamps);
  campaign = [];
  replies = {};
});
process.on("disconnect", () => process.exit(0));
process.send?.({ apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
