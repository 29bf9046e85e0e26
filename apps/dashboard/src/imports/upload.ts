import { ApiError } from "../api/api-error.ts";
import type { AnswerOf } from "../api/call.ts";

export type ImportRun = AnswerOf<"startImport">;

/** How long a large file on a slow line may take. */
const UPLOAD_MS = 30 * 60_000;

/**
 * Uploads a file of contacts: the body is its bytes. `told` is called with the uploaded share, from 0 to 1, which
 * `fetch` does not report. Throws an `ApiError`.
 */
export function uploadContacts(file: File, told: (part: number) => void): Promise<ImportRun> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/app/imports?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader("x-parley", "1");
    request.setRequestHeader("content-type", file.type || "application/octet-stream");
    request.responseType = "json";
    request.timeout = UPLOAD_MS;
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      told(total > 0 ? loaded / total : 0),
    );
    const lost = () => reject(new ApiError({ code: "NO_CONNECTION" }));
    request.addEventListener("error", lost);
    request.addEventListener("timeout", lost);
    request.addEventListener("load", () => {
      const answer: unknown = request.response;
      if (request.status === 201 && isRun(answer)) resolve(answer);
      else reject(errorIn(answer, request));
    });
    request.send(file);
  });
}

const isRun = (answer: unknown): answer is ImportRun =>
  typeof answer === "object" && answer !== null && "id" in answer && "state" in answer;

function errorIn(answer: unknown, request: XMLHttpRequest): ApiError {
  const body: { message?: string; details?: ApiError["details"] } =
    typeof answer === "object" && answer !== null ? answer : {};
  return new ApiError({
    code: body.message ?? "INTERNAL",
    status: request.status,
    details: body.details ?? [],
    requestId: request.getResponseHeader("x-request-id"),
  });
}
