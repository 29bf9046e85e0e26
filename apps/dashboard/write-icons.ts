import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The icons of the interface, by their names in Lucide. Run this file after a change: `node scripts/run.cjs apps/dashboard/write-icons.ts`. */
const NAMES = [
  "inbox",
  "user-plus",
  "message-circle-question-mark",
  "timer",
  "at-sign",
  "message-square",
  "alarm-clock",
  "circle-check",
  "search",
  "settings",
  "smartphone",
  "tag",
  "radio",
  "layers",
  "bell",
  "chevron-left",
  "chevron-down",
  "users",
  "users-round",
  "megaphone",
  "layout-template",
  "chart-column",
  "plus",
  "list-filter",
  "download",
  "upload",
  "trash",
  "pencil",
  "ellipsis",
  "check",
  "x",
  "circle-alert",
  "external-link",
  "refresh-cw",
  "image",
  "video",
  "file-text",
  "phone",
  "reply",
  "arrow-up-down",
  "columns-3",
  "circle-user-round",
  "shield-check",
  "building",
  "message-square-quote",
  "ban",
  "key-round",
  "webhook",
  "gauge",
  "sparkles",
  "scroll-text",
  "mic",
  "map-pin",
  "bot",
  "hand",
] as const;

const require = createRequire(import.meta.url);
const set: { icons: Record<string, { body: string } | undefined> } = JSON.parse(
  readFileSync(require.resolve("@iconify-json/lucide/icons.json"), "utf8"),
);
const lines = NAMES.map((name) => {
  const icon = set.icons[name];
  if (!icon) throw new Error(`Lucide has no icon ${name}`);
  return `  ${JSON.stringify(name)}: ${JSON.stringify(icon.body)},`;
});
writeFileSync(
  path.join(import.meta.dirname, "src/kit/icons.ts"),
  `/** Written by write-icons.ts from Lucide (ISC licence). */\nexport const ICONS = {\n${lines.join("\n")}\n} as const;\n`,
);
