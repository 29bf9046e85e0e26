import { OPERATOR } from "../actor.ts";
import { createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InvalidArgumentError, type Command } from "commander";
import type { OpenContext } from "../open-context.ts";
import { openMedia } from "../media/open-media.ts";
import { exportPerson, personDocument } from "../persons/export-person.ts";
import { runErasureBatch } from "../persons/run-erasures.ts";
import { findErasure, listErasures, startErasure } from "../persons/start-erasure.ts";
import { contactTimeline, type TimelineItem } from "../persons/timeline.ts";
import { print, wholeNumber } from "./command-line.ts";
import { plain } from "./table.ts";
import { inBackground, withApp } from "./open-app.ts";
import { existing } from "./workspace-of.ts";

interface PersonOptions {
  readonly workspace: string;
  readonly json?: boolean;
}

/** `parley contacts timeline|export-person|erase|erasures` (docs/privacy.md) */
export function registerPerson(group: Command): void {
  personCommand(group, "timeline <contact>", "everything that happened to a contact, newest first")
    .option("--limit <n>", "entries on a page, up to 200", wholeNumber, 50)
    .option("--after <place>", "the page after this one: `next` of the page before")
    .action((id: string, options: PersonOptions & { limit: number; after?: string }) =>
      withApp(async (app) => {
        const page = await contactTimeline(
          app,
          await existing(app, options.workspace),
          id,
          options,
        );
        if (options.json) return print(options, page);
        const more = page.next === null ? "" : `next  ${page.next}\n`;
        process.stdout.write(page.items.map(line).join("") + more);
      }),
    );
  personCommand(
    group,
    "export-person <contact>",
    "everything that is kept of a person: as a folder with person.json and the files, or as JSON on standard output",
  )
    .option("--out <folder>", "a folder that does not exist yet")
    .action((id: string, options: PersonOptions & { out?: string }) =>
      inBackground(async (app) => {
        const workspaceId = await existing(app, options.workspace);
        if (options.out === undefined) await toOutput(app, workspaceId, id);
        else print(options, await toFolder(app, workspaceId, id, options.out));
      }),
    );
  personCommand(
    group,
    "erase <contact>",
    "erase a person for good: record, messages, files, everything",
  )
    .option("--yes", "confirm: nothing brings the person back")
    .option("--background", "let the server's worker do it")
    .action((id: string, options: PersonOptions & { yes?: boolean; background?: boolean }) => {
      if (options.yes !== true)
        throw new InvalidArgumentError("nothing brings an erased person back; confirm with --yes");
      return inBackground(async (app) => {
        const workspaceId = await existing(app, options.workspace);
        const { alike, id: erasureId } = await startErasure(OPERATOR, app, workspaceId, id);
        // The server's worker may take a batch meanwhile. Each batch is done once. What must wait is left to the
        // worker.
        while (options.background !== true && (await runErasureBatch(app, erasureId)));
        print(options, { ...(await findErasure(app, workspaceId, erasureId)), alike });
      });
    });
  personCommand(
    group,
    "erasures",
    "erasures of persons, finished and under way, by the ids of the persons",
  ).action((options: PersonOptions) =>
    withApp(async (app) =>
      print(options, await listErasures(app, await existing(app, options.workspace))),
    ),
  );
}

function personCommand(group: Command, name: string, words: string): Command {
  return group
    .command(name)
    .description(words)
    .requiredOption("--workspace <id>")
    .option("--json", "print one JSON document");
}

/** One entry of the timeline as one line, whatever it holds. */
function line({ at, kind, facts }: TimelineItem): string {
  const words = Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${at}  ${kind.padEnd(20)} ${plain(words.join(" "))}\n`;
}

async function toOutput(app: OpenContext, workspaceId: string, id: string): Promise<void> {
  const pieces = personDocument(OPERATOR, app, workspaceId, id);
  await pipeline(Readable.from(pieces), process.stdout, { end: false });
}

/** Writes the export into a new folder that only its owner can read: it is one person's data. */
async function toFolder(app: OpenContext, workspaceId: string, id: string, folder: string) {
  const parts = exportPerson(OPERATOR, app, workspaceId, id);
  // Read first, so that nothing is written when there is no such person.
  let next = await parts.next();
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new InvalidArgumentError(
      `${folder}: ${error.code === "EEXIST" ? "exists already" : error.message}`,
    );
  });
  await mkdir(path.join(folder, "files"), { mode: 0o700 });
  const document = await open(path.join(folder, "person.json"), "wx", 0o600);
  let files = 0;
  const missing: string[] = [];
  try {
    for (; next.done !== true; next = await parts.next()) {
      const part = next.value;
      if (part.kind === "text") {
        await document.writeFile(part.text);
        continue;
      }
      const bytes = await openMedia(app, part.media);
      if (bytes === null) missing.push(part.name);
      else {
        const name = path.join(folder, "files", part.name);
        await pipeline(Readable.from(bytes), createWriteStream(name, { flags: "wx", mode: 0o600 }));
        files += 1;
      }
    }
  } finally {
    await document.close();
  }
  return { folder, document: "person.json", files, missing };
}
