import type { Command } from "commander";
import { Type, type TSchema } from "typebox";
import { OPERATOR } from "../actor.ts";
import { queryCheck, faultless } from "../http/edge/validation.ts";
import { operationsAt } from "../operations/all.ts";
import { placesOf, type Declaration } from "../operations/operation.ts";
import type { Run } from "./command-line.ts";

/**
 * Adds the commands of a noun that `operations/` declares: `parley label put vip --color "#b3261e"`. What is in the path
 * is an argument, everything else an option.
 */
export function registerDeclared(noun: string, group: Command, run: Run): void {
  for (const [name, operation] of operationsAt("cli")) {
    const [own, verb = ""] = operation.name.split(".");
    if (own !== noun) continue;
    const { named } = placesOf(operation);
    const words = named.map((one) => ` <${flagOf(one)}>`).join("");
    const command = group
      .command(verb.replaceAll("_", "-") + words)
      .description(lowerFirst(operation.says))
      .requiredOption("--workspace <id>");
    for (const [member, schema] of Object.entries(operation.input))
      if (!named.includes(member)) addOption(command, member, schema);
    command.option("--json", "print one JSON document").addHelpText("after", exampleOf(operation));
    const check = queryCheck(Type.Object(operation.input));
    command.action(() => {
      const options: Readonly<Record<string, unknown>> = command.opts();
      const given = Object.keys(operation.input).flatMap((member): [string, string][] => {
        const at = named.indexOf(member);
        const value: unknown = at < 0 ? options[member] : command.args[at];
        return value === undefined
          ? []
          : [[member, typeof value === "string" ? value : JSON.stringify(value)]];
      });
      const input = faultless(check({ values: new Map(given), repeated: new Map(), faults: [] }));
      return run({ json: options["json"] === true }, async (app) => {
        const { doingOf } = await import("../http/bound.ts");
        const { existing } = await import("./workspace-of.ts");
        const workspaceId = await existing(app, String(options["workspace"]));
        return doingOf(name).run(OPERATOR, app, workspaceId, input);
      });
    });
  }
}

function addOption(command: Command, member: string, schema: TSchema): void {
  const words = "description" in schema ? lowerFirst(String(schema.description)) : "";
  const flag = `--${flagOf(member)} <${"type" in schema && schema.type === "integer" ? "n" : "text"}>`;
  if (Type.IsOptional(schema)) command.option(flag, words);
  else command.requiredOption(flag, words);
}

/** `newName` as an option: `new-name`. */
const flagOf = (member: string): string =>
  member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Help texts begin in lower case and have no full stop. */
const lowerFirst = (text: string): string =>
  (/^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text).replace(
    /\.$/,
    "",
  );

/** The example of a command, to paste. */
function exampleOf({ name, example, ...operation }: Declaration): string {
  const { named } = placesOf(operation);
  const members = Object.entries(example.input);
  const words = [
    ...named
      .flatMap((one) => members.filter(([member]) => member === one))
      .map(([, value]) => quoted(value)),
    "--workspace WORKSPACE",
    ...members
      .filter(([member]) => !named.includes(member))
      .map(([member, value]) => `--${flagOf(member)} ${quoted(value)}`),
  ];
  return `\nExample:\n  ./bin/parley ${commandOf(name)} ${words.join(" ")}`;
}

/** The words of an operation's command: "label put". */
export const commandOf = (name: string): string => name.replace(".", " ").replaceAll("_", "-");

const quoted = (value: unknown): string =>
  /^[\w.:@/+-]+$/.test(String(value)) ? String(value) : `'${String(value)}'`;
