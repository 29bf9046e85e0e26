import { start } from "./areas/start.ar.ts";
import { composer } from "./areas/composer.ar.ts";
import { details } from "./areas/details.ar.ts";
import { faults } from "./areas/faults.ar.ts";
import { threadBot } from "./areas/thread-bot.ar.ts";

export const texts = {
  ...composer,
  ...details,
  ...faults,
  ...start,
  ...threadBot,
} as const;
