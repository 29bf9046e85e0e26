import { write } from "../../write.ts";
import { audit } from "../../workspaces/write-audit.ts";
import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { AppError, invalid } from "../../errors.ts";
import { isStorable } from "../../lib/storable.ts";
import { ATTRIBUTE_TYPES } from "../../wire/words.ts";
import { readAttribute, type AttributeDefinition } from "./attribute-definition.ts";
import { foldText } from "../record/contact.ts";
import { deleteDefinition, selectDefinitions, upsertDefinition } from "./attribute-store.ts";

const MAX_KEY = 200;
const MAX_CHOICES = 200;

/**
 * Defines the type of a custom attribute, or changes it. From then on imports read the attribute as this type, and
 * the rules of saved segments must fit it. Stored values stay, and the API still takes any JSON. Throws
 * VALIDATION_FAILED.
 */
export const defineAttribute = write(
  "attribute.define",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string,
    input: {
      readonly key: string;
      readonly type: string;
      readonly label?: string | undefined;
      readonly choices?: readonly string[] | undefined;
    },
  ): Promise<AttributeDefinition> => {
    const { key } = input;
    const fits = (text: string): boolean =>
      text.trim() === text && text !== "" && text.length <= MAX_KEY && isStorable(text);
    if (!fits(key)) throw invalid("key", `must be text of 1 to ${MAX_KEY} characters`);
    const type = ATTRIBUTE_TYPES.find((one) => one === input.type);
    if (!type) throw invalid("type", `must be one of ${ATTRIBUTE_TYPES.join(", ")}`);
    const label = input.label?.trim() || key;
    if (!fits(label)) throw invalid("label", `must be text of 1 to ${MAX_KEY} characters`);
    const choices = (input.choices ?? []).map((choice) => choice.trim());
    if ((type === "choice") !== choices.length > 0)
      throw invalid(
        "choices",
        type === "choice" ? "must not be empty" : "are for type choice only",
      );
    if (choices.length > MAX_CHOICES)
      throw invalid("choices", `must not be more than ${MAX_CHOICES}`);
    if (!choices.every(fits))
      throw invalid("choices", `must be texts of 1 to ${MAX_KEY} characters`);
    if (new Set(choices.map(foldText)).size < choices.length)
      throw invalid("choices", "must differ in more than their case");
    const definition = { key, label, type, choices };
    await context.db.transaction(async (tx) => {
      await upsertDefinition(tx, workspaceId, definition);
      await audit(actor, context, tx, workspaceId, {
        action: "attribute.defined",
        subject: key,
        facts: { type, choices: choices.length },
      });
    });
    return definition;
  },
);

/** All definitions of the workspace, by key. */
export async function attributeDefinitions(
  context: { readonly db: Queryable },
  workspaceId: string,
): Promise<ReadonlyMap<string, AttributeDefinition>> {
  const rows = await selectDefinitions(context.db, workspaceId);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Removes a definition; the values stay. Throws NOT_FOUND. */
export const removeAttribute = write(
  "attribute.remove",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string,
    key: string,
  ): Promise<void> => {
    await context.db.transaction(async (tx) => {
      if (!isStorable(key) || !(await deleteDefinition(tx, workspaceId, key)))
        throw new AppError("NOT_FOUND", { explanation: `no attribute ${key} is defined` });
      await audit(actor, context, tx, workspaceId, { action: "attribute.removed", subject: key });
    });
  },
);

/**
 * Reads the attributes of a file by the definitions of the workspace. Attributes without a definition stay as they
 * are.
 */
export async function attributeReader(
  context: { readonly db: Queryable },
  workspaceId: string,
): Promise<(key: string, value: unknown) => unknown> {
  const definitions = await attributeDefinitions(context, workspaceId);
  return (key, value) => {
    const definition = definitions.get(key);
    return definition ? readAttribute(definition, value) : value;
  };
}
