import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { parseConfig, readEnvironment } from "../../src/config.ts";
import { openBrowsers } from "../../src/http/dashboard/people.fixture.ts";
import { unknownSettings } from "../../src/lib/setting-names.ts";
import { createTestDatabase, startTestApp } from "../harness.ts";
import { BARE } from "../process/launch.ts";
import { freePort } from "../sandbox-stand.ts";
import { serve, WebShop } from "../web-shop.ts";
import { blocksOf } from "./blocks.ts";

/** The guide as a reader follows it: its commands as one session, its files where they belong, its proxies in use. */
const run = promisify(execFile);
const blocks = blocksOf("self-hosting.md");
const CLI = path.join(import.meta.dirname, "../../src/cli/main.ts");

function blockOf(language: string, word?: string): string {
  const found = blocks.filter(
    (block) => block.language === language && (word === undefined || block.words[0] === word),
  );
  assert.equal(found.length, 1, `${language} ${word ?? ""}`);
  return found[0]?.code ?? "";
}

/**
 * What stands for the programs that change a machine. Each writes what it was asked. Some also do it: `runuser` runs its
 * command, `createdb` takes the next empty database, `systemctl` does what the unit says.
 */
const MACHINE = {
  "apt-get": "",
  useradd: "",
  npm: "",
  git: "",
  certbot: "",
  nginx: "",
  rsync: "",
  psql: "",
  ls: `exec /bin/ls "$@"`,
  install: `for last; do :; done; case "$*" in
    "-d "*) mkdir -p "$W/var/lib/parley" "$W/var/backups/parley";;
    *) cp /dev/null "$last"; chmod 640 "$last";;
  esac`,
  ln: "",
  createdb: `mv "$W/next" "$W/database"; mv "$W/after" "$W/next" 2>/dev/null || true`,
  runuser: `while [ "$1" != "--" ]; do shift; done; shift; exec "$@"`,
  systemctl: `if [ "$*" = "start parley-backup" ]; then
    eval "$(sed -n 's/^ExecStart=//p' "$W/etc/systemd/system/parley-backup.service" | sed 's/%%/%/g')"
  fi`,
} as const;

test("the commands of the guide, run in order, set up, back up, upgrade and restore a server", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-walk-"));
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const at = (...parts: string[]) => path.join(folder, ...parts);
  const program = (file: string, text: string) => {
    writeFileSync(file, `#!/bin/bash\n${text}\n`);
    chmodSync(file, 0o755);
  };
  /** The paths of the guide, in this folder. */
  const here = (text: string) => text.replaceAll(/\/(opt\/parley|var|etc)\b/g, `${folder}/$1`);
  try {
    for (const name of ["opt/parley/bin", "etc/systemd/system", "etc/nginx", "machine"])
      mkdirSync(at(name), { recursive: true });
    writeFileSync(at("next"), first.url);
    writeFileSync(at("after"), second.url);
    for (const unit of ["parley.service", "parley-backup.service", "parley-backup.timer"])
      writeFileSync(at("etc/systemd/system", unit), here(blockOf("ini", unit)));
    for (const [name, does] of Object.entries(MACHINE))
      program(at("machine", name), `echo "${name} $*" >> "$W/asked"\n${does}`);
    // With the settings of the guide's file, but for its database and what is not here: mail, S3, the port.
    program(
      at("opt/parley/bin/parley"),
      `while IFS= read -r line; do export "$line"; done < "$W/opt/parley/.env"
      unset SMTP_URL S3_URL; export DATABASE_URL=$(cat "$W/database") PORT=0
      echo "parley $*" >> "$W/asked"; exec "${process.execPath}" "${CLI}" "$@"`,
    );
    const commands = blocks.filter(({ language }) => language === "shell");
    const session = here(commands.map(({ code }) => code).join("\n"));
    const ended = await run("bash", ["-euo", "pipefail", "-c", session], {
      env: { ...BARE, PATH: `${at("machine")}:${BARE["PATH"]}`, W: folder },
      cwd: folder,
    });
    assert.match(ended.stdout, /^https:\/\/chat\.example\.com\/setup\S+$/m);
    assert.match(ended.stdout, /^\S+ +1 .*\.gz$/m, "the backup is listed");
    const asked = readFileSync(at("asked"), "utf8");
    assert.match(asked, /^psql --quiet -c create role parley login password '[0-9a-f]{48}'$/m);
    assert.match(asked, /^parley restore \S+\/var\/backups\/parley\/\d{4}-\d\d-\d\d\.gz$/m);
    assert.equal(readFileSync(at("database"), "utf8"), second.url, "the restore is in the new one");

    const environment = readEnvironment({}, at("opt/parley/.env"));
    const config = parseConfig(environment);
    assert.deepEqual(unknownSettings(environment.keys()), []);
    assert.ok(config.s3 && config.smtpUrl && config.demo === false);
    assert.deepEqual(config.trustedProxies, ["127.0.0.1/32"]);
  } finally {
    await Promise.all([first.drop(), second.drop()]);
    rmSync(folder, { recursive: true, force: true });
  }
});

const CALENDAR = spawnSync("systemd-analyze", ["--version"]).error
  ? "no systemd-analyze is installed here"
  : false;

test("the backup's timer names a time that systemd understands", { skip: CALENDAR }, async () => {
  const [, time = ""] = /^OnCalendar=(.*)$/m.exec(blockOf("ini", "parley-backup.timer")) ?? [];
  await run("systemd-analyze", ["calendar", time]);
});

