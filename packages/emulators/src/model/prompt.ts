/** A request to a model, in whichever protocol it was made. */
export interface Prompt {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  /** The JSON schema that the answer has to fit; null: plain text is asked for. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** What the schema is called; empty: it has no name. */
  readonly schemaName: string;
  readonly maxTokens: number | null;
}

/** One message of the talk. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A text that the caller fenced off as knowledge. */
export interface FencedSource {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What the emulation reads in a prompt: the sources, and what the customer wrote since our last answer. */
export interface ReadPrompt {
  /** What look-ups answered is a source as well. */
  readonly sources: readonly FencedSource[];
  /** How many look-ups were made, also those that failed. */
  readonly lookedUp: number;
  readonly question: string;
}

const FENCE = /<(source|customer|business|draft|lookup)-([A-Za-z0-9]+)([^>]*)>([\s\S]*?)<\/\1-\2>/g;

/** Reads the fenced parts. Without a fence around the customer's words, the last user message is the question. */
export function readPrompt({ turns }: Prompt): ReadPrompt {
  const sources: FencedSource[] = [];
  let lookedUp = 0;
  for (const { role, text } of turns)
    if (role === "user")
      for (const [, kind, , facts = "", body = ""] of text.matchAll(FENCE)) {
        if (kind === "lookup") lookedUp += 1;
        // One that failed has no answer.
        if (kind === "source" || (kind === "lookup" && body.trim() !== ""))
          sources.push({
            id: factOf(facts, "id"),
            title: factOf(facts, kind === "lookup" ? "name" : "title").replaceAll("_", " "),
            text: body.trim(),
          });
      }
  const lastAnswer = turns.findLastIndex(({ role }) => role === "assistant");
  const asked = turns.slice(lastAnswer + 1).filter(({ role }) => role === "user");
  const fenced = asked.flatMap(({ text }) =>
    [...text.matchAll(FENCE)].flatMap(([, kind, , , body = ""]) =>
      kind === "customer" || kind === "draft" ? [body.trim()] : [],
    ),
  );
  const bare = (asked.at(-1)?.text ?? "").replaceAll(FENCE, "").trim();
  return { sources, lookedUp, question: fenced.length > 0 ? fenced.join("\n") : bare };
}

const factOf = (facts: string, name: string): string =>
  new RegExp(`${name}="([^"]*)"`).exec(facts)?.[1] ?? "";

/** How many tokens a text is counted as. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
