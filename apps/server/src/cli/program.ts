import type { Command } from "commander";
import { createProgram, registerHelp, runAndPrint } from "./command-line.ts";
import { addExamples } from "./examples.ts";
import { NOUNS } from "./nouns.ts";

/**
 * The program that parses `words`: every noun by name, and the commands of the nouns in `words`. Without `words` it has
 * every command. A program parses once, because its options keep the values that were given.
 */
export async function buildProgram(words?: readonly string[]): Promise<Command> {
  const program = createProgram();
  for (const { usage, description, load } of NOUNS) {
    const command = program.command(usage).description(description);
    if (words === undefined || words.includes(command.name())) (await load())(command, runAndPrint);
  }
  registerHelp(program);
  addExamples(program);
  return program;
}
