import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { SETTING_NAMES, describeUnknown, unknownSettings } from "./setting-names.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");

test("names that nothing reads are listed, with the nearest setting if one is near", () => {
  const given = [
    "PARLEY_DATABSE_URL",
    "PARLEY_DATABASE_URL",
    "PARLEY_PORT",
    "PARLEY_DATA",
    "PARLEY_DATADIR",
    "PARLEY_PUBLIC_URI",
    "PARLEY_RLOE",
    "parley_role",
    "PARLEY_WHATEVER_ELSE",
  ];
  assert.deepEqual(
    Object.fromEntries(unknownSettings(given).map(({ name, nearest }) => [name, nearest])),
    {
      PARLEY_DATABSE_URL: "DATABASE_URL",
      PARLEY_DATABASE_URL: "DATABASE_URL",
      PARLEY_PORT: "PORT",
      PARLEY_DATA: "PARLEY_DATA_DIR",
      PARLEY_DATADIR: "PARLEY_DATA_DIR",
      PARLEY_PUBLIC_URI: "PARLEY_PUBLIC_URL",
      PARLEY_RLOE: "PARLEY_ROLE",
      parley_role: "PARLEY_ROLE",
      PARLEY_WHATEVER_ELSE: null,
    },
  );
  const [one] = unknownSettings(["PARLEY_DATABSE_URL"]);
  assert.equal(
    one && describeUnknown(one),
    "PARLEY_DATABSE_URL is no setting and is ignored; DATABASE_URL may be meant",
  );
});

test("no name is listed that is a setting, belongs to launcher, tests, bench or guides, or is not ours", () => {
  const ours = [
    "PARLEY_LAUNCHER_PID",
    "PARLEY_TEST_POSTGRES",
    "PARLEY_CHROMIUM",
    "PARLEY_CRASH_SEED",
    "PARLEY_BENCH_POSTGRES",
    "PARLEY_BENCH_NODE_OPTIONS",
    "PARLEY_KEY",
    "PARLEY_URL",
  ];
  assert.deepEqual(unknownSettings([...SETTING_NAMES, ...ours, "PATH", "DATABSE_URL"]), []);
});

test("variables that Kubernetes sets for a service called parley are not taken for settings", () => {
  const address = ["", "_3000_TCP", "_3000_TCP_PROTO", "_3000_TCP_PORT", "_3000_TCP_ADDR"];
  const setFor = (service: string) => [
    ...["HOST", "PORT", "PORT_HTTP"].map((name) => `${service}_SERVICE_${name}`),
    ...address.map((rest) => `${service}_PORT${rest}`),
  ];
  const given = [...setFor("PARLEY"), ...setFor("PARLEY_WEB"), "PARLEY_RLOE"];
  assert.deepEqual(
    unknownSettings(given).map(({ name }) => name),
    ["PARLEY_RLOE"],
  );
});

test("the documents list the same settings", () => {
  const example = readFileSync(path.join(ROOT, ".env.example"), "utf8");
  const written = [...example.matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name = ""]) => name);
  // A name that all programs share, and nothing to set in that file.
  assert.deepEqual(
    [...written, "NODE_ENV"].sort(),
    SETTING_NAMES.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});
