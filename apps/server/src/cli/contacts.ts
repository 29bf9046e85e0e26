import { OPERATOR } from "../actor.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InvalidArgumentError, type Command } from "commander";
import { changeNumberConsent } from "../contacts/consent/change-consent.ts";
import { consentHistory } from "../contacts/consent/consent-history.ts";
import { normalisePhone } from "../contacts/record/contact-input.ts";
import { exportContacts } from "../contacts/record/export-contacts.ts";
import { AppError } from "../errors.ts";
import { fieldsOf } from "../segments/contact-filter.ts";
import { compileSegment } from "../segments/segment-sql.ts";
import { findSegment } from "../segments/find-segment.ts";
import type { OpenContext } from "../open-context.ts";
import { print } from "./command-line.ts";
import { registerAttributes } from "./contacts-attributes.ts";
import { registerBulk } from "./contacts-bulk.ts";
import { registerDuplicates } from "./contacts-duplicates.ts";
import { registerImport } from "./contacts-import.ts";
import { registerPerson } from "./contacts-person.ts";
import { inBackground, withApp } from "./open-app.ts";
import { existing } from "./workspace-of.ts";

/** `parley contacts …` */
export function registerContacts(group: Command): void {
  registerImport(group);
  group
    .command("export")
    .description("write contacts as CSV to standard output")
    .requiredOption("--workspace <id>")
    .option("--segment <id>", "only the contacts of this segment")
    .action((options: { workspace: string; segment?: string }) =>
      inBackground(async (app) => {
        await existing(app, options.workspace);
        const where = await selection(app, options.workspace, options.segment);
        const rows = exportContacts(OPERATOR, app, options.workspace, where);
        await pipeline(Readable.from(rows), process.stdout, { end: false });
      }),
    );
  registerConsent(group);
  registerAttributes(group);
  registerBulk(group);
  registerDuplicates(group);
  registerPerson(group);
}

interface ConsentOptions {
  readonly workspace: string;
  readonly phone: string;
  readonly json?: boolean;
  readonly evidence?: string;
}

/** `parley contacts opt-out|opt-in|consent`. They take a number, because consent belongs to the number. */
function registerConsent(group: Command): void {
  for (const [name, optedOut, words] of [
    ["opt-out", true, "no campaign reaches the number, whoever has it or will have it"],
    ["opt-in", false, "lift an opt-out: only when the person asked for it"],
  ] as const)
    withEvidence(consentCommand(group, name, words), optedOut).action((options: ConsentOptions) =>
      withApp(async (app) => {
        await existing(app, options.workspace);
        const { phone, evidence } = options;
        const input = { phone, optedOut, evidence };
        print(options, await changeNumberConsent(OPERATOR, app, options.workspace, input));
      }),
    );
  consentCommand(
    group,
    "consent",
    "every opt-out and opt-in of a number: when it was and where it came from",
  ).action((options: ConsentOptions) =>
    withApp(async (app) => {
      await existing(app, options.workspace);
      const phone = normalisePhone(options.phone);
      if (phone === null) throw new InvalidArgumentError("phone must be 1 to 40 digits");
      const entries = await consentHistory(app, options.workspace, { phone });
      print(options, options.json ? { phone, entries } : entries);
    }),
  );
}

const withEvidence = (command: Command, optedOut: boolean): Command =>
  optedOut
    ? command
    : command.option(
        "--evidence <text>",
        "how you know that they asked for it; needed after their own STOP",
      );

function consentCommand(group: Command, name: string, words: string): Command {
  return group
    .command(name)
    .description(words)
    .requiredOption("--workspace <id>")
    .requiredOption("--phone <number>", "digits, with or without plus")
    .option("--json", "print one JSON document");
}

async function selection(app: OpenContext, workspaceId: string, segmentId: string | undefined) {
  if (segmentId === undefined) return {};
  const segment = await findSegment(app.db, workspaceId, segmentId);
  if (!segment)
    throw new AppError("NOT_FOUND", { explanation: `there is no segment ${segmentId}` });
  return {
    where: compileSegment(segment.definition, app.clock.now()),
    segment: segment.id,
    fields: fieldsOf(segment.definition),
  };
}
