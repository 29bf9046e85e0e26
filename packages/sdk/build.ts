import { spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "vite";

/** What `npm pack` packs. It is committed: a clone is a package without building anything. */
export const DIST = path.join(import.meta.dirname, "dist");
const TSC = path.join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");

/** What `dist/` must hold, by path: one script for `import`, one for `require`, and the types of both. */
export async function buildSdk(): Promise<Map<string, string>> {
  return new Map([
    ["index.js", await bundle("es")],
    ["index.cjs", await bundle("cjs")],
    ...declarations(),
  ]);
}

async function bundle(format: "es" | "cjs"): Promise<string> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      minify: false,
      lib: { entry: "src/index.ts", formats: [format], fileName: () => "index" },
      rolldownOptions: {
        output: { exports: "named", comments: { legal: false, jsdoc: false, annotation: true } },
      },
    },
  });
  const outputs = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const [script, ...more] = outputs;
  if (script?.type !== "chunk" || more.length > 0)
    throw new Error(`one script expected, built: ${outputs.map((one) => one.fileName).join(", ")}`);
  // The names of the sources, which are told from where the build was called.
  return script.code.replaceAll(/^\/\/.*\n/gm, "");
}

/** `.d.ts` for `import`, the same as `.d.cts` for `require`: by the ending TypeScript knows what kind of module it is. */
function declarations(): [string, string][] {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-sdk-"));
  try {
    const made = spawnSync(
      process.execPath,
      [TSC, "-p", path.join(import.meta.dirname, "tsconfig.json"), "--outDir", folder],
      { encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(`${made.stdout}${made.stderr}`);
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".d.ts"))
      .toSorted()
      .flatMap((name) => {
        const text = readFileSync(path.join(folder, name), "utf8");
        const ending = (to: string) => text.replaceAll(/(from "\.[^"]*)\.ts"/g, `$1.${to}"`);
        return [
          [name, ending("js")] as [string, string],
          [name.replace(/\.ts$/, ".cts"), ending("cjs")] as [string, string],
        ];
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const files = await buildSdk();
  rmSync(DIST, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(DIST, name)), { recursive: true });
    writeFileSync(path.join(DIST, name), text);
  }
  const { gzipSync } = await import("node:zlib");
  console.log(`dist/index.js: ${gzipSync(files.get("index.js") ?? "").length} bytes gzipped`);
}
