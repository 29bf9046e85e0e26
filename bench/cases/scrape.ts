import { sql } from "../../apps/server/src/db/sql.ts";
import type { Row } from "../rounds.ts";
import { idAt, WORKSPACE } from "../seed.ts";
import { CAMPAIGN, CHANNEL } from "../world.ts";
import type { Case } from "./case.ts";

const SCRAPES = 100;
const GOAL_MS = 50;

/** What Prometheus asks for four times a minute, while a million messages wait and are due. */
export const scrape: Case = {
  name: "scrape",
  async run(world, tell): Promise<Row[]> {
    const waiting = world.size.contacts < 1_000_000 ? 100_000 : 1_000_000;
    const { db } = world.app;
    const workspaceId = idAt(CAMPAIGN, WORKSPACE);
    await db.query(sql`truncate message_outbox`);
    // Its workers are not at work, so all of them stay.
    await world.freshProduct();
    tell(`${waiting} messages wait`);
    await db.query(sql`
      insert into message_outbox (workspace_id, message_id, conversation_id, channel_id, state, available_at)
      select ${workspaceId}::uuid, gen_random_uuid(), gen_random_uuid(), ${idAt(CAMPAIGN, CHANNEL)}::uuid, 'waiting',
        now() - make_interval(secs => n % 3600)
      from generate_series(1, ${waiting}::int) n`);
    await db.query(sql`analyze message_outbox`);
    const times: number[] = [];
    for (let turn = 0; turn < SCRAPES; turn++) {
      const begun = performance.now();
      const answer = await fetch(`${world.origin}/metrics`);
      const text = await answer.text();
      if (turn > 0) times.push(performance.now() - begun);
      if (!/^parley_queue_oldest_seconds\{queue="messages"\} [1-9]/m.test(text))
        throw new Error("the scrape does not say how long messages wait");
    }
    await db.query(sql`truncate message_outbox`);
    const [p50 = NaN, p99 = NaN] = [0.5, 0.99].map(
      (part) => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)],
    );
    return [
      {
        name: `a scrape while ${waiting.toLocaleString("en")} messages are due`,
        floor: null,
        product: null,
        ratio: null,
        p99Ms: p99,
        goal: `p99 ≤ ${GOAL_MS} ms`,
        met: p99 <= GOAL_MS,
        note: `p50 ${p50.toFixed(1)} ms`,
      },
    ];
  },
};
