/** The files that can be read, by the ending of their name. */
export const FILE_FORMATS = ["txt", "md", "html", "pdf", "docx", "csv"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** The largest file and page, in bytes. */
export const MAX_FILE = 10 * 1024 * 1024;
/** The longest text of one source, in characters: about 800 chunks. */
export const MAX_TEXT = 1_000_000;

/** The format that a file's name says; null: none of ours. */
export function formatOf(name: string): FileFormat | null {
  const ending = name.toLowerCase().split(".").at(-1) ?? "";
  if (ending === "htm") return "html";
  if (ending === "markdown") return "md";
  return FILE_FORMATS.find((one) => one === ending) ?? null;
}

/** Why a source could not be read. The dashboard has a sentence for each. */
export const READ_FAULTS = [
  "no_text",
  "broken",
  "encrypted",
  "too_large",
  "too_slow",
  "too_much_memory",
  "not_found",
  "refused",
  "forbidden_by_robots",
  "unreachable",
  "not_text",
  "knowledge_full",
] as const;
export type ReadFault = (typeof READ_FAULTS)[number];
