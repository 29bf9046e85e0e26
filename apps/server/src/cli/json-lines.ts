import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { InvalidArgumentError } from "commander";
import type { Static, TObject } from "typebox";
import { Check } from "typebox/value";
import { AppError } from "../errors.ts";
import { bodyCheck, faultless } from "../http/edge/validation.ts";

/** The longest line of a file, in characters. */
const LONGEST_LINE = 200_000;

/**
 * The values of a file of JSON lines that fit a shape; - reads standard input, empty lines are left out. Throws an error
 * that names the line, or says why the file cannot be read.
 */
export async function* jsonLines<S extends TObject>(
  file: string,
  shape: S,
): AsyncGenerator<{ readonly value: Static<S>; readonly at: number }> {
  const check = bodyCheck(shape);
  for await (const { line, at } of linesOf(file)) {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new InvalidArgumentError(`line ${at} is not JSON`);
    }
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
    if (error instanceof AppError) throw new InvalidArgumentError(`line ${at}: ${error.message}`);
    throw error;
  }
}

async function* linesOf(
  file: string,
): AsyncGenerator<{ readonly line: string; readonly at: number }> {
  const input = file === "-" ? process.stdin : createReadStream(file);
  let at = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      at += 1;
      if (line.length > LONGEST_LINE)
        throw new InvalidArgumentError(`line ${at} is longer than ${LONGEST_LINE} characters`);
      if (line.trim() !== "") yield { line, at };
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string")
      throw new InvalidArgumentError(`${file} cannot be read: ${error.message}`);
    throw error;
  }
}
