"use strict";
// Brings node_modules in line with package-lock.json, when it is not. Says so on stderr: stdout is the program's.
const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const ROOT = path.join(__dirname, "..");
const LOCKFILE = path.join(ROOT, "package-lock.json");
const MODULES = path.join(ROOT, "node_modules");
const STAMP = path.join(MODULES, ".parley-stamp");
const TURN = path.join(ROOT, ".parley-install");

const read = (file) => {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
};
const wanted = () => createHash("sha256").update(read(LOCKFILE) ?? "").digest("hex");

/**
 * True when what is installed is what the lockfile asks for. `tools`: with the packages for development. The stamp says that
 * all of them are there, and saves comparing on every start.
 */
function upToDate({ tools }) {
  if (read(LOCKFILE) === null) return true;
  if (read(STAMP) === wanted()) return true;
  // Installed by npm itself, without us: compare package by package.
  const installed = read(path.join(MODULES, ".package-lock.json"));
  if (installed === null) return false;
  const have = JSON.parse(installed).packages;
  const asked = Object.entries(JSON.parse(read(LOCKFILE)).packages).filter(
    ([place, one]) => place.includes("node_modules/") && !(one.optional || one.peer || one.devOptional),
  );
  const isThere = ([place, one]) => have[place] !== undefined && have[place].version === one.version;
  if (!asked.every((each) => each[1].dev || isThere(each))) return false;
  const forTools = asked.filter(([, one]) => one.dev);
  if (forTools.every(isThere)) stamp();
  // Where none of them is there, it was installed for production, and a command needs no more than the service does.
  return (
    forTools.every(isThere) ||
    isForProduction() ||
    !(tools || forTools.some(([place]) => have[place] !== undefined))
  );
}

const isForProduction = () => process.env.NODE_ENV === "production";

function stamp() {
  try {
    fs.writeFileSync(STAMP, wanted());
  } catch {
    // Not ours to write (installed by another user): then it is compared again next time.
  }
}

const alive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

/** One installs, the others wait: two `npm ci` in one folder destroy each other's work. */
async function takeTurn(needs) {
  for (let told = false; ; ) {
    try {
      fs.mkdirSync(TURN);
      fs.writeFileSync(path.join(TURN, "pid"), String(process.pid));
      return true;
    } catch (error) {
      if (error.code !== "EEXIST")
        throw new Error(
          `packages are missing or old, and this user may not write into ${ROOT} (${error.code}); run there as its owner: npm ci --ignore-scripts`,
        );
    }
    const pid = Number(read(path.join(TURN, "pid")));
    const age = Date.now() - (fs.statSync(TURN, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (pid ? !alive(pid) : age > 10_000) {
      // Moved aside first: of two who find it stale, one succeeds.
      const aside = `${TURN}.${process.pid}`;
      try {
        fs.renameSync(TURN, aside);
        fs.rmSync(aside, { recursive: true, force: true });
      } catch {
        // The other one was quicker.
      }
      continue;
    }
    if (!told) console.error("parley: another start is installing; waiting for it");
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
    if (upToDate(needs)) return false;
  }
}

function npmCi() {
  return new Promise((resolve, reject) => {
    const cli = process.env.npm_execpath;
    const [command, first] = cli && /\.c?js$/.test(cli) ? [process.execPath, [cli]] : ["npm", []];
    const options = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    const child = spawn(command, [...first, ...options], {
      cwd: ROOT,
      stdio: ["ignore", 2, 2],
      shell: command === "npm" && process.platform === "win32",
    });
    const begun = Date.now();
    const seconds = () => Math.round((Date.now() - begun) / 1000);
    const ticking = setInterval(() => console.error(`parley: still installing (${seconds()} s)`), 10_000);
    for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => child.kill(signal));
    child.on("error", (error) => reject(new Error(`npm does not start: ${error.message}`)));
    child.on("exit", (code) => {
      clearInterval(ticking);
      if (code === 0) resolve(seconds());
      else reject(new Error("npm ci failed (its words are above); run it by hand and try again"));
    });
  });
}

/** Installs what is missing. `tools`: the packages for development too, which no server and no command needs. */
async function install(needs) {
  if (upToDate(needs) || !(await takeTurn(needs))) return;
  try {
    if (upToDate(needs)) return;
    console.error("parley: installing what is missing (about 600 MB on disk, once; it takes one to five minutes)");
    const seconds = await npmCi();
    if (!isForProduction()) stamp();
    console.error(`parley: installed in ${seconds} s`);
  } finally {
    fs.rmSync(TURN, { recursive: true, force: true });
  }
}

module.exports = { install };
