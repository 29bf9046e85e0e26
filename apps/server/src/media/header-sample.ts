import type { OutboundMedia, TemplateDraft } from "../channels/adapter.ts";
import { isId } from "../lib/ids.ts";
import { outboundMedia } from "./outbound-media.ts";

/** The file that a draft's header shows its reviewers; null when it needs none or the upload is not there. */
export async function openHeaderSample(
  context: Parameters<typeof outboundMedia>[0],
  workspaceId: string,
  header: TemplateDraft["header"],
): Promise<OutboundMedia | null> {
  if (header === undefined || header.kind === "text" || !isId(header.file)) return null;
  return outboundMedia(context, { workspaceId, id: header.file });
}
