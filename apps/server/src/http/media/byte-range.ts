import type { ByteRange } from "../../media/storage.ts";

/**
 * The one range of a `Range` header (RFC 9110, 14.2) for a file of `size` bytes. Null: answer the whole file,
 * because there is no range, several, or an unreadable one. Pure.
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | null | "unsatisfiable" {
  const [, first, last] =
    /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const wanted = Number(last);
    if (wanted === 0 || size === 0) return "unsatisfiable";
    return { start: Math.max(0, size - wanted), end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
