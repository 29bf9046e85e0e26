import { ApiError } from "./api-error.ts";

/** Asks the person at the browser for the password. False: the person cancelled. */
export type AskPassword = () => Promise<boolean>;

let askPassword: AskPassword | null = null;
/** The open question: calls that need it at the same time share it. */
let asking: Promise<boolean> | null = null;

/** Sets the function that asks for the password; null: none any more. */
export function answerProofBy(ask: AskPassword | null): void {
  askPassword = ask;
}

/**
 * Makes a request. When the server asks for the password (`REAUTH_REQUIRED`), asks the person and repeats the
 * request. For requests that do not use `call`, such as an upload. Throws the server's refusal when the person
 * cancels.
 */
export async function withProof<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "REAUTH_REQUIRED" || !askPassword)
      throw error;
    asking ??= askPassword().finally(() => {
      asking = null;
    });
    if (!(await asking)) throw error;
    return request();
  }
}
