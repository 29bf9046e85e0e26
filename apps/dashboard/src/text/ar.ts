import { kit } from "./areas/kit.ar.ts";
import { people } from "./areas/people.ar.ts";
import { shell } from "./areas/shell.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";

/** All texts of the interface. Each area has its own file, and `t()` knows the keys of all. */
export const ar = { ...kit, ...people, ...shell, ...sandbox } as const;
