import { texts as desk } from "./desk.ar.ts";
import { texts as first } from "./first.ar.ts";
import { texts as rest } from "./rest.ar.ts";

/** The same in Arabic. */
export const ar = { ...first, ...desk, ...rest } as const;
