import { ApiError, errorOf } from "../api/api-error.ts";

/** How long a large file on a slow line may take. */
const UPLOAD_MS = 5 * 60_000;

/** Uploads a file that bots may answer from: the body is its bytes. Throws an `ApiError`. */
export async function uploadSource(file: File): Promise<void> {
  const response = await fetch(
    `/api/app/knowledge/files?${new URLSearchParams({ name: file.name })}`,
    {
      method: "POST",
      headers: { "x-parley": "1", "content-type": "application/octet-stream" },
      body: file,
      signal: AbortSignal.timeout(UPLOAD_MS),
    },
  ).catch((cause: unknown) => {
    throw new ApiError({ code: "NO_CONNECTION", cause });
  });
  if (!response.ok) throw await errorOf(response);
}
