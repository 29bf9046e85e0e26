import type { FaultReason } from "../../errors.ts";
import type { ColumnFaultCode } from "./column-fault-codes.ts";

/** A name as the messages quote it. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** The beginnings of the messages of `import-columns.ts`, which are stored as texts alone. */
const PATTERNS: readonly (readonly [RegExp, ColumnFaultCode])[] = [
  [/^header: the columns? .* (?:is|are) not known;/s, "unknown"],
  [/^header: the columns? .* (?:is there twice:|mean one field,)/s, "twice"],
  [/^header: there are name and /, "name_parts"],
  [/^map: the file has no column /, "missing"],
  [/^map: "\*" is every column /, "others"],
  [/^map: .* cannot be /s, "field"],
  [/^header: there is (?:text after a closing quote|a quote inside)/, "quote"],
];

/** What is wrong with the columns, read back from its stored message; null: it is about something else. */
export function columnFaultIn(message: string): FaultReason | null {
  const code = PATTERNS.find(([pattern]) => pattern.test(message))?.[1];
  if (code === undefined) return null;
  const [first = "", second = ""] = quotedIn(message);
  const params = {
    unknown: { columns: quotedIn(message.split(" not known;")[0] ?? "").join(", ") },
    twice: { columns: quotedIn(message).join(", ") },
    missing: { column: first },
    field: { column: first, field: second },
    name_parts: {},
    others: {},
    quote: {},
  } satisfies Record<ColumnFaultCode, Record<string, string>>;
  return { code: `columns.${code}`, params: params[code] };
}

const quotedIn = (message: string): string[] =>
  (message.match(QUOTED) ?? []).map((quoted) => String(JSON.parse(quoted)));
