import { InvalidArgumentError, Option, type Command } from "commander";
import { codeOf } from "../lib/private-file.ts";
import { readText } from "./read-input.ts";

/** The longest secret, in bytes. A provider's key has a few kB at most. */
const LONGEST = 65_536;

/**
 * An option whose value nobody should find in `ps` or in a shell's history. The value is given as it is, as `@FILE`, or
 * as `-` for standard input. A value that itself begins with @ is written with two.
 */
export class SecretOption extends Option {
  constructor(flags: string, words = "") {
    super(flags, `${words}${words && "; "}@FILE or - reads it from a file or standard input`);
  }
}

/**
 * Reads the values that were given as `@FILE` or `-`, without the end of the last line. Throws one line for a file that
 * cannot be read, for an empty value, and when several values are to come from standard input, which holds one.
 */
export async function readSecrets(command: Command): Promise<void> {
  let piped = false;
  for (const option of command.options) {
    if (!(option instanceof SecretOption)) continue;
    const name = option.attributeName();
    const given: unknown = command.getOptionValue(name);
    if (typeof given !== "string" || !/^(-$|@)/.test(given)) continue;
    if (given === "-" && piped)
      throw new Error(`${option.long}: standard input holds one secret; give this one as @FILE`);
    piped ||= given === "-";
    command.setOptionValue(name, await readSecret(`${option.long}`, given));
  }
}

async function readSecret(flag: string, given: string): Promise<string> {
  if (given.startsWith("@@")) return given.slice(1);
  const file = given.slice(1);
  const secret = await secretIn(given === "-" ? given : file).catch((error: unknown) => {
    if (error instanceof InvalidArgumentError) throw new Error(`${flag}: ${error.message}`);
    const why = `${file} cannot be read (${codeOf(error)})`;
    throw new Error(`${flag}: ${why}; a secret that begins with @ is written with @@`);
  });
  if (secret === "")
    throw new Error(`${flag}: ${given === "-" ? "standard input" : file} is empty`);
  return secret;
}

/** The secret in a file, without the end of its last line; - reads standard input. Throws as `readText`. */
export const secretIn = async (file: string): Promise<string> =>
  (await readText(file, LONGEST)).replace(/\r?\n$/, "");
