import { OPERATOR } from "../actor.ts";
import { InvalidArgumentError, type Command } from "commander";
import { createContact } from "../contacts/record/create-contact.ts";
import { CONSENT_HELD } from "../contacts/consent/change-consent.ts";
import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import { findContact } from "../contacts/identity/find-contact.ts";
import type { ContactPatch } from "../wire/contact.ts";
import { updateContact } from "../contacts/record/update-contact.ts";
import { AppError } from "../errors.ts";
import type { OpenContext } from "../open-context.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { attributeValue } from "./attribute-value.ts";
import { collect, type Run } from "./command-line.ts";
import { registerDeclared } from "./declared.ts";
import { existing } from "./workspace-of.ts";

interface Consent {
  readonly optOut?: boolean;
  readonly optIn?: boolean;
  readonly evidence?: string;
}

interface Fields {
  readonly workspace: string;
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly notes?: string;
  readonly tag?: readonly string[];
  readonly attribute?: readonly string[];
  readonly json?: boolean;
}

const withFields = (command: Command): Command =>
  command
    .requiredOption("--workspace <id>")
    .option("--name <name>")
    .option("--email <email>")
    .option("--phone <phone>", "with its country code, like +96550000001")
    .option("--notes <text>")
    .option("--tag <tag>", "may be given several times", collect)
    .option(
      "--attribute <key=value>",
      "may be given several times; the value is JSON or a text",
      collect,
    )
    .option("--json", "print one JSON document");

/** `parley contact …`: one contact. `parley contacts …` is for files and for many contacts. */
export function registerContact(group: Command, run: Run): void {
  registerDeclared("contact", group, run);
  group
    .command("show <id>")
    .description("show a contact; the id of a merged contact shows the one that was kept")
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      run(options, async (app) => {
        const contact = await findContact(app.db, await existing(app, options.workspace), id);
        if (!contact) throw new AppError("NOT_FOUND", { explanation: `there is no contact ${id}` });
        return contact;
      }),
    );
  withFields(group.command("create"))
    .description("make a contact; it needs an e-mail address or a phone number")
    .action((options: Fields) =>
      run(options, async (app) => {
        const workspaceId = await existing(app, options.workspace);
        const fields = await readyFields(app, workspaceId, fieldsOf(options));
        return createContact(OPERATOR, app, workspaceId, fields);
      }),
    );
  withFields(group.command("update <id>"))
    .description(
      "change what is given, and leave the rest; tags and attributes are replaced as a whole; an empty value clears",
    )
    .option("--opt-out", "the contact wants no campaigns")
    .option("--opt-in", "the contact wants campaigns again")
    .option(
      "--evidence <text>",
      "with --opt-in: how you know that they asked for it; needed after their own STOP",
    )
    .action((id: string, options: Fields & Consent) => {
      const patch = patchOf(options);
      return run(options, async (app) => {
        const workspaceId = await existing(app, options.workspace);
        const whole = await readyFields(app, workspaceId, patch);
        let isHeld = false;
        const { evidence } = options;
        const held = () => (isHeld = true);
        const contact = await updateContact(OPERATOR, app, workspaceId, id, whole, {
          evidence,
          held,
        });
        if (isHeld) throw new AppError("CONSENT_HELD", CONSENT_HELD);
        return contact;
      });
    });
}

/** The fields with a whole number and with values of attributes as their types need them. */
async function readyFields<T extends ContactPatch>(
  app: OpenContext,
  workspaceId: string,
  fields: T,
): Promise<T> {
  const whole = await withWholePhone(app, workspaceId, fields);
  if (!fields.attributes) return whole;
  const types = await attributeDefinitions(app, workspaceId);
  const values = Object.entries(fields.attributes).map(([key, text]): [string, unknown] => [
    key,
    attributeValue(String(text), types.get(key)?.type),
  ]);
  return { ...whole, attributes: Object.fromEntries(values) };
}

/** Gives a local number the code of the workspace's country, and says so on standard error. */
async function withWholePhone<T extends { readonly phone?: string | null }>(
  app: OpenContext,
  workspaceId: string,
  fields: T,
): Promise<T> {
  const country = (await findWorkspace(app, workspaceId))?.country ?? null;
  if (country === null || !fields.phone?.trim()) return fields;
  const { localPhoneReader } = await import("../contacts/identity/local-phone.ts");
  const { phone, completed } = (await localPhoneReader(country))(fields.phone);
  if (completed)
    process.stderr.write(`parley: the number of ${country} is completed to ${phone}\n`);
  return { ...fields, phone };
}

function patchOf(options: Fields & Consent): ContactPatch {
  if (options.optOut && options.optIn)
    throw new InvalidArgumentError("--opt-out and --opt-in cannot both be given");
  const patch = {
    ...fieldsOf(options),
    ...((options.optOut || options.optIn) && { optedOut: options.optOut === true }),
  };
  if (Object.keys(patch).length === 0)
    throw new InvalidArgumentError("nothing to change was given; --help lists what can be changed");
  return patch;
}

/** The given fields, as the domain takes them. */
function fieldsOf({ name, email, phone, notes, tag, attribute }: Fields) {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(notes !== undefined && { notes }),
    ...(tag !== undefined && { tags: [...tag] }),
    ...(attribute !== undefined && { attributes: attributesOf(attribute) }),
  };
}

/** The texts by their attributes. */
function attributesOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (key === "") throw new InvalidArgumentError("--attribute takes KEY=VALUE");
      return [key, value];
    }),
  );
}
