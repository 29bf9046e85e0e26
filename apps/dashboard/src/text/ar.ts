import { inbox } from "./areas/inbox.ar.ts";
import { kit } from "./areas/kit.ar.ts";
import { people } from "./areas/people.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";
import { search } from "./areas/search.ar.ts";
import { shell } from "./areas/shell.ar.ts";
import { start } from "./areas/start.ar.ts";
import { composer } from "./areas/composer.ar.ts";
import { details } from "./areas/details.ar.ts";
import { thread } from "./areas/thread.ar.ts";

/** All texts of the interface. Each area has its own file, and `t()` knows the keys of all. */
export const ar = {
  ...inbox,
  ...kit,
  ...people,
  ...sandbox,
  ...search,
  ...shell,
  ...composer,
  ...details,
  ...thread,
  ...start,
} as const;
