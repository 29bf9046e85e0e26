import { Type } from "typebox";
import { REFUSAL_KINDS } from "../../../contacts/import/refusal-kind.ts";
import {
  count,
  id,
  NO_NUL,
  nullableCount,
  nullableId,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "../../../wire/schema.ts";
import { ADMINS, face } from "./face.ts";
import { DELIMITERS, ENCODINGS, IMPORT_STATES, MATCHES } from "../../../wire/words.ts";

const FaultJson = Type.Object({
  message: text("In words."),
  code: text(
    "`columns.` and a word of a closed list, `gave_up` (not read or stored, again and again), `gone` (the file) or `not_allowed` (whoever uploaded it); empty: read the words.",
  ),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

/** Rows that were refused for one reason. */
export const RefusalJson = Type.Object({
  kind: oneOf(REFUSAL_KINDS, "Why; `other`: read `reason`."),
  attribute: nullableText("The attribute that the value does not fit."),
  reason: text("In the words of the file of refused rows."),
  rows: count("How many."),
  lines: Type.Array(count("A line of the file."), { description: "The first five." }),
});
export type RefusalJson = Shown<typeof RefusalJson>;

/** An import of an uploaded file, or of the command line. */
export const ImportJson = Type.Object({
  id: id("The import."),
  fileName: text("As it was named."),
  fileSize: count("Bytes."),
  state: oneOf(
    IMPORT_STATES,
    "uploaded: not started; stopped: the file could not be read on; broken_off: of the command line, which goes on with it.",
  ),
  byMemberId: nullableId("Who started it; null: the command line."),
  rows: count("Rows handled so far: the sum of the next four."),
  created: count("New contacts."),
  updated: count("Contacts that were changed."),
  unchanged: count("Rows that said nothing new."),
  refused: count("Rows that were not taken in."),
  phonesCompleted: count("Local numbers that got their country code."),
  emailsLeftOut: count("Rows taken without their e-mail, which was none."),
  part: Type.Number({ minimum: 0, maximum: 1, description: "How much of the file is read." }),
  rowsPerSecond: nullableCount("Of a running one."),
  secondsLeft: nullableCount("Of a running one, as it seems."),
  stoppedAt: nullableCount("The line from which the file could not be read."),
  /** Why it failed. */
  failure: Type.Union([FaultJson, Type.Null()]),
  hasRefusedRows: Type.Boolean({ description: "They can be downloaded, for thirty days." }),
  createdAt: time("When the file came."),
  startedAt: nullableTime("When its first rows were taken in."),
  finishedAt: nullableTime("When it ended."),
});
export type ImportJson = Shown<typeof ImportJson>;

const ImportWish = Type.Object({
  map: Type.Optional(
    Type.Record(Type.String({ maxLength: 1_000 }), Type.String({ maxLength: 300, ...NO_NUL }), {
      maxProperties: 1_000,
    }),
  ),
  encoding: Type.Optional(oneOf(ENCODINGS, "Instead of what the file looks like.")),
  delimiter: Type.Optional(oneOf(DELIMITERS, "Instead of what the header has most of.")),
  match: Type.Optional(oneOf(MATCHES, "By which address a row meets a contact.")),
  allowOptIn: Type.Optional(Type.Boolean()),
  country: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: 2,
      description: "Whose code local numbers get; null: they get none; absent: the workspace's.",
    }),
  ),
});

const FileColumnJson = Type.Object({
  name: text("As the file has it."),
  field: text("What it is taken for: a field, `attribute.<key>` or `ignore`."),
  by: oneOf(["name", "content", "nothing"], "What that was told by."),
  valueType: oneOf(["text", "number", "date"], "The type that a new attribute of it is proposed."),
  samples: Type.Array(text("What stands in it.")),
  filled: count("Rows of the head that have something there."),
});
export type FileColumnJson = Shown<typeof FileColumnJson>;

