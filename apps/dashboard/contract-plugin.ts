import type { Plugin } from "vite";
import { api } from "../server/src/http/dashboard/contract/api.ts";

const NAME = "virtual:contract";

/**
 * Gives the browser what a call needs of the contract at run time: the method and path of each name. The contract itself
 * stays on the server: with it the schemas and their library would be in the bundle.
 */
export function contractPlugin(): Plugin {
  const calls = Object.fromEntries(
    Object.entries(api).map(([name, { method, path }]) => [name, `${method} ${path}`]),
  );
  return {
    name: "parley-contract",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) => (id === `\0${NAME}` ? `export const calls = ${JSON.stringify(calls)};` : null),
  };
}
