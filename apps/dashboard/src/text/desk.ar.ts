import { start } from "./areas/start.ar.ts";
import { sandbox } from "./areas/sandbox.ar.ts";
import { composer } from "./areas/composer.ar.ts";
import { details } from "./areas/details.ar.ts";
import { faults } from "./areas/faults.ar.ts";

export const texts = {
  ...composer,
  ...details,
  ...faults,
  ...sandbox,
  ...start,
} as const;
