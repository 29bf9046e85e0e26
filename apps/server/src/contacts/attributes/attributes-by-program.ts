import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { cutPage } from "../../lib/cut-page.ts";
import { attributeOperations } from "../../operations/attributes.ts";
import { PAGE_ITEMS } from "../../operations/page.ts";
import { perform } from "../../write.ts";
import { attributeDefinitions, defineAttribute, removeAttribute } from "./define-attribute.ts";

type Reading = Pick<Context, "db">;
type Writing = Pick<Context, "db" | "ids" | "clock">;
const MOST = 200;

/** A page of the definitions, in the order of their keys' code units. */
export const attributesByPage = perform(
  attributeOperations.listContactAttributes,
  async (_actor, context: Reading, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const all = [...(await attributeDefinitions(context, workspaceId)).values()];
    const after = all
      .filter(({ key }) => cursor === undefined || key > cursor)
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const { items, last } = cutPage(after, Math.min(limit, MOST));
    return { items, nextCursor: last?.key ?? null };
  },
);

/** One definition. Throws NOT_FOUND. */
export const attributeByKey = perform(
  attributeOperations.readContactAttribute,
  async (_actor, context: Reading, workspaceId, { key }) => {
    const definition = (await attributeDefinitions(context, workspaceId)).get(key);
    if (!definition)
      throw new AppError("NOT_FOUND", { explanation: `no attribute ${key} is defined` });
    return definition;
  },
);

/** As `defineAttribute`. */
export const putAttributeByProgram = perform(
  attributeOperations.putContactAttribute,
  (actor, context: Writing, workspaceId, input) =>
    defineAttribute(actor, context, workspaceId, input),
);

/** As `removeAttribute`. */
export const removeAttributeByProgram = perform(
  attributeOperations.deleteContactAttribute,
  async (actor, context: Writing, workspaceId, { key }) => {
    await removeAttribute(actor, context, workspaceId, key);
    return {};
  },
);
