// Makes a release of the commit that is checked out: `node scripts/run.cjs scripts/release.mjs`. It refuses what is not fit,
// runs every test, and writes the archive, the image, the list of components, a database for later versions to be tested
// on, and the sums of all, signed when a key is given. At the end it tags the commit. Nothing is sent anywhere.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { writeProductionTree } from "./production-tree.mjs";

const ROOT = path.resolve(import.meta.dirname, "..");
const HELP = `usage: node scripts/run.cjs scripts/release.mjs [options]
  --dry-run         every check and file, but no test, no image, no tag
  --out FOLDER      an empty folder for the files (dist/release/VERSION)
  --without-image   where no container engine answers
  --minisign FILE   sign the sums with this secret key of minisign
  --gpg KEY         sign the sums and the tag with this key of GnuPG`;
/** The master key of the database that later versions are tested on. It protects nothing. */
const TEST_KEY = Buffer.alloc(32, 7).toString("base64");
const DEMO_TIMEOUT_MS = 300_000;

const read = (file) => readFileSync(path.join(ROOT, file), "utf8");
const run = (program, words, options = {}) =>
  execFileSync(program, words, { cwd: ROOT, encoding: "utf8", maxBuffer: 50_000_000, stdio: ["ignore", "pipe", "inherit"], ...options });
const say = (text) => console.log(`release: ${text}`);

/** Why this commit is no release, a line each. A dry run may come before the day of the release is known. */
function findFaults(version, { dry }) {
  const faults = [];
  const changed = run("git", ["status", "--porcelain"]).trim();
  if (changed !== "") faults.push(`the tree has changes that are not committed:\n${changed}`);
  const [head, entry = ""] = new RegExp(`^## ${version.replaceAll(".", "\\.")} \\((.*)\\)\\n([^]*?)(?=^## |$(?![^]))`, "m").exec(read("CHANGELOG.md"))?.slice(1) ?? [];
  if (head === undefined) faults.push(`CHANGELOG.md has no entry "## ${version} (DATE)"`);
  else if (!/^- /m.test(entry)) faults.push(`the entry of ${version} in CHANGELOG.md lists nothing`);
  else if (!dry && !/^\d{4}-\d\d-\d\d$/.test(head)) faults.push(`the entry of ${version} in CHANGELOG.md says "${head}" where its date belongs`);
  if (JSON.parse(read("package-lock.json")).version !== version) faults.push("package-lock.json names another version: run npm install --package-lock-only");
  for (const file of ["deploy/Containerfile", "deploy/compose.yml", ...globSync("deploy/kubernetes/*.yaml", { cwd: ROOT })]) {
    const others = [...read(file).matchAll(/\bparley:(\d+\.\d+\.\d+\S*)/g)].map(([, one]) => one).filter((one) => one !== version);
    if (others.length > 0) faults.push(`${file} names the image of ${others.join(", ")}`);
  }
  if (run("git", ["tag", "--list", `v${version}`]).trim() !== "") faults.push(`the tag v${version} is there already`);
  return faults;
}

/** The first container engine that answers, or null. */
function findEngine() {
  return ["docker", "podman"].find((one) => spawnSync(one, ["info"], { stdio: "ignore", timeout: 30_000 }).status === 0) ?? null;
}

