import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import {
  CASES,
  CLOSED,
  readCases,
  startStand,
  type Case,
  type Hook,
  type Said,
  type Sent,
} from "./conformance/stand.ts";
import { runCall, runHook } from "./conformance/typescript.ts";
import { PHP_COMMAND, PYTHON_COMMAND, without } from "./languages.ts";

const run = promisify(execFile);
const here = (name: string) => path.join(import.meta.dirname, name);
const { calls, webhooks } = readCases();
let stand: Awaited<ReturnType<typeof startStand>>;
before(async () => (stand = await startStand(calls)));
after(() => stand[Symbol.asyncDispose]());

interface All {
  readonly calls: readonly Said[];
  readonly webhooks: readonly Hook["want"][];
}

async function byTypeScript(): Promise<All> {
  const said: Said[] = [];
  for (const [number, one] of calls.entries())
    said.push(await runCall(one, one.closed ? CLOSED : `${stand.baseUrl}/case/${number}/api`));
  return { calls: said, webhooks: await Promise.all(webhooks.map(runHook)) };
}

async function byProgram(command: string | null, file: string, env: object): Promise<All> {
  const { stdout } = await run(command ?? "", [here(file), CASES, stand.baseUrl], {
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  return JSON.parse(stdout) as All;
}

const CLIENTS = {
  TypeScript: { skip: false, all: byTypeScript },
  Python: {
    skip: without("Python"),
    all: () =>
      byProgram(PYTHON_COMMAND, "conformance/python.py", { PYTHONPATH: here("../../sdk-python/src"), PYTHONDONTWRITEBYTECODE: "1" }),
  },
  PHP: { skip: without("PHP"), all: () => byProgram(PHP_COMMAND, "conformance/php.php", {}) },
} as const; // oxfmt-ignore

for (const [name, { skip, all }] of Object.entries(CLIENTS))
  describe(name, { skip }, () => {
    let said: All;
    let sent: readonly (readonly Sent[])[];
    before(async () => {
      said = await all();
      sent = calls.map((_, number) => stand.take(number));
    });
    for (const [number, one] of calls.entries())
      test(one.name, () => {
        const got = said.calls[number];
        assert.ok(got);
        judge(one, got, sent[number] ?? []);
      });
    for (const [number, hook] of webhooks.entries())
      test(hook.name, () => assert.deepEqual(said.webhooks[number], hook.want));
  });

function judge({ call, want, answers, waits }: Case, got: Said, sent: readonly Sent[]): void {
  if (want.mistake) assert.equal(got.mistake, true, JSON.stringify(got));
  else if (want.fails) {
    assert.ok(got.fails, JSON.stringify(got));
    for (const [name, value] of Object.entries(want.fails))
      assert.deepEqual(got.fails[name], value, name);
  } else assert.equal(got.fails, undefined);
  if ("gives" in want) assert.deepEqual(got.gives, want.gives);
  if (want.pairs !== undefined)
    assert.deepEqual(
      got.items,
      Array.from({ length: want.pairs }, (_, index) => [
        { name: String(index) },
        { outcome: "accepted", of: String(index) },
      ]),
    );
  assert.deepEqual(got.waits, waits);
  assert.deepEqual(got.gaps, want.gaps ?? []);
  assert.deepEqual(got.warns, want.warns ?? []);
  if (want.rate) assert.deepEqual(got.rate, want.rate);
  assert.equal(sent.length, answers.length, "it was asked as often as it answers");
  for (const one of sent)
    assert.equal(one.authorization, call.noun === "bots" ? null : "Bearer pk:sk");
  assert.deepEqual(keysOf(sent), want.keys ?? keysOf(sent));
  // Of one call each try is the same bytes under the same key.
  if (want.fails === undefined && want.queries === undefined && want.bodies === undefined && want.keys === undefined)
    assert.ok(new Set(sent.map((one) => one.body)).size <= 1); // oxfmt-ignore
  const { paths, queries, bodies, types, lastIds, versions } = want;
  if (paths) assert.deepEqual(sent.map((one) => one.path), paths); // oxfmt-ignore
  if (queries) assert.deepEqual(sent.map((one) => one.query), queries); // oxfmt-ignore
  if (types) assert.deepEqual(sent.map((one) => one.type), types); // oxfmt-ignore
  if (lastIds) assert.deepEqual(sent.map((one) => one.lastId), lastIds); // oxfmt-ignore
  if (versions) assert.deepEqual(sent.map((one) => one.version), versions); // oxfmt-ignore
  if (bodies)
    assert.deepEqual(
      sent.map((one, index) => (typeof bodies[index] === "string" ? one.body : JSON.parse(one.body))),
      bodies,
    ); // oxfmt-ignore
}

/** Keys as the table names them: `#1` is the first that the client made. */
function keysOf(sent: readonly Sent[]): (string | null)[] {
  const made: string[] = [];
  return sent.map(({ key }) => {
    const [, own, part = ""] = /^(sdk-[0-9a-f]{36})(:\d+)?$/.exec(key ?? "") ?? [];
    if (own === undefined) return key;
    if (!made.includes(own)) made.push(own);
    return `#${made.indexOf(own) + 1}${part}`;
  });
}
