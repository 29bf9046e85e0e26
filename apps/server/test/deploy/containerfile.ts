import { readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../../../..");

/** What the last stage of `deploy/Containerfile` says of a container: how it is started, as which user, and where it writes. */
export interface Image {
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly user: { readonly uid: number; readonly gid: number };
  readonly folder: string;
  readonly volume: string;
  readonly port: number;
}

/** Reads the instructions of the last stage. Throws when one of them is missing. */
export function readContainerfile(): Image {
  const text = readFileSync(path.join(ROOT, "deploy/Containerfile"), "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ");
  const stage = text.slice(text.lastIndexOf("\nFROM "));
  const valueOf = (instruction: string): string => {
    const [, value] = new RegExp(`^${instruction} (.+)$`, "m").exec(stage) ?? [];
    if (value === undefined) throw new Error(`deploy/Containerfile has no ${instruction}`);
    return value.trim();
  };
  const listOf = (words: string): string[] => JSON.parse(words) as string[];
  const [uid = 0, gid = 0] = valueOf("USER").split(":").map(Number);
  return {
    env: Object.fromEntries(
      valueOf("ENV")
        .split(/\s+/)
        .map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]),
    ),
    command: listOf(valueOf("CMD")),
    healthcheck: listOf(valueOf("HEALTHCHECK").replace(/^.* CMD /, "")),
    user: { uid, gid },
    folder: valueOf("WORKDIR"),
    volume: valueOf("VOLUME"),
    port: Number(valueOf("EXPOSE")),
  };
}
