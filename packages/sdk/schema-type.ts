import { memberOf, nameOf, type Schema } from "./document.ts";

export const HEAD = "// Made from apps/server/openapi.json by `npm run sdk`. Do not edit.\n";

/** What is no class of ours keeps its distance from JavaScript's `Error`. */
export function typeName(name: string): string {
  if (name === "Event") return "WebhookEvent";
  return name.endsWith("Error") ? `${name}Body` : name;
}

/** TypeScript of a schema. What is asked of a caller takes `undefined` and read-only arrays. */
export function typeOf(schema: Schema, indent: string, asked: boolean): string {
  if (schema.$ref) return typeName(nameOf(schema.$ref));
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.allOf) return schema.allOf.map((one) => typeOf(one, indent, asked)).join(" & ");
  // Beside members, `anyOf` narrows what they may be together (NewContact), which no interface says.
  const either = schema.properties ? undefined : (schema.anyOf ?? schema.oneOf);
  if (either) return [...new Set(either.map((one) => typeOf(one, indent, asked)))].join(" | ");
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => plainType(type, schema, indent, asked)).join(" | ");
}

function plainType(type: string, schema: Schema, indent: string, asked: boolean): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    case "array": {
      const item = typeOf(schema.items ?? {}, indent, asked);
      const array = / [|&] |^readonly /.test(withoutMembers(item)) ? `(${item})[]` : `${item}[]`;
      return asked ? `readonly ${array}` : array;
    }
    case "object": {
      if (!schema.properties) return `Record<string, ${typeOf(memberOf(schema), indent, asked)}>`;
      const members = Object.entries(schema.properties).map(([name, member]) => {
        const optional = !schema.required?.includes(name);
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
        const value = typeOf(member, `${indent}  `, asked);
        const unset = optional && asked ? " | undefined" : "";
        return `${comment(noteOf(member), `${indent}  `)}${indent}  ${key}${optional ? "?" : ""}: ${value}${unset};\n`;
      });
      const more =
        schema.additionalProperties === true ? `${indent}  [member: string]: unknown;\n` : "";
      return `{\n${members.join("")}${more}${indent}}`;
    }
    default:
      throw new Error(`unknown type ${type}`);
  }
}

export function noteOf(schema: Schema): string | undefined {
  const fallback =
    schema.default === undefined ? undefined : `Default ${JSON.stringify(schema.default)}.`;
  return [schema.description, fallback].filter(Boolean).join(" ") || undefined;
}

export function comment(text: string | undefined, indent = ""): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : "";
}

/** A type without the members of its objects, one of which may hold another. */
function withoutMembers(type: string): string {
  const outer = type.replaceAll(/\{[^{}]*\}/g, "");
  return outer === type ? type : withoutMembers(outer);
}
