import type { Plugin } from "vite";
import { api } from "../server/src/http/dashboard/contract/api.ts";
import { EVERYONE } from "../server/src/http/dashboard/contract/face.ts";

const NAME = "virtual:contract";

/**
 * Gives the browser what it needs of the contract at run time: the method and path of each call, and the roles where not
 * everybody may make it. The contract itself stays on the server: with it the schemas and their library would be in the
 * bundle.
 */
export function contractPlugin(): Plugin {
  const faces = Object.entries(api);
  const calls = Object.fromEntries(
    faces.map(([name, { method, path }]) => [name, `${method} ${path}`]),
  );
  const narrow = Object.fromEntries(
    faces.flatMap(([name, { who }]) =>
      who === "anybody" || who.length === EVERYONE.length ? [] : [[name, who]],
    ),
  );
  return {
    name: "parley-contract",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}`
        ? `export const calls = ${JSON.stringify(calls)};\nexport const narrow = ${JSON.stringify(narrow)};`
        : null,
  };
}
