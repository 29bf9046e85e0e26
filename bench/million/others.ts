import type { SteadyKind } from "../steady.ts";
import { idAt } from "../seed.ts";
import { SMALL, type World } from "../world.ts";

/** Requests a second of the small workspaces together: a tenth of what the machine can do. */
export const RATE = 120;

const COUNT = SMALL.last - SMALL.first + 1;
const smallOf = (turn: number): number => SMALL.first + (turn % COUNT);

/** Two lists to one search, one new contact and one reply. */
export function steadyKinds(world: World): SteadyKind[] {
  const headers = (number: number) => ({ authorization: world.keys.next(number) });
  const list: SteadyKind = {
    name: "list",
    next: (turn) => ({
      method: "GET",
      path: "/api/v1/contacts",
      headers: headers(smallOf(turn)),
    }),
  };
  const search: SteadyKind = {
    name: "search",
    next: (turn) => ({
      method: "GET",
      path: `/api/v1/contacts?search=person${turn % 10}`,
      headers: headers(smallOf(turn)),
    }),
  };
  const create: SteadyKind = {
    name: "create",
    next: (turn) => ({
      method: "POST",
      path: "/api/v1/contacts",
      headers: headers(smallOf(turn)),
      body: JSON.stringify({
        name: `Sara Haddad ${turn}`,
        email: `sara${turn}@example.com`,
        phone: String(201_000_000_000 + turn),
        tags: ["vip"],
        attributes: { city: "Cairo" },
      }),
    }),
  };
  const reply: SteadyKind = {
    name: "reply",
    next(turn) {
      const number = smallOf(turn);
      const conversation = (Math.floor(turn / COUNT) % SMALL.conversations) + 1;
      return {
        method: "POST",
        path: "/api/v1/messages",
        headers: headers(number),
        body: JSON.stringify({
          conversationId: idAt(number, conversation),
          text: "Thank you, your order is on its way and will be there tomorrow.",
        }),
      };
    },
  };
  return [list, search, create, list, reply];
}
