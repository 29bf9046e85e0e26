import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, constants, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Logger } from "../../lib/logger.ts";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "../../../../..");
const DASHBOARD = path.join(ROOT, "apps/dashboard");
/**
 * The files from which the pages are built: their sources, the shapes that they share with the server, and the
 * libraries' versions.
 */
const SOURCES = [
  "apps/dashboard",
  "apps/server/src/http/dashboard/contract",
  "apps/server/src/wire",
  "package-lock.json",
] as const;
/** The pages of an image or an archive (scripts/production-tree.mjs), which has no sources to build from. */
const SHIPPED = path.join(DASHBOARD, "dist/pages");
/** Takes five seconds on two cores. A machine that needs longer than this has other problems. */
const TIMEOUT_MS = 180_000;

/**
 * The folder with the dashboard's built pages. It is built when the sources changed since the last build: at the
 * first start, and after an update. It lies beside the sources, or in the data folder when the program's own
 * folder is read-only. An installation without the sources has its pages built. Null when the build failed, which is logged: the server serves everything else.
 */
export async function buildDashboardPages(options: {
  readonly dataDir: string;
  readonly log: Pick<Logger, "info" | "error">;
}): Promise<string | null> {
  const { dataDir, log } = options;
  if (!(await isThere(path.join(DASHBOARD, "build.ts")))) return SHIPPED;
  const folders = [path.join(DASHBOARD, "dist"), path.join(path.resolve(dataDir), "dashboard")];
  const name = await hashOfSources();
  for (const folder of folders)
    if (await isThere(path.join(folder, name, "index.html"))) return path.join(folder, name);
  const begun = performance.now();
  log.info("building the dashboard's pages; this takes some seconds, once");
  try {
    const built = path.join(await firstWritable(folders), name);
    await build(built);
    log.info({ tookMs: Math.round(performance.now() - begun) }, "the dashboard's pages are built");
    return built;
  } catch (error) {
    log.error(
      { error: String(error) },
      "the dashboard's pages could not be built; the API runs without them",
    );
    return null;
  }
}

async function firstWritable(folders: readonly string[]): Promise<string> {
  let fault: unknown;
  for (const folder of folders)
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK);
      return folder;
    } catch (error) {
      fault = error;
    }
  throw fault;
}

/**
 * Builds in a folder beside the place and moves it there, so that the place always holds a whole build. Then
 * removes older builds.
 */
async function build(built: string): Promise<void> {
  const unfinished = `${built}.${process.pid}`;
  try {
    // A process of its own, so that the builder's memory is freed with it.
    await run(process.execPath, [path.join(DASHBOARD, "build.ts"), unfinished], {
      timeout: TIMEOUT_MS,
      maxBuffer: 1_000_000,
    });
    await rename(unfinished, built).catch(async (error: unknown) => {
      // Another process of this installation was faster.
      if (!(await isThere(path.join(built, "index.html")))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const folder = path.dirname(built);
  for (const other of await readdir(folder))
    if (other !== path.basename(built) && !other.includes("."))
      await rm(path.join(folder, other), { recursive: true, force: true });
}

async function hashOfSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    const at = path.join(ROOT, source);
    const entries = source.endsWith(".json")
      ? [""]
      : (await readdir(at, { recursive: true, withFileTypes: true }))
          .filter((one) => one.isFile())
          .map((one) => path.relative(at, path.join(one.parentPath, one.name)))
          .filter((one) => !/(^|[/\\])(node_modules|dist)[/\\]|\.test\.tsx?$/.test(one))
          .toSorted();
    for (const entry of entries) {
      const content = await readFile(path.join(at, entry));
      hash.update(`${source}/${entry}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex").slice(0, 16);
}

const isThere = (file: string): Promise<boolean> =>
  readFile(file).then(
    () => true,
    () => false,
  );
