import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SOURCE = path.join(import.meta.dirname, "..");

/** What lies over the page because the member opened it, or points at it; each closes with Escape or when it is left. */
const OPENED: readonly string[] = [
  ".ask-overlay",
  ".details-open",
  ".flow-preview",
  ".menu-ground",
  ".side-sheet",
  ".side-sheet-overlay",
  ".side-tip",
];
/** The button of the sandbox's phone: wide pages keep room for it below the details, others have it in the flow. */
const KEPT_ROOM: readonly string[] = [".sandbox-dock"];

test("what appears unasked covers nothing: only what a member opened is fixed over the page", () => {
  const fixed = new Set<string>();
  for (const file of globSync("**/*.css", { cwd: SOURCE })) {
    const css = readFileSync(path.join(SOURCE, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    for (const [, selectors = "", body = ""] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g))
      if (/position:\s*fixed/.test(body))
        for (const one of selectors.split(",")) fixed.add(one.trim());
  }
  assert.deepEqual([...fixed].toSorted(), [...OPENED, ...KEPT_ROOM].toSorted());
});
