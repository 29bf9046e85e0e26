import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startStand, type Stand } from "../../../apps/server/test/guides/stand.ts";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "./languages.ts";

const run = promisify(execFile);
const here = (name: string) => path.join(import.meta.dirname, name);
const SEEN = [
  "created True",
  "batch unchanged created created",
  "listed 3",
  "searched True",
  "once True",
  "refused CONTACT_NEEDS_IDENTITY",
  "streamed 2",
  "late TIMED_OUT",
  "rate 120",
  "file thanks é",
  "verified endpoint.test",
  "forged WRONG_SIGNATURE",
];

let stand: Stand;
let folder = "";
before(async () => {
  stand = await startStand();
  folder = await mkdtemp(path.join(tmpdir(), "parley-installed-"));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await stand[Symbol.asyncDispose]();
});

let programs = 0;
/** Another key and other numbers for each: what one program made is not there for the next. */
async function envOf(): Promise<NodeJS.ProcessEnv> {
  return {
    ...process.env,
    PARLEY_URL: stand.baseUrl,
    PARLEY_KEY: await stand.api.key(),
    PHONES: `9655${String(++programs).padStart(3, "0")}`,
  };
}

const LONG = process.env["PARLEY_TEST_LONG"] === "1";
/** The archive of the sources is built again where it is installed, so only the long suite does it. */
for (const [kind, ending] of LONG
  ? ([
      ["wheel", ".whl"],
      ["archive of sources", ".tar.gz"],
    ] as const)
  : ([["wheel", ".whl"]] as const))
  // oxfmt-ignore
  test(
    `Python: the ${kind}, built and installed into an empty environment without a registry, does everything against a server`,
    { skip: without("Python") },
    async () => {
      const python = PYTHON_COMMAND ?? "";
      const dist = path.join(folder, `dist${ending}`);
      await run(python, [here("../../sdk-python/backend/parley_build.py"), dist]);
      const file = (await readdir(dist)).find((name) => name.endsWith(ending)) ?? "";
      const env = path.join(folder, `env${ending}`);
      await run(python, ["-m", "venv", "--without-pip", env]);
      const inside = path.join(env, "bin/python");
      const install = ["--python", inside, "install", "--no-index", "--no-compile", path.join(dist, file)];
      await run(python, ["-m", "pip", "--disable-pip-version-check", ...install]);
      const { stdout } = await run(inside, [here("programs/program.py")], { env: await envOf() });
      assert.deepEqual(stdout.trim().split("\n"), SEEN);
      const listed = await run(inside, ["-c", "import parley, os; print(*sorted(os.listdir(os.path.dirname(parley.__file__))))"]); // oxfmt-ignore
      assert.match(listed.stdout, /\bpy\.typed\b.*\btypes\.py\b/);
    },
  );

test(
  "PHP: the zip, packed and unpacked into an empty project without Composer, does everything against a server",
  { skip: without("PHP") },
  async () => {
    const php = PHP_COMMAND ?? "";
    const project = path.join(folder, "project");
    await mkdir(project);
    const packed = await run(php, [here("../../sdk-php/pack.php"), path.join(folder, "dist-php")]);
    const unpack = "(new PharData($argv[1]))->extractTo($argv[2]);";
    const vendor = path.join(project, "vendor/parley-sdk");
    await run(php, ["-r", unpack, "--", packed.stdout.trim(), vendor]);
    await copyFile(here("programs/program.php"), path.join(project, "program.php"));
    // A warning would be read by the test as a line.
    const strict = [
      "-d",
      "error_reporting=-1",
      "-d",
      "display_errors=1",
      "-d",
      "allow_url_fopen=0",
    ];
    const { stdout } = await run(php, [...strict, "program.php"], {
      cwd: project,
      env: await envOf(),
    });
    assert.deepEqual(stdout.trim().split("\n"), SEEN);
    // Composer reads the same file: what it names as the place of the classes is in the package.
    const { autoload } = JSON.parse(await readFile(path.join(vendor, "composer.json"), "utf8")) as {
      autoload: { "psr-4": Record<string, string> };
    };
    assert.deepEqual(autoload["psr-4"], { "Parley\\": "src/" });
    assert.ok((await readdir(path.join(vendor, "src"))).includes("Parley.php"));
  },
);
