import { KEY } from "../../apps/server/test/actors.ts";
import { acceptMessages } from "../../apps/server/src/messages/accept/accept-message.ts";
import { pgbench, recordTransaction, toScript } from "../floor.ts";
import { load } from "../load.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { idAt, idText, WORKSPACE } from "../seed.ts";
import { HOT, SMALL, type World } from "../world.ts";
import type { Case } from "./case.ts";
import { smallOf, SOME, SOME_WORKSPACE } from "./create.ts";

const CLIENTS = 128;
const TEXT = "Thank you, your order is on its way and will be there tomorrow.";

/** The statements of one reply. `hot`: all in one workspace, in one of its many conversations. */
async function script(world: World, hot: boolean): Promise<string> {
  const number = hot ? HOT : SMALL.first;
  const [workspaceId, conversationId] = [idAt(number, WORKSPACE), idAt(number, 1)];
  const made: string[] = [];
  const ids = {
    next() {
      const id = world.app.ids.next();
      made.push(id);
      return id;
    },
  };
  const statements = await recordTransaction(world.app.db, (tx) =>
    acceptMessages({ ...world.app, ids }, tx, [
      { actor: KEY, workspaceId, conversationId, text: TEXT },
    ]),
  );
  const fresh = new Map([
    [workspaceId, hot ? idText(String(HOT), "0") : SOME_WORKSPACE],
    [conversationId, idText(hot ? String(HOT) : ":w", ":c")],
    ...made.map((id): [string, string] => [id, "uuidv7()"]),
  ]);
  return toScript(statements, fresh, [
    SOME,
    `c random(1, ${hot ? SMALL.contacts : SMALL.conversations})`,
  ]);
}

/**
 * A reply accepted: slot, message, outbox, meter. Nothing is dispatched meanwhile: that is another road, and the floor
 * does not go it either.
 */
export const reply: Case = {
  name: "reply",
  async run(world, tell): Promise<Row[]> {
    const rows: Row[] = [];
    const { seconds, rounds } = world.size;
    for (const [name, hot, keyed, ratio] of [
      ["reply, 200 workspaces, 128 clients", false, false, 1.2],
      ["reply, one hot workspace, 128 clients", true, false, 3],
      ["reply with an Idempotency-Key, one hot workspace, 128 clients", true, true, 2],
    ] as const) {
      const text = await script(world, hot);
      let turn = 0;
      const ask = () =>
        load(world.origin, {
          clients: CLIENTS,
          seconds,
          next() {
            const at = turn++;
            const number = hot ? HOT : smallOf(at);
            const among = hot ? SMALL.contacts : SMALL.conversations;
            const conversationId = idAt(number, (Math.floor(at / (hot ? 1 : 200)) % among) + 1);
            return {
              method: "POST",
              path: "/api/v1/messages",
              headers: {
                authorization: world.keys.next(number),
                ...(keyed && { "idempotency-key": `reply ${at}` }),
              },
              body: JSON.stringify({ conversationId, text: TEXT }),
            };
          },
        });
      tell("warms up");
      await ask();
      const floor = () => pgbench(world.target, text, { clients: CLIENTS, seconds });
      rows.push(
        judge(name, await inTurn(rounds, world.pgbench ? floor : null, ask, tell, world.cpu), {
          ratio,
        }),
      );
    }
    return rows;
  },
};
