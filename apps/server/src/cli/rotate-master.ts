import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { loadConfig, parseKey } from "../config.ts";
import { moveFile, writeWhole } from "../lib/private-file.ts";
import { masterKeyMark } from "../lib/seal.ts";
import { rotateMasterKey } from "../master-key/rotate-master-key.ts";
import { print } from "./command-line.ts";
import { SecretOption } from "./secret-option.ts";
import { requireData, withApp } from "./open-app.ts";

interface RotateOptions {
  readonly newKey?: string;
  readonly leaked?: boolean;
  readonly json?: boolean;
}

/** `parley key rotate-master` */
export function registerRotateMaster(group: Command): void {
  group
    .command("rotate-master")
    .description(
      "replace the master key while servers run; when it is interrupted, the same command goes on",
    )
    .addOption(
      new SecretOption(
        "--new-key <key>",
        "32 bytes in base64; default: one is made and kept in a file",
      ),
    )
    .option("--leaked", "somebody else has the old key: accept nothing that it could forge")
    .option("--json", "print one JSON document")
    .action(async (options: RotateOptions) => print(options, await rotate(options)));
}

async function rotate({ newKey, leaked = false }: RotateOptions): Promise<object> {
  requireData();
  const { config, secrets } = loadConfig();
  const { keyFile } = secrets;
  const given = newKey === undefined ? null : parseKey(newKey);
  if (newKey !== undefined && given === null)
    throw new Error("--new-key takes 32 bytes in base64 (make one: openssl rand -base64 32)");
  const beside = path.join(config.dataDir, "master.key.next");
  const keep = (key: Buffer) => writeWhole(beside, `${key.toString("base64")}\n`);
  const rotated = await withApp(
    (app) =>
      rotateMasterKey(app, {
        leaked,
        report: (line) => process.stderr.write(`${line}\n`),
        key(mark) {
          const found = existsSync(beside) ? parseKey(readFileSync(beside, "utf8").trim()) : null;
          const key =
            given ?? (found !== null && masterKeyMark(found) !== app.sealer.mark ? found : null);
          if (key === null && mark !== null)
            throw new Error(
              `a rotation to the key ${mark} is not finished, and ${beside} does not have it: give it by --new-key`,
            );
          const next = key ?? randomBytes(32);
          // A key that the operator gave for the environment is in the operator's hands.
          if (keyFile !== undefined || given === null) keep(next);
          return next;
        },
        install(key) {
          if (keyFile === undefined) return;
          if (parseKey(readFileSync(keyFile, "utf8").trim())?.equals(key)) return;
          keep(key);
          moveFile(beside, keyFile);
        },
      }),
    { rotates: true },
  );
  return { ...rotated, note: noteOf(keyFile, given === null ? beside : null, rotated.from) };
}

function noteOf(keyFile: string | undefined, made: string | null, from: string): string {
  const place =
    keyFile !== undefined
      ? `${keyFile} holds the new key: keep a copy of it apart, as of the old one`
      : `put the new key${made === null ? "" : ` (it is in ${made}: delete that file afterwards)`} into PARLEY_MASTER_KEY of every server before it next starts; those that run go on with it`;
  return `${place}. Backups of before need the old key (mark ${from}); make a new backup now`;
}
