import { Type } from "typebox";
import {
  AT,
  count,
  id,
  ID,
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
} from "./schema.ts";
import { DELIMITERS, ENCODINGS, IMPORT_STATES, MATCHES, REFUSAL_KINDS } from "./words.ts";

const FaultJson = Type.Object(
  {
    message: text("In words."),
    code: text(
      "`columns.` and a word of a closed list, `gave_up` (not read or stored, again and again), `gone` (the file) or `not_allowed` (whoever uploaded it); empty: read the words.",
    ),
    params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: "What the words name.",
    }),
  },
  { $id: "ImportFault", description: "Why it failed, or what of the mapping is refused." },
);

/** Rows that were refused for one reason. */
export const RefusalJson = Type.Object(
  {
    kind: oneOf(REFUSAL_KINDS, "Why; `other`: read `reason`."),
    attribute: nullableText("The attribute that the value does not fit."),
    reason: text("In the words of the file of refused rows."),
    rows: count("How many."),
    lines: Type.Array(count("A line of the file."), { description: "The first five." }),
  },
  { $id: "ImportRefusals", description: "Rows that were refused for one reason." },
);
export type RefusalJson = Shown<typeof RefusalJson>;

/** An import of an uploaded file, or of the command line. */
export const ImportJson = Type.Object(
  {
    id: id("The import."),
    fileName: text("As it was named."),
    fileSize: count("Bytes."),
    state: oneOf(
      IMPORT_STATES,
      "uploaded: not started; stopped: the file could not be read on; broken_off: of the command line, which goes on with it.",
    ),
    byMemberId: nullableId("The member who uploaded it; null: a key or the command line."),
    rows: count("Rows handled so far: the sum of the next four."),
    created: count("New contacts."),
    updated: count("Contacts that were changed."),
    unchanged: count("Rows that said nothing new."),
    refused: count("Rows that were not imported."),
    phonesCompleted: count("Local numbers that got their country code."),
    emailsLeftOut: count("Rows taken without their e-mail, which was none."),
    part: Type.Number({ minimum: 0, maximum: 1, description: "How much of the file is read." }),
    rowsPerSecond: nullableCount("Of a running one."),
    secondsLeft: nullableCount("Of a running one, as it seems."),
    stoppedAt: nullableCount("The line from which the file could not be read."),
    /** Why it failed. */
    failure: Type.Union([FaultJson, Type.Null()], { description: "Why it failed." }),
    hasRefusedRows: Type.Boolean({ description: "They can be downloaded, for thirty days." }),
    createdAt: time("When the file was uploaded."),
    startedAt: nullableTime("When its first rows were imported."),
    finishedAt: nullableTime("When it ended."),
  },
  { $id: "Import", description: "An import of an uploaded file, or of the command line." },
);
export type ImportJson = Shown<typeof ImportJson>;

/** A caller's choices for a file. */
export const importWish = {
  map: Type.Optional(
    Type.Record(Type.String({ maxLength: 1_000 }), Type.String({ maxLength: 300, ...NO_NUL }), {
      maxProperties: 1_000,
      description:
        "For each column the field that it is: `name`, `email`, `phone` …, `attribute.KEY` or `ignore`. Without it: by the names of the columns; one that is not known fails the import with `columns.unknown`, so give what the look proposes.",
      examples: [{ Mobile: "phone", Town: "attribute.city" }],
    }),
  ),
  encoding: Type.Optional(oneOf(ENCODINGS, "Instead of what the file looks like.")),
  delimiter: Type.Optional(oneOf(DELIMITERS, "Instead of what the header has most of.")),
  match: Type.Optional(oneOf(MATCHES, "By which address a row meets a contact.")),
  allowOptIn: Type.Optional(
    Type.Boolean({
      description: "Rows may opt contacts in that opted out, but for the customer's own STOP.",
    }),
  ),
  country: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: 2,
      description: "Whose code local numbers get; null: they get none; absent: the workspace's.",
    }),
  ),
};

const FileColumnJson = Type.Object(
  {
    name: text("As the file has it."),
    field: text("What it is taken for: a field, `attribute.<key>` or `ignore`."),
    by: oneOf(["name", "content", "nothing"], "What showed it."),
    valueType: oneOf(
      ["text", "number", "date"],
      "The type that a new attribute of it is proposed.",
    ),
    samples: Type.Array(text("A value."), { description: "The first values." }),
    filled: count("Rows of the head that have something there."),
  },
  { $id: "ImportColumn", description: "A column of the file." },
);
export type FileColumnJson = Shown<typeof FileColumnJson>;

