import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { expectedCatalogue, listMigrations } from "../src/db/migrations.ts";

const SOURCE = path.join(import.meta.dirname, "../src");

/** The folder, or the room in it, that alone writes a table. Other folders read it through what the owner exports. */
const OWNERS: Readonly<Record<string, string>> = {
  ai_turn: "bots/turn",
  assist_call: "bots/assist",
  api_key: "api-keys",
  assistant_mark: "api-keys",
  attribute_definition: "contacts/attributes",
  audit_entry: "workspaces",
  bot: "bots/record",
  bot_call: "bots/external",
  bot_case: "bots/cases",
  bot_due: "conversations",
  bot_run: "bots/thread",
  bot_secret: "bots/external",
  bot_thread: "conversations",
  bot_version: "bots/record",
  broadcast: "broadcasts",
  broadcast_again: "broadcasts/audience",
  broadcast_cursor: "broadcasts/audience",
  broadcast_entry: "broadcasts",
  broadcast_flight: "broadcasts",
  broadcast_header: "broadcasts/text",
  broadcast_minute: "broadcasts/audience",
  broadcast_news: "broadcasts/audience",
  broadcast_recipient: "broadcasts",
  broadcast_reply: "broadcasts/send",
  business_hours: "hours",
  case_look: "bots/cases",
  case_result: "bots/cases",
  case_run: "bots/cases",
  channel: "channels",
  channel_poll: "channels",
  chat_logo: "channels",
  chat_visitor: "chat",
  consent_entry: "contacts",
  consent_word: "contacts",
  contact: "contacts",
  contact_alias: "contacts",
  contact_block: "contacts/record",
  contact_change: "contacts",
  contact_export: "segments",
  contact_identity: "contacts",
  contact_import: "contacts/import",
  contact_import_refusal: "contacts",
  contact_job: "segments",
  contact_merge_due: "contacts",
  contact_ref: "contacts/refs",
  contact_total: "contacts/record",
  conversation: "conversations",
  deleted_endpoint: "webhooks",
  delivery: "webhooks",
  delivery_attempt: "webhooks",
  desk_view: "inbox",
  draft: "inbox",
  desk_backfill: "messages",
  desk_conversation: "desk",
  desk_follow: "webhooks",
  desk_gone: "desk",
  desk_label: "desk",
  desk_read: "desk",
  early_change: "messages",
  early_status: "messages",
  endpoint: "webhooks",
  event: "webhooks",
  event_sequence: "webhooks",
  forgotten_message: "messages",
  gap: "knowledge",
  idempotency_key: "api-keys",
  import_file: "imports",
  inbound_failure: "messages",
  invitation: "workspaces",
  letter: "workspaces",
  login: "logins",
  password_reset: "logins",
  kept_key: "db",
  knowledge_chunk: "knowledge",
  knowledge_source: "knowledge",
  knowledge_version: "knowledge",
  label: "desk",
  backup_made: "db",
  master_key: "db",
  media: "media",
  member: "workspaces",
  member_notice: "workspaces",
  message: "messages",
  message_author: "inbox",
  message_outbox: "messages",
  message_part: "messages",
  message_search: "messages/search",
  message_search_backfill: "messages/search",
  message_search_due: "messages",
  migration: "db",
  note: "inbox",
  notice: "workspaces",
  model: "models",
  model_emulation: "models",
  number_pace: "broadcasts/send",
  opted_out_phone: "contacts",
  otp_record: "otp",
  otp_verification: "otp",
  person_erasure: "persons",
  process: "db",
  profile_request: "contacts/record",
  rate_window: "lib",
  sandbox_runner: "sandbox",
  retention: "removal",
  saved_reply: "inbox",
  segment: "segments",
  recovery_code: "logins",
  session: "sessions",
  sign_in_step: "sessions",
  sms_look_up: "messages/receive",
  sms_provider: "sms",
  sms_provider_next: "sms",
  suggestion: "inbox",
  synonym_group: "knowledge",
  template: "templates",
  usage_channel: "usage",
  usage_day: "usage",
  usage_month: "usage",
  workspace: "workspaces",
};

interface Use {
  readonly file: string;
  readonly kind: "writes" | "reads";
  readonly table: string;
}

/** Code that runs in production, as `contacts/record/contact-store.ts`, with its text without doc comments. */
const FILES: readonly { readonly file: string; readonly text: string }[] = readdirSync(SOURCE, {
  recursive: true,
  encoding: "utf8",
})
  .filter((entry) => entry.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(entry))
  .map((entry) => ({
    file: entry.split(path.sep).join("/"),
    text: readFileSync(path.join(SOURCE, entry), "utf8").replace(/^\s*\/\*\*[\s\S]*?\*\//gm, ""),
  }));

/** Reads a template literal from after its backtick; values are left out. Gives its text and where it ends. */
function templateFrom(text: string, start: number): { sql: string; end: number } {
  let sql = "";
  for (let i = start; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "`") return { sql, end: i };
    if (char === "\\") i++;
    else if (char === "$" && text[i + 1] === "{") {
      i = endOfValue(text, i + 2);
      sql += "?";
    } else sql += char;
  }
  throw new Error("a template without an end");
}

