import type { BotDocument } from "./bots-query.ts";

/** The most that the server stores of a document, and room for spaces that a person left in the file. */
const MOST_BYTES = 262_144;

/** A file of a person is no document of a bot. */
export class NoDocument extends Error {}

/** The document in a file. Throws `NoDocument` when the file is no JSON object, or too large to be one. */
export async function readFile(file: File): Promise<BotDocument> {
  if (file.size > MOST_BYTES) throw new NoDocument();
  const document = parsed(await file.text());
  if (!isRecord(document)) throw new NoDocument();
  return document;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The document as people read it, and as files hold it. */
export const written = (document: BotDocument): string => JSON.stringify(document, null, 2);

/** Has the browser store the document as a file, which Import and `parley bot import` read. */
export function download(name: string, document: BotDocument): void {
  const file = new Blob([`${written(document)}\n`], { type: "application/json" });
  const address = URL.createObjectURL(file);
  const link = window.document.createElement("a");
  link.href = address;
  link.download = `${name}.json`;
  link.click();
  URL.revokeObjectURL(address);
}