const TriedRowJson = Type.Object(
  {
    line: count("In the file."),
    outcome: oneOf(["created", "updated", "unchanged", "refused"], "What it would become."),
    contactId: nullableId("The contact that it meets."),
    known: nullableText("How that contact is called now."),
    kind: nullableOneOf(REFUSAL_KINDS, "Why it is refused."),
    reason: nullableText("The same in words."),
    attribute: nullableText("The attribute it is about."),
    name: nullableText("What the row says."),
    phone: nullableText("With its country code."),
    email: nullableText("What the row says."),
    tags: Type.Array(text("A tag."), { description: "What the row says." }),
    phoneCompleted: Type.Boolean({ description: "The country code was added." }),
    emailLeftOut: Type.Boolean({ description: "Taken without its e-mail." }),
    record: Type.Array(text("A cell."), { description: "The cells of a refused row." }),
  },
  { $id: "ImportTriedRow", description: "What one row would become." },
);
export type TriedRowJson = Shown<typeof TriedRowJson>;

const Tried = Type.Object(
  {
    rows: count("Rows that were read."),
    whole: Type.Boolean({ description: "False: there are more." }),
    refused: count("Rows that would be refused."),
    refusals: Type.Array(RefusalJson, { description: "Why, the most first." }),
    phonesCompleted: count("Local numbers that get their country code."),
    emailsLeftOut: count("Rows taken without their e-mail."),
    phonesWithoutCountry: count("Phones that lack it, where none is added."),
    repeated: count("Rows that name the same person as an earlier row."),
    first: Type.Array(TriedRowJson, { description: "The first rows." }),
  },
  { $id: "ImportTrial", description: "What the first rows would become. Nothing is stored." },
);

/** What a file is, and what importing it would do. */
export const LookJson = Type.Object(
  {
    import: ImportJson,
    encoding: oneOf(ENCODINGS, "As it is read."),
    country: nullableText("Whose code local numbers get."),
    columns: Type.Array(FileColumnJson, { description: "In the order of the file." }),
    headRows: count("Rows that `filled` was counted in."),
    /** What of the mapping is refused. */
    fault: Type.Union([FaultJson, Type.Null()], { description: "What of the mapping is refused." }),
    tried: Type.Union([Tried, Type.Null()], {
      description: "What the first rows would become; null when the mapping is refused.",
    }),
  },
  { $id: "ImportLook", description: "What a file is, and what importing it would do." },
);
export type LookJson = Shown<typeof LookJson>;

/** One import with its refusals by reason. */
export const ImportReportJson = Type.Object(
  {
    ...ImportJson.properties,
    refusals: Type.Array(RefusalJson, { description: "Why rows were refused, the most first." }),
  },
  { $id: "ImportReport", description: "An import, and why rows were refused." },
);
export type ImportReportJson = Shown<typeof ImportReportJson>;

export const ImportPageJson = Type.Object(
  {
    items: Type.Array(ImportJson, { description: "Newest first, of the newest hundred." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "ImportPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const importExample: ImportJson = {
  id: ID,
  fileName: "customers.csv",
  fileSize: 20,
  state: "uploaded",
  byMemberId: null,
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  phonesCompleted: 0,
  emailsLeftOut: 0,
  part: 0,
  rowsPerSecond: null,
  secondsLeft: null,
  stoppedAt: null,
  failure: null,
  hasRefusedRows: false,
  createdAt: AT,
  startedAt: null,
  finishedAt: null,
};

export const importLookExample: LookJson = {
  import: importExample,
  encoding: "utf-8",
  country: null,
  columns: [
    {
      name: "phone",
      field: "phone",
      by: "name",
      valueType: "text",
      samples: ["+201001234567"],
      filled: 1,
    },
  ],
  headRows: 1,
  fault: null,
  tried: {
    rows: 1,
    whole: true,
    refused: 0,
    refusals: [],
    phonesCompleted: 0,
    emailsLeftOut: 0,
    phonesWithoutCountry: 0,
    repeated: 0,
    first: [
      {
        line: 2,
        outcome: "created",
        contactId: null,
        known: null,
        kind: null,
        reason: null,
        attribute: null,
        name: null,
        phone: "201001234567",
        email: null,
        tags: [],
        phoneCompleted: false,
        emailLeftOut: false,
        record: [],
      },
    ],
  },
};
