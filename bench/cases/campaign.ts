import { OPERATOR } from "../../apps/server/src/actor.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelBroadcast } from "../../apps/server/src/broadcasts/record/change-broadcast.ts";
import { createBroadcast } from "../../apps/server/src/broadcasts/record/create-broadcast.ts";
import { findBroadcast } from "../../apps/server/src/broadcasts/record/find-broadcast.ts";
import { Sql, sql } from "../../apps/server/src/db/sql.ts";
import { Child } from "../child.ts";
import type { BareAnswer, BareAsk } from "../bare.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, WORKSPACE } from "../seed.ts";
import { BIG, CAMPAIGN, CHANNEL, templateOf, type World } from "../world.ts";
import type { Case } from "./case.ts";

/** As many as the product has in the air for one campaign. */
const AT_ONCE = 256;

const LONGEST_MS = 180_000;

/** Makes and starts a campaign to everyone; gives its id. `origin`: the process that is asked. */
export async function start(
  world: World,
  number: number,
  ratePerMinute: number,
  origin = world.origin,
): Promise<string> {
  const workspaceId = idAt(number, WORKSPACE);
  const { id } = await createBroadcast(OPERATOR, world.app, workspaceId, {
    name: "Bench",
    kind: "WHATSAPP_TEMPLATE",
    channelId: idAt(number, CHANNEL),
    templateId: templateOf(number),
    variables: { 1: "{{name}}" },
    rateLimitPerMinute: ratePerMinute,
  });
  // By the API: who starts it in the process that stores its audience is heard at once.
  const answer = await fetch(`${origin}/api/v1/broadcasts/${id}/start`, {
    method: "POST",
    headers: { authorization: world.keys.next(number) },
  });
  if (!answer.ok) throw new Error(`the start was refused: ${answer.status}`);
  await answer.arrayBuffer();
  return id;
}

async function until(world: World, number: number, id: string, status: string): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; ;) {
    if (performance.now() > end) throw new Error(`the campaign is not ${status} in time`);
    const found = await findBroadcast(world.app, idAt(number, WORKSPACE), id);
    if (found.status === status) return;
    if (["PAUSED", "FAILED", "CANCELLED"].includes(found.status))
      throw new Error(`the campaign is ${found.status}: ${found.statusReason ?? ""}`);
    await sleep(20);
  }
}

/**
 * Until the campaign's audience is stored. It is looked at within one transaction: background work rests beside others,
 * and a hundred questions a second would look like some.
 */
async function stored(world: World, id: string): Promise<void> {
  await world.app.db.query(
    new Sql(
      [
        `do $$ begin for look in 1..${LONGEST_MS / 10} loop
          exit when (select status from broadcast where id = '${id}') <> 'QUEUED';
          perform pg_sleep(0.01);
        end loop; end $$`,
      ],
      [],
    ),
  );
}

/** From the first call at the sink to the last recipient settled. */
async function drain(world: World): Promise<{ perSecond: number; count: number }> {
  await world.sinks.ask("reset");
  const id = await start(world, CAMPAIGN, 1_000_000);
  while ((await world.sinks.ask("sink")).count === 0) await sleep(5);
  const begun = performance.now();
  await until(world, CAMPAIGN, id, "COMPLETED");
  const { recipients: count } = world.size;
  return { perSecond: (count * 1_000) / (performance.now() - begun), count };
}

export const campaign: Case = {
  name: "campaign",
  async run(world, tell): Promise<Row[]> {
    const { recipients, rounds } = world.size;
    const [bare] = await Child.start<BareAsk, BareAnswer, object>("bare.ts", [
      world.sinksReady.apiUrl,
    ]);
    await using _stop = bare;
    // What the cases of replies left waiting: looking through 113,000 takes most of a core (docs/performance.md, Replies).
    await world.app.db.query(sql`truncate message_outbox`);
    const floor = async () => (await bare.ask(`send ${recipients} ${AT_ONCE}`)).perSecond;
    await world.freshProduct("working");
    tell("warms up");
    await floor();
    await drain(world);
    const compared = await inTurn(rounds, floor, () => drain(world), tell, world.cpu);
    await world.freshProduct();
    return [
      judge(`campaign drain, ${recipients.toLocaleString("en")} recipients`, compared, {
        ratio: 0.25,
      }),
    ];
  },
};

/** The recipients of one large campaign, from its start to RUNNING. */
export const audience: Case = {
  name: "audience",
  async run(world, tell): Promise<Row[]> {
    const workspaceId = idAt(BIG, WORKSPACE);
    const empty = () => world.app.db.query(sql`truncate broadcast_recipient`);
    const timed = async (work: () => Promise<unknown>) => {
      const begun = performance.now();
      await work();
      return (world.size.contacts * 1_000) / (performance.now() - begun);
    };
    const floor = async () => {
      await empty();
      return timed(() =>
        world.app.db.query(sql`
          insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, content, status)
          select workspace_id, ${idAt(BIG, 1)}, id, phone,
            jsonb_build_object('parameters', jsonb_build_array(name)), 'pending'
          from contact where workspace_id = ${workspaceId} and opted_out_at is null`),
      );
    };
    const product = async () => {
      await empty();
      let id = "";
      const perSecond = await timed(async () => {
        id = await start(world, BIG, 10);
        await stored(world, id);
      });
      await until(world, BIG, id, "RUNNING");
      await cancelBroadcast(OPERATOR, world.app, workspaceId, id);
      return { perSecond, count: world.size.contacts };
    };
    await world.freshProduct("working");
    tell("warms up");
    await product();
    const compared = await inTurn(Math.min(3, world.size.rounds), floor, product, tell, world.cpu);
    const { peak = 0 } = await world.product.ask("memory");
    await world.freshProduct();
    await empty();
    await world.app.db.query(new Sql(["vacuum broadcast_recipient"], []));
    const megabytes = Math.round(peak / 1_048_576);
    return [
      judge(`audience of ${world.size.contacts.toLocaleString("en")}`, compared, { ratio: 0.8 }),
      {
        name: "  most memory of the process meanwhile",
        floor: null,
        product: null,
        ratio: null,
        p99Ms: null,
        goal: "≤ 400 MB",
        met: megabytes <= 400,
        note: `${megabytes} MB`,
      },
    ];
  },
};
