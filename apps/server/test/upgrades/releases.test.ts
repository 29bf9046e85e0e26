import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { LONG } from "../group.ts";
import { restoreDump } from "./restore-dump.ts";

/** Each release leaves a backup of its demo here. The newest is restored in every run, all of them for a release. */
const dumps = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".backup"))
  .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));

for (const name of LONG ? dumps : dumps.slice(-1))
  test(`the database that release ${path.basename(name, ".backup")} left behind is restored by this version`, () =>
    restoreDump(path.join(import.meta.dirname, name)));