/** The place of the brace that ends a value of a template; the value may hold templates, strings and braces itself. */
function endOfValue(text: string, start: number): number {
  for (let i = start, depth = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "`") i = templateFrom(text, i + 1).end;
    else if (char === '"') i = text.indexOf('"', i + 1);
    else if (char === "{") depth++;
    else if (char === "}" && depth-- === 0) return i;
  }
  throw new Error("a value without an end");
}

/**
 * Every statement of a file and every piece of one: sql`…`, and "…" or `…` given to a client of PostgreSQL. A backup and
 * the deletion of a workspace take the names of all tables from the catalogue, and name none.
 */
function statementsOf(text: string): string[] {
  const tagged = [...text.matchAll(/(?:\bsql(?:<[^`(]*>)?|\.query\(\s*)`/g)].map(
    (found) => templateFrom(text, found.index + found[0].length).sql,
  );
  const plain = [...text.matchAll(/\.query\(\s*"([^"]*)"/g)].map(([, sql = ""]) => sql);
  return [...tagged, ...plain].map((sql) =>
    sql
      .replace(/--.*$/gm, "")
      .replace(/'[^']*'/g, "''")
      .toLowerCase(),
  );
}

const WRITES =
  /\b(?:insert into|update|delete from|truncate(?: table)?|merge into|copy|lock table)\s+(?:only\s+)?(\w+)/g;
const READS =
  /\b(?:from|join|using)\s+(?:lateral\s+)?(?:only\s+)?(\w+)((?:\s+(?:as\s+)?\w+)?\s*,\s*(?:lateral\s+)?\w+)*/g;
/** A piece that others put after `from`, and one that is a table's name alone, for a function that deletes. */
const PIECE = /^\s*(\w+)\s+(?:as\s+)?\w+\s+(?:where|join|left|cross|on)\b/;
const NAME = /^\s*(\w+)\s*$/;

/** The tables that a statement names after the words that write and read. */
function usesOf(file: string, statement: string): Use[] {
  const uses: Use[] = [];
  const add = (kind: Use["kind"], table: string | undefined) => {
    if (table !== undefined && table in OWNERS) uses.push({ file, kind, table });
  };
  for (const [, table] of statement.matchAll(WRITES)) add("writes", table);
  add("writes", NAME.exec(statement)?.[1]);
  add("reads", PIECE.exec(statement)?.[1]);
  for (const [list] of statement.replace(/\bdelete from\b/g, "delete").matchAll(READS))
    for (const [, table] of list.matchAll(
      /(?:\b(?:from|join|using)\b|,)\s*(?:lateral\s+)?(?:only\s+)?(\w+)/g,
    ))
      add("reads", table);
  return uses;
}

const USES: readonly Use[] = FILES.flatMap(({ file, text }) =>
  statementsOf(text).flatMap((statement) => usesOf(file, statement)),
);
const folderOf = (place: string): string => place.split("/")[0] ?? place;
const listed = (uses: readonly Use[]): string[] =>
  [...new Set(uses.map(({ file, kind, table }) => `${file} ${kind} ${table}`))].sort();

/** Statements that read another folder's table by its name, and why: `file reads table`. Keep it short. */
const SHARED_READS: Readonly<Record<string, string>> = {
  "db/delete-old-rows.ts reads workspace":
    "walks the key of every table workspace by workspace; db imports no domain folder",
  "db/master-keys.ts reads workspace":
    "the key may change while there is no workspace: one statement decides it; db imports no domain folder",
  "usage/usage-store.ts reads channel":
    "the summary shows figures of one moment in one statement; usage may not import channels",
};

/** Folders beneath the stores: connections, migrations and limits have no domain that a store could belong to. */
const BENEATH_STORES = ["db", "lib"];

test("every table has one owner", () => {
  const tables = expectedCatalogue(listMigrations()).flatMap(
    (line) => /^table (\w+)/.exec(line)?.[1] ?? [],
  );
  assert.deepEqual(Object.keys(OWNERS).sort(), tables.sort());
});

test("only its owner writes a table", () => {
  const foreign = USES.filter(
    ({ file, kind, table }) => kind === "writes" && !file.startsWith(`${OWNERS[table] ?? ""}/`),
  );
  assert.deepEqual(listed(foreign), []);
});

test("a table of another folder is read through what its owner exports", () => {
  const foreign = USES.filter(
    ({ file, kind, table }) => kind === "reads" && folderOf(file) !== folderOf(OWNERS[table] ?? ""),
  );
  // A read that is gone leaves the list, too.
  assert.deepEqual(listed(foreign), Object.keys(SHARED_READS).sort());
});

test("SQL stands in stores, and in the pieces that a folder exports to the statements of others", () => {
  const outside = FILES.filter(
    ({ file, text }) =>
      !/-(?:store|sql)\.ts$/.test(file) &&
      !BENEATH_STORES.includes(folderOf(file)) &&
      statementsOf(text).some(
        (statement) =>
          /\b(?:select|insert|update|delete)\b/.test(statement) ||
          usesOf(file, statement).length > 0,
      ),
  );
  assert.deepEqual(outside.map(({ file }) => file).sort(), []);
});
