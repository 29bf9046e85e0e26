"use strict";
// What the runner of tests is given, and what each file took.
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const FOLDER = "node_modules/.cache/tests";
const timesFile = (root) => path.join(root, FOLDER, "times.jsonl");
const failedFile = (root) => path.join(root, FOLDER, "failed.jsonl");
/** So many files share a process: it reads the whole server once, which costs as much as the tests of five files. */
const TOGETHER = 36;
/** Files of these folders end processes, or wait most of their time: each has a process to itself. */
const ALONE = /^apps\/server\/test\/(cluster|crash|process)\//;
/** These share a browser, and those of the dashboard a server too. */
const BROWSER = /^apps\/server\/test\/browser\//;
const isDashboard = (file) => /\/browser\/(inbox|templates)\//.test(file);
const BROWSER_FILES = 7;
/** Those begin first, in this order, so that none of them runs alone at the end. */
const LONGEST = ["/cluster/", "/crash/kill", "/crash/", "/process/process", "/process/", ""];

function testFiles(root) {
  return ["apps", "packages"]
    .flatMap((top) =>
      fs
        .readdirSync(path.join(root, top), { withFileTypes: true })
        .map((one) => `${top}/${one.name}`),
    )
    .flatMap((workspace) => [`${workspace}/src`, `${workspace}/test`])
    .filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true })
        .map((file) => `${folder}/${file.split(path.sep).join("/")}`),
    )
    .filter((file) => file.endsWith(".test.ts"))
    .sort();
}

const chunks = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) =>
    list.slice(n * size, (n + 1) * size),
  );

const textOf = (root, file) => fs.readFileSync(path.join(root, file), "utf8");

/** Each file is a suite, so that its hooks are its own, and notes what it took. Properties draw from one seed. */
function groupText(root, files) {
  const lines = files.map((file) => {
    const url = pathToFileURL(path.join(root, file)).href;
    return `await file(${JSON.stringify(file)}, () => import(${JSON.stringify(url)}));`;
  });
  const [hook, group, seed] = ["runner-hook.cjs", "group.ts", "seed.ts"].map((name) =>
    JSON.stringify(pathToFileURL(path.join(root, "apps/server/test", name)).href),
  );
  if (files.some((file) => textOf(root, file).includes('from "fast-check"')))
    lines.unshift(
      `const { default: properties } = await import("fast-check");`,
      `properties.configureGlobal({ seed: (await import(${seed})).seed });`,
    );
  return `import ${hook};\nconst { file, run } = await import(${group});\n${lines.join("\n")}\nrun();\n`;
}

/**
 * Writes what the runner is given, and gives the names: files of a few dozen neighbours each, because a process of its
 * own costs a file as much as its tests do. Files that need a process to themselves say `// alone` in their first line.
 * The runner takes them in the order of their names: those alone wait most of their time, those with a browser keep two
 * cores busy, so they alternate with the others.
 */
function writeGroups(root) {
  const folder = path.join(root, FOLDER);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const single = [];
  const browser = [];
  const shared = [];
  for (const file of testFiles(root)) {
    if (BROWSER.test(file)) browser.push(file);
    else if (ALONE.test(file) || textOf(root, file).startsWith("// alone")) single.push(file);
    else shared.push(file);
  }
  const rank = (file) => LONGEST.findIndex((part) => file.includes(part));
  single.sort((a, b) => rank(a) - rank(b));
  const lanes = [
    [
      ...chunks(browser.filter(isDashboard), BROWSER_FILES),
      ...chunks(
        browser.filter((file) => !isDashboard(file)),
        BROWSER_FILES,
      ),
    ],
    single.map((file) => [file]),
    chunks(shared, TOGETHER),
  ];
  const names = [];
  while (lanes.some((lane) => lane.length > 0))
    for (const lane of lanes) {
      const files = lane.shift();
      if (!files) continue;
      const name = path.join(folder, `${String(names.length + 1).padStart(2, "0")}.test.mjs`);
      fs.writeFileSync(name, groupText(root, files));
      names.push(name);
    }
  return names;
}

function readLines(file) {
  try {
    const text = fs.readFileSync(file, "utf8").trim();
    return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** What each file took, in seconds, the slowest first. */
const readTimes = (root) => readLines(timesFile(root)).sort((a, b) => b.processor - a.processor);

/** The tests that failed: `{ file, test, error }`, as scripts/failed-reporter.mjs writes them. */
const readFailed = (root) => readLines(failedFile(root));

module.exports = { writeGroups, readTimes, timesFile, readFailed, failedFile };
