import { start } from "./areas/start.en.ts";
import { composer } from "./areas/composer.en.ts";
import { details } from "./areas/details.en.ts";
import { faults } from "./areas/faults.en.ts";
import { threadBot } from "./areas/thread-bot.en.ts";

export const texts = {
  ...composer,
  ...details,
  ...faults,
  ...start,
  ...threadBot,
} as const;
