import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../../../..");

/** Next.js is not among our packages. What it does with a route: it calls it with a Request and sends the Response. */
const NEXT = `
import { createServer } from "node:http";
import { POST } from "./main.mjs";
createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request).catch(() => []));
  const answer = await POST(new Request("http://a" + request.url, { method: "POST", headers: request.headers, body }));
  response.writeHead(answer.status).end(await answer.text());
}).listen(process.env.PORT, "127.0.0.1", () => console.log("listening"));`;

/**
 * Laravel is not installed for the tests. Stand-ins for what the controller of the guide names: the request as PHP has it,
 * a table whose ids are lines of a file, and nothing of routing, middleware or a database.
 */
const LARAVEL = `<?php
namespace Illuminate\\Http {
  class Request {
    public function getContent() { return file_get_contents('php://input'); }
    public function header($name, $default = null) {
      return $_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] ?? $default;
    }
  }
  class Response {
    public function __construct(public string $content, public int $status) {}
  }
}
namespace Illuminate\\Support\\Facades {
  class DB {
    public static function transaction($work) { return $work(); }
    public static function table($name) { return new self(); }
    public function insertOrIgnore($row) {
      $ids = @file('parley_events', FILE_IGNORE_NEW_LINES) ?: [];
      if (in_array($row['id'], $ids, true)) return 0;
      file_put_contents('parley_events', $row['id'] . PHP_EOL, FILE_APPEND);
      return 1;
    }
  }
  class Log { public static function info($line) { error_log($line); } }
}
namespace {
  function config($name) { return $name === 'services.parley.webhook_secret' ? getenv('WEBHOOK_SECRET') : null; }
  function response($content, $status) { return new Illuminate\\Http\\Response($content, $status); }
  function now() { return new DateTimeImmutable(); }
  require 'controller.php';
  $response = (new App\\Http\\Controllers\\ParleyWebhookController())(new Illuminate\\Http\\Request());
  http_response_code($response->status);
  echo $response->content;
}`;

/** A folder in which a reader's program runs, with the packages that the guides name. */
export async function makeProject(): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-guide-"));
  const modules = path.join(folder, "node_modules");
  await mkdir(path.join(modules, "@parley"), { recursive: true });
  await symlink(path.join(ROOT, "packages/sdk"), path.join(modules, "@parley/sdk"));
  // Express comes with another package of the tests.
  for (const name of ["fastify", "express"])
    await symlink(path.join(ROOT, "node_modules", name), path.join(modules, name));
  await writeFile(path.join(folder, "next.mjs"), NEXT);
  await writeFile(path.join(folder, "laravel.php"), LARAVEL);
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface Running extends AsyncDisposable {
  readonly output: () => string;
}

/** Starts a program and waits until it says that it listens; the end stops what it started as well. */
export async function startProgram(
  [command = "", ...parameters]: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<Running> {
  const env = { ...process.env, ...options.env };
  const child: ChildProcess = spawn(command, parameters, { cwd: options.cwd, env, detached: true });
  let output = "";
  const ended = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/listening|Development Server/.test(output)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`it ended: ${output}`)));
  });
  return {
    output: () => output,
    async [Symbol.asyncDispose]() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}
