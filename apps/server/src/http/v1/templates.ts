import { Type, type Static } from "typebox";
import { listTemplates } from "../../templates/list-templates.ts";
import { ID, NO_NUL, oneOf } from "../../wire/schema.ts";
import type { Call } from "./route.ts";

const bounded = { minLength: 1, maxLength: 512, ...NO_NUL };

export const TemplateQuery = Type.Object({
  status: Type.Optional(
    oneOf(["all"], "`all`: in any status. Without it only approved ones are listed.", "all"),
  ),
  channelId: Type.Optional(
    Type.String({ ...bounded, description: "Only those of this channel.", examples: [ID] }),
  ),
  name: Type.Optional(
    Type.String({
      ...bounded,
      description: "Only those with this name, in every language.",
      examples: ["order_update"],
    }),
  ),
});

/** GET /v1/templates. Without a query it answers as the specification says. */
export async function getTemplates({
  context,
  principal,
  query: { status, ...filter },
}: Call<Static<typeof TemplateQuery>>): Promise<string> {
  const asked = { ...filter, anyStatus: status === "all" };
  return JSON.stringify(await listTemplates(context, principal.workspaceId, asked));
}
