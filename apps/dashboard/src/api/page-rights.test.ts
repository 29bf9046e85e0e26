import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { api } from "../../../server/src/http/dashboard/contract/api.ts";

// By the source text: which pages exist, what each imports, which calls it makes. No page is drawn.

const SOURCE = path.join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(file, "utf8");
const ROLES = ["owner", "admin", "agent"] as const;
type Role = (typeof ROLES)[number];

const RIGHTS = new Map(
  [...read(path.join(SOURCE, "api/page-rights.ts")).matchAll(/^ {2}"(\/[^"]+)": "(\w+)",$/gm)].map(
    ([, page = "", call = ""]) => [page, call],
  ),
);

/** Who may make a call; null: there is no such call. */
function whoMay(call: string): readonly Role[] | null {
  const face: { readonly who: "anybody" | readonly Role[] } | undefined = Object.entries(api).find(
    ([name]) => name === call,
  )?.[1];
  return face === undefined ? null : face.who === "anybody" ? ROLES : face.who;
}

interface PageRoute {
  readonly page: string;
  /** The module of the page. */
  readonly file: string;
  /** The call that its `beforeLoad` asks for. */
  readonly checked: string | null;
}

/** The pages for members, from the routes of all areas. */
const PAGES: readonly PageRoute[] = globSync("*/routes.tsx", { cwd: SOURCE }).flatMap((name) => {
  const file = path.join(SOURCE, name);
  return read(file)
    .split("createRoute(")
    .slice(1)
    .flatMap((route): PageRoute[] => {
      const own = /path: "(\/[^"]*)"/.exec(route)?.[1];
      const module = /import\(\s*"(\.[^"]+)"/.exec(route)?.[1];
      const parent = /getParentRoute: \(\) => (\w+)/.exec(route)?.[1];
      if (own === undefined || module === undefined || parent === "root") return [];
      const page = parent === "settingsFrame" ? `/settings${own}` : own;
      const checked = /beforeLoad: opens\("([^"]+)"\)/.exec(route)?.[1] ?? null;
      return [{ page, file: path.join(path.dirname(file), module), checked }];
    });
});

/** The modules that a page loads, also later ones, without those that it imports only types of. */
function modulesOf(first: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file) || !file.startsWith(SOURCE)) return;
    seen.add(file);
    const imports = /(?:^(?:import|export) (?!type\b)[^;]*?|\bimport\(\s*)"(\.[^"]+)"/gm;
    for (const [, name = ""] of read(file).matchAll(imports))
      visit(path.join(path.dirname(file), name));
  };
  visit(first);
  return [...seen];
}

test("every page that a role does not open says so before it is shown: its route asks for the call that it exists for", () => {
  assert.ok(PAGES.length > 30, `found ${PAGES.length} pages`);
  const wrong = PAGES.filter(({ page, checked }) => checked !== (RIGHTS.get(page) ?? null));
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [...RIGHTS.keys()].filter((page) => !PAGES.some((one) => one.page === page)),
    [],
  );
  const unknown = [...RIGHTS].filter(([, call]) => (whoMay(call) ?? ROLES).length === ROLES.length);
  assert.deepEqual(unknown, [], "each names a call that not every role may make");
});

test("a page offers no role a call that it refuses: whoever opens a page may make its calls, or the page asks useMay", () => {
  const faults: string[] = [];
  for (const { page, file } of PAGES) {
    const right = RIGHTS.get(page);
    const opened = (right === undefined ? null : whoMay(right)) ?? ROLES;
    const modules = modulesOf(file);
    const asked = modules.flatMap((one) =>
      [...read(one).matchAll(/useMay\("(\w+)"\)/g)].map(([, call = ""]) => whoMay(call) ?? []),
    );
    for (const one of modules)
      for (const [, call = ""] of read(one).matchAll(/\bcall\(\s*"(\w+)"/g)) {
        const refused = opened.filter((role) => whoMay(call)?.includes(role) === false);
        // Asked for another call with the same roles, it is the same question.
        const known = asked.some((who) => refused.every((role) => !who.includes(role)));
        if (refused.length > 0 && !known)
          faults.push(
            `${page}: ${call} (${path.relative(SOURCE, one)}), not for ${refused.join()}`,
          );
      }
  }
  assert.deepEqual([...new Set(faults)].sort(), []);
});
