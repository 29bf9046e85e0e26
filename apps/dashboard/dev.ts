import { spawn } from "node:child_process";
import path from "node:path";
import { createServer } from "vite";
import { settings } from "./build.ts";

/**
 * `npm run dev`: the server, which starts again when its sources change, and in front of it the dashboard's sources, of
 * which a saved file is in the browser at once and keeps the page's state. `PORT` is the server's; the pages are at
 * `DEV_PORT` (5173), and `/parts.html` shows every part of the kit in every state.
 */
const SERVER = path.join(import.meta.dirname, "../server/src/main.ts");
const port = process.env["PORT"] ?? "3000";
const target = `http://127.0.0.1:${port}`;
/** What the server answers beside the pages. */
const PATHS = [
  "/api",
  "/chat",
  "/docs",
  "/hooks",
  "/media",
  "^/r/",
  "/healthz",
  "/readyz",
  "/llms.txt",
];

const server = spawn(process.execPath, ["--watch", "--watch-preserve-output", SERVER], {
  stdio: "inherit",
  env: { ...process.env, PORT: port },
});
const pages = await createServer({
  ...settings("dist/dev"),
  logLevel: "info",
  clearScreen: false,
  server: {
    host: "127.0.0.1",
    port: Number(process.env["DEV_PORT"] ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(
      PATHS.map((at) => [
        at,
        {
          target,
          changeOrigin: true,
          // The server admits changes only from its own pages. Here these pages are its own.
          headers: { origin: target },
        },
      ]),
    ),
  },
});
await pages.listen();
pages.printUrls();

async function stop(): Promise<void> {
  server.kill("SIGTERM");
  await pages.close();
  process.exit();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
server.once("exit", () => void stop());
