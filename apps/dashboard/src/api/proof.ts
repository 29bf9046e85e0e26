import { ApiError } from "./api-error.ts";

/** Asks the person at the browser for the password. False: they would not give it. */
export type AskPassword = () => Promise<boolean>;

let askPassword: AskPassword | null = null;
/** The question that is on the screen: calls that need it at the same time share it. */
let asking: Promise<boolean> | null = null;

/** Says who asks for the password; null: nobody any more. */
export function answerProofBy(ask: AskPassword | null): void {
  askPassword = ask;
}

/**
 * Makes a request, and makes it again once the password was given when the server asks for it (`REAUTH_REQUIRED`). For
 * what does not go through `call`, as an upload. Throws the server's refusal when the person would not give it.
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
