import { texts as desk } from "./desk.en.ts";
import { texts as first } from "./first.en.ts";
import { texts as rest } from "./rest.en.ts";

/** All texts of the interface, for their types and the tests: pages load them in parts (`parts.ts`). */
export const en = { ...first, ...desk, ...rest } as const;
