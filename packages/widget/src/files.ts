import type { ChatSettings } from "./protocol.ts";

export type FileFault = "too-large" | "wrong-type" | "empty";

/** Whether the server would take this file, asked before a byte is sent. Types: `image/png`, `image/*`, `.pdf`. */
export function fileFault(
  file: { readonly name: string; readonly type: string; readonly size: number },
  settings: Pick<ChatSettings, "maxFileBytes" | "fileTypes">,
): FileFault | null {
  if (file.size === 0) return "empty";
  if (file.size > settings.maxFileBytes) return "too-large";
  const { fileTypes } = settings;
  if (fileTypes.length === 0) return null;
  const type = file.type.toLowerCase().split(";", 1)[0]?.trim() ?? "";
  const name = file.name.toLowerCase();
  const fits = fileTypes.some((rule) => {
    const wanted = rule.toLowerCase();
    if (wanted === "*/*") return true;
    if (wanted.startsWith(".")) return name.endsWith(wanted);
    return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
  });
  return fits ? null : "wrong-type";
}

const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);

/** Images a browser shows and that cannot carry a script (SVG can). */
export function isPicture(mimeType: string | null): boolean {
  return mimeType !== null && SHOWN.has(mimeType.toLowerCase().split(";", 1)[0] ?? "");
}
