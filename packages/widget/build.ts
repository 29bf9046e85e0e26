import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";

/** Where the built widget lies. It is committed: a server serves it without building anything. */
export const BUNDLE = path.join(import.meta.dirname, "dist", "widget.js");

const LICENCE = "/* Parley web chat. Copyright (c) 2026 the authors of Parley. MIT licence. */\n";
/** Preact's interface, as far as it is used: with Preact 11 itself the script is 23.3 kB gzipped, not 18.7, and without any style still 20.4. */
const RUNTIME = path.join(import.meta.dirname, "src", "ui", "runtime.ts");

/** Builds the widget: one script, nothing beside it. The same sources give the same bytes. */
export async function buildWidget(): Promise<string> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    mode: "production",
    define: { "process.env.NODE_ENV": '"production"' },
    resolve: {
      alias: [{ find: /^preact(\/(hooks|jsx-runtime))?$/, replacement: RUNTIME }],
    },
    oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
    build: {
      write: false,
      target: ["chrome105", "firefox110", "safari16.4"],
      // Written for those browsers as it is: a lower target would write every logical property several times.
      cssTarget: ["chrome123", "firefox121", "safari17.5"],
      minify: true,
      modulePreload: false,
      lib: { entry: "src/main.ts", formats: ["iife"], name: "unused", fileName: () => "widget.js" },
    },
  });
  const outputs = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const [script, ...more] = outputs;
  if (script?.type !== "chunk" || more.length > 0)
    throw new Error(`one script expected, built: ${outputs.map((one) => one.fileName).join(", ")}`);
  // ASCII alone, so that it reads the same whatever character set a page or a proxy names.
  return LICENCE + script.code.replaceAll(/[^\0-\x7f]/g, escaped);
}

function escaped(unit: string): string {
  return Array.from({ length: unit.length }, (_, index) => {
    return `\\u${unit.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}

if (import.meta.main) {
  const code = await buildWidget();
  writeFileSync(BUNDLE, code);
  const { gzipSync } = await import("node:zlib");
  console.log(
    `dist/widget.js: ${code.length} bytes, ${gzipSync(readFileSync(BUNDLE)).length} gzipped`,
  );
}
