import { OPERATOR } from "../../apps/server/src/actor.ts";
import { createContacts } from "../../apps/server/src/contacts/record/create-contact.ts";
import { pgbench, recordTransaction, toScript } from "../floor.ts";
import { load } from "../load.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, idText, WORKSPACE } from "../seed.ts";
import { SMALL, type World } from "../world.ts";
import type { Case } from "./case.ts";

const COUNT = SMALL.last - SMALL.first + 1;
/** The workspace of a turn: all of them one after another. */
export const smallOf = (turn: number): number => SMALL.first + (turn % COUNT);
/** For pgbench: some workspace, each time another. */
export const SOME = `w random(${SMALL.first}, ${SMALL.last})`;
export const SOME_WORKSPACE = idText(":w", String(WORKSPACE));

const contact = (turn: number) => ({
  name: `Sara Haddad ${turn}`,
  email: `sara${turn}@example.com`,
  phone: String(201_000_000_000 + turn),
  tags: ["vip"],
  attributes: { city: "Cairo" },
});

/** The statements of one contact: its row, the totals and, when asked, its event. */
async function script(world: World, withEvent: boolean): Promise<string> {
  const workspaceId = idAt(SMALL.first, WORKSPACE);
  const made: string[] = [];
  const ids = {
    next() {
      const id = world.app.ids.next();
      made.push(id);
      return id;
    },
  };
  const statements = await recordTransaction(world.app.db, (tx) =>
    createContacts({ ...world.app, ids }, tx, [
      { actor: OPERATOR, workspaceId, contact: contact(0) },
    ]),
  );
  const fresh = new Map([
    [workspaceId, SOME_WORKSPACE],
    ...made.map((id): [string, string] => [id, "uuidv7()"]),
  ]);
  return toScript(withEvent ? statements : statements.slice(0, -1), fresh, [SOME]);
}

/** A contact with its total (and its event), over 200 workspaces. */
export const create: Case = {
  name: "create",
  async run(world, tell): Promise<Row[]> {
    const rows: Row[] = [];
    const { seconds, rounds } = world.size;
    let turn = 0;
    const ask = (clients: number) =>
      load(world.origin, {
        clients,
        seconds,
        next() {
          const at = turn++;
          const authorization = world.keys.next(smallOf(at));
          return {
            method: "POST",
            path: "/api/v1/contacts",
            headers: { authorization },
            body: JSON.stringify(contact(at)),
          };
        },
      });
    tell("warms up");
    await ask(32);
    for (const [clients, ratio] of [
      [32, 0.7],
      [128, 0.95],
    ] as const) {
      for (const withEvent of [false, true]) {
        const text = await script(world, withEvent);
        const floor = () => pgbench(world.target, text, { clients, seconds });
        const compared = await inTurn(
          rounds,
          world.pgbench ? floor : null,
          () => ask(clients),
          tell,
          world.cpu,
        );
        rows.push(
          withEvent
            ? judge("  floor with the event's statement too", compared, {})
            : judge(`create contact, ${clients} clients`, compared, { ratio }),
        );
      }
    }
    return rows;
  },
};
