import { start } from "./areas/start.en.ts";
import { sandbox } from "./areas/sandbox.en.ts";
import { composer } from "./areas/composer.en.ts";
import { details } from "./areas/details.en.ts";
import { faults } from "./areas/faults.en.ts";

export const texts = {
  ...composer,
  ...details,
  ...faults,
  ...sandbox,
  ...start,
} as const;
