import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startStand, type Stand } from "../../../apps/server/test/guides/stand.ts";
import { PYTHON_COMMAND, without } from "./languages.ts";

const run = promisify(execFile);
const here = (name: string) => path.join(import.meta.dirname, name);
const SEEN = [
  "created 96550000001",
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

async function envOf(): Promise<NodeJS.ProcessEnv> {
  // Another key each: what one language sent is no repetition for the next.
  return { ...process.env, PARLEY_URL: stand.baseUrl, PARLEY_KEY: await stand.api.key() };
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
      const install = ["--python", inside, "install", "--no-index", path.join(dist, file)];
      await run(python, ["-m", "pip", "--disable-pip-version-check", ...install]);
      const { stdout } = await run(inside, [here("programs/program.py")], { env: await envOf() });
      assert.deepEqual(stdout.trim().split("\n"), SEEN);
      const listed = await run(inside, ["-c", "import parley, os; print(*sorted(os.listdir(os.path.dirname(parley.__file__))))"]); // oxfmt-ignore
      assert.match(listed.stdout, /\bpy\.typed\b.*\btypes\.py\b/);
    },
  );
