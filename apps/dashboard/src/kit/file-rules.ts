import {
  fitOf,
  kindOf,
  type FileFault,
  type MediaRules,
} from "../../../server/src/media/media-fit.ts";
import { plainType } from "../../../server/src/media/type-names.ts";
import type { DeskRow, OpenedConversation } from "../api/shapes.ts";

/** Where files go: the kind of channel and what it takes. */
export interface FilePlace {
  readonly channelType: DeskRow["channelType"];
  readonly rules: MediaRules;
}

export const filePlace = (
  { channelType }: Pick<DeskRow, "channelType">,
  { files }: Pick<OpenedConversation["rules"], "files">,
): FilePlace => ({
  channelType,
  rules: Object.fromEntries(files.map((rule) => [rule.kind, rule])),
});

/** A file as the browser or the server describes it. */
export interface FileFacts {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/**
 * Why a file cannot go, by what is known of it; null: nothing speaks against it. The browser derives the type from the
 * name, so a file whose type it does not know is judged again by its bytes, after the upload.
 */
export function faultOf(file: FileFacts, place: FilePlace | undefined): FileFault | null {
  if (file.size === 0) return { code: "file.empty" };
  const type = plainType(file.type);
  if (place === undefined || type === null) return null;
  const fit = fitOf({ kind: kindOf(type), mimeType: type, size: file.size }, place.rules);
  return "code" in fit ? fit : null;
}
