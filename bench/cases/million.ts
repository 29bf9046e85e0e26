import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { steadyKinds, RATE } from "../million/others.ts";
import { steps, type Step } from "../million/steps.ts";
import { ALONE, printStages, type Stage } from "../million/stages.ts";
import { Child } from "../child.ts";
import { writePeople } from "../people.ts";
import { forgetPeak, peakMegabytes } from "../process-memory.ts";
import type { Pulse, PulseAsk } from "../pulse.ts";
import { sql } from "../../apps/server/src/db/sql.ts";
import { SteadyLoad } from "../steady.ts";
import type { World } from "../world.ts";
import type { Case } from "./case.ts";

const WARM_UP_MS = 8_000;
/**
 * Nothing but the others, before each step and after the last: what all ratios are of. The machine itself gets slower and
 * quicker by half within a run, so that one look at the beginning is no base for what comes ten minutes later.
 */
const ALONE_MS = 30_000;

async function temporaryMegabytes(world: World): Promise<number> {
  const [row] = await world.app.db.query<{ bytes: number }>(
    sql`select temp_bytes as bytes from pg_stat_database where datname = current_database()`,
  );
  return Math.round((row?.bytes ?? 0) / 1_048_576);
}

/** One workspace takes in a million contacts and works with them; what 200 small ones notice of it. */
export const million: Case = {
  name: "million",
  async run(world, tell) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parley-million-"));
    const file = path.join(folder, "people.csv");
    const stages: Stage[] = [];
    try {
      tell("writes the file of people");
      await writePeople(file, world.size.contacts);
      await world.freshProduct("working");
      const [pulse] = await Child.start<PulseAsk, Pulse, object>("pulse.ts", [
        path.join(folder, "pulse"),
      ]);
      await using _stop = pulse;
      const others = new SteadyLoad(world.origin, RATE, steadyKinds(world));
      await sleep(WARM_UP_MS);
      others.take();

      const stage = async (step: Step) => {
        tell(step.name);
        const begun = performance.now();
        const temporary = await temporaryMegabytes(world);
        const before = world.cpu();
        forgetPeak(world.product.pid);
        others.take();
        await pulse.ask("take");
        const { count = null, seconds, megabytes = null, note } = await step.run();
        const took = seconds ?? (performance.now() - begun) / 1_000;
        const after = world.cpu();
        stages.push({
          name: step.name,
          seconds: took,
          perSecond: count === null ? null : count / took,
          serverMegabytes: peakMegabytes(world.product.pid),
          commandMegabytes: megabytes,
          temporaryMegabytes: (await temporaryMegabytes(world)) - temporary,
          cores:
            before && after
              ? [
                  (after.postgres - before.postgres) / took / 1_000,
                  (after.product - before.product) / took / 1_000,
                ]
              : null,
          others: others.take(),
          pulse: await pulse.ask("take"),
          note: note ?? "",
        });
        printStages(stages, (line) => process.stderr.write(line));
      };
      const alone: Step = { name: ALONE, run: async () => (await sleep(ALONE_MS), {}) };
      for (const step of steps(world, folder, file)) {
        if (!step.atOnce) await stage(alone);
        await stage(step);
      }
      await stage(alone);
      await others.stop();
    } finally {
      rmSync(folder, { recursive: true });
    }
    process.stdout.write(
      `${world.size.contacts.toLocaleString("en")} contacts of one workspace, ${RATE} requests a second of 200 others\n\n`,
    );
    printStages(stages, (line) => process.stdout.write(line));
    return [];
  },
};
