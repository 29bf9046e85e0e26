import { listContacts } from "../../apps/server/src/contacts/record/list-contacts.ts";
import { pgbench, recordReads, toScript } from "../floor.ts";
import { load } from "../load.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, WORKSPACE } from "../seed.ts";
import { BIG, SMALL, type World } from "../world.ts";
import type { Case } from "./case.ts";
import { smallOf, SOME, SOME_WORKSPACE } from "./create.ts";

const CLIENTS = 16;

interface Want {
  /** Undefined: the small ones, one after another. */
  readonly workspace?: number;
  readonly page: number;
  readonly search?: string;
}

async function measure(world: World, want: Want, tell: (line: string) => void) {
  const { workspace, page, search } = want;
  const workspaceId = idAt(workspace ?? SMALL.first, WORKSPACE);
  const statements = await recordReads(world.app.db, (db) =>
    listContacts({ db }, workspaceId, { page, pageSize: 50, search }),
  );
  const script =
    workspace === undefined
      ? toScript(statements, new Map([[workspaceId, SOME_WORKSPACE]]), [SOME])
      : toScript(statements);
  let turn = 0;
  const query = `page=${page}${search === undefined ? "" : `&search=${search}`}`;
  const { seconds } = world.size;
  const ask = (clients: number, rate?: number) =>
    load(world.origin, {
      clients,
      seconds,
      ...(rate !== undefined && { rate }),
      next: () => ({
        method: "GET",
        path: `/api/v1/contacts?${query}`,
        headers: { authorization: world.keys.next(workspace ?? smallOf(turn++)) },
      }),
    });
  tell("warms up");
  await ask(CLIENTS);
  const floor = () => pgbench(world.target, script, { clients: CLIENTS, seconds });
  const compared = await inTurn(
    world.size.rounds,
    world.pgbench ? floor : null,
    () => ask(CLIENTS),
    tell,
    world.cpu,
  );
  /** Rounds as well: one stall of the machine itself, of 100 ms, is the 99th percentile of one round. */
  const atHalfLoad = () => {
    tell("at half load");
    return inTurn(world.size.rounds, null, () => ask(CLIENTS, compared.product / 2), tell);
  };
  return { compared, atHalfLoad };
}

/** The last page by number that is no slow read (`listContacts`). Programs that read further use a cursor. */
const LAST_NEAR = 200;

/** The list of the workspace with the million, of one with 500, and a page far down. */
export const list: Case = {
  name: "list",
  async run(world, tell): Promise<Row[]> {
    const first = await measure(world, { workspace: BIG, page: 1 }, tell);
    const half = await first.atHalfLoad();
    const deep = await measure(world, { workspace: BIG, page: LAST_NEAR }, tell);
    const small = await measure(world, { page: 1 }, tell);
    const depth = first.compared.product / deep.compared.product;
    const growth = small.compared.product / first.compared.product;
    return [
      judge("list, page 1 of all contacts", first.compared, { ratio: 0.35 }),
      judge("  the same at half load", half, { p99Ms: 10 }),
      {
        ...judge(`list, page ${LAST_NEAR}`, deep.compared, {}),
        goal: "within 3 of page 1",
        met: depth <= 3,
        note: `${depth.toFixed(2)} times`,
      },
      {
        ...judge("list, page 1 of 500, 200 workspaces", small.compared, {}),
        goal: "growth ≤ 1.30",
        met: growth <= 1.3,
        note: `${growth.toFixed(2)} times`,
      },
    ];
  },
};

/** One contact in a thousand matches. */
export const search: Case = {
  name: "search",
  async run(world, tell): Promise<Row[]> {
    const { compared, atHalfLoad } = await measure(
      world,
      { workspace: BIG, page: 1, search: "needle" },
      tell,
    );
    const half = await atHalfLoad();
    const matches = (world.size.contacts / 1_000).toLocaleString("en");
    return [
      judge(`search, ${matches} matches`, compared, { ratio: 0.5 }),
      judge("  the same at half load", half, { p99Ms: 25 }),
    ];
  },
};
