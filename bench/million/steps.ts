import { OPERATOR } from "../../apps/server/src/actor.ts";
import { createReadStream } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelBroadcast } from "../../apps/server/src/broadcasts/record/change-broadcast.ts";
import { findBroadcast } from "../../apps/server/src/broadcasts/record/find-broadcast.ts";
import { createSegment } from "../../apps/server/src/segments/create-segment.ts";
import { start as startCampaign } from "../cases/campaign.ts";
import { runCommand } from "../command.ts";
import { load } from "../load.ts";
import { GONE, VIP } from "../people.ts";
import { idAt, WORKSPACE } from "../seed.ts";
import { BIG, type World } from "../world.ts";

export interface StepResult {
  /** How many contacts it handled. */
  readonly count?: number;
  /** When it is not the time of the whole step. */
  readonly seconds?: number;
  /** The most memory of the command's process. */
  readonly megabytes?: number | null;
  readonly note?: string;
}

export interface Step {
  readonly name: string;
  /** It goes on with what the step before began: nothing is quiet between them. */
  readonly atOnce?: true;
  run(): Promise<StepResult>;
}

/** What one person who works with the list asks for: a key's whole allowance ten times over. */
const READS_PER_SECOND = 20;
const READ_SECONDS = 20;
/** WhatsApp's usual and its highest throughput, a minute. */
const USUAL_PACE = 4_800;
const HIGHEST_PACE = 60_000;
const SENDING_MS = 45_000;
const LONGEST_MS = 600_000;

const RULES = [
  ["by tag", { field: "tag", op: "eq", value: "vip" }],
  ["by attribute", { field: "attribute.age", op: "gt", value: 40 }],
  ["by name", { field: "name", op: "contains", value: "needle" }],
  ["by what is not", { field: "attribute.city", op: "neq", value: "Cairo" }],
] as const;

type Parley = (args: readonly string[], output?: string) => ReturnType<typeof runCommand>;

/** Pages and searches as a person asks for them, near and far. */
async function readList(world: World): Promise<StepResult> {
  const far = Math.max(2, Math.min(10_000, Math.floor(world.size.contacts / 50) - 1));
  const queries = ["page=1", `page=${far}`, "search=needle", "page=2", "search=person77"];
  const { p99Ms, count } = await load(world.origin, {
    clients: 16,
    seconds: READ_SECONDS,
    rate: READS_PER_SECOND,
    next: (turn) => ({
      method: "GET",
      path: `/api/v1/contacts?${queries[turn % queries.length] ?? ""}`,
      headers: { authorization: world.keys.next(BIG) },
    }),
  });
  return { count, seconds: READ_SECONDS, note: `its own p99 ${p99Ms.toFixed(0)} ms` };
}

/** Counts each of the rules, in turn. */
async function previewSegments(parley: Parley): Promise<StepResult> {
  const told = new Map<string, string>();
  let megabytes = 0;
  let count = 0;
  // Again until the others have asked enough for a p99: the four take some seconds.
  for (const end = performance.now() + READ_SECONDS * 1_000; performance.now() < end;)
    for (const [name, rule] of RULES) {
      const definition = JSON.stringify({ match: "all", rules: [rule] });
      const ran = await parley(["segment", "preview", "--definition", definition, "--json"]);
      const found = JSON.parse(ran.output) as { count: number; exact: boolean };
      told.set(name, `${found.exact ? "" : "> "}${found.count.toLocaleString("en")}`);
      megabytes = Math.max(megabytes, ran.megabytes ?? 0);
      count += 1;
    }
  return { count, megabytes, note: [...told].map((one) => one.join(" ")).join(", ") };
}

/** What is done with the big workspace, in order. */
export function steps(world: World, folder: string, file: string): Step[] {
  const workspace = idAt(BIG, WORKSPACE);
  const { contacts } = world.size;
  const parley: Parley = (args, output) =>
    runCommand(world.databaseUrl, [...args, "--workspace", workspace], output);
  let campaign = "";
  const sentSoFar = async () => (await findBroadcast(world.app, workspace, campaign)).sentCount;

  const reached = async (status: string): Promise<void> => {
    for (const end = performance.now() + LONGEST_MS; performance.now() < end; await sleep(100)) {
      const found = await findBroadcast(world.app, workspace, campaign);
      if (found.status === status) return;
      if (["PAUSED", "FAILED", "CANCELLED"].includes(found.status))
        throw new Error(`the campaign is ${found.status}: ${found.statusReason ?? ""}`);
    }
    throw new Error(`the campaign is not ${status} in time`);
  };

  const sending = async (): Promise<StepResult> => {
    const before = await sentSoFar();
    for (const end = performance.now() + SENDING_MS; performance.now() < end; await sleep(250)) {
      if ((await findBroadcast(world.app, workspace, campaign)).status === "COMPLETED") break;
    }
    const count = (await sentSoFar()) - before;
    await cancelBroadcast(OPERATOR, world.app, workspace, campaign).catch(() => {});
    return { count, note: `${count.toLocaleString("en")} sent` };
  };

  const storing = (pace: number) => async (): Promise<StepResult> => {
    campaign = await startCampaign(world, BIG, pace);
    await reached("RUNNING");
    return { count: contacts };
  };

  const segment = async (tag: string): Promise<string> => {
    const definition = { match: "all", rules: [{ field: "tag", op: "eq", value: tag }] };
    return (await createSegment(OPERATOR, world.app, workspace, { name: tag, definition })).id;
  };
  const bulk = async (action: readonly string[], tag: string): Promise<StepResult> => {
    const ran = await parley(["contacts", ...action, "--segment", await segment(tag), "--json"]);
    const { changed } = JSON.parse(ran.output) as { changed: number };
    return {
      count: changed,
      megabytes: ran.megabytes,
      note: `${changed.toLocaleString("en")} changed`,
    };
  };

  return [
    {
      name: "import",
      async run() {
        const ran = await parley(["contacts", "import", file, "--json"]);
        const { created } = JSON.parse(ran.output) as { created: number };
        if (created !== contacts) throw new Error(`${created} of ${contacts} were imported`);
        return { count: created, megabytes: ran.megabytes };
      },
    },
    { name: "list and search", run: () => readList(world) },
    { name: "segment previews", run: () => previewSegments(parley) },
    { name: "audience", run: storing(USUAL_PACE) },
    { name: `campaign at ${USUAL_PACE.toLocaleString("en")} a minute`, atOnce: true, run: sending },
    { name: "audience again", run: storing(HIGHEST_PACE) },
    {
      name: `campaign at ${HIGHEST_PACE.toLocaleString("en")} a minute`,
      atOnce: true,
      run: sending,
    },
    { name: `tag one in ${VIP}`, run: () => bulk(["tag", "spring"], "vip") },
    {
      name: "export",
      async run() {
        const output = path.join(folder, "export.csv");
        const ran = await parley(["contacts", "export"], output);
        const count = (await linesOf(output)) - 1;
        if (count !== contacts) throw new Error(`${count} of ${contacts} were exported`);
        return { count, seconds: ran.seconds, megabytes: ran.megabytes };
      },
    },
    { name: `delete one in ${GONE}`, run: () => bulk(["delete"], "gone") },
  ];
}

async function linesOf(file: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}
