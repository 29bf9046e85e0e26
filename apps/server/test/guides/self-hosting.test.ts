import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { parseConfig, readEnvironment } from "../../src/config.ts";
import { openBrowsers } from "../../src/http/dashboard/people.fixture.ts";
import { unknownSettings } from "../../src/lib/setting-names.ts";
import { LONG } from "../group.ts";
import { createTestDatabase, startTestApp } from "../harness.ts";
import { BARE } from "../process/launch.ts";
import { freePort } from "../free-port.ts";
import { serve, WebShop } from "../web-shop.ts";
import { blocksOf } from "./blocks.ts";

/** The guide as a reader follows it: its commands as one session, its files where they belong, its proxies in use. */
const run = promisify(execFile);
const blocks = blocksOf("self-hosting.md");
const ROOT = path.join(import.meta.dirname, "../../../..");
const UNITS = path.join(ROOT, "deploy/systemd");

/** The only block of a language; with `word` and `n`, the one of several that begin with it. */
function blockOf(language: string, word?: string, n?: number): string {
  const found = blocks.filter(
    (block) => block.language === language && (word === undefined || block.words[0] === word),
  );
  assert.ok(n !== undefined || found.length === 1, `${language} ${word ?? ""}`);
  return found[n ?? 0]?.code ?? "";
}

/** The two ways of the guide: each is the blocks of its own, and those of both. */
const WAYS = { service: "service", container: "container" } as const;
type Way = keyof typeof WAYS;
const commandsOf = (way: Way) =>
  blocks.filter(
    ({ language, words: [word = ""] }) =>
      language === "shell" && [way, "reply", "owner"].includes(word),
  );

test("each way of the guide leads to a first reply in twenty commands at the most", (t) => {
  for (const way of [WAYS.service, WAYS.container]) {
    const all = commandsOf(way);
    const until = all.slice(0, all.findIndex(({ words }) => words[0] === "reply") + 1);
    assert.equal(until.length, 2);
    // The lines of a file that is written are no commands.
    const lines = until
      .flatMap(({ code }) => code.replaceAll(/<<END$[^]*?^END$/gm, "").split("\n"))
      .filter(Boolean);
    t.diagnostic(`${way}: ${lines.length} commands`);
    assert.ok(lines.length <= 20, lines.join("\n"));
  }
});

/** Begins the server as its service or its container does, and waits until it serves. */
const SERVE = `. "$W/settings"; "$NODE" "$SOURCE/main.ts" > "$W/log" 2>&1 & echo $! > "$W/pid"
  until PORT=$PORT "$NODE" "$READY" 2> /dev/null; do kill -0 $(cat "$W/pid") || exit 1; done`;
const NEXT_DATABASE = `mv "$W/next" "$W/database"; mv "$W/after" "$W/next" 2>/dev/null || true`;
const PROGRAM = `"$W/opt/parley/bin/parley"`;

/**
 * What stands for the programs that change a machine. Each writes what it was asked. Some also do it: `runuser` runs its
 * command, `createdb` takes the next empty database, `systemctl` does what the unit says, `docker` runs Parley's commands.
 */
const MACHINE = {
  "apt-get": "",
  useradd: "",
  npm: "",
  git: "",
  rsync: "",
  psql: "",
  createuser: "",
  ls: `exec /bin/ls "$@"`,
  jq: `"$NODE" -p 'JSON.parse(fs.readFileSync(0))[process.argv[1].slice(1)]' "$2"`,
  curl: `PATH=\${PATH#*:}; words=()
    for one; do words+=("\${one/https:\\/\\/chat.example.com/http://127.0.0.1:$PORT}"); done; exec curl "\${words[@]}"`,
  install: `for last; do :; done; case "$*" in
    "-d "*) mkdir -p "$W/var/lib/parley" "$W/var/backups/parley";;
    "-m 644 "*) cp "\${@:3}";;
    *) cp /dev/null "$last"; chmod 640 "$last";;
  esac`,
  createdb: NEXT_DATABASE,
  runuser: `while [ "$1" != "--" ]; do shift; done; shift; exec "$@"`,
  systemctl: `case "$*" in
    "enable --now parley "*) ${SERVE};;
    "start parley-backup")
      eval "$(sed -n 's/^ExecStart=//p' "$W/etc/systemd/system/parley-backup.service" | sed 's/%%/%/g')";;
  esac`,
  docker: `case "$*" in
    "compose up --detach --build --wait") [ -e "$W/pid" ] || { ${SERVE}; };;
    "compose exec -T postgres createdb "*) ${NEXT_DATABASE};;
    "compose exec -T parley parley "*) shift 5; exec ${PROGRAM} "$@";;
    "compose run --rm -T parley parley "*) shift 6; exec ${PROGRAM} "$@";;
    "compose exec -T parley cat "*) cat "$6";;
    "compose run --rm -T parley sh -c "*) sh -c "$8";;
  esac`,
} as const;

