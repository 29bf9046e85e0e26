import path from "node:path";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { build, type InlineConfig, type Rolldown } from "vite";
import { contractPlugin } from "./contract-plugin.ts";

/** What a visitor's first page loads may weigh, gzipped, in bytes. */
export const BUDGET = { script: 250_000, style: 25_000 } as const;

const ROOT = import.meta.dirname;

/** What building and the development server have in common. */
export function settings(outDir: string): InlineConfig {
  return {
    root: ROOT,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "error",
    plugins: [
      react(),
      { ...optimizeLocales.vite({ locales: ["en-US", "ar-AE"] }), enforce: "pre" },
      contractPlugin(),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: ["chrome123", "firefox121", "safari17.5"],
      modulePreload: { polyfill: false },
      manifest: true,
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  };
}

/** Bundle sizes of the first load, gzipped, in bytes. */
export interface Weight {
  readonly script: number;
  readonly style: number;
}

/**
 * Builds the dashboard into `outDir`: pages, and assets whose names hold their hash, each also compressed. Throws when
 * the first load weighs more than the budget.
 */
export async function buildDashboard(outDir: string): Promise<Weight> {
  // The builder heeds it above its own mode: under any other word React's slow build for developers would go in.
  process.env["NODE_ENV"] = "production";
  const result = await build(settings(outDir));
  const outputs = [result].flat().flatMap((one) => ("output" in one ? one.output : []));
  const weight = weigh(outputs);
  for (const part of ["script", "style"] as const)
    if (weight[part] > BUDGET[part])
      throw new Error(
        `the first load's ${part} weighs ${weight[part]} bytes gzipped; the budget is ${BUDGET[part]}`,
      );
  compress(path.join(outDir, "assets"));
  return weight;
}

/** Writes each text beside itself as gzip and Brotli; fonts are compressed in themselves. */
function compress(folder: string): void {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg|json)$/.test(one))) {
    const file = path.join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(content));
    writeFileSync(`${file}.br`, brotliCompressSync(content, quality));
  }
}

type Output = Rolldown.RolldownOutput["output"][number];

/** The entry of the page, all that it imports at once, and the styles of these. */
function weigh(outputs: readonly Output[]): Weight {
  const byName = new Map(outputs.map((one) => [one.fileName, one]));
  const seen = new Set<string>();
  const take = (name: string): void => {
    const one = byName.get(name);
    if (one?.type !== "chunk" || seen.has(name)) return;
    seen.add(name);
    for (const next of one.imports) take(next);
    for (const style of one.viteMetadata?.importedCss ?? []) seen.add(style);
  };
  for (const one of outputs) if (one.type === "chunk" && one.isEntry) take(one.fileName);
  const sum = (kind: Output["type"]) =>
    [...seen]
      .map((name) => byName.get(name))
      .filter((one) => one?.type === kind)
      .reduce((total, one) => total + gzipSync(contentOf(one)).length, 0);
  return { script: sum("chunk"), style: sum("asset") };
}

const contentOf = (one: Output | undefined): string | Uint8Array =>
  one === undefined ? "" : one.type === "chunk" ? one.code : one.source;

if (import.meta.main) {
  const outDir = path.resolve(process.argv[2] ?? path.join(ROOT, "dist/now"));
  const weight = await buildDashboard(outDir);
  console.log(`first load, gzipped: script ${weight.script} B, style ${weight.style} B`);
}
