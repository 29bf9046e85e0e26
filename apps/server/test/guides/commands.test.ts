import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Command } from "commander";
import { buildProgram } from "../../src/cli/program.ts";

const ROOT = path.join(import.meta.dirname, "../../../..");
const documents = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join("docs", name)),
];

/** Every `./bin/parley …` that a reader may copy, in a block or in a line of text. */
function commandsOf(text: string): string[] {
  const joined = text.replaceAll(/ \\\n\s*/g, " ");
  // `"$@"` is whatever a reader's own function is given.
  return [...joined.matchAll(/\.\/bin\/parley (?!"\$@")([^`\n|;&)<>]*)/g)].map(([, line = ""]) =>
    line.replace(/ #.*$/, "").replace(/[.,:]$/, "").trim(),
  ); // oxfmt-ignore
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

/** What a command line says as far as it is parsed, without anything being done. */
async function parses(line: string): Promise<string> {
  const program = await buildProgram();
  const still = (command: Command): void => {
    command.configureOutput({ writeOut: () => {}, writeErr: () => {}, outputError: () => {} });
    if (acts(command)) command.action(() => {});
    command.commands.forEach(still);
  };
  still(program);
  try {
    // Files and standard input of whoever pastes it.
    const pasted = line.replaceAll(/@\w+\.txt|(?<= )-(?= |$)/g, "SECRET");
    await program.parseAsync(wordsOf(pasted), { from: "user" });
    return "";
  } catch (error) {
    assert.ok(error instanceof Error);
    return "exitCode" in error && error.exitCode === 0 ? "" : error.message;
  }
}

test("every command of the documents is one that the command line takes, with its options", async () => {
  const faults: string[] = [];
  let seen = 0;
  for (const name of documents)
    for (const line of commandsOf(readFileSync(path.join(ROOT, name), "utf8"))) {
      seen++;
      const fault = await parses(line);
      if (fault) faults.push(`${name}: parley ${line}: ${fault}`);
    }
  assert.ok(seen > 40, `${seen} commands were found`);
  assert.deepEqual(faults, []);
  assert.match(await parses("webhook test ID --workspace ID"), /unknown option/);
});

/** Whether it does something itself: `backup FILE` does, and so does `backup verify FILE`. */
const acts = ({ commands, registeredArguments }: Command): boolean =>
  commands.length === 0 || registeredArguments.length > 0;

/** Every command that does something, with its words. */
function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  const below = command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
  return acts(command) ? [[words.join(" "), command], ...below] : below;
}

test("the help of every command names its flags and has an example that the command line takes", async () => {
  const faults: string[] = [];
  const all = leaves(await buildProgram());
  assert.ok(all.length > 80, `${all.length} commands were found`);
  for (const [words, command] of all) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    for (const { long } of command.options)
      if (!help.includes(String(long))) faults.push(`${words}: ${long} is not told`);
    const examples = commandsOf(help).filter((line) => `${line} `.startsWith(`${words} `));
    if (examples.length === 0) faults.push(`${words}: no example`);
    for (const example of examples) {
      const fault = await parses(example);
      if (fault) faults.push(`${example}: ${fault}`);
    }
  }
  assert.deepEqual(faults, []);
});