const TriedRowJson = Type.Object({
  line: count("In the file."),
  outcome: oneOf(["created", "updated", "unchanged", "refused"], "What it would become."),
  contactId: nullableId("Whom it meets."),
  known: nullableText("How that contact is called now."),
  kind: nullableOneOf(REFUSAL_KINDS, "Why it is refused."),
  reason: nullableText("The same in words."),
  attribute: nullableText("The attribute it is about."),
  name: nullableText("What the row says."),
  phone: nullableText("With its country code."),
  email: nullableText("What the row says."),
  tags: Type.Array(text("A tag.")),
  phoneCompleted: Type.Boolean({ description: "The country code was added." }),
  emailLeftOut: Type.Boolean({ description: "Taken without its e-mail." }),
  record: Type.Array(text("A cell of a refused row.")),
});
export type TriedRowJson = Shown<typeof TriedRowJson>;

const Tried = Type.Object({
  rows: count("Rows that were read."),
  whole: Type.Boolean({ description: "False: there are more." }),
  refused: count("Rows that would be refused."),
  refusals: Type.Array(RefusalJson),
  phonesCompleted: count("Local numbers that get their country code."),
  emailsLeftOut: count("Rows taken without their e-mail."),
  phonesWithoutCountry: count("Phones that lack it, where none is added."),
  repeated: count("Rows that name somebody whom an earlier row names too."),
  first: Type.Array(TriedRowJson),
});

/** What a file is, and what importing it would do. */
export const LookJson = Type.Object({
  import: ImportJson,
  encoding: oneOf(ENCODINGS, "As it is read."),
  country: nullableText("Whose code local numbers get."),
  columns: Type.Array(FileColumnJson),
  headRows: count("Rows that `filled` was counted in."),
  /** What of the mapping is refused. */
  fault: Type.Union([FaultJson, Type.Null()]),
  tried: Type.Union([Tried, Type.Null()]),
});
export type LookJson = Shown<typeof LookJson>;

/** Contacts from a file. */
export const imports = {
  /** The newest hundred, those of the command line too. */
  listImports: face({
    method: "GET",
    path: "/imports",
    who: ADMINS,
    answer: Type.Object({
      imports: Type.Array(ImportJson),
      maxBytes: count("The largest file."),
      country: nullableText("The workspace's: whose code local numbers get."),
    }),
  }),
  readImport: face({
    method: "GET",
    path: "/imports/{id}",
    who: ADMINS,
    answer: Type.Object({ import: ImportJson, refusals: Type.Array(RefusalJson) }),
  }),
  /** Stores nothing. 409 NOT_ALLOWED_IN_STATE once it was started. */
  lookAtImport: face({
    method: "POST",
    path: "/imports/{id}/look",
    who: ADMINS,
    body: ImportWish,
    answer: LookJson,
  }),
  startImport: face({
    method: "POST",
    path: "/imports/{id}/start",
    who: ADMINS,
    body: ImportWish,
    answer: ImportJson,
  }),
  /** Cancels an import; the file of one that was not started is removed. Rows that were imported stay. */
  cancelImport: face({
    method: "POST",
    path: "/imports/{id}/cancel",
    who: ADMINS,
    answer: ImportJson,
  }),
} as const;

/** Uploads a file of contacts: the body is its bytes. Served apart, because its body is not JSON. */
export const importUpload = face({
  method: "POST",
  path: "/imports",
  who: ADMINS,
  status: 201,
  query: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255, ...NO_NUL }) }),
  answer: ImportJson,
});

/**
 * Downloads the refused rows in the file's own form, with line and reason; the reason is in the language that is
 * asked for, else in English. Served apart, because the answer is a file.
 */
export const refusedRows = face({
  method: "GET",
  path: "/imports/{id}/refused",
  who: ADMINS,
  query: Type.Object({ lang: Type.Optional(oneOf(["en", "ar"], "Of the reasons.")) }),
  answer: Type.Unknown(),
});
