import { createReadStream } from "node:fs";
import { InvalidArgumentError } from "commander";
import { AppError } from "../errors.ts";
import { readJson } from "../read-json.ts";

/**
 * The bytes of a file; - reads standard input. Throws InvalidArgumentError for more than `most` bytes, and the system's error
 * for a file that cannot be read.
 */
export async function readBytes(file: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytesOf(file)) {
    length += chunk.length;
    if (length > most)
      throw new InvalidArgumentError(`${nameOf(file)} is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same as text. Throws InvalidArgumentError also for bytes that are not UTF-8: a replaced one would be stored. */
export async function readText(file: string, most: number): Promise<string> {
  const bytes = await readBytes(file, most);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidArgumentError(`${nameOf(file)} is not valid UTF-8`);
  }
}

/**
 * The lines of a file with their numbers, without those of blanks alone; - reads standard input. Throws
 * InvalidArgumentError for a line of more than `most` bytes, and the system's error for a file that cannot be read.
 */
export async function* linesOf(
  file: string,
  most: number,
): AsyncGenerator<{ readonly line: Buffer; readonly at: number }> {
  let held: Buffer[] = [];
  let at = 1;
  const add = (part: Buffer): void => {
    held.push(part);
    if (held.reduce((sum, one) => sum + one.length, 0) > most)
      throw new InvalidArgumentError(`line ${at} is longer than ${most} bytes`);
  };
  const take = () => {
    const found = { line: Buffer.concat(held), at: at++ };
    held = [];
    return found;
  };
  for await (const chunk of bytesOf(file)) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      add(chunk.subarray(from, end));
      const found = take();
      if (!isBlank(found.line)) yield found;
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  const last = take();
  if (!isBlank(last.line)) yield last;
}

/** The JSON of an option, by the rules of a body of the API. Throws InvalidArgumentError. */
export function jsonOption(text: string): unknown {
  try {
    return readJson(Buffer.from(text));
  } catch (error) {
    const isJson = error instanceof AppError && error.code !== "MALFORMED_JSON";
    throw new InvalidArgumentError(isJson ? error.message : "It takes JSON.");
  }
}

const LINE_END = 0x0a;
const isBlank = (line: Buffer): boolean => line.toString("latin1").trim() === "";

const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  for await (const chunk of file === "-" ? process.stdin : createReadStream(file))
    yield Buffer.from(chunk);
}
