import { thread } from "./areas/thread.ar.ts";
import { security } from "./areas/security.ar.ts";
import { names } from "./areas/names.ar.ts";
import { kit } from "./areas/kit.ar.ts";
import { people } from "./areas/people.ar.ts";
import { shell } from "./areas/shell.ar.ts";
import { inbox } from "./areas/inbox.ar.ts";
import { search } from "./areas/search.ar.ts";

export const texts = {
  ...kit,
  ...people,
  ...shell,
  ...inbox,
  ...search,
  ...names,
  ...security,
  ...thread,
} as const;
