import type { AiDocument } from "../../wire/bot.ts";
import type { LiveBot } from "../record/live-bot.ts";

/**
 * The document of an AI bot. It was checked when it was published; a draft may lack parts, which then have their
 * standard.
 */
export function readAi({ name, document }: Pick<LiveBot, "name" | "document">): AiDocument {
  const given = document as Partial<AiDocument>;
  return {
    ...given,
    format: 1,
    kind: "ai",
    name,
    mode: given.mode ?? "suggest",
    scope: given.scope ?? "",
  };
}
