import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { contactOperations } from "../../operations/contacts.ts";
import { perform } from "../../write.ts";
import { emailKey } from "../identity/people.ts";
import { findByAddress } from "../import/import-match-store.ts";
import { phoneDigits } from "../record/contact-input.ts";
import { readRecords } from "./read-records.ts";
import { findByRefs } from "./ref-store.ts";

const NOBODY = { id: null, externalId: null, phone: null, email: null } as const;

/**
 * The one contact that a phone, an e-mail address or another system's name for it leads to. Throws VALIDATION_FAILED,
 * NOT_FOUND, and CONTACT_CONFLICT, which names each, when there are several.
 */
export const findContactByKey = perform(
  contactOperations.findContactByKey,
  async (_actor, { db }: Pick<Context, "db">, workspaceId, { key, value }) => {
    const ids = await idsOf(db, workspaceId, key, value);
    const found = await readRecords(db, workspaceId, ids);
    const email = emailKey(value);
    // PostgreSQL takes more letters as equal than addresses do.
    const records =
      key === "email" ? found.filter((one) => emailKey(one.email ?? "") === email) : found;
    const [contact, ...more] = records;
    if (!contact) throw new AppError("NOT_FOUND", { explanation: notFoundWords(key, value) });
    if (more.length > 0)
      throw new AppError("CONTACT_CONFLICT", {
        details: records.map(({ id }) => ({ path: key, message: `is of contact ${id}` })),
      });
    return contact;
  },
);

/** Of a local number, which most contacts do not have, what is missing. */
function notFoundWords(key: string, value: string): string {
  const isLocal = key === "phone" && phoneDigits(value)?.startsWith("0") === true;
  const words = `no contact has this ${key}`;
  return isLocal ? `${words}: it begins with 0, so give it with its country code` : words;
}

async function idsOf(
  db: Context["db"],
  workspaceId: string,
  key: string,
  value: string,
): Promise<string[]> {
  if (value.includes("\0")) throw invalid("value", "must not hold the character U+0000");
  if (key === "email") return findByAddress(db, workspaceId, [{ ...NOBODY, email: value.trim() }]);
  if (key === "phone") {
    const phone = phoneDigits(value);
    if (phone === null) throw invalid("value", "must be 1 to 40 digits");
    return findByAddress(db, workspaceId, [{ ...NOBODY, phone }]);
  }
  const [, system] = /^refs?\.([a-z0-9_-]{1,40})$/.exec(key) ?? [];
  if (system === undefined) throw invalid("key", "must be phone, email or refs.SYSTEM");
  return findByRefs(db, workspaceId, [{ system, value }]);
}
