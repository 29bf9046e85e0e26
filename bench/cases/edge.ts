import { load } from "../load.ts";
import { inTurn, judge, type Row } from "../rounds.ts";
import { BIG } from "../world.ts";
import type { Case } from "./case.ts";

/** What credential and rate limit cost: the list with them against the same handler without. */
export const checks: Case = {
  name: "checks",
  async run(world, tell): Promise<Row[]> {
    const { seconds, rounds } = world.size;
    const ask = (path: string) =>
      load(world.checkless, {
        clients: 16,
        seconds,
        next: () => ({ method: "GET", path, headers: { authorization: world.keys.next(BIG) } }),
      });
    tell("warms up");
    await ask("/with/contacts");
    const floor = async () => (await ask("/without/contacts")).perSecond;
    return [
      judge(
        "key check and rate limit",
        await inTurn(rounds, floor, () => ask("/with/contacts"), tell, world.cpu),
        { ratio: 0.85 },
      ),
    ];
  },
};
