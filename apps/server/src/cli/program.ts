import type { Command } from "commander";
import { createProgram, registerHelp, runAndPrint } from "./command-line.ts";
import { addExamples } from "./examples.ts";
import { NOUNS } from "./nouns.ts";

/**
 * The program that parses `words`: every noun by name, with the commands of those that `words` holds. Without `words`,
 * every command there is. A program parses once: its options keep what they were given.
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
