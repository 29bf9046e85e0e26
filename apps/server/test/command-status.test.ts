import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { buildProgram } from "../src/cli/program.ts";

/** Words of commands that look whether something is in order. */
const LOOKS = /(?:^| )(?:test|check|verify|doctor|sync-templates)$/;

/**
 * What such a command ends with when something is not in order: a script asks for the status alone. 1: it prints what it found.
 * 2: it says so in one line, as of a mistake. `begins`: it only begins what comes to its end later.
 */
const STATUS: Readonly<Record<string, 1 | 2 | "begins">> = {
  "model test": 1,
  "bot test": 1,
  "bot check": 1,
  "sms-provider test": 2,
  "channel sync-templates": 2,
  "backup verify": 2,
  doctor: 2,
  "webhook test": "begins",
  "broadcast test": "begins",
};

function* commandsOf(command: Command, words: readonly string[] = []): Generator<[string, string]> {
  for (const one of command.commands) {
    const named = [...words, one.name()];
    if (one.commands.length === 0) yield [named.join(" "), one.description()];
    yield* commandsOf(one, named);
  }
}

test("each command that looks whether something is in order ends with a status that says no", async () => {
  const looking = [...commandsOf(await buildProgram())].filter(([name]) => LOOKS.test(name));
  assert.deepEqual(looking.map(([name]) => name).toSorted(), Object.keys(STATUS).toSorted());
  for (const [name, words] of looking)
    assert.equal(/; status 1 when/.test(words), STATUS[name] === 1, `${name}: ${words}`);
});
