import { ApiError, errorOf } from "./api-error.ts";

/** A file that the server has and that a reply can contain. */
export interface UploadedFile {
  readonly id: string;
  readonly name: string;
}

/** A file that does not go with the message, and why. */
export interface RefusedFile extends UploadedFile {
  readonly reason: string;
}

/** An uploaded file with the type that its bytes have. */
export interface StoredFile extends UploadedFile {
  readonly type: string;
  readonly size: number;
}

/** How long a large file on a slow line may take. */
const UPLOAD_MS = 5 * 60_000;

/** Uploads a file: the body is its bytes. Throws an `ApiError`. */
export async function upload(file: File): Promise<StoredFile> {
  const query = new URLSearchParams({ name: file.name || "file" });
  const response = await fetch(`/api/app/files?${query}`, {
    method: "POST",
    headers: { "x-parley": "1", "content-type": file.type || "application/octet-stream" },
    body: file,
    signal: AbortSignal.timeout(UPLOAD_MS),
  }).catch((cause: unknown) => {
    throw new ApiError({ code: "NO_CONNECTION", cause });
  });
  if (!response.ok) throw await errorOf(response);
  const answer: unknown = await response.json();
  if (typeof answer !== "object" || answer === null || !("id" in answer))
    throw new ApiError({ code: "INTERNAL" });
  const type = "mimeType" in answer ? String(answer.mimeType) : file.type;
  return { id: String(answer.id), name: file.name, type, size: file.size };
}
