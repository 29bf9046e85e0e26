import { isId } from "../lib/ids.ts";
import { AppError } from "../errors.ts";

/** The id of a source as it is given. A malformed one is no source's: throws NOT_FOUND. */
export function idOf(given: string): string {
  if (!isId(given)) throw notFound();
  return given;
}

export const notFound = (): AppError =>
  new AppError("NOT_FOUND", { explanation: "there is no such source" });