/** One archive for one commit: the same files in the same order, with the commit's time. */
function writeArchive(file, name, { commit }) {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-release-"));
  try {
    writeProductionTree(path.join(folder, name), { database: true });
    const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", `--mtime=@${commit}`];
    run("tar", [...same, "--use-compress-program=gzip -n", "--create", "--file", file, "--directory", folder, name]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Production packages, those in the built pages too, in CycloneDX. npm names the whole by the folder it is in. */
function writeComponents(file, version) {
  const list = JSON.parse(run("npm", ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"]));
  list.metadata.component.name = "parley";
  list.metadata.component.version = version;
  list.metadata.component.type = "application";
  writeFileSync(file, `${JSON.stringify(list, null, 2)}\n`);
}

/** A backup of the demo as this version makes it, in a key that the tests know. */
async function writeUpgradeDump(file) {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-dump-"));
  const env = { PATH: process.env.PATH, HOME: folder, PORT: "0", PARLEY_DEMO: "on", PARLEY_MASTER_KEY: TEST_KEY, PARLEY_DATA_DIR: path.join(folder, "data") };
  const launcher = path.join(ROOT, "scripts/run.cjs");
  const server = spawn(process.execPath, [launcher, "apps/server/src/main.ts"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise((resolve, reject) => {
      let said = "";
      const late = setTimeout(() => reject(new Error(`the server of the demo does not serve after ${DEMO_TIMEOUT_MS / 1000} s`)), DEMO_TIMEOUT_MS);
      server.stdout.setEncoding("utf8").on("data", (data) => {
        said += data;
        if (said.includes('"msg":"ready"')) resolve(clearTimeout(late));
      });
      server.on("exit", () => reject(new Error(`the server of the demo ended: ${said}`)));
    });
    run(process.execPath, [launcher, "apps/server/src/cli/main.ts", "backup", file], { env });
  } finally {
    server.removeAllListeners("exit");
    if (server.exitCode === null) await new Promise((resolve) => server.on("exit", resolve) && server.kill("SIGTERM"));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `SHA256SUMS` as sha256sum reads it, and its signatures. */
function writeSums(out, { minisign, gpg }) {
  const names = readdirSync(out).sort();
  const lines = names.map((name) => `${createHash("sha256").update(readFileSync(path.join(out, name))).digest("hex")}  ${name}\n`);
  const file = path.join(out, "SHA256SUMS");
  writeFileSync(file, lines.join(""));
  const ask = { stdio: "inherit" };
  if (minisign !== undefined) run("minisign", ["-S", "-s", path.resolve(minisign), "-m", file], ask);
  if (gpg !== undefined) run("gpg", ["--batch", "--yes", "--armor", "--local-user", gpg, "--detach-sign", file], ask);
  if (minisign === undefined && gpg === undefined) say("the sums are not signed: no key was given");
}

async function release(options) {
  const dry = options["dry-run"];
  const { version } = JSON.parse(read("package.json"));
  const faults = findFaults(version, { dry });
  const engine = dry || options["without-image"] ? null : findEngine();
  if (engine === null && !dry && !options["without-image"]) faults.push("no container engine answers (docker, podman): start one, or use --without-image");
  if (faults.length > 0) throw new Error(`${version} is no release:\n  ${faults.join("\n  ")}`);
  const out = path.resolve(options.out ?? path.join(ROOT, "dist/release", version));
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty`);
  if (dry) say("a dry run: no test is run, no image made, nothing tagged");
  else run(process.execPath, ["scripts/test.cjs", "--long"], { stdio: "inherit" });

  const commit = run("git", ["show", "--no-patch", "--format=%ct", "HEAD"]).trim();
  const system = `${process.platform}-${process.arch}`;
  const name = `parley-${version}`;
  say("the archive");
  writeArchive(path.join(out, `${name}-${system}.tar.gz`), name, { commit });
  say("the list of components");
  writeComponents(path.join(out, `${name}.cdx.json`), version);
  say("the database that later versions are tested on");
  const dump = path.join(out, `${name}-upgrade.backup`);
  await writeUpgradeDump(dump);
  if (engine !== null) {
    say(`the image, by ${engine}`);
    run(engine, ["build", "--file", "deploy/Containerfile", "--tag", `parley:${version}`, "."], { stdio: "inherit" });
    run(engine, ["save", "--output", path.join(out, `${name}-image-${system}.tar`), `parley:${version}`]);
  }
  writeSums(out, options);
  if (!dry) {
    const signed = options.gpg === undefined ? ["--annotate"] : ["--sign", "--local-user", options.gpg];
    run("git", ["tag", ...signed, "--message", `Parley ${version}`, `v${version}`]);
    const kept = `apps/server/test/upgrades/${version}.backup`;
    copyFileSync(dump, path.join(ROOT, kept));
    say(`tagged v${version}. Commit ${kept} next, push both, and publish the files`);
  }
  for (const one of readdirSync(out).sort()) console.log(path.join(out, one));
}

try {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      "without-image": { type: "boolean", default: false },
      out: { type: "string" },
      minisign: { type: "string" },
      gpg: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) console.log(HELP);
  else await release(values);
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exit(1);
}
