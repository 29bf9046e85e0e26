import type { Context } from "../../context.ts";
import type { Db, Tx } from "../../db/database.ts";
import { lowestIdAt } from "../../lib/ids.ts";
import {
  dropPlace,
  dropTerms,
  hasPlaces,
  lockPlace,
  movePlace,
  putTerms,
  selectBefore,
  selectUnsearched,
  popDue,
  type IndexedTerms,
  type SaidText,
} from "./index-store.ts";
import { searchTerms } from "./search-terms.ts";

/** New messages of one piece, which takes 20 to 40 ms. */
const DUE = 500;
/** Older messages of one piece. */
const OLD = 1_000;

/**
 * Brings a batch of new or changed messages into the search. It runs after the requests that stored them: in their
 * transaction the words would cost 35 µs a message, a quarter of a whole reply. It rests for no other work: whoever has
 * just read a message finds it within a second, beside a campaign too. Returns how many it took.
 */
export function indexDue({ db }: Pick<Context, "db">): Promise<number> {
  return db.transaction(async (tx) => {
    const { taken, texts } = await popDue(tx, DUE);
    await index(tx, texts);
    return taken;
  });
}

/** So old is a message that the search says of that it is not in it yet. */
const LATE_MS = 1_000;

/** Whether the search does not find everything yet that was said in a workspace until a second ago. */
export const isSearchBehind = (
  { db, clock }: Pick<Context, "db" | "clock">,
  workspaceId: string,
): Promise<boolean> =>
  selectUnsearched(db, workspaceId, lowestIdAt(new Date(clock.now().getTime() - LATE_MS)));

/**
 * Brings a batch of older messages into the search, the newest first. After an interruption it goes on where it
 * stopped. Returns how many it looked at; null: all are in the search.
 */
export async function backfillSearch(context: Pick<Context, "background">): Promise<number | null> {
  const limit = Math.max(50, Math.ceil(await context.background.size(OLD)));
  return context.background.piece(async (db: Db) => {
    const looked = await db.transaction(async (tx) => {
      const place = await lockPlace(tx);
      if (!place) return 0;
      const { workspaceId } = place;
      const { looked, last, texts } = await selectBefore(tx, place, limit);
      await index(tx, texts);
      if (last === null || looked < limit) await dropPlace(tx, workspaceId);
      else await movePlace(tx, { workspaceId, below: last });
      return Math.max(1, looked);
    });
    return looked > 0 || (await hasPlaces(db)) ? looked : null;
  });
}

/** Writes in the order of ids, like everything that locks several messages. */
async function index(tx: Tx, texts: readonly SaidText[]): Promise<void> {
  const terms: IndexedTerms[] = [];
  const silent: SaidText[] = [];
  for (const said of texts) {
    const found = said.text === null ? null : searchTerms(said.workspaceId, said.text);
    if (found === null) silent.push(said);
    else terms.push({ workspaceId: said.workspaceId, id: said.id, terms: found });
  }
  terms.sort((a, b) => (a.workspaceId + a.id < b.workspaceId + b.id ? -1 : 1));
  await putTerms(tx, terms);
  await dropTerms(tx, silent);
}
