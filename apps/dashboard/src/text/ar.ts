import { kit } from "./areas/kit.ar.ts";
import { shell } from "./areas/shell.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";

/** All texts of the interface. Each area has its own file, and `t()` knows the keys of all. */
export const ar = { ...kit, ...shell, ...sandbox } as const;