interface Proxy {
  /** The program and what it is started with, once `write` has written its file. */
  readonly command: (folder: string, port: number, upstream: string) => readonly string[];
}

const CERTIFICATE = "/etc/letsencrypt/live/chat.example.com";

const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    command(folder, port, upstream) {
      const site = blockOf("nginx")
        .replaceAll(/^ *listen \[::\].*\n/gm, "")
        .replace("listen 80;", "listen 127.0.0.1:0;")
        .replace(/server \{\n {2}listen 127\.0\.0\.1:0;[^]*?\n\}\n/, "")
        .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`)
        .replaceAll(CERTIFICATE, folder)
        .replace("http://127.0.0.1:3000", upstream);
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join(" ");
      writeFileSync(
        path.join(folder, "nginx.conf"),
        `daemon off; pid ${folder}/pid; error_log stderr; events {}
        http { access_log off; ${temporary} ${site} }`,
      );
      return ["nginx", "-p", folder, "-e", "stderr", "-c", path.join(folder, "nginx.conf")];
    },
  },
  caddy: {
    command(folder, port, upstream) {
      const site = blockOf("caddyfile")
        .replace(
          "chat.example.com {",
          `https://chat.example.com:${port} {\n  bind 127.0.0.1\n  tls ${folder}/fullchain.pem ${folder}/privkey.pem`,
        )
        .replace("127.0.0.1:3000", upstream.replace("http://", ""));
      const file = path.join(folder, "Caddyfile");
      writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`);
      return ["caddy", "run", "--config", file, "--adapter", "caddyfile"];
    },
  },
};

/** A call to the proxy under its name. Gives the answer as soon as its head, or `until` in its body, is here. */
function through(
  port: number,
  method: string,
  where: string,
  given: { headers?: Record<string, string>; body?: Buffer; until?: string } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: "127.0.0.1",
      port,
      method,
      path: where,
      servername: "chat.example.com",
      rejectUnauthorized: false,
      headers: { host: "chat.example.com", ...given.headers },
    });
    call.on("error", reject).on("response", (answer) => {
      let text = "";
      const told = () => resolve({ status: answer.statusCode ?? 0, text });
      answer.setEncoding("utf8").on("data", (data: string) => {
        text += data;
        if (given.until === undefined || !text.includes(given.until)) return;
        told();
        call.destroy();
      });
      answer.on("end", told).on("error", told);
    });
    call.end(given.body);
  });
}

for (const [name, proxy] of Object.entries(PROXIES)) {
  const missing = spawnSync(name, ["-v"]).error ? `${name} is not installed here` : false;
  test(
    `behind the guide's ${name} everything passes: pages, API, hooks, visitors, files, streams`,
    { skip: missing },
    async () => {
      const folder = mkdtempSync(path.join(tmpdir(), "parley-proxy-"));
      const publicUrl = "https://chat.example.com";
      await using t = await startTestApp({
        config: { publicUrl, trustedProxies: ["127.0.0.1/32"] },
      });
      const { server, base } = await serve(t.app);
      await using browsers = await openBrowsers(t.app);
      const shop = await WebShop.open(t.app, base);
      const sara = await browsers.signIn(shop.workspaceId, "agent", "Sara");
      const port = await freePort();
      const asked =
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=chat.example.com";
      const files = ["-keyout", `${folder}/privkey.pem`, "-out", `${folder}/fullchain.pem`];
      const names = ["-addext", "subjectAltName=DNS:chat.example.com"];
      await run("openssl", [...asked.split(" "), ...names, ...files]);
      const [program = "", ...words] = proxy.command(folder, port, base);
      const child = spawn(program, words, {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, HOME: folder },
      });
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (data: string) => (said += data));
      try {
        const get = (where: string, headers: Record<string, string> = {}, until?: string) =>
          through(port, "GET", where, { headers, ...(until !== undefined && { until }) });
        for (;;) {
          assert.equal(child.exitCode, null, said);
          const ready = await get("/healthz").catch(() => null);
          if (ready?.status === 200) break;
          await sleep(50);
        }
        const key = { authorization: `Bearer ${shop.bearer}` };
        assert.equal((await get("/api/v1/contacts", key)).status, 200, "the API");
        assert.equal((await get("/chat/widget.js")).status, 200, "the chat window");
        assert.equal((await get("/metrics")).status, 404, "metrics are for the machine itself");
        const cookie = { cookie: sara.cookie, "x-parley": "1" };
        assert.equal((await get("/api/app/me", cookie)).status, 200, "a member's call");
        const file = Buffer.alloc(3 * 1024 * 1024, "a");
        const upload = { headers: { ...cookie, "content-type": "text/plain" }, body: file };
        const stored = await through(port, "POST", "/api/app/files?name=a.txt", upload);
        assert.equal(stored.status, 201, `a file of 3 MB: ${stored.text}`);
        const hook = await through(port, "POST", "/hooks/whatsapp", { body: Buffer.from("{}") });
        assert.match(hook.text, /^\{"statusCode":404/, "a platform's call, of no channel");
        // What a stream sends at once arrives at once; a proxy that gathers would keep it.
        const live = await get("/api/app/stream", cookie, "\n\n");
        assert.equal(live.status, 200, "the dashboard's stream");
        const events = await get("/api/v1/events/stream", key, "\n\n");
        assert.equal(events.status, 200, "the stream of events");
      } finally {
        child.kill();
        if (child.exitCode === null) await once(child, "close");
        await server.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
}
