import { thread } from "./areas/thread.en.ts";
import { security } from "./areas/security.en.ts";
import { names } from "./areas/names.en.ts";
import { kit } from "./areas/kit.en.ts";
import { people } from "./areas/people.en.ts";
import { shell } from "./areas/shell.en.ts";
import { inbox } from "./areas/inbox.en.ts";
import { search } from "./areas/search.en.ts";

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
