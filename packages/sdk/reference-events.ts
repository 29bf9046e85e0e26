import { eventsOf, type Document } from "./document.ts";
import { answerTable, cell, namesIn, shapeTable } from "./reference-tables.ts";

/** The page of all kinds of events. */
export const EVENT_KINDS = "events/kinds.md";

/** What each kind of event holds: its meaning, an example and its members; the shapes that several kinds share stand once at the end. */
export function eventKinds(document: Document): string {
  const kinds = eventsOf(document);
  const shapes = new Set(kinds.flatMap(([, data]) => namesIn(document, data)));
  const sections = kinds.map(([kind, data]) => {
    const { post } = document.webhooks[kind] ?? {};
    const example = post?.requestBody.content["application/json"]?.example ?? {};
    const text = JSON.stringify(dataOf(example), null, 2);
    return `### ${kind}\n\n${cell(post?.description ?? "")}\n\n\`data\` is\n\n\`\`\`json\n${text}\n\`\`\`\n\n${answerTable(document, data)}`;
  });
  return `# The kinds of events

What each kind holds in \`data\`, with an example. [Webhooks](../../guides/receiving-webhooks.md), the feed ([\`GET /v1/events\`](listEvents.md)) and the stream
([\`GET /v1/events/stream\`](streamEvents.md)) give the same body. How they differ, and in which order events come: [events](../../events.md).

## Around data

${shapeTable(document, "Event").replace(/^.*\n\n/, "")}
A newer server may send kinds and members that are not here: pass over what you do not know.

## Kinds

${sections.join("\n")}
## Shapes

${[...shapes].map((name) => shapeTable(document, name)).join("\n")}
[All calls](../README.md) · [events](../../events.md) · [receiving webhooks](../../guides/receiving-webhooks.md)
`.replaceAll(/\n{3,}/g, "\n\n");
} // oxfmt-ignore

const dataOf = (example: unknown): unknown =>
  typeof example === "object" && example !== null && "data" in example ? example.data : {};
