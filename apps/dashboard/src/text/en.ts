import { inbox } from "./areas/inbox.en.ts";
import { kit } from "./areas/kit.en.ts";
import { people } from "./areas/people.en.ts";
import { sandbox } from "./areas/sandbox.en.ts";
import { shell } from "./areas/shell.en.ts";
import { start } from "./areas/start.en.ts";

/** All texts of the interface. Each area has its own file, and `t()` knows the keys of all. */
export const en = {
  ...inbox,
  ...kit,
  ...people,
  ...sandbox,
  ...shell,
  ...start,
} as const;
