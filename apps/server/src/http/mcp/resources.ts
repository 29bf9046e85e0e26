import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { INSTALLATION } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { isId } from "../../lib/ids.ts";
import { opens } from "../../policies.ts";
import type { Scope } from "../../wire/words.ts";
import { readByTool, type AssistantCaller } from "./call-tool.ts";
import { scopesOf, TOOLS } from "./tools.ts";

const DOCS = path.join(INSTALLATION, "docs");
const MARKDOWN = "text/markdown";
const JSON_TYPE = "application/json";

const CONVERSATION = {
  uriTemplate: "parley://conversations/{id}",
  name: "conversation",
  description: "The newest messages of a conversation. Customers' words stand in `untrusted`.",
  mimeType: JSON_TYPE,
};

/** Resources whose address holds an id, as far as the key's scopes open them. */
export const listResourceTemplates = (scopes: readonly Scope[]) =>
  opens(scopes, "messages:read") ? [CONVERSATION] : [];

/** The documents that the index of the documentation names, and what the key's scopes open. */
export function listResources(scopes: readonly Scope[]) {
  return [
    ...documents().map(({ name, title }) => ({
      uri: `parley://docs/${name}`,
      name,
      title,
      mimeType: MARKDOWN,
    })),
    ...(opens(scopes, "templates:read")
      ? [{ uri: "parley://templates", name: "templates", mimeType: JSON_TYPE }]
      : []),
  ];
}

/** Throws NOT_FOUND for an unknown address, MISSING_SCOPE. */
export async function readResource(caller: AssistantCaller, uri: string) {
  const name = /^parley:\/\/docs\/(.+)$/.exec(uri)?.[1];
  const known = documents().find((one) => one.name === name);
  if (known) {
    const text = readFileSync(path.join(DOCS, known.name), "utf8");
    return { uri, mimeType: MARKDOWN, text };
  }
  const id = /^parley:\/\/conversations\/([^/]+)$/.exec(uri)?.[1];
  const tool = id === undefined ? "list_templates" : "read_conversation";
  if (id === undefined ? uri !== "parley://templates" : !isId(id))
    throw new AppError("NOT_FOUND", { explanation: `there is no resource ${uri}` });
  return { uri, mimeType: JSON_TYPE, text: await readAs(caller, tool, id) };
}

async function readAs(
  caller: AssistantCaller,
  name: string,
  id: string | undefined,
): Promise<string> {
  const tool = TOOLS.get(name);
  if (!tool) throw new AppError("NOT_FOUND");
  const [scope] = scopesOf(tool);
  if (scope && !opens(caller.principal.scopes, scope)) throw new AppError(`MISSING_SCOPE:${scope}`);
  return JSON.stringify(await readByTool(caller, tool, id === undefined ? {} : { id }));
}

/** The documents of `docs/llms.txt`, by their place. None where the installation has no `docs` folder. */
function documents(): { readonly name: string; readonly title: string }[] {
  const index = path.join(DOCS, "llms.txt");
  if (!existsSync(index)) return [];
  return [...readFileSync(index, "utf8").matchAll(/\[([^\]]+)\]\(([\w./-]+\.md)\)/g)].map(
    ([, title = "", name = ""]) => ({ title, name }),
  );
}
