import { OPERATOR } from "../../apps/server/src/actor.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { presentContact } from "../../apps/server/src/contacts/record/contact.ts";
import { sql } from "../../apps/server/src/db/sql.ts";
import { createEndpoint } from "../../apps/server/src/webhooks/create-endpoint.ts";
import { emitEvents } from "../../apps/server/src/webhooks/emit-events.ts";
import type { BareAnswer, BareAsk } from "../bare.ts";
import { Child } from "../child.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, WORKSPACE } from "../seed.ts";
import { certificateOf, SMALL, type World } from "../world.ts";
import type { Case } from "./case.ts";

/** Endpoints, each of a workspace of its own; the product has up to 16 requests in the air for each. */
const ENDPOINTS = [SMALL.last, SMALL.last - 1, SMALL.last - 2, SMALL.last - 3];
const WINDOW = 16;
const LONGEST_MS = 180_000;

/** Stores events that wait for delivery. */
async function emit(world: World, count: number): Promise<void> {
  const at = new Date();
  const contact = presentContact({
    workspaceId: "",
    id: idAt(1, 1),
    name: "Sara Haddad",
    email: "sara@example.com",
    phone: "201001234567",
    notes: null,
    channelType: null,
    externalId: null,
    tags: ["vip"],
    attributes: { city: "Cairo" },
    optedOutAt: null,
    lastSeenAt: null,
    createdAt: at,
  });
  const step = 500;
  for (let done = 0; done < count; done += step) {
    await world.app.db.transaction((tx) =>
      emitEvents(
        world.app,
        tx,
        Array.from({ length: Math.min(step, count - done) }, (_, index) => ({
          workspaceId: idAt(ENDPOINTS[(done + index) % ENDPOINTS.length] ?? 0, WORKSPACE),
          type: "contact.created" as const,
          data: { contact },
        })),
      ),
    );
  }
}

/** From the first request at the receiver until the last one is recorded as delivered. */
async function drain(world: World, count: number): Promise<{ perSecond: number; count: number }> {
  // A lease that nobody holds keeps the workers away until all is there.
  const lease = (until: Date | null) =>
    world.app.db.query(sql`update endpoint set busy_until = ${until}`);
  await lease(new Date(Date.now() + 3_600_000));
  await emit(world, count);
  await world.sinks.ask("reset");
  await lease(null);
  for (const end = performance.now() + LONGEST_MS; ; await sleep(20)) {
    if (performance.now() > end) throw new Error("the deliveries are not done in time");
    // The receiver is asked first: a look at the table counts as work of the product.
    if ((await world.sinks.ask("receiver")).count < count) continue;
    const [row] = await world.app.db.query<{ open: boolean }>(
      sql`select exists (select 1 from delivery where state = 'pending') as open`,
    );
    if (row?.open === false) break;
  }
  const ended = performance.timeOrigin + performance.now();
  const { count: came, first } = await world.sinks.ask("receiver");
  if (came !== count) throw new Error(`${came} of ${count} deliveries came`);
  return { perSecond: (count * 1_000) / (ended - first), count };
}

export const webhooks: Case = {
  name: "webhooks",
  async run(world, tell): Promise<Row[]> {
    const { receiver, apiUrl } = world.sinksReady;
    const secure = receiver.startsWith("https:");
    if (!secure) tell("no openssl here: the receiver speaks http, for both");
    // Of what is counted here alone: replies of an earlier case may be dispatched meanwhile.
    const events = ["contact.created"];
    for (const number of ENDPOINTS)
      await createEndpoint(OPERATOR, world.app, idAt(number, WORKSPACE), { url: receiver, events });
    const [bare] = await Child.start<BareAsk, BareAnswer, object>(
      "bare.ts",
      [apiUrl, receiver],
      certificateOf(world.sinksReady),
    );
    await using _stop = bare;
    const { recipients: count, rounds } = world.size;
    const floor = async () =>
      (await bare.ask(`hook ${count} ${WINDOW * ENDPOINTS.length}`)).perSecond;
    await world.freshProduct("working");
    tell("warms up");
    await floor();
    await drain(world, count);
    const compared = await inTurn(rounds, floor, () => drain(world, count), tell, world.cpu);
    await world.freshProduct();
    await world.app.db.query(sql`delete from delivery`);
    await world.app.db.query(sql`delete from endpoint`);
    return [judge(`webhook drain, 4 endpoints${secure ? "" : ", http"}`, compared, { ratio: 0.6 })];
  },
};