/** Runs the commands of a way as one session, in a folder that stands for the machine. */
async function walk(way: Way, check: (at: (place: string) => string) => void): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-walk-"));
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const at = (place: string) => path.join(folder, place);
  const program = (file: string, text: string) => {
    writeFileSync(file, `#!/bin/bash\n${text}\n`);
    chmodSync(file, 0o755);
  };
  /** The paths of the guide, in this folder. */
  const here = (text: string) => text.replaceAll(/\/(opt\/parley|var|etc|root)\b/g, `${folder}/$1`);
  const port = await freePort();
  try {
    for (const name of ["opt/parley/bin", "opt/parley/deploy/systemd", "machine", "root"])
      mkdirSync(at(name), { recursive: true });
    for (const name of ["etc/systemd/system", "etc/caddy", "var/backups/parley"])
      mkdirSync(at(name), { recursive: true });
    writeFileSync(at("next"), first.url);
    writeFileSync(at("after"), second.url);
    if (way === "container") await run("mv", [at("next"), at("database")]);
    if (way === "container") await run("mv", [at("after"), at("next")]);
    for (const unit of readdirSync(UNITS))
      writeFileSync(
        at(`opt/parley/deploy/systemd/${unit}`),
        here(readFileSync(path.join(UNITS, unit), "utf8")),
      );
    for (const [name, does] of Object.entries(MACHINE))
      program(at(`machine/${name}`), `echo "${name} $*" >> "$W/asked"\n${does}`);
    const file = way === "service" ? "opt/parley/.env" : "opt/parley/deploy/.env";
    // The settings of the guide's file, but for what is not here: its database, the name with https, the port.
    writeFileSync(
      at("settings"),
      `while IFS= read -r line; do export "$line"; done < "$W/${file}"
      export DATABASE_URL=$(cat "$W/database") PORT PARLEY_DATA_DIR="$W/var/lib/parley"
      export PARLEY_PUBLIC_URL="http://127.0.0.1:$PORT"`,
    );
    program(
      at("opt/parley/bin/parley"),
      `. "$W/settings"; echo "parley $*" >> "$W/asked"; exec "$NODE" "$SOURCE/cli/main.ts" "$@"`,
    );
    const session = here(
      commandsOf(way)
        .map(({ code }) => code)
        .join("\n"),
    );
    const ended = await run("bash", ["-euo", "pipefail", "-c", session], {
      env: {
        ...BARE,
        PATH: `${at("machine")}:${BARE["PATH"]}`,
        W: folder,
        PORT: String(port),
        NODE: process.execPath,
        SOURCE: path.join(ROOT, "apps/server/src"),
        READY: path.join(ROOT, "scripts/ready.mjs"),
      },
      cwd: folder,
    });
    assert.match(ended.stdout, /^\{"id":"[0-9a-f-]{36}","status":"sent"\}/m, "the first reply");
    assert.match(ended.stdout, /^http:\S+\/setup#\S+$/m);
    assert.equal(readFileSync(at("database"), "utf8"), second.url, "the restore is in the new one");
    check(at);
    return readFileSync(at("asked"), "utf8");
  } finally {
    const pid = existsSync(at("pid")) ? Number(readFileSync(at("pid"), "utf8")) : 0;
    if (pid > 0) process.kill(pid, "SIGKILL");
    await Promise.all([first.drop(), second.drop()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

test("the commands of the guide, run in order, set up, back up, upgrade and restore a service", async () => {
  const asked = await walk("service", (at) => {
    const environment = readEnvironment({}, at("opt/parley/.env"));
    const config = parseConfig(environment);
    assert.deepEqual(unknownSettings(environment.keys()), []);
    assert.match(config.databaseUrl ?? "", /^postgres:\/\/parley@\/parley\?host=\S+\/postgresql$/);
    assert.deepEqual(config.trustedProxies, ["127.0.0.1/32"]);
    assert.equal(readFileSync(at("etc/caddy/Caddyfile"), "utf8"), caddyfile());
  });
  assert.match(asked, /^createdb --owner parley parley$/m);
  assert.match(asked, /^parley restore \S+\/var\/backups\/parley\/\d{4}-\d\d-\d\d\.gz$/m);
});

test(
  "the commands of the guide, run in order, set up, back up, upgrade and restore containers",
  { skip: LONG ? false : "a case of the long suite" },
  async () => {
    const asked = await walk("container", (at) => {
      const names = [...readEnvironment({}, at("opt/parley/deploy/.env")).keys()].toSorted();
      assert.deepEqual(names, ["PARLEY_HOSTNAME", "PARLEY_MASTER_KEY", "POSTGRES_PASSWORD"]);
    });
    assert.match(asked, /^parley restore \S+\/var\/backups\/parley\/restore\.gz$/m);
  },
);

test("the guide's lines for mail and files are settings", () => {
  const lines = blockOf("env").trim().split("\n");
  const given = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const config = parseConfig(readEnvironment(given, "/none"));
  assert.ok(config.s3 && config.smtpUrl);
});

/** What the guide's `printf` writes. */
function caddyfile(): string {
  const [, text = ""] =
    /^printf '(.*)' > \/etc\/caddy\/Caddyfile$/m.exec(blockOf("shell", "service", 0)) ?? [];
  assert.ok(text);
  return text.replaceAll("\\n", "\n");
}

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
      const site = caddyfile()
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
