import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { findTemplate, findTemplateByName } from "../../templates/list-templates.ts";
import { bodyVariables, templateNeeds } from "../../templates/template-needs.ts";
import type { Broadcast } from "./broadcast.ts";
import { checkChannel } from "./create-broadcast.ts";

/**
 * What changes in a campaign that is sent through another channel: the channel and, in each of its texts, the
 * template with the same name and language there, which must need the same parts. `VALIDATION_FAILED`
 * (`channelId`) when the channel cannot carry it.
 */
export async function onChannel(
  context: Context,
  broadcast: Broadcast,
  channelId: string,
): Promise<Partial<Broadcast>> {
  const { kind, workspaceId } = broadcast;
  if (kind === "SMS") throw invalid("channelId", "must be left out for SMS");
  const channelType = await checkChannel(context, workspaceId, { kind, channelId });
  const there = async (templateId: string | null): Promise<string | null> => {
    if (templateId === null) return null;
    const own = await findTemplate(context.db, workspaceId, templateId);
    if (own === null)
      throw invalid("channelId", "cannot carry it: the campaign's template is gone");
    const { name, language } = own;
    const same = await findTemplateByName(context.db, workspaceId, { channelId, name, language });
    if (same === null) throw invalid("channelId", `has no template ${name} in ${language}`);
    const needs = [own, same].map(({ components }) =>
      JSON.stringify([bodyVariables(components), templateNeeds(components)]),
    );
    if (needs[0] !== needs[1])
      throw invalid("channelId", `has a template ${name} in ${language} that needs other parts`);
    return same.id;
  };
  const variants = [];
  for (const variant of broadcast.variants)
    variants.push({ ...variant, templateId: await there(variant.templateId) });
  return { channelId, channelType, templateId: await there(broadcast.templateId), variants };
}
