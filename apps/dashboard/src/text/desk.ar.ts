import { start } from "./areas/start.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";
import { composer } from "./areas/composer.ar.ts";
import { details } from "./areas/details.ar.ts";

export const texts = {
  ...composer,
  ...details,
  ...sandbox,
  ...start,
} as const;
