import type { Command } from "commander";
import { Type, type TSchema } from "typebox";
import { OPERATOR } from "../actor.ts";
import { readJson } from "../read-json.ts";
import { bodyCheck, faultless, listsOfItems, queryCheck } from "../http/edge/validation.ts";
import { invalid } from "../errors.ts";
import { operationsAt } from "../operations/all.ts";
import { placesOf, type Declaration } from "../operations/operation.ts";
import type { Run } from "./command-line.ts";

/**
 * Adds the commands of a noun that `operations/` declares: `parley label put vip --color "#b3261e"`. What is in the path
 * is an argument, everything else an option: a list of texts by repeating it, an object or a list of objects as JSON.
 */
export function registerDeclared(noun: string, group: Command, run: Run): void {
  for (const [name, operation] of operationsAt("cli")) {
    const [own = "", verb = ""] = operation.name.split(".");
    if (own.replaceAll("_", "-") !== noun) continue;
    const { named, query } = placesOf(operation);
    const words = named.map((one) => ` <${flagOf(one)}>`).join("");
    const command = group
      .command(verb.replaceAll("_", "-") + words)
      .description(lowerFirst(operation.says))
      .requiredOption("--workspace <id>");
    for (const [member, schema] of Object.entries(operation.input))
      if (!named.includes(member)) addOption(command, member, schema);
    command.option("--json", "print one JSON document").addHelpText("after", exampleOf(operation));
    const check = query ? checkTexts(operation) : checkValues(operation);
    command.action(() => {
      const options: Readonly<Record<string, unknown>> = command.opts();
      const given = Object.keys(operation.input).flatMap((member): [string, unknown][] => {
        const at = named.indexOf(member);
        const value: unknown = at < 0 ? options[member] : command.args[at];
        return value === undefined ? [] : [[member, value]];
      });
      const input = check(new Map(given));
      return run({ json: options["json"] === true }, async (app) => {
        const { runDeclared } = await import("../http/bound.ts");
        const { existing } = await import("./workspace-of.ts");
        const workspaceId = await existing(app, String(options["workspace"]));
        return runDeclared(name, OPERATOR, app, workspaceId, input);
      });
    });
  }
}

type Given = ReadonlyMap<string, unknown>;
type Check = (given: Given) => Record<string, unknown>;

/** Reads the options of a read, by the rules of a query string. */
function checkTexts({ input }: Declaration): Check {
  const check = queryCheck(Type.Object(input));
  return (given) => {
    const values = new Map([...given].map(([name, value]) => [name, String(value)]));
    return faultless(check({ values, repeated: new Map(), faults: [] }));
  };
}

/** Reads the options of a change, by the rules of a body. */
function checkValues({ input }: Declaration): Check {
  const schema = Type.Object(input, { additionalProperties: false });
  const check = bodyCheck(schema);
  const lists = listsOfItems(schema);
  return (given) => {
    const members = [...given].map(
      ([name, value]) => `${JSON.stringify(name)}:${jsonOf(name, value, input[name])}`,
    );
    return faultless(check(readJson(Buffer.from(`{${members.join(",")}}`), lists)));
  };
}

/** The value of an option as JSON. */
function jsonOf(name: string, value: unknown, schema: TSchema | undefined): string {
  if (typeof value !== "string" || !schema) return JSON.stringify(value);
  switch (kindOf(schema)) {
    case "json":
      try {
        JSON.parse(value);
        return value;
      } catch {
        throw invalid(name, "must be JSON");
      }
    case "integer":
      // What is no number is refused as the text that it is.
      return /^-?\d{1,15}$/.test(value) ? String(Number(value)) : JSON.stringify(value);
    case "nullable":
      return value === "" ? "null" : JSON.stringify(value);
    case "text":
    case "flag":
    case "list":
      return JSON.stringify(value);
  }
}

/** How a value is written as an option. A text that may be null is empty then. */
function kindOf(schema: TSchema): "text" | "nullable" | "integer" | "flag" | "list" | "json" {
  const type: unknown = "type" in schema ? schema.type : undefined;
  if (Array.isArray(type)) return type.includes("string") ? "nullable" : "json";
  if (type === "integer" || type === "boolean") return type === "integer" ? "integer" : "flag";
  if (type === "string") return "text";
  const items: unknown = "items" in schema ? schema.items : undefined;
  const ofTexts = typeof items === "object" && items !== null && "type" in items;
  return ofTexts && items.type === "string" ? "list" : "json";
}

const PLACEHOLDER = { text: " <text>", nullable: " <text>", integer: " <n>", json: " <json>" };

function addOption(command: Command, member: string, schema: TSchema): void {
  const words = "description" in schema ? lowerFirst(String(schema.description)) : "";
  const flag = `--${flagOf(member)}`;
  const kind = kindOf(schema);
  const add = Type.IsOptional(schema) ? "option" : "requiredOption";
  if (kind === "flag") {
    command.option(flag, words).option(`--no-${flagOf(member)}`, "the opposite");
    // Neither of both is no value.
    command.setOptionValue(member, undefined);
  } else if (kind === "list")
    command[add](
      `${flag} <text>`,
      `${words}; repeat it for more`,
      (text: string, more?: string[]) => [...(more ?? []), text],
    );
  else command[add](flag + PLACEHOLDER[kind], words);
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
  const words = argumentsOf(operation, example.input).map(quoted);
  return `\nExample:\n  ./bin/parley ${commandOf(name)} --workspace WORKSPACE ${words.join(" ")}`;
}

/** The input of an operation as the words of its command, without the workspace. */
export function argumentsOf(
  operation: Pick<Declaration, "at" | "input">,
  input: Readonly<Record<string, unknown>>,
): string[] {
  const { named } = placesOf(operation);
  const written = (value: unknown): string =>
    typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const options = Object.entries(input).flatMap(([member, value]) => {
    const schema = operation.input[member];
    if (named.includes(member) || !schema) return [];
    const flag = `--${flagOf(member)}`;
    switch (kindOf(schema)) {
      case "flag":
        return value === true ? [flag] : [`--no-${flagOf(member)}`];
      case "list":
        return Array.isArray(value) ? value.flatMap((one) => [flag, written(one)]) : [];
      case "nullable":
        return [flag, value === null ? "" : written(value)];
      case "text":
      case "integer":
      case "json":
        return [flag, written(value)];
    }
  });
  return [...named.map((one) => written(input[one])), ...options];
}

/** The words of an operation's command: "label put". */
export const commandOf = (name: string): string => name.replace(".", " ").replaceAll("_", "-");

const quoted = (value: string): string => (/^[\w.:@/+-]+$/.test(value) ? value : `'${value}'`);
