import type { MediaRule } from "../channels/adapter.ts";
import type { MediaKind } from "../wire/words.ts";
import { familyOf } from "./type-names.ts";

/** The files that a channel takes, by kind. */
export type MediaRules = Readonly<
  Partial<Record<MediaKind, Pick<MediaRule, "mimeTypes" | "maxBytes">>>
>;

/** Why a file does not go with a message: a closed list, for which the dashboard has words of its own. */
export type FileFault =
  | { readonly code: "file.none" | "file.missing" | "file.used" | "file.kept" | "file.empty" }
  | { readonly code: "file.type"; readonly type: string }
  | { readonly code: "file.size"; readonly size: number; readonly most: number }
  | { readonly code: "file.count"; readonly most: number };

export const FILE_FAULTS = [
  "file.none",
  "file.missing",
  "file.used",
  "file.kept",
  "file.empty",
  "file.type",
  "file.size",
  "file.count",
] as const satisfies readonly FileFault["code"][];

/** The kind as which an upload would be sent. */
export function kindOf(mimeType: string): MediaKind {
  const family = familyOf(mimeType);
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

/**
 * As which kind a channel takes a file: its own kind, or else a document. The fault when it takes neither. The server
 * asks before it accepts a message, and the dashboard when a file is dropped.
 */
export function fitOf(
  file: { readonly kind: MediaKind; readonly mimeType: string; readonly size: number },
  rules: MediaRules | undefined,
): { readonly kind: MediaKind } | FileFault {
  if (!rules || Object.keys(rules).length === 0) return { code: "file.none" };
  const { mimeType: type, size } = file;
  const kinds = [...new Set([file.kind, "document" as const])].filter((kind) => rules[kind]);
  const takes = kinds.filter((kind) => rules[kind]?.mimeTypes.some((rule) => covers(rule, type)));
  const fitting = takes.find((kind) => size <= (rules[kind]?.maxBytes ?? 0));
  if (fitting) return { kind: fitting };
  if (takes.length === 0) return { code: "file.type", type };
  const most = Math.max(...takes.map((kind) => rules[kind]?.maxBytes ?? 0));
  return { code: "file.size", size, most };
}

/** Whether a rule (`image/png`, `image/*` or `*` + `/*`) covers a type. */
function covers(rule: string, type: string): boolean {
  const bare = rule.split(";", 1)[0]?.trim() ?? "";
  return (
    bare === "*/*" || bare === type || (bare.endsWith("/*") && type.startsWith(bare.slice(0, -1)))
  );
}

/** The fault as the API words it. */
export function faultText(fault: FileFault): string {
  switch (fault.code) {
    case "file.none":
      return "cannot go: this channel takes no files";
    case "file.missing":
      return "is no file that was uploaded here";
    case "file.used":
      return "already belongs to another message: upload it again";
    case "file.kept":
      return "belongs to a campaign or a saved reply: upload it again";
    case "file.empty":
      return "must not be empty";
    case "file.type":
      return `cannot go: this channel does not take ${fault.type}`;
    case "file.size":
      return `cannot go: it has ${fault.size} bytes and this channel takes ${fault.most}`;
    case "file.count":
      return `must be at most ${fault.most} files`;
  }
}
