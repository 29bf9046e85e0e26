import type { OutboundMedia, TemplateDraft } from "../channels/adapter.ts";
import { isId } from "../lib/ids.ts";
import { outboundMedia } from "./outbound-media.ts";

/**
 * The file that shows the reviewers what a draft's header will hold. Null when the header needs none, or when the
 * upload is not there.
 */
export async function openHeaderSample(
  context: Parameters<typeof outboundMedia>[0],
  workspaceId: string,
  header: TemplateDraft["header"],
): Promise<OutboundMedia | null> {
  if (header === undefined || header.kind === "text" || !isId(header.file)) return null;
  return outboundMedia(context, { workspaceId, id: header.file });
}
