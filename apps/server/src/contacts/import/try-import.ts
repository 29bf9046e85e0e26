import type { Context } from "../../context.ts";
import { attributeReader } from "../attributes/define-attribute.ts";
import { findContacts } from "../identity/find-contact.ts";
import { localPhoneReader } from "../identity/local-phone.ts";
import { seenBy } from "./import-address-book.ts";
import { tryBatch } from "./import-contacts.ts";
import { emailKey } from "../identity/people.ts";
import { UnreadableFile } from "./decode-text.ts";
import type { ImportResult } from "./import-report.ts";
import { readImportRows, type ImportedContact, type ImportRow } from "./import-rows.ts";
import { NEEDS_IDENTITY } from "./import-batch.ts";
import { RefusalSums, type RefusalSum } from "./refusal-kind.ts";
import type { FileReadOptions } from "./store-rows.ts";
import type { MatchBy } from "../../wire/words.ts";

/** One of the first rows, with what it would become. */
export interface TriedRow extends Pick<
  ImportResult,
  "line" | "outcome" | "contactId" | "reason" | "done"
> {
  /** What the row says; null when it could not be read. */
  readonly contact: Pick<
    ImportedContact,
    "name" | "phone" | "email" | "tags" | "optedOut" | "attributes"
  > | null;
  /** For a row that updates a contact: the contact's present name. Null: it adds to an earlier row of the file. */
  readonly known: string | null;
  /** The row as the file has it, when it is refused. */
  readonly record: readonly string[];
}

/** What an import of the file would do, as far as the file was read. */
export interface TriedImport {
  readonly first: readonly TriedRow[];
  /** Rows that were read. */
  readonly rows: number;
  /** False: there are more rows, which were not read. */
  readonly whole: boolean;
  readonly refused: number;
  readonly refusals: readonly RefusalSum[];
  readonly phonesCompleted: number;
  readonly emailsLeftOut: number;
  /** Phones too short for a country code, when local numbers get none. */
  readonly phonesWithoutCountry: number;
  /** Rows for a person that an earlier row of the file names already. */
  readonly repeated: number;
}

const FIRST = 20;
const MOST_ROWS = 100_000;
const MOST_MS = 4_000;
/** Hardly any number with its country code has fewer digits. */
const SHORTEST_WHOLE = 10;
/** Rows between two looks at the clock. */
const LOOK_EVERY = 500;

/**
 * Reads a file as an import would and counts what it would refuse and correct: up to 100,000 rows, four seconds at
 * most. The first 20 rows are tried against the existing contacts and rolled back. Nothing is stored. Throws
 * VALIDATION_FAILED when the header is not understood.
 */
export async function tryImport(
  context: Pick<Context, "db" | "ids" | "clock" | "wake" | "sealer">,
  workspaceId: string,
  source: AsyncIterable<Uint8Array>,
  {
    country,
    allowOptIn = false,
    match = "any",
    ...reading
  }: FileReadOptions & { readonly allowOptIn?: boolean; readonly match?: MatchBy },
): Promise<TriedImport> {
  const typed = await attributeReader(context, workspaceId);
  const localPhone = country === undefined ? undefined : await localPhoneReader(country);
  const first: ImportRow[] = [];
  const seen = new Set<string>();
  const sums = new RefusalSums();
  const counts = {
    rows: 0,
    refused: 0,
    phonesCompleted: 0,
    emailsLeftOut: 0,
    phonesWithoutCountry: 0,
    repeated: 0,
  };
  const refuse = (line: number, reason: string): void => {
    counts.refused += 1;
    sums.add({ reason, lines: [line], rows: 1 });
  };
  const until = performance.now() + MOST_MS;
  let whole = true;
  try {
    for await (const row of readImportRows(source, { ...reading, typed, localPhone })) {
      if (
        counts.rows === MOST_ROWS ||
        (counts.rows % LOOK_EVERY === 0 && performance.now() > until)
      ) {
        whole = false;
        break;
      }
      counts.rows += 1;
      if (first.length < FIRST) first.push(row);
      const reason = "reason" in row ? row.reason : addressFault(row.contact, match);
      if (reason !== null) refuse(row.line, reason);
      else if ("contact" in row) {
        if (row.contact.done.includes("phone_completed")) counts.phonesCompleted += 1;
        if (row.contact.done.includes("email_left_out")) counts.emailsLeftOut += 1;
        const { phone } = row.contact;
        if (country === undefined && phone !== null && phone.length < SHORTEST_WHOLE)
          counts.phonesWithoutCountry += 1;
        const keys = addressKeys(row.contact, match);
        if (keys.some((key) => seen.has(key))) counts.repeated += 1;
        for (const key of keys) seen.add(key);
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    refuse(error.line, `${error.message}; the rest was not read`);
  }
  const results = await tryBatch(context, workspaceId, first, { allowOptIn, match });
  const known = results.flatMap(({ outcome, contactId }) =>
    (outcome === "updated" || outcome === "unchanged") && contactId !== null ? [contactId] : [],
  );
  const contacts = await findContacts(context.db, workspaceId, known);
  const names = new Map(
    contacts.map(({ id, name, phone, email }) => [id, name ?? phone ?? email ?? id]),
  );
  return {
    ...counts,
    whole,
    refusals: sums.list(),
    first: results.map((result, index) => {
      const row = first[index];
      return {
        line: result.line,
        outcome: result.outcome,
        contactId: names.has(result.contactId ?? "") ? result.contactId : null,
        reason: result.reason,
        done: result.done,
        contact: row && "contact" in row ? row.contact : null,
        known: names.get(result.contactId ?? "") ?? null,
        record: result.outcome === "refused" ? result.record : [],
      };
    }),
  };
}

/** Why a row that could be read names nobody. */
function addressFault(given: ImportedContact, match: MatchBy): string | null {
  if (match !== "any")
    return given[match] === null
      ? `${match}: contacts are matched by it, and the row has none`
      : null;
  const { id, email, phone, externalId } = given;
  const isNobody = id === null && email === null && phone === null && externalId === null;
  return isNobody ? NEEDS_IDENTITY : null;
}

/** The value that two rows of one person share. */
function addressKeys(given: ImportedContact, match: MatchBy): string[] {
  const { id, externalId, phone, email } = seenBy(given, match);
  return [
    ...(id === null ? [] : [`i${id}`]),
    ...(externalId === null ? [] : [`x${externalId}`]),
    ...(phone === null ? [] : [`p${phone}`]),
    ...(email === null ? [] : [`e${emailKey(email)}`]),
  ];
}
