import { createHmac } from "node:crypto";
import { adapterFor } from "../../apps/server/src/channels/registry.ts";
import { receiveMessages } from "../../apps/server/src/messages/receive/receive-messages.ts";
import { pgbench, recordTransaction, toScript } from "../floor.ts";
import { load } from "../load.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, idText, WORKSPACE } from "../seed.ts";
import { APP_SECRET, CHANNEL, SMALL, type World } from "../world.ts";
import type { Case } from "./case.ts";
import { smallOf, SOME, SOME_WORKSPACE } from "./create.ts";

const CLIENTS = 64;
const run = Date.now().toString(36);

/** One customer's message as Meta sends it. */
export function callOf(number: number, from: string, wamid: string): string {
  return JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: String(2_000_000 + number),
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: {
                display_phone_number: "15550783881",
                phone_number_id: String(1_000_000 + number),
              },
              contacts: [{ profile: { name: "Sara" }, wa_id: from }],
              messages: [
                {
                  from,
                  id: wamid,
                  timestamp: String(Math.floor(Date.now() / 1_000)),
                  type: "text",
                  text: { body: "Where is my order?" },
                },
              ],
            },
          },
        ],
      },
    ],
  });
}

const phoneOf = (index: number) => String(96_500_000_000 + index);

async function script(world: World): Promise<string> {
  const [number, customer] = [SMALL.first, 1];
  const body = Buffer.from(callOf(number, phoneOf(customer), "wamid.floor"));
  const [event] =
    adapterFor("WHATSAPP")?.parse(
      { body, headers: {}, query: {}, receivedAt: new Date() },
      { externalId: "" },
    ) ?? [];
  if (event?.kind !== "message") throw new Error("the call does not parse");
  const account = {
    workspaceId: idAt(number, WORKSPACE),
    channelId: idAt(number, CHANNEL),
    channelType: "WHATSAPP" as const,
  };
  const made: string[] = [];
  const ids = {
    next() {
      const id = world.app.ids.next();
      made.push(id);
      return id;
    },
  };
  const statements = await recordTransaction(world.app.db, (tx) =>
    receiveMessages({ ...world.app, ids }, tx, [{ account, event }]),
  );
  const fresh = new Map([
    [account.workspaceId, SOME_WORKSPACE],
    [account.channelId, idText(":w", String(CHANNEL))],
    // Contact and conversation carry the same number.
    [idAt(number, customer), idText(":w", ":c")],
    [phoneOf(customer), "(96500000000 + :c)::text"],
    ["wamid.floor", "'wamid.' || uuidv7()"],
    ...made.map((id): [string, string] => [id, "uuidv7()"]),
  ]);
  return toScript(statements, fresh, [SOME, `c random(1, ${SMALL.conversations})`]);
}

/** A platform's call, signed, to the stored message: known customers of 200 workspaces write. */
export const inbound: Case = {
  name: "inbound",
  async run(world, tell): Promise<Row[]> {
    const { seconds, rounds } = world.size;
    const text = await script(world);
    let turn = 0;
    const ask = (rate?: number) =>
      load(world.origin, {
        clients: CLIENTS,
        seconds,
        ...(rate !== undefined && { rate }),
        next() {
          const at = turn++;
          const number = smallOf(at);
          const from = phoneOf((Math.floor(at / 200) % SMALL.conversations) + 1);
          const body = callOf(number, from, `wamid.${run}${at}`);
          const signature = createHmac("sha256", APP_SECRET).update(body).digest("hex");
          return {
            method: "POST",
            path: `/hooks/whatsapp/${idAt(number, CHANNEL)}`,
            headers: { "x-hub-signature-256": `sha256=${signature}` },
            body,
          };
        },
      });
    tell("warms up");
    await ask();
    const floor = () => pgbench(world.target, text, { clients: CLIENTS, seconds });
    const compared = await inTurn(
      rounds,
      world.pgbench ? floor : null,
      () => ask(),
      tell,
      world.cpu,
    );
    return [judge("inbound call to stored message, 64 clients", compared, { ratio: 1, p99Ms: 50 })];
  },
};
