import { InvalidArgumentError } from "commander";
import type { Static, TObject } from "typebox";
import { Check } from "typebox/value";
import { AppError } from "../errors.ts";
import { readJson } from "../read-json.ts";
import { bodyCheck, faultless } from "../http/edge/validation.ts";
import { fileFault } from "./file-fault.ts";
import { linesOf } from "./read-input.ts";

/** The longest line of a file, in bytes. */
const LONGEST_LINE = 800_000;

/**
 * The values of a file of JSON lines that fit a shape; - reads standard input, empty lines are left out. Throws an error
 * that names the line, or says why the file cannot be read.
 */
export async function* jsonLines<S extends TObject>(
  file: string,
  shape: S,
): AsyncGenerator<{ readonly value: Static<S>; readonly at: number }> {
  const check = bodyCheck(shape);
  for await (const { line, at } of namingFile(file)) {
    const value = within(at, () => readJson(line));
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new InvalidArgumentError(`line ${at} holds no JSON object`);
    within(at, () => faultless(check(value)));
    if (!Check(shape, value)) throw new InvalidArgumentError(`line ${at} does not fit`);
    yield { value, at };
  }
}

/** Gives what `read` gives. A refusal names the line. */
export function within<T>(at: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw atLine(at, error);
  }
}

/** A refusal of a line, which it names. */
export function atLine(at: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === "MALFORMED_JSON") return new InvalidArgumentError(`line ${at} is not JSON`);
  return new InvalidArgumentError(`line ${at}: ${error.message}`);
}

async function* namingFile(file: string): ReturnType<typeof linesOf> {
  try {
    yield* linesOf(file, LONGEST_LINE);
  } catch (error) {
    const fault = fileFault(error);
    throw fault === null ? error : new InvalidArgumentError(fault.replace("opened", "read"));
  }
}
