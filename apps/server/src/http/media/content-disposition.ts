/**
 * `Content-Disposition` with a name from a customer (RFC 6266): plain ASCII for old clients, UTF-8 by RFC 5987 for
 * the others. No name can end the value or begin another header.
 */
export function contentDisposition(inline: boolean, fileName: string): string {
  const plain = fileName.replaceAll(/[^ -~]/g, "_").replaceAll(/["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const name = plain === fileName ? "" : `; filename*=UTF-8''${encoded}`;
  return `${inline ? "inline" : "attachment"}; filename="${plain}"${name}`;
}

/**
 * The file's name in a `Content-Disposition` (RFC 6266): `filename*` in UTF-8 before `filename`. Null when it has none
 * that can be read.
 */
export function nameOfDisposition(header: string | undefined): string | null {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header ?? "")?.[1];
  try {
    if (extended !== undefined) return decodeURIComponent(extended);
  } catch {
    // The plain one is left.
  }
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? "") ?? [];
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? token ?? null;
}
