/** A file behind an address as a platform fetched it, or why it could not. */
export type FetchedFile =
  | { readonly ok: true; readonly bytes: Buffer; readonly mimeType: string }
  | { readonly ok: false; readonly status: number | null; readonly tooLarge: boolean };

/** Fetches the file at an address that a sender gave: follows redirects, within ten seconds and a limit of bytes. */
export async function fetchFile(
  address: string,
  mostBytes: number,
  timeoutMs = 10_000,
): Promise<FetchedFile> {
  const none = (status: number | null, tooLarge = false) =>
    ({ ok: false, status, tooLarge }) as const;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return none(null);
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.length;
      if (size > mostBytes) return none(answer.status, true);
      chunks.push(chunk);
    }
    if (answer.status !== 200) return none(answer.status);
    const mimeType = bareType(answer.headers.get("content-type") ?? "");
    return { ok: true, bytes: Buffer.concat(chunks), mimeType };
  } catch {
    return none(null);
  }
}

/** Without its parameters, lower-case. */
export const bareType = (mimeType: string): string =>
  (mimeType.split(";")[0] ?? "").trim().toLowerCase();
