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
